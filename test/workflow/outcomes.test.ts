import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ExecuteContext } from 'n8n-core';

import { checkCode, MOBILE, sendCode } from './harness/codes';
import { type NodeUnderTest, processed, runNode, TestWorkflow } from './harness/engine';
import {
	accepted,
	continuing,
	DLR,
	expectErrorItem,
	expectNoKey,
	hintsOf,
	KEY,
	platform,
	ROW,
	row,
	rowsUpTo,
	send,
	splitting,
	TAKEN,
	withCredential,
	withoutWaits,
} from './harness/send';
import type { Reply, Sent } from './harness/httpServer';

describe('the outcome of a message', () => {
	withoutWaits();

	it.each<[Reply, RegExp]>([
		[{ status: 401 }, /does not accept the key\.$/],
		[{ status: 403, body: { errorCode: 'E-9', error: 'x' } }, /does not accept the key\.$/],
		[{ status: 404 }, /the address of the service is wrong\.$/],
		[{ status: 404, body: { errorCode: 'E-4', error: 'x' } }, /E-4\)\. There is nothing to correct\. Tell the admin/],
		[{ status: 429 }, /too busy.*Send only this message again later/],
		[{ status: 503, headers: { 'retry-after': '1' } }, /too busy.*Send only this message again later/],
		[{ cut: 'ECONNREFUSED' }, /no connection to the SMS service\. Send only this message again later/],
	])('comes, after %j, with a notice that matches %s', async (reply, notice) => {
		platform(reply);
		const run = await runNode(send({}, { language: 'en' }, continuing), [ROW]);
		expect(run.json[0]).toMatchObject([{ details: { notice: expect.stringMatching(notice) as unknown } }]);
	});

	it('is accepted with a warning if the platform names another service, and the warning shows no key or number', async () => {
		platform({ body: { serviceId: `exams ${KEY} 6987654321`, errorCode: '', error: '' } });
		const run = await runNode(send(), [ROW]);
		expect(run.json[0]).toMatchObject([
			{ accepted: true, warning: expect.stringMatching(/named a different service \(exams .*•••21\)/) as unknown },
		]);
		expectNoKey(run);
	});

	/** Returns an answer in the documented format. */
	const said = (errorCode: unknown, error: unknown, more: object = {}) => ({
		...{ body: { serviceId: 'grades', errorCode, error } },
		...more,
	});
	const E2 = { errorCode: 'E-002' };
	const because = (reason: string, notice: RegExp) => ({ reason, notice: expect.stringMatching(notice) as string });
	const long = `E-${'7'.repeat(200)}`;
	const megabyte = 'x'.repeat(1024 * 1024);
	type Row = [name: string, reply: Reply, text: RegExp, details?: IDataObject];
	/* unit/lib/http/retryPolicy tests the meaning of the HTTP statuses. */
	const rejected: Row[] = [
		[
			'a rejection',
			said('E-002', 'Unknown Service'),
			/E-002.*Unknown Service/,
			{
				...because('refused', / \(E-002\)/),
				httpStatus: 200,
			},
		],
		['a code without a text, with HTTP 400', { status: 400, body: E2 }, /E-002/, E2],
		[
			'a rejection with HTTP 400',
			said('E-002', 'Unknown Service', { status: 400 }),
			/E-002/,
			{ ...E2, httpStatus: 400 },
		],
		['HTTP 400', { status: 400, body: 'no' }, /400/, because('refused', /^[^()]*$/)],
		['HTTP 401', { status: 401 }, /key/i],
		['HTTP 403', { status: 403 }, /refused the request.*403/],
		['HTTP 418', { status: 418 }, /418/, { httpStatus: 418 }],
		['HTTP 429, three times', { status: 429 }, /429/],
		['a rejection whose code and text are numbers', said(1000000007, 12), /•••07: 12/, { errorCode: '1000000007' }],
		['a rejection of 20,001 characters', said('E-1', 'x'.repeat(20_001)), /a text of 20001 characters/],
		['HTTP 503 with Retry-After, three times', { status: 503, headers: { 'retry-after': '1' } }, /503/],
		['a refused connection, three times', { cut: 'ECONNREFUSED' }, /ECONNREFUSED/, because('notReached', /./)],
		['an IP address that is not registered', said('E-9', 'Unauthorized sender address'), /IP address of this server/],
		['an untrusted certificate', { cut: 'CERT_HAS_EXPIRED' }, /certificate/i],
	];
	const undocumented: unknown[] = [
		...['', '<html>ok</html>', '{"errorCode":"', null, [], 42, { serviceId: 'grades' }, { error: '' }],
		...[{ errorCode: null }, { errorCode: false, error: false }, { errorCode: {}, error: [] }],
		{ errorCode: 'E-002', error: 'Unknown Service', more: megabyte },
	];
	const unknown: Row[] = [
		['a redirect', { status: 307, headers: { location: 'https://other.example.gr/' } }, /redirect/i],
		...[409, 500, 503].map((status): Row => [`HTTP ${status}`, { status }, RegExp(`${status}`)]),
		['a redirect with a rejection', said('E-002', 'Unknown Service', { status: 302 }), /redirect.*E-002/i, E2],
		['an error code alone', said('E-002', ''), /does not say whether the message was accepted.*E-002/, E2],
		['an error text alone', said('', 'User credits expired'), /does not say whether the message was accepted.*credits/],
		['an error code without the field for its text', { body: E2 }, /E-002/, E2],
		['a long error code', said(long, ''), /does not say whether the message was accepted/, { errorCode: long }],
		['an error code of 0', said(0, ''), /does not say whether the message was accepted/, { errorCode: '0' }],
		[
			'an error code of "0" with a text',
			said('0', 'Accepted'),
			/does not say whether the message was accepted.*Accepted/,
			{ errorCode: '0' },
		],
		['0 as code and text', said(0, 0), /does not say whether the message was accepted/],
		['spaces as code and text', said(' ', '\u200b'), /does not say whether the message was accepted.*empty error/],
		['no answer in time', { delayMs: 5_000 }, /in time/],
		['a cut connection', { cut: 'ECONNRESET' }, /ECONNRESET/],
		['HTTP 500 with empty code and text', said('', '', { status: 500 }), /500/],
		['HTTP 500 with a code', said('E-100', 'General error', { status: 500 }), /500/, { errorCode: 'E-100' }],
		['HTTP 204', { status: 204 }, /documented/],
		...undocumented.map((body): Row => {
			const reply = { body, headers: { 'content-type': 'application/json' } };
			return [JSON.stringify(body).slice(0, 60), reply, /documented/];
		}),
	];
	const all = Object.entries({ rejected, unknown }).flatMap(([outcome, rows]) =>
		rows.map(([name, reply, text, more = {}]) => [outcome, name, reply, text, more] as const),
	);

	it.each(all)('is %s after %s', async (outcome, name, reply, text, more) => {
		const sent = platform(reply);
		// On a busy machine an answer may take longer than a tenth of a second.
		const timeout = 'delayMs' in reply ? 0.1 : 4;
		const spec = send({}, { dlrUrl: DLR, reference: 'ref-1', timeout });
		const run = await runNode({ ...spec, ...continuing }, [ROW]);
		expect(sent).toHaveLength(name.endsWith('three times') ? 3 : 1);
		const item = run.json[0]?.[0];
		expectErrorItem(item, text, { outcome, recipient: '6912345678', reference: 'ref-1', ...more });
		// The advice does not say to send a message again that may have been sent.
		if (outcome === 'unknown') {
			expect(item).toMatchObject({
				message: expect.stringMatching(/^Ask the recipients whether they got the message\./) as unknown,
			});
			expect(`${String(item!.error)} ${String(item!.message)}`).not.toMatch(/retry/i);
			// A wrong server gives each row the same answer.
			if (name === 'a redirect' || name.includes('html')) expect(item!.message).toMatch(/Base URL/);
		}
		expectNoKey(run);

		const stopped = await runNode(spec, [ROW]);
		expect([stopped.status, stopped.error?.message]).toEqual(['error', item?.error]);
		expect(stopped.error?.description).toBe(item?.message);
		expectNoKey(stopped);
	});

	it.each<[string, Reply]>([
		['HTTP 201', { ...TAKEN, status: 201 }],
		['a body with the content type text', { body: JSON.stringify({ serviceId: 'grades', errorCode: '', error: '' }) }],
		['more fields than documented', { body: { serviceId: 'grades', errorCode: '', error: '', id: 7, details: 'x' } }],
		['no service', { body: { errorCode: '', error: '' } }],
		['null instead of an empty error', { body: { serviceId: 'grades', errorCode: null, error: null } }],
		...[{ toString: null }, ['exams'], ' grades ', '', true].map((serviceId): [string, Reply] => [
			`the service ${JSON.stringify(serviceId)}`,
			{ body: { serviceId, errorCode: '', error: '' } },
		]),
	])('is accepted after an answer with %s, and the item leaves at the first output', async (_, reply) => {
		platform(reply);
		const run = await runNode(send({}, {}, splitting), [ROW]);
		expect(run.json).toEqual([[accepted('6912345678')], []]);
	});
});

/** Returns a controller that cancels the run. */
function stoppable() {
	const stop = new AbortController();
	jest.spyOn(ExecuteContext.prototype, 'getExecutionCancelSignal').mockReturnValue(stop.signal);
	return stop;
}
afterEach(() => jest.restoreAllMocks());

describe('the summary of a run', () => {
	const refuseThird = ({ body }: Sent): Reply =>
		body.includes('6912345673') ? { body: { errorCode: 'E-9', error: 'User not opted in' } } : TAKEN;

	it('counts outcomes, and groups failures by reason', async () => {
		platform(refuseThird);
		const rows = [row(1), { ...row(2), mobile: '6.9E9' }, row(3), row(4), { ...row(5), mobile: '6.9E9' }];
		const run = await runNode(send({}, {}, continuing), rows);
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(
				/^warning: 2 accepted, 3 rejected, 0 unknown, 0 skipped\. "6\.9E9" has lost digits, because Excel rounded the number: 2 items \(item 2, item 5\)\. Format the column as text in Excel, and write the number again\. The SMS platform refused the message \(E-9: User not opted in\): 1 item \(item 3 \(…\d{3}\)\)\. The message was not accepted.* Ask the operator what this answer means$/,
			),
		]);
	});

	it('is not a warning if all items succeeded, and is missing for a single item', async () => {
		platform();
		const hints = hintsOf(await runNode(send(), [row(1), row(2)]));
		expect(hints).toEqual(['info: 2 accepted, 0 rejected, 0 unknown, 0 skipped']);
		expect(hintsOf(await runNode(send(), [row(1)]))).toEqual([]);
	});

	it('has a warning about skipped items', async () => {
		platform();
		const workflow = new TestWorkflow(send());
		await workflow.run([row(1), row(2)]);
		expect(hintsOf(await workflow.run([row(1), row(2), row(3)]))).toEqual([
			'info: 1 accepted, 0 rejected, 0 unknown, 2 skipped',
			expect.stringMatching(
				/^warning: 2 rows were not sent, because the same message went out before\. .*Send Again\.$/,
			),
		]);
		expect(hintsOf(await workflow.run([row(1)]))[1]).toMatch(/^warning: 1 row was not sent/);
	});

	describe('under On Error Stop', () => {
		withoutWaits();

		it('groups the failures by reason, and counts the outcomes', async () => {
			platform({ cut: 'ECONNREFUSED' });
			const run = await runNode(send({}, { concurrency: 3 }), rowsUpTo(5));
			expect(run.error?.message).toMatch(/can't be reached/);
			expect(run.error?.description).toMatch(
				/can't be reached \(ECONNREFUSED\): 5 items \(item 1 \(…\d{3}\), item 2 \(…\d{3}\), item 3 .*\)\. 0 accepted, 5 rejected, 0 unknown, 0 skipped/,
			);
		});
	});

	it('counts the unknown items of an outage, and names no single item', async () => {
		platform({ status: 500 });
		const run = await runNode(send({}, { concurrency: 1 }), rowsUpTo(5));
		expect(run.error?.description).toMatch(/^(?!.*the item).*5 unknown, 0 skipped/s);
	});

	it('of a cancelled run counts the items that were not tried, and advises how to continue the list', async () => {
		const stop = stoppable();
		const sent = platform((_, index) => {
			if (index === 5) stop.abort();
			return TAKEN;
		});
		const run = await runNode(send({}, { concurrency: 2 }, continuing), rowsUpTo(20));
		jest.restoreAllMocks();
		// An item that a worker took just before the run was stopped is rejected, because no request was sent for it.
		const [, taken, rejected, unknown, notTried] =
			/^warning: (\d+) accepted, (\d+) rejected, (\d+) unknown, 0 skipped, (\d+) not tried/
				.exec(hintsOf(run)[0]!)!
				.map(Number);
		expect([taken! + unknown!, rejected! + notTried!]).toEqual([sent.length, 20 - sent.length]);
		expect(hintsOf(run).join('\n')).toMatch(
			/not sent, because the run was stopped\. To continue, run the node again within 10 hours/,
		);
	});
});

it("the error of a rejected message contains the platform's error code and its text in full", async () => {
	platform({ body: { errorCode: '10000007', error: 'Unknown Service 2026100' } });
	const run = await runNode(send({ serviceId: '2026100' }, {}, continuing), [row(1)]);
	const error = 'The SMS platform refused the message (10000007: Unknown Service 2026100)';
	expect(run.json[0]).toMatchObject([{ error, details: { errorCode: '10000007' } }]);
});

describe('a run that is stopped', () => {
	it.each<[string, Reply]>([
		['no connection', { cut: 'ECONNREFUSED' }],
		['an overloaded platform', { status: 503, headers: { 'retry-after': '60' } }],
	])('during the wait for a retry rejects its items, and the next run sends them: %s', async (_, reply) => {
		const stop = stoppable();
		let isUp = false;
		const sent = platform((_request, index) => {
			// Stops the run during the wait for the first retry, which is longer than 100 ms.
			if (index === 1) setTimeout(() => stop.abort(), 100);
			return isUp ? TAKEN : reply;
		});
		const workflow = new TestWorkflow(send({}, { concurrency: 2 }, continuing));
		const run = await workflow.run(rowsUpTo(2));
		jest.restoreAllMocks();
		expect(run.json[0]).toMatchObject([1, 2].map(() => ({ details: { outcome: 'rejected' } })));
		isUp = true;
		expect((await workflow.run(rowsUpTo(2))).json[0]).toMatchObject([{ accepted: true }, { accepted: true }]);
		expect(sent).toHaveLength(4);
	});

	it('before its first request sends no message, and the next run sends all messages', async () => {
		const stop = stoppable();
		const sent = platform();
		const { checkProcessedAndRecord } = processed;
		jest.spyOn(processed, 'checkProcessedAndRecord').mockImplementationOnce(async (...args) => {
			stop.abort();
			return await checkProcessedAndRecord.apply(processed, args);
		});
		const workflow = new TestWorkflow(send({}, { concurrency: 2 }, continuing));
		await workflow.run(rowsUpTo(2));
		jest.restoreAllMocks();
		expect(sent).toEqual([]);
		expect((await workflow.run(rowsUpTo(2))).json[0]).toMatchObject([{ accepted: true }, { accepted: true }]);
	});
});

/* Tests the language and the columns in the errors of a run that fails as a whole. */

const few = withCredential({ maxMessagesPerRun: 1 });
const el = { language: 'el' };
it.each<[string, NodeUnderTest]>([
	['a list that is too long', send({}, el, few)],
	['a list without its column', send({ recipient: '' }, el)],
	['a list for Send and Wait', send({ operation: 'sendAndWait' }, el)],
	[
		'an invalid option of Who Got It',
		{ node: 'smsResults', parameters: { operation: 'whoGotIt', options: { ...el, lateAfterHours: -1 } } },
	],
	['too many codes', sendCode(el, few, { recipient: MOBILE })],
	['Check Code with Always Output Data', checkCode(el, { alwaysOutputData: true })],
	[
		'an invalid setting of AMKA',
		{ node: 'amka', parameters: { splitByResult: "={{ 'x' }}", options: el as INodeParameters } },
	],
])('the notice about a failed run is Greek if Language is Greek, in its items and its error: %s', async (_, spec) => {
	const isGreek = { details: { notice: expect.stringMatching(/^(?!.* \/ ).*[α-ω]{3}/) as unknown } };
	const rows = [1, 2].map((last): IDataObject => ({ ΑΜ: last, id: 'x', typed: '1' }));
	const { json } = await runNode({ ...spec, ...continuing }, rows);
	const items = json.flat().filter(({ error }) => error !== undefined);
	expect(items).toMatchObject(items.map(() => isGreek));
	expect(items).not.toEqual([]);
	expect((await runNode(spec, rows)).error).toMatchObject({ context: isGreek });
});

it('an error item of a run that cannot start has the columns of its row', async () => {
	const sent = platform();
	const run = await runNode(send({}, { includeInputFields: true }, { ...few, ...continuing }), [row(1), row(2)]);
	expect(run.json[0]).toMatchObject([1, 2].map((last) => ({ details: { reason: 'tooManyRows', input: row(last) } })));
	const unreadable = send({}, { includeInputFields: true, language: 'gr' }, continuing);
	expect((await runNode(unreadable, [row(1)])).json[0]).toMatchObject([
		{ error: expect.stringMatching(/^Language/) as unknown, details: { input: row(1) } },
	]);
	expect(sent).toEqual([]);
});

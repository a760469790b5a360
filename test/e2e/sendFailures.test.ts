import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { selfSignedCertificate } from '../../sandbox/certificate';
import { taskOf, until, type Execution } from './n8n';
import { gradesIn, items } from './sending';
import { keysStaySecret, useWorld } from './world';

const world = useWorld();

const { recipient, row, send, bodies } = gradesIn(world);

describe('a message that failed says whether it may have gone out', () => {
	const continueOnError: Partial<INode> = { onError: 'continueErrorOutput' };

	/** Sends one row with the error output connected, and returns its error item. */
	const failure = async (parameters: INodeParameters = {}): Promise<IDataObject> => {
		const input = row();
		const execution = await send([input], parameters, continueOnError);
		expect(items(execution)).toEqual([]);
		expect(items(execution, 1)).toHaveLength(1);
		const [item] = items(execution, 1);
		// n8n puts the row itself beside the three keys of an error item.
		expect(item).toEqual({
			...input,
			error: expect.any(String),
			message: expect.any(String),
			details: expect.any(Object),
		});
		return item!;
	};

	// Retries are off: what is tested is one try and what it says.
	test.each([
		['refuse', 'rejected', 0],
		['429', 'rejected', 0],
		['500', 'unknown', 0],
		['503', 'unknown', 0],
		['cutBefore', 'unknown', 0],
		['cutAfter', 'unknown', 1],
		['html', 'unknown', 1],
		['array', 'unknown', 1],
		['missingFields', 'unknown', 1],
		['echo', 'rejected', 0],
	] as const)('%s: %s', async (answer, outcome, accepted) => {
		Object.assign(world.sandbox.trouble, { answer });
		const { details } = await failure({ options: { retries: 0 } });

		expect(details).toMatchObject({ outcome, recipient });
		expect(world.sandbox.accepted(recipient)).toBe(accepted);
		expect(bodies()).toHaveLength(1);
	});

	test('503 with Retry-After: the platform says that it took nothing', async () => {
		Object.assign(world.sandbox.trouble, { answer: '503', retryAfter: '1' });
		const { details } = await failure({ options: { retries: 0 } });

		expect(details).toMatchObject({ outcome: 'rejected' });
	});

	test.each([
		['an unknown service', { serviceId: '999' }, 'E-002', /Unknown Service/],
		['an unknown message', { messageId: '9' }, 'X-004', /Unknown Message/],
	])('the platform knows %s: its own code and words', async (_, parameters, errorCode, words) => {
		const { error, details } = await failure(parameters);

		expect(error).toMatch(words);
		const said = { reason: 'refused', notice: expect.stringContaining(errorCode) };
		expect(details).toEqual({ outcome: 'rejected', recipient, errorCode, reference: expect.any(String), ...said });
	});

	test('a time-out: unknown, because the message may go out all the same, and never sent again by itself', async () => {
		Object.assign(world.sandbox.trouble, { delayMs: 1500 });
		const { details, error } = await failure({ options: { timeout: 1 } });
		await until('the platform has taken the message', () => world.sandbox.accepted(recipient) > 0);

		expect(error).toMatch(/time/i);
		expect(details).toMatchObject({ outcome: 'unknown' });
		expect(bodies()).toHaveLength(1);
	});

	test('nobody listens: rejected', async () => {
		const gone = await world.anotherSandbox();
		const credential = await world.n8n.addCredential('smsPlatformApi', {
			...world.smsPlatformApi(),
			baseUrl: gone.url,
		});
		await gone.close();
		const execution = await send(
			[row()],
			{ options: { retries: 0 } },
			{ ...continueOnError, credentials: { smsPlatformApi: credential } },
		);

		expect(items(execution, 1)).toEqual([
			expect.objectContaining({ details: expect.objectContaining({ outcome: 'rejected' }) }),
		]);
	});

	test.each(['http', 'https'])(
		'a connection that nobody takes, as behind a firewall: rejected (%s)',
		async (protocol) => {
			// A server that stands still: what connects to it waits, once the few places of its queue are taken.
			const server = spawn(process.execPath, [
				'-e',
				'require("net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, function () { console.log(this.address().port) })',
			]);
			const waiting: Socket[] = [];
			try {
				const port = await new Promise<number>((resolve) =>
					server.stdout.once('data', (line) => resolve(Number(line))),
				);
				server.kill('SIGSTOP');
				for (let place = 0; place < (protocol === 'http' ? 8 : 0); place++)
					waiting.push(connect(port, '127.0.0.1').on('error', () => {}));
				await sleep(300);
				const credential = await world.n8n.addCredential('smsPlatformApi', {
					...world.smsPlatformApi(),
					baseUrl: `${protocol}://127.0.0.1:${port}`,
				});
				const execution = await send(
					[row()],
					{ options: { retries: 0, timeout: 2 } },
					{ ...continueOnError, credentials: { smsPlatformApi: credential } },
				);

				expect(items(execution, 1)).toMatchObject([{ details: { outcome: 'rejected' } }]);
			} finally {
				for (const socket of waiting) socket.destroy();
				server.kill('SIGKILL');
			}
		},
	);

	test('a redirect is not followed: the key stays with the host of the credential', async () => {
		const elsewhere = await world.anotherSandbox();
		Object.assign(world.sandbox.trouble, {
			answer: 'redirect',
			redirectTo: elsewhere.url.replace('127.0.0.1', 'localhost'),
		});
		const { details } = await failure();

		expect(elsewhere.traffic.calls).toEqual([]);
		// Whoever redirects may have passed the request on.
		expect(details).toMatchObject({ outcome: 'unknown' });
	});

	test('the reference stays with the failed row', async () => {
		Object.assign(world.sandbox.trouble, { answer: 'refuse' });
		const { details } = await failure({
			dlrUrl: 'https://n8n.example.gr/webhook/abc/dlr',
			options: { reference: 'row 7' },
		});

		expect(details).toMatchObject({ outcome: 'rejected', errorCode: 'X-999', reference: 'row 7' });
	});

	test('without a branch for errors the run fails, in words', async () => {
		const execution = await send([row()], { serviceId: '999' });

		expect(execution.status).toBe('error');
		expect(taskOf(execution, 'smsSend').error?.message).toMatch(/E-002.*Unknown Service/);
	});
});

describe('bad input is refused before any request, and the other rows go on', () => {
	test.each([
		['no recipient', {}, { recipient: '' }, /The mobile number is missing/],
		['a number that a spreadsheet shortened', {}, { recipient: '6.9E9' }, /has lost digits/],
		['a column that is missing', {}, { grade: undefined }, /Βαθμός/],
		['replacements that are no list', { specifyReplacements: 'json', replacementsJson: '{"a":1}' }, {}, /Replacements/],
		['a placeholder left empty', { options: { messageText: '{Α,1} {Β,2} {Γ,3}' } }, {}, /another number of values: 3/],
		['an address that is none', { dlrUrl: 'n8n.example.gr/dlr' }, {}, /Delivery Report URL/],
	])('%s', async (_, parameters, bad, message) => {
		const execution = await send([row(bad), row({ recipient: '6987654321' })], parameters as INodeParameters, {
			onError: 'continueErrorOutput',
		});
		const [first] = items(execution, 1);

		expect(first).toMatchObject({ error: expect.stringMatching(message), details: expect.any(Object) });
		expect(world.sandbox.accepted(recipient)).toBe(0);
		if (Object.keys(parameters).length === 0) {
			expect(items(execution)).toEqual([expect.objectContaining({ accepted: true, recipient: '6987654321' })]);
			expect(bodies()).toHaveLength(1);
		} else {
			expect(bodies()).toEqual([]);
		}
	});
});

describe("with n8n's Retry On Fail, a row is sent at most once", () => {
	const retries: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
	const rows = [row(), row({ recipient: 'nobody' }), row({ recipient: '6987654321' })];

	test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'On Error: %s',
		async (onError) => {
			const execution = await send(rows, {}, { ...retries, onError });

			expect(world.sandbox.accepted(recipient)).toBe(1);
			expect(world.sandbox.accepted('6987654321')).toBeLessThanOrEqual(1);
			expect(execution.status).toBe(onError === 'stopWorkflow' ? 'error' : 'success');
			if (onError !== 'stopWorkflow') expect(world.sandbox.accepted('6987654321')).toBe(1);
		},
	);

	test('a row whose answer was lost is not sent again', async () => {
		Object.assign(world.sandbox.trouble, { answer: 'cutAfter', times: 1 });
		await send([row()], {}, retries);

		expect(world.sandbox.accepted(recipient)).toBe(1);
		expect(bodies()).toHaveLength(1);
	});
});

test('a certificate that nobody trusts is refused, and accepted when the credential says so', async () => {
	const secure = await world.anotherSandbox(selfSignedCertificate());
	const sendTo = async (allowUnauthorizedCerts: boolean): Promise<Execution> => {
		const credential = await world.n8n.addCredential('smsPlatformApi', {
			...world.smsPlatformApi(),
			baseUrl: secure.url,
			allowUnauthorizedCerts,
		});
		return await send(
			[row()],
			{ options: { retries: 0 } },
			{ onError: 'continueErrorOutput', credentials: { smsPlatformApi: credential } },
		);
	};
	const refused = await sendTo(false);
	const acceptedBefore = secure.accepted(recipient);
	const accepted = await sendTo(true);

	expect(items(refused, 1)).toEqual([
		expect.objectContaining({
			error: expect.stringMatching(/certificate/),
			message: expect.stringContaining('Ignore SSL Issues'),
			details: expect.objectContaining({ outcome: 'rejected' }),
		}),
	]);
	expect(acceptedBefore).toBe(0);
	expect(items(accepted)).toEqual([expect.objectContaining({ accepted: true })]);
});

keysStaySecret(world);

import { logLines, runNode } from '../harness/engine';
import { serve } from '../harness/wire';
import {
	OPERATION,
	ELENI,
	MARIA,
	GIORGOS,
	failsSoon,
	matches,
	validate,
	continuing,
	splitting,
	people,
} from './fixtures';

describe('many rows', () => {
	const rows = [ELENI, { ...MARIA, surname: '' }, GIORGOS, MARIA];

	it('keeps order and origin, however late an answer comes', async () => {
		serve('GET', OPERATION, (request, index) => ({ ...matches(request), delayMs: [60, 5, 30][index] ?? 0 }));
		const run = await runNode(validate({ output: 'verdict' }, continuing), rows);
		expect(run.json[0]?.map(({ ssn }) => ssn)).toEqual([ELENI.ssn, undefined, GIORGOS.ssn, MARIA.ssn]);
		expect(run.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
		expect(run.origins).toEqual([rows]);
	});

	it('stops at the first failure where the node is set to stop, and says which row it was', async () => {
		const sent = serve('GET', OPERATION, matches);
		const run = await runNode(validate({ options: { concurrency: 1 } }), rows);
		expect(run.status).toBe('error');
		expect(run.outputs).toEqual([]);
		expect(run.error).toMatchObject({
			message: expect.stringMatching(/surname is missing/) as unknown,
			context: { itemIndex: 1 },
		});
		expect(sent).toHaveLength(1);
		expect(run.error?.description).toContain(
			'Of 4 rows: 1 matched, 0 not matched, 1 failed, 2 not tried. The surname is missing: 1 row (row 2 (…307))',
		);
	});

	it('says what became of the rows in a sentence of its own, also where an error has no advice', async () => {
		const run = await runNode(validate({}, { credentials: { amkaApi: new Error('the store is down') } }), [
			ELENI,
			MARIA,
		]);
		expect(run.error?.message).toBe('the store is down');
		expect(run.error?.description).toMatch(/^Of 2 rows: 0 matched/);
	});

	it.each([
		[{}, 5],
		[{ concurrency: 2 }, 2],
	])('has with %j at most %d questions under way', async (options, most) => {
		let inFlight = 0;
		let highest = 0;
		serve('GET', OPERATION, async (request) => {
			highest = Math.max(highest, ++inFlight);
			await new Promise((resolve) => setTimeout(resolve, 100));
			inFlight--;
			return matches(request);
		});
		await runNode(validate({ options }), people(12));
		expect(highest).toBe(most);
	});

	it('reads the credential once, and makes an error item of every row when it cannot be read', async () => {
		serve('GET', OPERATION, matches);
		expect((await runNode(validate(), [ELENI, MARIA, GIORGOS])).decryptions).toEqual(['amkaApi']);
		const credentials = { amkaApi: new Error('the store is down') };
		const run = await runNode(validate({}, { ...splitting, credentials }), [ELENI, GIORGOS]);
		expect(run.json[0]).toEqual([]);
		expect(run.json[1]).toMatchObject([{ error: 'the store is down' }, { error: 'the store is down' }]);
	});

	it('makes an error item of a row whose expression fails', async () => {
		serve('GET', OPERATION, matches);
		const surname = "={{ $json.surname === 'Δοκιμαστική' ? $('Nowhere').item.json.x : $json.surname }}";
		const run = await runNode(validate({ surname }, splitting), [ELENI, MARIA]);
		expect(run.json[0]).toMatchObject([{ ssn: ELENI.ssn }]);
		expect(run.json[1]).toMatchObject([{ ssn: MARIA.ssn, error: expect.any(String) as unknown }]);
	});

	it('answers no rows with no items', async () => {
		const run = await runNode(validate(), []);
		expect([run.status, run.outputs]).toEqual(['success', []]);
	});

	it('sums up what became of them, a warning where rows failed', async () => {
		serve('GET', OPERATION, (request) =>
			request.query.ssn === MARIA.ssn ? { body: { match: 'false' } } : matches(request),
		);
		const more = [{ surname: '' }, { ssn: '150399' }, { birthDate: 'x' }].map((wrong) => ({ ...ELENI, ...wrong }));
		const run = await runNode(validate({}, continuing), [...rows, ...more]);
		const message = `2 matched, 2 not matched, 3 failed. The surname is missing: 2 rows (row 2 (…307), row 5 (…568)); "x" can't be read as a date for certain: 1 row (row 7 (…568))`;
		expect(run.hints).toEqual([{ message, type: 'warning', location: 'outputPane' }]);
	});

	it('says that all went well as a plain word, and nothing of a single row', async () => {
		serve('GET', OPERATION, matches);
		const { hints } = await runNode(validate(), [ELENI, MARIA]);
		expect(hints).toEqual([{ message: '2 matched, 0 not matched, 0 failed', type: 'info', location: 'outputPane' }]);
		expect((await runNode(validate(), [ELENI])).hints).toEqual([]);
	});

	it('says an outage once, with the rows that met it, and shows no number', async () => {
		serve('GET', OPERATION, failsSoon(500));
		const run = await runNode(validate({}, continuing), [ELENI, MARIA, GIORGOS]);
		expect(run.hints[0]?.message).toBe(
			'0 matched, 0 not matched, 3 failed. The AMKA service answered HTTP 500: 3 rows (row 1 (…568), row 2 (…307), row 3 (…234))',
		);
		for (const { ssn } of [ELENI, MARIA, GIORGOS])
			expect(JSON.stringify([run.json, run.hints, logLines])).not.toContain(ssn);
	});
});

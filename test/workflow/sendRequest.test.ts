import { runNode } from './harness/engine';
import { accepted, bodyOf, expectNoKey, KEY, OPERATION, ROW, send, TAKEN } from './harness/send';
import { serve } from './harness/wire';

describe('the request', () => {
	it('is the one the interface describes, and nothing more', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send(), [ROW]);
		expect(sent).toMatchObject([
			{
				method: 'POST',
				url: OPERATION,
				query: {},
				headers: {
					'content-type': expect.stringMatching(/^application\/json/) as unknown,
					accept: expect.stringContaining('application/json') as unknown,
				},
			},
		]);
		expect(bodyOf(sent[0])).toEqual({
			serviceId: 'grades',
			messageId: 'result',
			replacements: ['Φυσική', '8'],
			recipient: '6912345678',
			institution: 'example-university',
			'pre-shared key': KEY,
		});
		expect(run.json).toEqual([[accepted('6912345678')]]);
		expectNoKey(run);
	});

	it.each([
		[
			'from the list',
			{ __rl: true, mode: 'list', value: 'grades' },
			{ __rl: true, mode: 'list', value: 'result', cachedResultName: 'Ο βαθμός' },
		],
		['by ID', { __rl: true, mode: 'id', value: 'grades' }, { __rl: true, mode: 'id', value: '=res{{ "ult" }}' }],
		['as plain text', 'grades', 'result'],
		['by an expression', '={{ "grades" }}', '={{ "result" }}'],
	])('names service and message where they were chosen %s', async (_, serviceId, messageId) => {
		const sent = serve('POST', OPERATION, TAKEN);
		await runNode(send({ serviceId, messageId }), [ROW]);
		expect(bodyOf(sent[0])).toMatchObject({ serviceId: 'grades', messageId: 'result' });
	});
});

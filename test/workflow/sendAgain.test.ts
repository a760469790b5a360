import { runNode } from './harness/engine';
import { continuing, OPERATION, ROW, send, TAKEN, withoutWaits } from './harness/send';
import { serve, type Reply } from './harness/wire';

describe('sending again', () => {
	withoutWaits();

	it.each<[string, Reply]>([
		['a refused connection', { cut: 'ECONNREFUSED' }],
		['HTTP 429 with Retry-After', { status: 429, headers: { 'retry-after': '0' } }],
		['HTTP 503 with Retry-After', { status: 503, headers: { 'retry-after': '0' } }],
	])('is done by itself, twice, after %s', async (_, reply) => {
		const sent = serve('POST', OPERATION, (_request, index) => (index < 2 ? reply : TAKEN));
		const run = await runNode(send(), [ROW]);
		expect(run.json[0]).toMatchObject([{ accepted: true }]);
		expect(sent).toHaveLength(3);
	});

	it.each<[string, Reply]>([
		['silence', { delayMs: 5_000 }],
		['a cut connection', { cut: 'ECONNRESET' }],
		['HTTP 500', { status: 500 }],
		['HTTP 503', { status: 503 }],
		['a refusal', { body: { errorCode: 'E-002', error: 'Unknown Service' } }],
		['a refused key', { status: 401 }],
		['an answer that is not the documented object', { body: 'ok' }],
	])('is never done by itself after %s', async (_, reply) => {
		const sent = serve('POST', OPERATION, reply);
		await runNode(send({}, { timeout: 0.1 }, continuing), [ROW]);
		expect(sent).toHaveLength(1);
	});
});

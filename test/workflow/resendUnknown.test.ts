import type { IDataObject } from 'n8n-workflow';

import { TestWorkflow } from './harness/engine';
import {
	continuing,
	counts,
	indexOf,
	LOST,
	platform,
	REFUSED,
	retrying,
	rowsUpTo,
	send,
	TAKEN,
	withoutWaits,
	Workflow,
} from './harness/send';
import type { Reply } from './harness/httpServer';

withoutWaits();

/**
 * Returns a workflow in which row 0 was sent and the outcome of row 1 is unknown.
 * @param next returns the answers to later requests
 */
async function withUnknown(next: () => Reply, operation = 'send') {
	let isFirst = true;
	const sent = platform((each) => (isFirst ? (indexOf(each) === 1 ? LOST : TAKEN) : next()));
	const workflow = new Workflow(send({}, { concurrency: 1 }, continuing));
	const { json } = await workflow.run(rowsUpTo(2));
	isFirst = false;
	sent.length = 0;
	workflow.set({ ifAlreadySent: 'resendUnknown', operation });
	return { workflow, sent, reference: (json[0]![1]!.details as IDataObject).reference };
}

describe('Skip Sent, Resend Unknown', () => {
	it('skips accepted messages, and sends a message of unknown outcome again with its reference', async () => {
		const { workflow, sent, reference } = await withUnknown(() => TAKEN);
		const { json } = await workflow.run(rowsUpTo(3));
		expect(json[0]).toMatchObject([{ skipReason: 'sentBefore' }, { accepted: true, reference }, { accepted: true }]);
		expect(counts(sent, 3)).toEqual([0, 1, 1]);
		expect((await workflow.run(rowsUpTo(3))).json[0]).toMatchObject(Array(3).fill({ skipReason: 'sentBefore' }));
	});

	it.each([
		['rejected', REFUSED],
		['unknown again', LOST],
	])('leaves the message unknown if the second sending is %s', async (_, reply) => {
		const { workflow } = await withUnknown(() => reply);
		await workflow.run(rowsUpTo(2));
		workflow.set({ ifAlreadySent: 'skip' });
		expect((await workflow.run(rowsUpTo(2))).json[0]![1]).toMatchObject({ skipReason: 'unknown' });
	});

	it('does not send a message again whose outcome became unknown in the same execution', async () => {
		const sent = platform(() => LOST);
		const spec = { ...send({ ifAlreadySent: 'resendUnknown' }, { concurrency: 1 }), ...retrying };
		await new TestWorkflow(spec).run([...rowsUpTo(1), ...rowsUpTo(1)]);
		expect(sent).toHaveLength(1);
	});

	it('counts unknown messages in a review both as messages to send and as unknown', async () => {
		const { workflow, sent } = await withUnknown(() => TAKEN, 'review');
		const { json } = await workflow.run(rowsUpTo(3));
		expect(json[0]![0]).toMatchObject({ messages: 2, unknown: 1, alreadySent: 1 });
		expect(sent).toEqual([]);
	});

	it('sends a message of unknown outcome again in Send and Wait, too', async () => {
		const { workflow, sent } = await withUnknown(() => TAKEN, 'sendAndWait');
		await workflow.run(rowsUpTo(2).slice(1));
		expect(sent).toHaveLength(1);
	});
});

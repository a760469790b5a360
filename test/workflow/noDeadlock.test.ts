import fc from 'fast-check';
import { ExecuteContext } from 'n8n-core';

import { TestWorkflow } from './harness/engine';
import { platform, recipients, REFUSED, rowsUpTo, send, TAKEN } from './harness/send';
import type { Reply, Sent } from './harness/httpServer';

/*
 * Runs a workflow several times simultaneously, with overlapping lists in any order, repeated rows, accepted, rejected and lost
 * messages, and cancelled runs. No run waits for another run for ever, no message is sent again that the platform may have
 * accepted, and the next run sends the messages whose requests were never sent.
 */

const list = fc.array(fc.integer({ min: 0, max: 11 }), { minLength: 1, maxLength: 16 });
const stoppedAfter = fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined });
const run = fc.record({ list, stoppedAfter, concurrency: fc.integer({ min: 1, max: 4 }), isStop: fc.boolean() });
const fates = fc.array(fc.constantFrom('taken', 'taken', 'refused', 'lost'), { minLength: 40, maxLength: 40 });

it('simultaneous runs with overlapping lists always end (no deadlock), and only rejected messages are sent again', async () => {
	const rows = rowsUpTo(12);
	let answer: (request: Sent) => Promise<Reply>;
	let lists = 0;
	// With this value, a run pauses only for a moment if another run may be sending the same message.
	jest.spyOn(Math, 'random').mockReturnValue(-0.49);
	platform(async (request) => await answer(request));
	await fc.assert(
		fc.asyncProperty(fc.array(run, { minLength: 2, maxLength: 4 }), fates, async (runs, answers) => {
			const id = `list ${lists++}`;
			const all = runs.map(({ concurrency, isStop }) => {
				const node = send({}, { concurrency }, isStop ? {} : { onError: 'continueRegularOutput' });
				return { workflow: new TestWorkflow(node, id), stop: new AbortController() };
			});
			jest.spyOn(ExecuteContext.prototype, 'getExecutionCancelSignal').mockImplementation(function (
				this: ExecuteContext,
			) {
				return all.find(({ workflow }) => workflow.nodeId === this.getNode().id)?.stop.signal;
			});
			const asked = new Set<unknown>();
			const taken: unknown[] = [];
			let count = 0;
			answer = async (request) => {
				const index = count++;
				for (const recipient of recipients([request])) asked.add(recipient);
				await new Promise((resolve) => setTimeout(resolve, index % 3));
				for (const [which, { stoppedAfter: after }] of runs.entries()) if (after === index) all[which]!.stop.abort();
				const fate = answers[index % answers.length];
				if (fate === 'refused') return REFUSED;
				// The platform may have accepted a message whose answer is lost.
				taken.push(...recipients([request]));
				return fate === 'lost' ? { status: 500 } : TAKEN;
			};
			await Promise.all(
				runs.map(async (one, index) => await all[index]!.workflow.run(one.list.map((row) => rows[row]!))),
			);
			await new TestWorkflow(send({}, {}, { onError: 'continueRegularOutput' }), id).run(rows);
			expect(new Set(taken).size).toBe(taken.length);
			expect(asked.size).toBe(rows.length);
		}),
		{ numRuns: 20, seed: 39 },
	);
	// The time limit is long for busy machines. A deadlock would exceed any limit.
}, 120_000);

afterEach(() => jest.restoreAllMocks());

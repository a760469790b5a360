import { randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { credentialOnce } from '../shared/credentialOnce';
import { asProblem, nodeError, Problem } from '../shared/errors';
import { runRows } from '../shared/runRows';
import { duplicateKeyOf, openDuplicates, type Duplicates } from './duplicates';
import { openLedger } from './ledger';
import { isProduction, reportAddressWarning, signReportAddress } from './reportAddress';
import { readRunOptions, type RunOptions } from './runOptions';
import { checkCredential, nameOf, nameProblem, readName, readRow, sendProblem, toOutput, type Outcome, type Row } from './send';
import { pause, sendWithRetries } from './sendWithRetries';

/**
 * Sends one message for each row, at most once, whatever n8n's Retry On Fail does around it.
 *
 * @returns one item for each row, in input order
 */
export async function dispatch(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const credential = credentialOnce(context, 'smsPlatformApi', checkCredential);
	const ledger = openLedger(context);
	const report = openReport(context);
	const rows = new Map<number, Row>();
	let run: RunOptions;
	let duplicates: Duplicates | undefined;
	let pace: () => Promise<void>;

	const rowAt = (itemIndex: number): Row => {
		const row = rows.get(itemIndex) ?? readRow(context, itemIndex);
		rows.set(itemIndex, row);
		return row;
	};

	const readPlaces = () => {
		run = readRunOptions(context);
		pace = openPace(context, run.messagesPerSecond);
		if (run.skipDuplicates) {
			duplicates = openDuplicates(context, run.concurrency, !run.dryRun, (itemIndex) => {
				if (ledger.has(itemIndex)) return undefined;
				try {
					return duplicateKeyOf(rowAt(itemIndex));
				} catch {
					return undefined; // The row's own turn names what is wrong with it.
				}
			});
		}
		return run.concurrency;
	};

	const work = async (itemIndex: number): Promise<INodeExecutionData> => {
		try {
			const json = ledger.recall(itemIndex) ?? (await workOn(itemIndex));
			duplicates?.keep(itemIndex);
			rows.delete(itemIndex);
			return { json, pairedItem: { item: itemIndex } };
		} catch (error) {
			const problem = asProblem(error);
			if (problem.details.outcome === 'unknown') duplicates?.keep(itemIndex);
			else duplicates?.release(itemIndex);
			report.count(problem.details.outcome as Outcome);
			throw problem;
		}
	};

	const workOn = async (itemIndex: number): Promise<IDataObject> => {
		const row = rowAt(itemIndex);
		const { type, data } = await credential();
		if (row.dlrUrl !== undefined) {
			row.reference ??= randomUUID();
			report.warn(reportAddressWarning(row.dlrUrl, isProduction(context)));
			row.message.dlrUrl = signReportAddress(
				row.dlrUrl,
				row.message.serviceId,
				row.reference,
				String(data.preSharedKey),
				Date.now() / 1000,
			);
		}
		if ((await duplicates?.isDuplicate(itemIndex)) === true) {
			report.count('skipped');
			return { accepted: false, skipped: true, ...(run.dryRun && { dryRun: true }), ...toOutput(row) };
		}
		if (run.dryRun) {
			report.count('checked');
			return { accepted: false, dryRun: true, ...toOutput(row) };
		}

		const turn = async () => {
			await pace();
			duplicates?.sending(itemIndex);
		};
		const sent = await sendWithRetries(context, { type, data }, row, run.retries, turn);
		if (sent.outcome === 'taken') {
			const json = { accepted: true, ...toOutput(row) };
			ledger.recordTaken(itemIndex, json);
			report.count('taken');
			return json;
		}
		const problem = sendProblem(sent, row);
		if (sent.outcome === 'unknown') ledger.recordUnknown(itemIndex, problem);
		throw problem;
	};

	const name = (problem: Problem, itemIndex: number): Problem => {
		const row = rows.get(itemIndex);
		rows.delete(itemIndex);
		return nameProblem(problem, row === undefined ? readName(context, itemIndex) : nameOf(row));
	};

	const result = await runRows(context, readPlaces, work, name);
	const notTried = result.notTried.filter((itemIndex) => !ledger.has(itemIndex));
	for (const itemIndex of notTried) duplicates?.release(itemIndex);
	report.warn(await duplicates?.close());

	const [failure, ...others] = result.failures;
	if (failure !== undefined) {
		const { message, description, details, httpCode } = failure.problem;
		const also = new Set(others.map(({ itemIndex }) => itemIndex));
		for (const itemIndex of ledger.unknownRows()) also.add(itemIndex);
		also.delete(failure.itemIndex);
		const unknown = [...also].filter((itemIndex) => ledger.has(itemIndex));
		const rejected = [...also].filter((itemIndex) => !ledger.has(itemIndex));
		const summary = summarise(ledger.countTaken(), rejected, unknown, notTried);
		// The editor doesn't always name the item beside the message.
		const whichOfMany = context.getInputData().length > 1 ? `. It was item ${failure.itemIndex}; ${summary}` : '';
		throw nodeError(
			context.getNode(),
			new Problem(message, description + whichOfMany, details, httpCode),
			failure.itemIndex,
		);
	}
	report.close(ledger.countTaken());
	if (!report.hasFailures()) ledger.close();
	return result.items;
}

/** What an admin needs to go on after a run that stopped: the other rows that failed, and those that nobody tried. */
function summarise(taken: number, rejected: number[], unknown: number[], notTried: number[]): string {
	const parts = [`${taken} ${taken === 1 ? 'message was' : 'messages were'} taken`];
	if (rejected.length > 0) parts.push(`${nameItems(rejected)} rejected too`);
	if (unknown.length > 0) parts.push(`${nameItems(unknown)} of unknown outcome too`);
	return notTried.length === 0
		? `${parts.join(', ')}, and every row was tried (the first item is 0)`
		: `${parts.join(', ')}, and ${nameItems(notTried)} not tried (the first item is 0)`;
}

/** "item 3 was", "items 3, 5 to 9 were" */
function nameItems(items: number[]): string {
	const ranges: Array<[first: number, last: number]> = [];
	for (const item of [...items].sort((a, b) => a - b)) {
		const range = ranges.at(-1);
		if (range?.[1] === item - 1) range[1] = item;
		else ranges.push([item, item]);
	}
	const named = ranges.map(([first, last]) => (first === last ? String(first) : `${first} to ${last}`)).join(', ');
	return items.length === 1 ? `item ${named} was` : `items ${named} were`;
}

/** Spaces the starts of requests evenly. Zero is no limit. */
function openPace(context: IExecuteFunctions, perSecond: number): () => Promise<void> {
	let nextStart = 0;
	return async () => {
		if (perSecond === 0) return;
		const now = Date.now();
		const start = Math.max(now, nextStart);
		nextStart = start + 1000 / perSecond;
		if (start > now) await pause(context, start - now);
	};
}

type Counted = 'taken' | 'checked' | 'rejected' | 'unknown' | 'skipped';

/** Sums up a run for the person who looks at it: progress in the log and the browser console, hints at its end. */
function openReport(context: IExecuteFunctions) {
	const total = context.getInputData().length;
	const counts: Record<Counted, number> = { taken: 0, checked: 0, rejected: 0, unknown: 0, skipped: 0 };
	const warnings = new Set<string>();
	let done = 0;

	return {
		count(kind: Counted) {
			counts[kind]++;
			done++;
			if (total >= 100 && done % Math.ceil(total / 10) === 0) {
				const progress = `SMS Send: ${done} of ${total} rows`;
				context.logger.info(progress);
				context.sendMessageToUI(progress);
			}
		},
		warn(warning: string | undefined) {
			if (warning !== undefined) warnings.add(warning);
		},
		hasFailures: () => counts.rejected + counts.unknown > 0,
		close(taken: number) {
			const { checked, rejected, unknown, skipped } = counts;
			if (total > 1) {
				context.addExecutionHints({
					message: `${checked > 0 ? `${checked} checked, nothing sent` : `${taken} taken`}, ${rejected} rejected, ${unknown} unknown, ${skipped} skipped as duplicates`,
					type: rejected + unknown > 0 ? 'warning' : 'info',
					location: 'outputPane',
				});
			}
			for (const message of warnings) {
				context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
			}
		},
	};
}

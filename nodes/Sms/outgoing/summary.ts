import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Results } from '../../shared/pool';
import { Problem } from '../../shared/problem';
import { countRows, groupByReason } from '../../shared/summary';
import type { Entry } from './deliver';

/** How a run stands, for the person who looks at it. */
export interface Tally {
	accepted: number;
	/** Rows of a dry run that would go out, and rows of one that have a problem. */
	checked: number;
	problems: number;
	rejected: number;
	unknown: number;
	/** By why they were skipped. */
	sentBefore: number;
	unknownBefore: number;
	doNotSend: number;
	notTried: number;
}

/** @param known what an earlier attempt of Retry On Fail left of rows that this one did not come to */
export function tallyOf(results: Results<IDataObject>, known: Entry[]): Tally {
	const items = results.filter((result): result is IDataObject => result !== undefined && !(result instanceof Problem));
	const count = (is: (item: IDataObject) => boolean) => items.filter(is).length;
	const skippedAs = (reason: string) => count(({ skipReason }) => skipReason === reason);
	const failed = results.filter((result): result is Problem => result instanceof Problem);
	const unknown = failed.filter(({ details }) => details.outcome === 'unknown').length;
	const knownAccepted = known.filter((entry) => 'accepted' in entry).length;
	return {
		accepted: count((item) => item.skipped !== true && item.dryRun !== true) + knownAccepted,
		checked: count((item) => item.dryRun === true && item.skipped !== true && item.problem === undefined),
		problems: count(({ problem }) => problem !== undefined),
		rejected: failed.length - unknown,
		unknown: unknown + known.length - knownAccepted,
		sentBefore: skippedAs('sentBefore'),
		unknownBefore: skippedAs('unknown'),
		doNotSend: skippedAs('doNotSend'),
		notTried: results.filter((result) => result === undefined).length - known.length,
	};
}

const skippedOf = ({ sentBefore, unknownBefore, doNotSend }: Tally) => sentBefore + unknownBefore + doNotSend;

/** "36 accepted, 2 rejected, 1 unknown, 0 skipped, 60 not tried" */
export function inWords(tally: Tally): string {
	const { accepted, checked, problems, rejected, unknown, notTried } = tally;
	const isDryRun = checked + problems > 0;
	return [
		...(isDryRun ? [`Dry run, nothing was sent: ${checked} would go out`, `${problems + rejected} ${problems + rejected === 1 ? 'has a problem' : 'have a problem'}`] : []),
		...(!isDryRun || accepted > 0 ? [`${accepted} accepted`] : []),
		...(isDryRun ? [] : [`${rejected} rejected`, `${unknown} unknown`]),
		isDryRun ? `${skippedOf(tally)} would be skipped` : `${skippedOf(tally)} skipped`,
		...(notTried > 0 ? [`${notTried} not tried`] : []),
	].join(', ');
}

/** Puts the summary of a run over its output, and what the user has to know beside it. */
export function showSummary(context: IExecuteFunctions, tally: Tally, failed: Array<[number, Problem]>, warnings: string[], howToGoOn: string): void {
	const show = (message: string, type: 'info' | 'warning') => context.addExecutionHints({ message, type, location: 'outputPane' });
	const reasons = groupByReason(failed);
	const isDryRun = tally.checked + tally.problems > 0;
	if (context.getInputData().length > 1 || skippedOf(tally) > 0 || isDryRun) {
		const isWarning = tally.rejected + tally.unknown + tally.notTried + tally.problems > 0;
		show(`${inWords(tally)}${reasons === '' ? '' : `. ${reasons}`}`, isWarning ? 'warning' : 'info');
	}
	const were = (count: number) => `${countRows(count)} ${count === 1 ? 'was' : 'were'}`;
	if (tally.sentBefore > 0 && !isDryRun) {
		show(`${were(tally.sentBefore)} not sent, because the same message went out before. For alerts and reminders that may repeat, set If Already Sent to Send.`, 'warning');
	}
	if (tally.unknownBefore > 0 && !isDryRun) {
		show(`${were(tally.unknownBefore)} not sent, because nobody knows whether the same message went out before. Ask the recipients or the operator; to send them all the same, set If Already Sent to Send for these rows.`, 'warning');
	}
	if (tally.notTried > 0) show(`${were(tally.notTried)} not tried. ${howToGoOn}`, 'warning');
	for (const warning of warnings) show(warning, 'warning');
}

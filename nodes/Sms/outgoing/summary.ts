import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { failuresOf, type Results } from '../../shared/pool';
import { Problem } from '../../shared/problem';
import { countRows, groupByReason } from '../../shared/summary';
import type { Entry } from './deliver';

/** How a run stands, for the person who looks at it. */
export interface Tally {
	accepted: number;
	/** Rows of a dry run: those that would go out, that have a problem, and that would be skipped. */
	checked: number;
	problems: number;
	wouldSkip: number;
	rejected: number;
	unknown: number;
	/** Rows that were to be sent, by why they were skipped. */
	sentBefore: number;
	unknownBefore: number;
	doNotSend: number;
	notTried: number;
}

/**
 * @param known what an earlier attempt of Retry On Fail left of rows that this one did not come to
 * @param dryRows those that failed and were only checked
 */
export function tallyOf(results: Results<IDataObject>, known: Entry[], dryRows: ReadonlySet<number>): Tally {
	const items = results.filter((result): result is IDataObject => result !== undefined && !(result instanceof Problem));
	const count = (is: (item: IDataObject) => boolean) => items.filter(is).length;
	const skippedAs = (reason: string) => count(({ skipReason, dryRun }) => skipReason === reason && dryRun !== true);
	const allFailed = failuresOf(results);
	const failed = allFailed.flatMap(([itemIndex, problem]) => (dryRows.has(itemIndex) ? [] : [problem]));
	const unknown = failed.filter(({ details }) => details.outcome === 'unknown').length;
	const knownAccepted = known.filter((entry) => 'accepted' in entry).length;
	return {
		accepted: count((item) => item.skipped !== true && item.dryRun !== true) + knownAccepted,
		checked: count((item) => item.dryRun === true && item.skipped !== true && item.problem === undefined),
		problems: count(({ problem }) => problem !== undefined) + allFailed.length - failed.length,
		wouldSkip: count((item) => item.dryRun === true && item.skipped === true),
		rejected: failed.length - unknown,
		unknown: unknown + known.length - knownAccepted,
		sentBefore: skippedAs('sentBefore'),
		unknownBefore: skippedAs('unknown'),
		doNotSend: skippedAs('doNotSend'),
		notTried: results.filter((result) => result === undefined).length - known.length,
	};
}

const skippedOf = ({ sentBefore, unknownBefore, doNotSend }: Tally) => sentBefore + unknownBefore + doNotSend;

const dryOf = ({ checked, problems, wouldSkip }: Tally) => checked + problems + wouldSkip;

/** "36 accepted, 2 rejected, 1 unknown, 0 skipped, 60 not tried"; rows of a dry run come before them, in a sentence of their own. */
export function inWords(tally: Tally): string {
	const { accepted, checked, problems, wouldSkip, rejected, unknown, notTried } = tally;
	const dry = dryOf(tally);
	const isSent = dry === 0 || accepted + rejected + unknown + skippedOf(tally) > 0;
	const dryRun = `Dry run${isSent ? ` of ${countRows(dry)}` : ', nothing was sent'}: ${checked} would go out, ${problems} ${problems === 1 ? 'has a problem' : 'have a problem'}, ${wouldSkip} would be skipped`;
	const sent = `${accepted} accepted, ${rejected} rejected, ${unknown} unknown, ${skippedOf(tally)} skipped`;
	return `${[...(dry > 0 ? [dryRun] : []), ...(isSent ? [sent] : [])].join('. ')}${notTried > 0 ? `, ${notTried} not tried` : ''}`;
}

/** Puts the summary of a run over its output, and what the user has to know beside it. */
export function showSummary(
	context: IExecuteFunctions,
	tally: Tally,
	failed: Array<[number, Problem]>,
	warnings: string[],
	howToGoOn: string,
): void {
	const show = (message: string, type: 'info' | 'warning') =>
		context.addExecutionHints({ message, type, location: 'outputPane' });
	const reasons = groupByReason(failed);
	if (context.getInputData().length > 1 || skippedOf(tally) > 0 || dryOf(tally) > 0) {
		const isWarning = tally.rejected + tally.unknown + tally.notTried + tally.problems > 0;
		show(`${inWords(tally)}${reasons === '' ? '' : `. ${reasons}`}`, isWarning ? 'warning' : 'info');
	}
	const were = (count: number) => `${countRows(count)} ${count === 1 ? 'was' : 'were'}`;
	if (tally.sentBefore > 0) {
		show(
			`${were(tally.sentBefore)} not sent, because the same message went out before. For alerts and reminders that may repeat, set If Already Sent to Send.`,
			'warning',
		);
	}
	if (tally.unknownBefore > 0) {
		show(
			`${were(tally.unknownBefore)} not sent, because nobody knows whether the same message went out before. Ask the recipients or the operator; to send them all the same, set If Already Sent to Send for these rows.`,
			'warning',
		);
	}
	if (tally.notTried > 0) show(`${were(tally.notTried)} not tried. ${howToGoOn}`, 'warning');
	for (const warning of warnings) show(warning, 'warning');
}

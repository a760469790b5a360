import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Problem } from '../../shared/problem';
import { countRows, groupByReason } from '../../shared/summary';

/** How a run stands, for the person who looks at it. */
export interface Tally {
	taken: number;
	checked: number;
	rejected: number;
	unknown: number;
	skipped: number;
	notTried: number;
}

/** Counts a run's items and failures. */
export function tallyOf(items: IDataObject[], failed: Array<[number, Problem]>, notTried: number): Tally {
	const count = (is: (item: IDataObject) => boolean) => items.filter(is).length;
	const skipped = count((item) => item.skipped === true);
	const checked = count((item) => item.dryRun === true && item.skipped !== true);
	const unknown = failed.filter(([, { details }]) => details.outcome === 'unknown').length;
	return { taken: items.length - skipped - checked, checked, rejected: failed.length - unknown, unknown, skipped, notTried };
}

/** "36 taken, 2 rejected, 1 unknown, 0 skipped, 60 not tried" */
export function inWords({ taken, checked, rejected, unknown, skipped, notTried }: Tally): string {
	return [
		checked > 0 ? `${checked} checked, nothing sent` : `${taken} taken`,
		...(checked > 0 && taken > 0 ? [`${taken} taken`] : []),
		`${rejected} rejected`,
		`${unknown} unknown`,
		`${skipped} skipped`,
		...(notTried > 0 ? [`${notTried} not tried`] : []),
	].join(', ');
}

/** Puts the summary of a run over its output, and what the user has to know beside it. */
export function showSummary(context: IExecuteFunctions, tally: Tally, failed: Array<[number, Problem]>, warnings: Iterable<string>, howToGoOn: string): void {
	const show = (message: string, type: 'info' | 'warning') => context.addExecutionHints({ message, type, location: 'outputPane' });
	const reasons = groupByReason(failed);
	if (context.getInputData().length > 1 || tally.skipped > 0) {
		const isWarning = tally.rejected + tally.unknown + tally.notTried > 0;
		show(`${inWords(tally)}${reasons === '' ? '' : `. ${reasons}`}`, isWarning ? 'warning' : 'info');
	}
	if (tally.skipped > 0) {
		show(
			`${countRows(tally.skipped)} ${tally.skipped === 1 ? 'was' : 'were'} not sent, because the same message went out before. For alerts and reminders that may repeat, set If Already Sent to Send.`,
			'warning',
		);
	}
	if (tally.notTried > 0) show(`${countRows(tally.notTried)} ${tally.notTried === 1 ? 'was' : 'were'} not tried. ${howToGoOn}`, 'warning');
	for (const warning of warnings) show(warning, 'warning');
}

import { groupBy } from '../../../lib/texts/groups';
import type { MessageFact, Report, ReportFact } from '../items/facts';
import { compareText, sortFacts } from './order';

/* Decides which of several delivery reports counts. If a message takes several SMS, the platform sends a report for each SMS. */

/** Returns whether a report has a final status other than delivered. */
export const hasFailed = (report: Report | undefined): boolean => report?.final === true && !report.delivered;

/**
 * Returns the fact whose report counts. The first report with the status delivered counts. If there is no such report, the last
 * final report counts, and if no report is final, the last report.
 */
export function chooseReport<T extends MessageFact | ReportFact>(facts: T[]): T | undefined {
	return sortFacts(
		facts.filter(({ report }) => report !== undefined),
		({ report: one }, { report: other }) => {
			const inTime = compareText(one?.reportedAt ?? '', other?.reportedAt ?? '');
			return (
				Number(other?.delivered) - Number(one?.delivered) ||
				Number(other?.final) - Number(one?.final) ||
				(one?.delivered === true ? inTime : -inTime)
			);
		},
	)[0];
}

/** Splits the reports of a reference into failed and other reports. If no report has the status delivered, they are not split. */
export function splitFailed(reports: ReportFact[]): ReportFact[][] {
	if (!reports.some(({ report }) => report.delivered)) return [reports];
	const byEnd = groupBy(reports, ({ report }) => hasFailed(report));
	return [byEnd.get(false) ?? [], byEnd.get(true) ?? []].filter(({ length }) => length > 0);
}

/** Groups reports by their message. Reports without a reference are in one group only if they are equal. */
export const groupReports = (reports: ReportFact[]): Map<string, ReportFact[]> =>
	groupBy(reports, ({ reference, serviceId, recipient, report }) =>
		reference === undefined ? JSON.stringify([serviceId, recipient, report]) : referenceKey(reference),
	);

/** Returns the key of a reference. It can't be equal to the key of a report without a reference, which is a JSON list. */
export const referenceKey = (reference: string): string => JSON.stringify(reference);

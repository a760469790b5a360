import { groupBy } from '../../../lib/texts/groups';
import type { MessageFact, Report, ReportFact } from '../items/facts';
import { compareText, sortFacts } from './order';

/* Decides which of several delivery reports counts. The platform reports each SMS of a long message by itself. */

export const hasFailed = (report: Report | undefined): boolean => report?.final === true && !report.delivered;

/**
 * Returns the fact whose report counts: the first that says delivered, otherwise the last final one, otherwise the last.
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

/** Splits the reports of one reference into failed and other reports, if one of them says delivered. */
export function splitFailed(reports: ReportFact[]): ReportFact[][] {
	if (!reports.some(({ report }) => report.delivered)) return [reports];
	const byEnd = groupBy(reports, ({ report }) => hasFailed(report));
	return [byEnd.get(false) ?? [], byEnd.get(true) ?? []].filter(({ length }) => length > 0);
}

/** Groups reports by the message that they are about. Without a reference only equal reports belong together. */
export const groupReports = (reports: ReportFact[]): Map<string, ReportFact[]> =>
	groupBy(reports, ({ reference, serviceId, recipient, report }) =>
		reference === undefined ? JSON.stringify([serviceId, recipient, report]) : referenceKey(reference),
	);

export const referenceKey = (reference: string): string => JSON.stringify(reference);

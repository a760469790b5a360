import type { IDataObject } from 'n8n-workflow';

import { isBlank, toFlag } from './cells';
import { readErrorItem } from './errorItem';
import type { IncomingSms, MessageFact, ReportFact } from './facts';
import { readSendItem } from './sendItem';
import { readTableRow } from './tableRow';
import { readForwardItem, readReportItem } from './triggerItem';
import { readWaitItem } from './waitItem';

/*
 * Reads items of several kinds. The kinds are tried in a fixed order, and an item is read as the first kind that it matches. An
 * item of no known kind is ignored. Unless it is empty, it is counted as ignored. The items of a review are ignored too,
 * because a review sends nothing.
 */

export interface Facts {
	messages: MessageFact[];
	reports: ReportFact[];
	incoming: IncomingSms[];
	/**
	 * The numbers of ignored items: those of a review, and others. Empty items, such as those from the setting Always Output
	 * Data, do not count.
	 */
	ignored: { reviewed: number; other: number };
}

export function readItems(items: IDataObject[]): Facts {
	const facts: Facts = { messages: [], reports: [], incoming: [], ignored: { reviewed: 0, other: 0 } };
	for (const [index, json] of items.entries()) {
		if (isReviewed(json)) facts.ignored.reviewed++;
		else if (!addItem(facts, json, index) && Object.values(json).some((value) => !isBlank(value)))
			facts.ignored.other++;
	}
	return facts;
}

const isReviewed = (json: IDataObject): boolean =>
	isBlank(json.error) && toFlag(json.accepted) !== undefined && toFlag(json.review) === true;

/** Reads an item and adds its fact. @returns whether the item is of a known kind */
function addItem({ messages, reports, incoming }: Facts, json: IDataObject, index: number): boolean {
	const message = readErrorItem(json, index) ?? readSendItem(json, index) ?? readWaitItem(json, index);
	if (message !== undefined) return messages.push(message) > 0;
	const report = readReportItem(json, index);
	if (report !== undefined) return reports.push(report) > 0;
	const sms = readForwardItem(json, index);
	if (sms !== undefined) return incoming.push(sms) > 0;
	const row = readTableRow(json, index);
	if (row === undefined) return false;
	return 'state' in row ? messages.push(row) > 0 : reports.push(row) > 0;
}

/** Returns a hint for the user about ignored items. Undefined: no item was ignored. */
export function ignoredHint({ reviewed, other }: Facts['ignored']): string | undefined {
	const all = reviewed + other;
	if (all === 0) return undefined;
	const count = all === 1 ? '1 item was ignored' : `${all} items were ignored`;
	const ofReview =
		reviewed === 0
			? ''
			: ` ${reviewed} of the ignored items ${reviewed === 1 ? 'is a row' : 'are rows'} of a review, which sends nothing.`;
	return `${count}, because this node reads only the output of SMS Send and SMS Trigger, and rows of a data table with messages.${ofReview}`;
}

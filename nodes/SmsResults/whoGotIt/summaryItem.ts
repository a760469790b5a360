import type { IDataObject } from 'n8n-workflow';

import type { Language } from '../../../lib/texts/notice';
import { groupBy } from '../../../lib/texts/groups';
import type { Question } from './answers';
import { listStatistics, type ListStatistics } from './counts';
import { compare, type Message } from './join';
import { pageOf } from './page';
import type { Again } from './sendAgain';

/**
 * Who got it, as one item: each list, their sums, a page. @param otherReports how many are on messages not there
 * @param noSuch the list that was asked for, where it is not there, and the messages of all others
 */
export function summaryItem(
	messages: Message[],
	otherReports: number,
	which: Again,
	question: Question | undefined,
	now: number,
	language: Language,
	noSuch?: { list: string; messages: Message[] },
): IDataObject {
	const standings = (all: Message[]) =>
		[...groupBy(all, ({ list }) => list)]
			.map(([list, of]) => listStatistics(list, of, which, question, now))
			.sort((one, other) => other.newest - one.newest || compare(one.list, other.list));
	const namesOf = (all: ListStatistics[]) => all.flatMap(({ list }) => list || []);
	const byList = standings(messages);
	// Their sums: people count once in each list.
	const all = listStatistics('', messages, which, question, now);
	const names = namesOf(byList);
	const html = pageOf(byList, language, noSuch && { list: noSuch.list, others: namesOf(standings(noSuch.messages)) });
	return {
		lists: names,
		byList: byList.map(({ list, counts, replies }) => ({ list, ...counts, ...replies })),
		all: { ...all.counts, ...all.replies },
		otherReports,
		html,
		formFields: formFields(names, html, language),
	};
}

/** As many lists as people see with one look: of more they choose before they read. */
const FEW_LISTS = 3;

/** A form page's fields as JSON, the counts and a choice of list, without the `$` and `{{` that n8n would evaluate. */
function formFields(lists: string[], html: string, language: Language): string {
	const counts = { fieldType: 'html', elementName: 'counts', html };
	const choice = {
		fieldLabel: { el: 'Λίστα', en: 'List', both: 'Λίστα / List' }[language],
		fieldName: 'list',
		fieldType: 'dropdown',
		requiredField: true,
		fieldOptions: { values: lists.map((option) => ({ option })) },
		...(lists.length === 1 && { defaultValue: lists[0] }),
	};
	const fields = lists.length === 0 ? [counts] : lists.length > FEW_LISTS ? [choice, counts] : [counts, choice];
	return JSON.stringify(fields).replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, (text) =>
		text.replace(/[${}]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
	);
}

import type { IDataObject } from 'n8n-workflow';

import type { Language } from '../../../lib/texts/notice';
import { groupBy } from '../../../lib/texts/groups';
import { WHO_GOT_IT_PAGE } from '../../../lib/texts/whoGotItPage';
import type { Message } from '../messages/message';
import { compareText } from '../messages/order';
import type { Question } from './answerWords';
import { listStatistics, type ListStatistics } from './counts';
import { pageOf } from './page';
import type { Again } from './sendAgain';

/*
 * Makes the one item of the output Summary. It has the counts of each list, the counts of all lists together, and a page for a
 * form.
 */

export interface SummaryInput {
	messages: Message[];
	which: Again;
	question: Question | undefined;
	now: number;
	language: Language;
	/** The number of reports whose message is not among the items. */
	otherReports?: number;
	/** The number of answers that belong to no message. */
	otherAnswers?: number;
	/** The name of a requested list that does not exist, and the messages of all lists. */
	noSuch?: { list: string; messages: Message[] };
}

export function summaryItem(input: SummaryInput): IDataObject {
	const { messages, which, question, now, language, otherReports = 0, otherAnswers = 0, noSuch } = input;
	const listsOf = (all: Message[]) =>
		[...groupBy(all, ({ list }) => list)]
			.map(([list, of]) => listStatistics(list, of, which, question, now))
			.sort((one, other) => other.newest - one.newest || compareText(one.list, other.list));
	const namesOf = (all: ListStatistics[]) => all.flatMap(({ list }) => list || []);
	const byList = listsOf(messages);
	// A person who is in several lists counts once for each list in these counts.
	const all = listStatistics('', messages, which, question, now);
	const names = namesOf(byList);
	const html = pageOf(byList, language, {
		otherAnswers,
		noSuch: noSuch && { list: noSuch.list, others: namesOf(listsOf(noSuch.messages)) },
	});
	return {
		lists: names,
		byList: byList.map(({ list, counts, replies }) => ({ list, ...counts, ...replies })),
		all: { ...all.counts, ...all.replies },
		otherReports,
		...(question && { otherAnswers }),
		html,
		formFields: formFields(names, html, language),
	};
}

/** The largest number of lists whose counts are shown before the choice of a list. With more lists, the choice comes first. */
const FEW_LISTS = 3;

/**
 * Returns the fields of a form page as JSON: the counts, and, if there are lists, a field in which people choose one. The
 * characters `$`, `{` and `}` in texts are escaped, because n8n would evaluate expressions.
 */
function formFields(lists: string[], html: string, language: Language): string {
	const counts = { fieldType: 'html', elementName: 'counts', html };
	const { list } = WHO_GOT_IT_PAGE;
	const choice = {
		fieldLabel: language === 'both' ? `${list.el} / ${list.en}` : list[language],
		fieldName: 'list',
		fieldType: 'dropdown',
		requiredField: true,
		fieldOptions: { values: lists.map((option) => ({ option })) },
		// The default is the newest list. Without a default, n8n shows "Select an option …" in English.
		...(lists.length > 0 && { defaultValue: lists[0] }),
	};
	const fields = lists.length === 0 ? [counts] : lists.length > FEW_LISTS ? [choice, counts] : [counts, choice];
	return JSON.stringify(fields).replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, (text) =>
		text.replace(/[${}]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
	);
}

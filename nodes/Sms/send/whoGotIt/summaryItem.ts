import type { IDataObject } from 'n8n-workflow';

import type { Language } from '../../../shared/notice';
import { groupBy } from '../../../shared/groups';
import { countSegments } from '../../segments';
import { OTHER, type Question } from './answers';
import { STATES, type State } from './facts';
import { compare, latest, type Message } from './join';
import { pageOf } from './page';
import { isUnknownForGood, personIn, toSendAgain, unanswered, type Again } from './sendAgain';

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
			.map(([list, of]) => standingOf(list, of, which, question, now))
			.sort((one, other) => other.newest - one.newest || compare(one.list, other.list));
	const namesOf = (all: Standing[]) => all.flatMap(({ list }) => list || []);
	const byList = standings(messages);
	// Their sums: people count once in each list.
	const all = standingOf('', messages, which, question, now);
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

export type Standing = ReturnType<typeof standingOf>;

/** How a list stands. `again`: people; `againSegments`: SMS of known texts; `unknownToo`: people who may have it. */
function standingOf(list: string, messages: Message[], which: Again, question: Question | undefined, now: number) {
	const again = toSendAgain(messages, which, now);
	const sizes = again.map(({ segments, text }) => segments ?? (text === undefined ? undefined : countSegments(text)));
	const byState = groupBy(messages, ({ state }) => state);
	const counts = {
		messages: messages.length,
		...(Object.fromEntries(STATES.map((state) => [state, byState.get(state)?.length ?? 0])) as Record<State, number>),
		again: countPeople(again),
		againSegments: sizes.reduce<number>((sum, size = 0) => sum + size, 0),
		unknownToo: countPeople(messages.filter((message) => isUnknownForGood(message, now))),
	};
	/** Whether `againSegments` is less than it would be, because texts are not known. */
	const isAtLeast = sizes.includes(undefined);
	const newest = messages.reduce((last, { since = 0 }) => Math.max(last, since), 0);
	return { list, messages, newest, counts, isAtLeast, replies: question && repliesTo(messages, question) };
}

/** What the people of a list answered: each counts once, with the last answer. `noAnswer`: of those who may have it. */
function repliesTo(messages: Message[], question: Question) {
	const people = groupBy(messages, personIn).values();
	const byAnswer = groupBy(people, (of) => latest(of.flatMap(({ answer }) => answer ?? []))?.answer);
	return {
		answers: [...new Set([...question.words, OTHER])].map((answer) => ({
			answer,
			people: byAnswer.get(answer)?.length ?? 0,
		})),
		noAnswer: countPeople(unanswered(messages)),
	};
}

const countPeople = (messages: Message[]) => new Set(messages.map(personIn)).size;

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

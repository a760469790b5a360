import { SEPARATORS } from '../../../lib/greek/mobile';
import { clip, shortenNumbers, type Language } from '../../../lib/texts/notice';
import { groupBy } from '../../../lib/texts/groups';
import { checkAmkaNumber } from '../../../lib/greek/amkaNumber';
import type { InBoth } from '../../../lib/texts/reasons';
import { NEXT_STEPS, WHO_GOT_IT_PAGE as TEXTS } from '../../../lib/texts/whoGotItPage';
import { ANSWER_NAMES } from '../../../lib/texts/messageStates';
import { bullets, countTable, inLanguage, shown } from '../../../lib/texts/html';
import { STATES } from '../items/facts';
import { toText } from '../items/cells';
import type { Message } from '../messages/message';
import { OTHER } from './answerWords';
import type { ListStatistics } from './counts';
import { isReportLate, nameOfState, noticeOfMessage } from './stateTexts';

/*
 * Makes the page of the output Summary. It shows the state of each list, the reasons why messages were not sent, and the next
 * steps.
 */

const LONGEST_NAME = 100;
/** The largest number of lists that the page names if the requested list does not exist. */
const MOST_LISTS = 5;
/** The largest number of reasons on the page for each list. */
const MOST_REASONS = 8;
/** The largest number of people who are named with a reason. */
const NAMED = 3;
const LONGEST_NOTICE = 450;
const LONGEST_CELL = 30;

/** A function that returns a text in the language of the page, as `inLanguage` does. */
type ToHtml = (text: InBoth, between?: string) => string;

/** A requested list that does not exist. `list`: its name. `others`: the names of the lists that exist. */
type NoSuch = { list: string; others: string[] };

interface More {
	/** The number of answers that belong to no message. */
	otherAnswers?: number;
	noSuch?: NoSuch;
}

/** Returns the page as HTML for a form. */
export function pageOf(byList: ListStatistics[], language: Language, { otherAnswers = 0, noSuch }: More = {}): string {
	const html: ToHtml = (text, between) => inLanguage(text, language, between);
	const heading = `<h2>${html(TEXTS.heading, ' / ')}</h2>`;
	if (byList.length === 0) return `${heading}${noList(noSuch, html)}`;
	const lists = byList.map((statistics) => {
		const { list } = statistics;
		const name = list === '' ? html(TEXTS.noListName, ' / ') : shown(list, LONGEST_NAME);
		// The only list needs no heading if it has no name.
		const ofList = list === '' && byList.length === 1 ? '' : `<h3>${name}</h3>`;
		const parts = [countsOf(statistics, html), answerCounts(statistics, html), reasons(statistics, language)];
		return `${ofList}${parts.join('')}`;
	});
	return `${heading}${lists.join('')}${otherAnswersSection(otherAnswers, html)}${nextSteps(byList, html)}`;
}

/**
 * Returns the page if there is no list to show. Either there are no messages yet, or the requested list does not exist. In the
 * second case the page names the lists that exist, the newest first.
 */
function noList(noSuch: NoSuch | undefined, html: ToHtml): string {
	const nothing = html(TEXTS.noList);
	const first = html(TEXTS.sendFirst);
	if (noSuch === undefined) return `<p>${nothing}</p><p>${first}</p>`;
	const names = noSuch.others.slice(0, MOST_LISTS).map((list) => shown(list, LONGEST_NAME));
	const more = noSuch.others.length - names.length;
	const others = more > 0 ? [...names, html(TEXTS.otherLists(more), ' / ')] : names;
	const choose = names.length === 0 ? first : html(TEXTS.chooseList);
	const unknown = html(TEXTS.noSuchList);
	return `<h3>${shown(noSuch.list, LONGEST_NAME)}</h3><p>${unknown}</p><p>${choose}</p>${bullets(others)}`;
}

/** The length of a bar for 100 %, in characters. */
const LONGEST_BAR = 16;
/** Characters for one to seven eighths of a block. */
const EIGHTHS = '▏▎▍▌▋▊▉';

/**
 * Returns a line of a table: a label with a bar, and the count. The bar shows the share of the count. It consists of block
 * characters, because n8n removes styles. Each count above 0 has a bar.
 */
function withBar(label: string, count: number, of: number): [label: string, count: number] {
	if (count === 0) return [label, count];
	const eighths = Math.max(Math.round((count / of) * LONGEST_BAR * 8), 1);
	return [`${label}<br>${'█'.repeat(Math.floor(eighths / 8))}${EIGHTHS[(eighths % 8) - 1] ?? ''}`, count];
}

function countsOf({ messages, counts, isAtLeast }: ListStatistics, html: ToHtml): string {
	const inOrder = STATES.flatMap((wanted) => messages.filter(({ state }) => state === wanted));
	const sms = `${counts.againSegments} SMS`;
	const lines: Parameters<typeof countTable>[0] = [
		[html(TEXTS.messages), counts.messages],
		...[...groupBy(inOrder, nameOfState)].map(([{ many }, group]) =>
			withBar(html(many), group.length, counts.messages),
		),
		[
			html(TEXTS.again),
			counts.again,
			counts.againSegments === 0 ? '' : `<br>${isAtLeast ? html(TEXTS.atLeast(sms)) : sms}`,
		],
		[html(TEXTS.unknownToo), counts.unknownToo],
	];
	return countTable(lines.filter(([, count]) => count !== 0));
}

function otherAnswersSection(count: number, html: ToHtml): string {
	if (count === 0) return '';
	const lines: Parameters<typeof countTable>[0] = [[html(TEXTS.messages), count]];
	return `<h3>${html(ANSWER_NAMES.withoutQuestion, ' / ')}</h3>${countTable(lines)}<p>${html(TEXTS.fromOthers)}</p>`;
}

function answerCounts({ replies }: ListStatistics, html: ToHtml): string {
	if (replies === undefined) return '';
	const { answers, noAnswer } = replies;
	const all = answers.reduce((sum, { people }) => sum + people, noAnswer);
	const other = html(ANSWER_NAMES.other);
	const lines = answers.map(({ answer, people }) =>
		withBar(answer === OTHER ? other : shown(answer, LONGEST_CELL), people, all),
	);
	lines.push(withBar(html(TEXTS.noAnswer), noAnswer, all));
	return `<h4>${html(TEXTS.answers, ' / ')}</h4>${countTable(lines)}`;
}

/**
 * Lists the reasons why messages were not sent, or may not have been sent. The most frequent reason comes first. Each reason
 * names a few of the people.
 */
function reasons({ messages }: ListStatistics, language: Language): string {
	const left = messages.filter(({ state }) => state === 'notSent' || state === 'unknown' || state === 'notWanted');
	const byNotice = [...groupBy(left, (message) => noticeOfMessage(message, language) ?? '')];
	byNotice.sort(([, one], [, other]) => other.length - one.length);
	const lines = byNotice.slice(0, MOST_REASONS).map(([notice, group]) => {
		const names = group.slice(0, NAMED).flatMap((message) => personNamed(message) || []);
		const more = names.length < group.length ? ' …' : '';
		const who = names.length === 0 ? '' : `: ${names.join(', ')}${more}`;
		return `${shown(notice, LONGEST_NOTICE)} <b>(${group.length}${who})</b>`;
	});
	const more = byNotice.length - lines.length;
	return bullets(more > 0 ? [...lines, inLanguage(TEXTS.otherReasons(more), language, ' / ')] : lines);
}

const GAP = `[${SEPARATORS}]{0,2}`;
/** Matches a Greek mobile, which may have one digit too few or too many, and any number with its country code. */
const MOBILES = new RegExp(
	`(?<!\\d)(?:(?:(?:\\+|00)?30${GAP})?(?:69|68|94)(?:${GAP}\\d){7,9}|\\+\\d(?:${GAP}\\d){6,14})(?!\\d)`,
	'gu',
);
/** Matches ten or eleven digits. They may be an AMKA, or an AMKA without its first zero. */
const MAY_BE_AMKA = new RegExp(`(?<!\\d)\\d(?:${GAP}\\d){9,10}(?!\\d)`, 'gu');

/**
 * Shortens mobiles and AMKA in a cell to a form such as 691…678. Other numbers stay, because people find a row by its
 * registration number.
 */
function shortenPersonalNumbers(cell: string): string {
	const isAmka = (number: string) => {
		const { valid, reason } = checkAmkaNumber(number);
		return valid || reason === 'checkDigit' || reason === 'leadingZero';
	};
	return cell
		.normalize('NFKC')
		.replace(MOBILES, (number) => shortenNumbers(number))
		.replace(MAY_BE_AMKA, (number) => (isAmka(number) ? shortenNumbers(number) : number));
}

/**
 * Returns the name of the person of a message: the first cell of the row, by which people recognise it, or the recipient if the
 * row has no such cell. If the cell is a small number, the name of its column comes first: «Α/Α 3».
 */
function personNamed({ columns, recipient = '' }: Message): string {
	const [name = '', value] = Object.entries(columns)[0] ?? [];
	const first = toText(value) ?? recipient;
	const cell = /^\s*\d{1,6}\s*$/.test(first) ? `${clip(name, LONGEST_CELL / 2)} ${first}` : first;
	return shown(clip(shortenPersonalNumbers(cell.slice(0, 1000)), LONGEST_CELL).trim(), LONGEST_CELL);
}

/** The conditions under which the page shows the next steps. */
const IS_NEXT: Record<keyof typeof NEXT_STEPS, (of: ListStatistics) => boolean> = {
	waitForReports: ({ counts }) => counts.onItsWay > 0,
	reportLate: ({ messages }) => messages.some(isReportLate),
	notDeliveredQuestion: ({ counts, replies }) => counts.notDelivered > 0 && replies !== undefined,
	notDelivered: ({ counts, replies }) => counts.notDelivered > 0 && replies === undefined,
	partly: ({ counts }) => counts.partly > 0,
	unknown: ({ counts }) => counts.unknown > 0,
	notSent: ({ counts }) => counts.notSent > 0,
	noAnswer: ({ replies }) => (replies?.noAnswer ?? 0) > 0,
};

function nextSteps(byList: ListStatistics[], html: ToHtml): string {
	const steps = Object.keys(NEXT_STEPS) as Array<keyof typeof NEXT_STEPS>;
	const shown = steps.filter((step) => byList.some(IS_NEXT[step])).map((step) => html(NEXT_STEPS[step]));
	const list = shown.length > 0 ? bullets(shown) : `<p>${html(TEXTS.nothingToDo)}</p>`;
	return `<h3>${html(TEXTS.whatToDo, ' / ')}</h3>${list}`;
}

import type { IDataObject } from 'n8n-workflow';

import { greekMobile } from '../../../shared/greek';
import { clip, shownNumbers, type Language } from '../../../shared/notice';
import { groupBy } from '../../../shared/summary';
import { countSegments } from '../../segments';
import { STATES, type State } from './facts';
import type { Message } from './fold';
import { isUnknownForGood, LABELS, noticeOf, toSendAgain } from './outputs';
import { bullets, countTable, inLanguage, shown } from '../html';

const LONGEST_NAME = 100;
/** As many reasons, and names beside one, as people read. */
const MOST_REASONS = 8;
const NAMED = 3;
const LONGEST_NOTICE = 450;
const LONGEST_CELL = 30;

/**
 * What is counted. `again`: how many people could get theirs again, and `againSegments` how many SMS that is, where the texts are
 * known. `unknownToo`: how many more if those were sent to as well of whom nobody knows whether they got it.
 */
const COUNTED = ['messages', ...STATES, 'again', 'againSegments', 'unknownToo'] as const;
type Counts = Record<(typeof COUNTED)[number], number>;

/** How the messages of a list stand. */
interface Standing {
	list: string;
	messages: Message[];
	/** Those that could go out again. */
	again: Message[];
	counts: Counts;
}

/**
 * Who got it, as one item: the counts of each list, the newest first, their sums, and a page for a form.
 *
 * @param otherReports how many reports are on messages that are not there
 * @param withUnknown whether those too could get it again that may have got it
 * @param now in milliseconds since 1970
 */
export function summaryItem(
	messages: Message[],
	otherReports: number,
	withUnknown: boolean,
	now: number,
	language: Language,
): IDataObject {
	const lastSent = (of: Standing) => of.messages.reduce((last, { since = 0 }) => Math.max(last, since), 0);
	const byList = [...groupBy(messages, ({ list }) => list)]
		.map(([list, of]) => standingOf(list, of, withUnknown, now))
		.sort((one, other) => lastSent(other) - lastSent(one) || (one.list < other.list ? -1 : 1));
	const sums = COUNTED.map((name) => [name, byList.reduce((sum, { counts }) => sum + counts[name], 0)]);
	const all = Object.fromEntries(sums) as Counts;
	return {
		lists: byList.flatMap(({ list }) => list || []),
		byList: byList.map(({ list, counts }) => ({ list, ...counts })),
		all,
		otherReports,
		html: page(byList, all, otherReports, language),
	};
}

function standingOf(list: string, messages: Message[], withUnknown: boolean, now: number): Standing {
	const again = toSendAgain(messages, withUnknown, now);
	const states = STATES.map((state) => [state, messages.filter((message) => message.state === state).length]);
	const counts = {
		messages: messages.length,
		...(Object.fromEntries(states) as Record<State, number>),
		again: countPeople(again),
		againSegments: again.reduce((sum, message) => sum + (sizeOf(message) ?? 0), 0),
		unknownToo: countPeople(messages.filter((message) => isUnknownForGood(message, now))),
	};
	return { list, messages, again, counts };
}

/** In SMS; undefined where the text is not known. */
const sizeOf = ({ segments, text }: Message) => segments ?? (text === undefined ? undefined : countSegments(text));

/** Several messages may be for one person. */
const countPeople = (messages: Message[]) =>
	new Set(
		messages.map(({ recipient = '', reference }) => (greekMobile(recipient) ?? recipient.toLowerCase()) || reference),
	).size;

function page(byList: Standing[], all: Counts, otherReports: number, language: Language): string {
	const say = (el: string, en: string, between?: string) => inLanguage(el, en, language, between);
	const heading = `<h2>${say('Τι έγινε με τα μηνύματα', 'What became of the messages', ' / ')}</h2>`;
	if (byList.length === 0) {
		const nothing = say('Δεν έχει σταλεί ακόμη τίποτα.', 'Nothing has been sent yet.');
		const first = say(
			'Στείλτε πρώτα μια λίστα, και ανοίξτε ξανά αυτή τη σελίδα.',
			'Send a list first, then open this page again.',
		);
		return `${heading}<p>${nothing}</p><p>${first}</p>`;
	}
	const lists = byList.map((standing) => {
		const noName = say('Χωρίς όνομα λίστας', 'Without a name of a list', ' / ');
		const name = standing.list === '' ? noName : shown(standing.list, LONGEST_NAME);
		return `<h3>${name}</h3>${countsOf(standing, language)}${reasons(standing, language)}`;
	});
	const el = `Αναφορές για άλλα μηνύματα, που δεν είναι σε αυτές τις λίστες: ${otherReports}`;
	const en = `Reports on other messages, which are not in these lists: ${otherReports}`;
	const others = otherReports > 0 ? `<p>${say(el, en)}</p>` : '';
	return `${heading}${lists.join('')}${others}${nextSteps(all, language)}`;
}

function countsOf({ counts, again }: Standing, language: Language): string {
	const say = (el: string, en: string) => inLanguage(el, en, language);
	const sms = `${counts.againSegments} SMS`;
	const isMore = again.some((message) => sizeOf(message) === undefined);
	const lines: Parameters<typeof countTable>[0] = [
		[say('Μηνύματα', 'Messages'), counts.messages],
		...STATES.map((state): [string, number] => [
			say(capital(LABELS[state].el), capital(LABELS[state].en)),
			counts[state],
		]),
		[
			say('Παραλήπτες στους οποίους μπορεί να σταλεί ξανά', 'People it can be sent to again'),
			counts.again,
			`<br>${isMore ? say(`τουλάχιστον ${sms}`, `at least ${sms}`) : sms}`,
		],
		[
			say(
				'Παραλήπτες για τους οποίους είναι άγνωστο αν στάλθηκε, και ίσως το έχουν ήδη',
				'People of whom it stayed unknown whether it was sent, and who may have it already',
			),
			counts.unknownToo,
		],
	];
	return countTable(lines.filter(([, count]) => count !== 0));
}

/** Who got nothing, or perhaps, and why: the most frequent reason first, with a few of those whom it concerns. */
function reasons({ messages }: Standing, language: Language): string {
	const left = messages.filter(({ state }) => state === 'notSent' || state === 'unknown' || state === 'notWanted');
	const byNotice = [...groupBy(left, (message) => noticeOf(message, language) ?? '')];
	byNotice.sort(([, one], [, other]) => other.length - one.length);
	const lines = byNotice.slice(0, MOST_REASONS).map(([notice, of]) => {
		const names = of.slice(0, NAMED).flatMap((message) => nameOf(message) || []);
		const more = names.length < of.length ? ' …' : '';
		const who = names.length === 0 ? '' : `: ${names.join(', ')}${more}`;
		return `${shown(notice, LONGEST_NOTICE)} <b>(${of.length}${who})</b>`;
	});
	const more = byNotice.length - lines.length;
	const [el, en] = [`Άλλοι λόγοι: ${more}. Δείτε το φύλλο.`, `Other reasons: ${more}. See the sheet.`];
	return bullets(more > 0 ? [...lines, inLanguage(el, en, language, ' / ')] : lines);
}

/** By the first cell of their row people find somebody; its numbers are shortened. */
function nameOf({ columns, recipient = '' }: Message): string {
	const cell = String(Object.values(columns)[0] ?? recipient);
	return shown(clip(shownNumbers(cell.slice(0, 1000)), LONGEST_CELL).trim(), LONGEST_CELL);
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** What to do, where there is something of the kind. */
const NEXT_STEPS = {
	onItsWay: {
		el: 'Περιμένετε λίγο και δείτε ξανά ποιος το έλαβε: κάποιες αναφορές δεν έχουν έρθει ακόμη.',
		en: 'Wait a little, then look again who got it: some reports have not come yet.',
	},
	late: {
		el: 'Όπου δεν έχει έρθει αναφορά, το μήνυμα ίσως έφτασε: μην το στείλετε ξανά. Αν είναι πολλά, πείτε το στον διαχειριστή.',
		en: 'Where no report has come, the message may have arrived: do not send it again. If there are many, tell the admin.',
	},
	again: {
		el: 'Για όσα δεν παραδόθηκαν, ελέγξτε τον αριθμό: αν είναι σωστός, στείλτε τα ξανά, αλλιώς ανεβάστε τη διορθωμένη γραμμή.',
		en: 'Where it was not delivered, check the number: if it is right, send again, otherwise upload the corrected row.',
	},
	unknown: {
		el: 'Όπου είναι άγνωστο αν στάλθηκε, ρωτήστε τον παραλήπτη πριν στείλετε ξανά.',
		en: 'Where it is not known whether it was sent, ask the person before you send again.',
	},
	notSent: {
		el: 'Για όσα δεν στάλθηκαν, διορθώστε τις γραμμές τους και ανεβάστε μόνο αυτές.',
		en: 'For what was not sent, correct those rows and upload only them.',
	},
};

function nextSteps(counts: Counts, language: Language): string {
	const say = (el: string, en: string, between?: string) => inLanguage(el, en, language, between);
	const steps = Object.entries(NEXT_STEPS).flatMap(([of, { el, en }]) =>
		counts[of as keyof typeof NEXT_STEPS] > 0 ? say(el, en) : [],
	);
	const nothing = `<p>${say('Δεν χρειάζεται να κάνετε κάτι.', 'There is nothing to do.')}</p>`;
	return `<h3>${say('Τι να κάνετε τώρα', 'What to do now', ' / ')}</h3>${bullets(steps) || nothing}`;
}

import { SEPARATORS } from '../../../lib/greek/mobile';
import { clip, shortenNumbers, type Language } from '../../../lib/texts/notice';
import { groupBy } from '../../../lib/texts/groups';
import { checkAmkaNumber } from '../../../lib/greek/amkaNumber';
import { REASONS } from '../../../lib/texts/reasons';
import { bullets, countTable, inLanguage, shown } from '../../../lib/texts/html';
import { STATES } from '../items/facts';
import { toText } from '../items/cells';
import type { Message } from '../messages/message';
import { OTHER } from './answerWords';
import type { ListStatistics } from './counts';
import { isReportLate, labelOf, noticeOfMessage, OTHER_ANSWER, OTHER_ANSWERS } from './stateTexts';

/* Makes the page of the output Summary: the state of each list, why people got nothing, and what to do next. */

const LONGEST_NAME = 100;
/** The most lists, the most reasons, and the most names beside a reason that the page shows. */
const MOST_LISTS = 5;
const MOST_REASONS = 8;
const NAMED = 3;
const LONGEST_NOTICE = 450;
const LONGEST_CELL = 30;

/** Returns a text in the language of the page, as `inLanguage` does. */
type Say = (el: string, en: string, between?: string) => string;

/** `list`: a requested list that does not exist. `others`: the names of the lists that exist. */
type NoSuch = { list: string; others: string[] };

interface More {
	/** How many answers belong to no message. */
	otherAnswers?: number;
	noSuch?: NoSuch;
}

/** Returns HTML for a form. */
export function pageOf(byList: ListStatistics[], language: Language, { otherAnswers = 0, noSuch }: More = {}): string {
	const say: Say = (el, en, between) => inLanguage(el, en, language, between);
	const heading = `<h2>${say('Τι έγινε με τα μηνύματα', 'What became of the messages', ' / ')}</h2>`;
	if (byList.length === 0) return `${heading}${noList(noSuch, say)}`;
	const lists = byList.map((statistics) => {
		const noName = say('Χωρίς όνομα λίστας', 'Without a list name', ' / ');
		const name = statistics.list === '' ? noName : shown(statistics.list, LONGEST_NAME);
		const parts = [countsOf(statistics, say), answerCounts(statistics, say), reasons(statistics, language)];
		return `<h3>${name}</h3>${parts.join('')}`;
	});
	return `${heading}${lists.join('')}${otherAnswersSection(otherAnswers, say)}${nextSteps(byList, say)}`;
}

/** Says that no list has finished sending. If a requested list does not exist, names the lists that exist, the newest first. */
function noList(noSuch: NoSuch | undefined, say: Say): string {
	const nothing = say('Δεν έχει ολοκληρωθεί ακόμη καμία αποστολή.', 'No list has been sent to its end yet.');
	const first = say(
		'Στείλτε πρώτα μια λίστα ή περιμένετε να ολοκληρωθεί, και ανοίξτε ξανά αυτή τη σελίδα.',
		'Send a list first, or wait for its end, then open this page again.',
	);
	if (noSuch === undefined) return `<p>${nothing}</p><p>${first}</p>`;
	const names = noSuch.others.slice(0, MOST_LISTS).map((list) => shown(list, LONGEST_NAME));
	const more = noSuch.others.length - names.length;
	const others = more > 0 ? [...names, say(`Άλλες λίστες: ${more}`, `Other lists: ${more}`, ' / ')] : names;
	const choose = names.length === 0 ? first : say('Επιλέξτε μία από αυτές:', 'Choose one of these:');
	const unknown = say('Δεν υπάρχει λίστα με αυτό το όνομα.', 'There is no list of this name.');
	return `<h3>${shown(noSuch.list, LONGEST_NAME)}</h3><p>${unknown}</p><p>${choose}</p>${bullets(others)}`;
}

const LONGEST_BAR = 16;
/** One to seven eighths of a block. */
const EIGHTHS = '▏▎▍▌▋▊▉';

/** Returns a count beside its label, with its share as a bar of block characters, because n8n keeps no styles. Each count above 0 has a bar. */
function withBar(label: string, count: number, of: number): [label: string, count: number] {
	if (count === 0) return [label, count];
	const eighths = Math.max(Math.round((count / of) * LONGEST_BAR * 8), 1);
	return [`${label}<br>${'█'.repeat(Math.floor(eighths / 8))}${EIGHTHS[(eighths % 8) - 1] ?? ''}`, count];
}

function countsOf({ messages, counts, isAtLeast }: ListStatistics, say: Say): string {
	const inOrder = STATES.flatMap((of) => messages.filter(({ state }) => state === of));
	const sms = `${counts.againSegments} SMS`;
	const lines: Parameters<typeof countTable>[0] = [
		[say('Μηνύματα', 'Messages'), counts.messages],
		...[...groupBy(inOrder, labelOf)].map(([{ el, en }, of]) => withBar(say(el[1], en[1]), of.length, counts.messages)),
		[
			say('Παραλήπτες στους οποίους μπορεί να σταλεί ξανά', 'People it can be sent to again'),
			counts.again,
			counts.againSegments === 0 ? '' : `<br>${isAtLeast ? say(`τουλάχιστον ${sms}`, `at least ${sms}`) : sms}`,
		],
		[
			say(
				'Παραλήπτες που ίσως το έχουν ήδη, γιατί είναι άγνωστο αν στάλθηκε',
				'People who may have it already, because nobody knows whether it was sent',
			),
			counts.unknownToo,
		],
	];
	return countTable(lines.filter(([, count]) => count !== 0));
}

function otherAnswersSection(count: number, say: Say): string {
	if (count === 0) return '';
	const lines: Parameters<typeof countTable>[0] = [[say('Μηνύματα', 'Messages'), count]];
	const who = say(
		'Ήρθαν από αριθμούς στους οποίους δεν στάλθηκε η ερώτηση ή πολύ αργά. Τι γράφουν, το δείχνει το φύλλο.',
		'They came from numbers that were not sent the question, or too late. The sheet shows what they say.',
	);
	return `<h3>${say(OTHER_ANSWERS.el, OTHER_ANSWERS.en, ' / ')}</h3>${countTable(lines)}<p>${who}</p>`;
}

function answerCounts({ replies }: ListStatistics, say: Say): string {
	if (replies === undefined) return '';
	const { answers, noAnswer } = replies;
	const all = answers.reduce((sum, { people }) => sum + people, noAnswer);
	const other = say(OTHER_ANSWER.el, OTHER_ANSWER.en);
	const lines = answers.map(({ answer, people }) =>
		withBar(answer === OTHER ? other : shown(answer, LONGEST_CELL), people, all),
	);
	lines.push(withBar(say('Δεν απάντησαν ακόμη', 'No answer yet'), noAnswer, all));
	return `<h4>${say('Απαντήσεις', 'Answers', ' / ')}</h4>${countTable(lines)}`;
}

/** Lists why people got nothing, or perhaps nothing: the most frequent reason first, with a few of the people. */
function reasons({ messages }: ListStatistics, language: Language): string {
	const left = messages.filter(({ state }) => state === 'notSent' || state === 'unknown' || state === 'notWanted');
	const byNotice = [...groupBy(left, (message) => noticeOfMessage(message, language) ?? '')];
	byNotice.sort(([, one], [, other]) => other.length - one.length);
	const lines = byNotice.slice(0, MOST_REASONS).map(([notice, of]) => {
		const names = of.slice(0, NAMED).flatMap((message) => personNamed(message) || []);
		const more = names.length < of.length ? ' …' : '';
		const who = names.length === 0 ? '' : `: ${names.join(', ')}${more}`;
		return `${shown(notice, LONGEST_NOTICE)} <b>(${of.length}${who})</b>`;
	});
	const more = byNotice.length - lines.length;
	const [el, en] = [`Άλλοι λόγοι: ${more}. Δείτε το φύλλο.`, `Other reasons: ${more}. See the sheet.`];
	return bullets(more > 0 ? [...lines, inLanguage(el, en, language, ' / ')] : lines);
}

const GAP = `[${SEPARATORS}]{0,2}`;
/** Matches a Greek mobile, even with one digit too few or too many, or any number with its country code. */
const MOBILES = new RegExp(
	`(?<!\\d)(?:(?:(?:\\+|00)?30${GAP})?(?:69|68|94)(?:${GAP}\\d){7,9}|\\+\\d(?:${GAP}\\d){6,14})(?!\\d)`,
	'gu',
);
/** Matches ten or eleven digits. They are an AMKA, perhaps without its first zero, if they begin with a date. */
const MAY_BE_AMKA = new RegExp(`(?<!\\d)\\d(?:${GAP}\\d){9,10}(?!\\d)`, 'gu');

/** Shortens mobiles and AMKA, as in 691…678. Other numbers stay: people find a row by its registration number. */
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

/** Returns the first cell, because people recognise a row by it. A small number follows the name of its column: «Α/Α 3». */
function personNamed({ columns, recipient = '' }: Message): string {
	const [name = '', value] = Object.entries(columns)[0] ?? [];
	const first = toText(value) ?? recipient;
	const cell = /^\s*\d{1,6}\s*$/.test(first) ? `${clip(name, LONGEST_CELL / 2)} ${first}` : first;
	return shown(clip(shortenPersonalNumbers(cell.slice(0, 1000)), LONGEST_CELL).trim(), LONGEST_CELL);
}

/** The next steps for the office, each with the condition under which the page shows it. */
const NEXT_STEPS: Array<[isOf: (of: ListStatistics) => boolean, el: string, en: string]> = [
	[
		({ counts }) => counts.onItsWay > 0,
		'Περιμένετε λίγο και δείτε ξανά ποιος το έλαβε: κάποιες αναφορές δεν έχουν έρθει ακόμη.',
		'Wait a little, then look again who got it: some reports have not come yet.',
	],
	[
		({ messages }) => messages.some(isReportLate),
		'Όπου δεν έχει έρθει αναφορά, το μήνυμα ίσως έφτασε: μην το στείλετε ξανά. Αν είναι πολλά, πείτε το στον διαχειριστή.',
		'Where no report has come, the message may have arrived: do not send it again. If there are many, tell the admin.',
	],
	[
		({ counts, replies }) => counts.notDelivered > 0 && replies !== undefined,
		'Για όσα δεν παραδόθηκαν, ελέγξτε τον αριθμό: αν είναι σωστός, ρωτήστε με άλλον τρόπο, αλλιώς ανεβάστε τη διορθωμένη γραμμή.',
		'Where it was not delivered, check the number: if it is right, ask in another way; otherwise upload the corrected row.',
	],
	[
		({ counts, replies }) => counts.notDelivered > 0 && replies === undefined,
		'Για όσα δεν παραδόθηκαν, ελέγξτε τον αριθμό: αν είναι σωστός, επιλέξτε νέα αποστολή, αλλιώς ανεβάστε τη διορθωμένη γραμμή.',
		'Where it was not delivered, check the number: if it is right, choose to send again; otherwise upload the corrected row.',
	],
	[
		({ counts }) => counts.partly > 0,
		'Όπου παραδόθηκε μόνο ένα μέρος, ρωτήστε τον παραλήπτη τι έλαβε: αν του λείπει κάτι, ενημερώστε τον με άλλον τρόπο.',
		'Where it was only partly delivered, ask the person what they got: if something is missing, tell them in another way.',
	],
	[
		({ counts }) => counts.unknown > 0,
		`Όπου είναι άγνωστο αν στάλθηκε: ${REASONS.unknown.todo.el}`,
		`Where it is not known whether it was sent: ${REASONS.unknown.todo.en}`,
	],
	[
		({ counts }) => counts.notSent > 0,
		// A reason such as an outage already says what to send again. A second instruction would contradict it.
		'Όπου δεν στάλθηκε, κάντε ό,τι γράφει πιο πάνω. Αν δεν γράφει τι να στείλετε ξανά, ανεβάστε μόνο αυτές τις γραμμές, αν δεν το έχετε κάνει ήδη.',
		'Where it was not sent, do what the reason above says. If it does not say what to send again, upload a sheet of only these rows, unless you have already.',
	],
	[
		({ replies }) => (replies?.noAnswer ?? 0) > 0,
		'Σε όσους δεν απάντησαν ακόμη μπορεί να σταλεί υπενθύμιση.',
		'Those who have not answered yet can be sent a reminder.',
	],
];

function nextSteps(byList: ListStatistics[], say: Say): string {
	const steps = NEXT_STEPS.filter(([isOf]) => byList.some(isOf)).map(([, el, en]) => say(el, en));
	const nothing = `<p>${say('Δεν χρειάζεται να κάνετε κάτι.', 'There is nothing to do.')}</p>`;
	return `<h3>${say('Τι να κάνετε τώρα', 'What to do now', ' / ')}</h3>${bullets(steps) || nothing}`;
}

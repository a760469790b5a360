import type { IDataObject } from 'n8n-workflow';

import { namesInOrder } from '../../../lib/n8n/columns';
import { openResultSheet, type Headings } from '../../../lib/n8n/resultSheet';
import { withoutUndefined } from '../../../lib/n8n/items';
import { clip, noticeOf, shortenNumbers, type Language } from '../../../lib/texts/notice';
import { OTHER } from './answers';
import { isoOf, rowText, type State } from './facts';
import type { Message } from './join';

/** A state as a sheet says it of one message, and a page of many. */
const LABELS: Record<State, Record<'el' | 'en', [one: string, many: string]>> = {
	delivered: { el: ['παραδόθηκε', 'Παραδόθηκαν'], en: ['delivered', 'Delivered'] },
	partly: {
		el: ['παραδόθηκε μόνο ένα μέρος', 'Παραδόθηκαν μόνο εν μέρει'],
		en: ['only partly delivered', 'Only partly delivered'],
	},
	notDelivered: { el: ['δεν παραδόθηκε', 'Δεν παραδόθηκαν'], en: ['not delivered', 'Not delivered'] },
	late: { el: ['χωρίς αναφορά έως τώρα', 'Χωρίς αναφορά έως τώρα'], en: ['no report so far', 'No report so far'] },
	onItsWay: {
		el: ['στάλθηκε, αναμένεται αναφορά', 'Στάλθηκαν, αναμένεται αναφορά'],
		en: ['sent, waiting for the report', 'Sent, waiting for the report'],
	},
	unknown: {
		el: ['άγνωστο αν στάλθηκε', 'Άγνωστο αν στάλθηκαν'],
		en: ['not known whether it was sent', 'Not known whether they were sent'],
	},
	notWanted: { el: ['δεν θέλει μηνύματα', 'Δεν θέλουν μηνύματα'], en: ['wants no messages', 'Want no messages'] },
	notSent: { el: ['δεν στάλθηκε', 'Δεν στάλθηκαν'], en: ['not sent', 'Not sent'] },
};

/** Of those that an earlier run sent: nothing more is known of them here, where its reports are not. */
const SENT_BEFORE = { el: ['έχει ήδη σταλεί', 'Έχουν ήδη σταλεί'], en: ['already sent', 'Already sent'] } as const;

/** A message's state in words. */
export const labelOf = (message: Message) =>
	message.state === 'late' && !isReportLate(message) ? SENT_BEFORE : LABELS[message.state];

/** What is known, and what to do, for whoever sent the list. */
const NOTICES: Partial<Record<State, Record<'el' | 'en', string>>> = {
	partly: {
		el: 'Το μήνυμα αποτελείται από πολλά SMS και δεν παραδόθηκαν όλα{code}. Ρωτήστε τον παραλήπτη τι έλαβε. Αν του λείπει κάτι, ενημερώστε τον με άλλον τρόπο.',
		en: 'The message takes several SMS, and not all of them were delivered{code}. Ask the person what they got. If something is missing, tell the person in another way.',
	},
	notDelivered: {
		el: 'Η αναφορά λέει ότι το μήνυμα δεν παραδόθηκε{code}. Ελέγξτε τον αριθμό. Αν είναι σωστός, στείλτε το ξανά ή ενημερώστε τον παραλήπτη με άλλον τρόπο.',
		en: 'The report says that the message was not delivered{code}. Check the number. If it is right, send it again, or tell the person in another way.',
	},
	late: {
		el: 'Το μήνυμα στάλθηκε, αλλά δεν είναι γνωστό αν έφτασε, γιατί η αναφορά αργεί. Δείτε ξανά αργότερα. Αν αργεί για πολλούς, πείτε το στον διαχειριστή.',
		en: 'The message was sent. Whether it arrived is not known, because its report is late. Look again later. If it is late for many people, tell the admin.',
	},
	onItsWay: {
		el: 'Το μήνυμα στάλθηκε, αλλά η αναφορά του δεν έχει έρθει ακόμη. Δείτε ξανά σε λίγο.',
		en: 'The message was sent, and its report has not come yet. Look again in a while.',
	},
	notSent: {
		el: 'Το μήνυμα δεν στάλθηκε. Ανεβάστε ένα φύλλο μόνο με τις γραμμές που δεν στάλθηκαν.',
		en: 'The message was not sent. Upload a sheet of only the rows that were not sent.',
	},
};

/** Whether a report is overdue. Of one that was sent before, when is not known, and its notice says so much alone. */
export const isReportLate = ({ state, sentAt, notice }: Message): boolean =>
	state === 'late' && (sentAt !== undefined || notice === undefined);

/** What to tell people of a message; undefined for one that was delivered. */
export function noticeOfMessage(message: Message, language: Language): string | undefined {
	const { state, report, notice: why } = message;
	if (state === 'unknown') return noticeOf({ reason: 'unknown' }, language);
	if (state === 'notWanted') return noticeOf({ reason: 'doNotSend' }, language);
	// As the run that did not send it said it.
	const isSaid = state === 'notSent' || (state === 'late' && !isReportLate(message));
	if (isSaid && why !== undefined) return why;
	const notice = NOTICES[state];
	if (notice === undefined) return undefined;
	const code = report?.errorCode === undefined ? '' : ` (${clip(shortenNumbers(report.errorCode.slice(0, 1000)), 40)})`;
	const inOne = (one: 'el' | 'en') => notice[one].replace('{code}', () => code);
	return language === 'both' ? `${inOne('el')} / ${inOne('en')}` : inOne(language);
}

/** How sheets and pages name an answer that has none of the words. */
export const OTHER_ANSWER = { el: 'Άλλη απάντηση', en: 'Other answer' };

/** A message as an item that a data table takes, and that can be followed up again. */
export function messageItem(message: Message, language: Language): IDataObject {
	const { list, reference, recipient, serviceId, messageId, text, segments, state, sentAt, report, answer } = message;
	return withoutUndefined({
		list: list === '' ? undefined : list,
		reference,
		recipient,
		serviceId,
		messageId,
		text,
		segments,
		state,
		notice: noticeOfMessage(message, language),
		sentAt: isoOf(sentAt),
		...report,
		attempts: message.attempts,
		againOf: message.againOf,
		answer: answer?.answer,
		answerText: answer?.text,
		answeredAt: isoOf(answer?.at),
		row: rowText(message),
	});
}

/** A report on a message that is not there. Without a list and a number of attempts, it is read as a report again. */
export const reportItem = ({ reference, recipient, serviceId, state, report }: Message): IDataObject =>
	withoutUndefined({ reference, recipient, serviceId, state: state === 'late' ? 'onItsWay' : state, ...report });

const HEADINGS = {
	el: ['Κατάσταση', 'Γιατί', 'Στάλθηκε', 'Αναφορά', 'Απάντηση', 'Κείμενο απάντησης', 'Απαντήθηκε'],
	en: ['State', 'Why', 'Sent', 'Report', 'Answer', 'Answer Text', 'Answered'],
};

/** Without answers the first four. */
const headingsOf = (hasAnswers: boolean): Headings => ({
	names: hasAnswers ? HEADINGS : { el: HEADINGS.el.slice(0, 4), en: HEADINGS.en.slice(0, 4) },
	words: new Set([...Object.values(LABELS), SENT_BEFORE].flatMap(({ el, en }) => [el[0], en[0]])),
	mark: 'SMS',
});

/** Whether no row has columns, or there is one of which only is known whom it went to. */
export const lacksColumns = (messages: Message[]): boolean => {
	const without = messages.filter(({ columns }) => Object.keys(columns).length === 0);
	return without.length === messages.length || without.some(({ recipient }) => recipient !== undefined);
};

/** Where a row has no columns of its own, it has to say at least whom it is about. */
const RECIPIENT = { el: 'Παραλήπτης', en: 'Recipient' };

/** A row for each message, each with every column: a sheet has them as they come first. @param timeZone of its times */
export function sheetRows(messages: Message[], hasAnswers: boolean, language: Language, timeZone: string) {
	const inOne = language === 'en' ? 'en' : 'el';
	const rows = messages.map(({ columns }) => columns);
	const headings = headingsOf(hasAnswers);
	const sheet = openResultSheet({ rows, columns: namesInOrder(rows), headings, language: inOne, timeZone });
	const toName = sheet.listColumns.length === 0 || lacksColumns(messages) ? RECIPIENT[inOne] : undefined;
	const clock = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'short' });
	const timeOf = (time?: number | string) => (time === undefined ? '' : clock.format(new Date(time)).replace(',', ''));
	return messages.map((message) => {
		const { columns, recipient = '', sentAt, report, answer } = message;
		const ours = [
			labelOf(message)[inOne][0],
			noticeOfMessage(message, inOne) ?? '',
			timeOf(sentAt),
			timeOf(report?.reportedAt),
		];
		const word = answer?.answer === OTHER ? OTHER_ANSWER[inOne] : answer?.answer;
		ours.push(word ?? '', answer?.text ?? '', timeOf(answer?.at));
		if (toName === undefined) return sheet.row(columns, ours);
		// The list may have a column of that name.
		const missing: Record<string, string> = Object.keys(columns).length === 0 ? { [toName]: recipient } : {};
		return { [toName]: recipient, ...sheet.row(columns, ours, missing) };
	});
}

/** The row of a message, to be sent again. */
export const againItem = ({ columns, serviceId, messageId, reference }: Message): IDataObject =>
	withoutUndefined({ ...columns, serviceId, messageId, againOf: reference });

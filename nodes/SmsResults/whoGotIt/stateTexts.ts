import { clip, noticeOf, shortenNumbers, type Language } from '../../../lib/texts/notice';
import type { State } from '../items/facts';
import type { Message } from '../messages/message';

/* The texts about the state of a message, in both languages, for sheets, pages and notices. */

/** The name of each state, for one message in a sheet and for many on a page. */
export const LABELS: Record<State, Record<'el' | 'en', [one: string, many: string]>> = {
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

/** Shown for messages of an earlier run whose reports are not among the items. */
export const SENT_BEFORE = {
	el: ['έχει ήδη σταλεί', 'Έχουν ήδη σταλεί'],
	en: ['already sent', 'Already sent'],
} as const;

export const labelOf = (message: Message) =>
	message.state === 'late' && !isReportLate(message) ? SENT_BEFORE : LABELS[message.state];

/** Notices for the person who sent the list: what happened, and what to do. */
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

/** Whether the report is overdue. A message of an earlier run has no known time, and its notice says that it was sent before. */
export const isReportLate = ({ state, sentAt, notice }: Message): boolean =>
	state === 'late' && (sentAt !== undefined || notice === undefined);

/** Returns the notice of a message; a delivered message has none. */
export function noticeOfMessage(message: Message, language: Language): string | undefined {
	const { state, report, notice: why } = message;
	if (state === 'unknown') return noticeOf({ reason: 'unknown' }, language);
	if (state === 'notWanted') return noticeOf({ reason: 'doNotSend' }, language);
	// The run that did not send the message has explained why.
	const isExplained = state === 'notSent' || (state === 'late' && !isReportLate(message));
	if (isExplained && why !== undefined) return why;
	const notice = NOTICES[state];
	if (notice === undefined) return undefined;
	const code = report?.errorCode === undefined ? '' : ` (${clip(shortenNumbers(report.errorCode.slice(0, 1000)), 40)})`;
	const inOne = (one: 'el' | 'en') => notice[one].replace('{code}', () => code);
	return language === 'both' ? `${inOne('el')} / ${inOne('en')}` : inOne(language);
}

/** The name of an answer that has none of the words. */
export const OTHER_ANSWER = { el: 'Άλλη απάντηση', en: 'Other answer' };

/** The name of answers that belong to no message. */
export const OTHER_ANSWERS = { el: 'Άλλες απαντήσεις', en: 'Other answers' };

/** The texts about such an answer in a sheet. */
export const otherAnswerTexts = {
	el: { state: 'άλλη απάντηση', why: 'Ήρθε από αριθμό στον οποίο δεν στάλθηκε η ερώτηση, ή πολύ αργά.' },
	en: { state: 'other answer', why: 'It came from a number that was not sent the question, or too late.' },
};

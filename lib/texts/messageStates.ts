import type { InBoth } from './reasons';

/* The texts about the state of a message, in both languages, for sheets, pages and notices of Who Got It. */

/** The names of a state. `one`: for one message, in a sheet. `many`: for several messages, on a page. */
type StateNames = { one: InBoth; many: InBoth };

export const STATE_NAMES = {
	delivered: {
		one: { el: 'παραδόθηκε', en: 'delivered' },
		many: { el: 'Παραδόθηκαν', en: 'Delivered' },
	},
	partly: {
		one: { el: 'παραδόθηκε εν μέρει', en: 'only partly delivered' },
		many: { el: 'Παραδόθηκαν εν μέρει', en: 'Only partly delivered' },
	},
	notDelivered: {
		one: { el: 'δεν παραδόθηκε', en: 'not delivered' },
		many: { el: 'Δεν παραδόθηκαν', en: 'Not delivered' },
	},
	late: {
		one: { el: 'χωρίς αναφορά έως τώρα', en: 'no report so far' },
		many: { el: 'Χωρίς αναφορά έως τώρα', en: 'No report so far' },
	},
	onItsWay: {
		one: { el: 'στάλθηκε, αναμένεται αναφορά', en: 'sent, waiting for the report' },
		many: { el: 'Στάλθηκαν, αναμένεται αναφορά', en: 'Sent, waiting for the report' },
	},
	unknown: {
		one: { el: 'άγνωστο αν στάλθηκε', en: 'not known whether it was sent' },
		many: { el: 'Άγνωστο αν στάλθηκαν', en: 'Not known whether they were sent' },
	},
	notWanted: {
		one: { el: 'δεν θέλει μηνύματα', en: 'does not want messages' },
		many: { el: 'Δεν θέλουν μηνύματα', en: 'Do not want messages' },
	},
	notSent: {
		one: { el: 'δεν στάλθηκε', en: 'not sent' },
		many: { el: 'Δεν στάλθηκαν', en: 'Not sent' },
	},
	/** The names for messages that an earlier run sent, if the input of Who Got It does not have their delivery reports. */
	sentBefore: {
		one: { el: 'έχει ήδη σταλεί', en: 'already sent' },
		many: { el: 'Έχουν ήδη σταλεί', en: 'Already sent' },
	},
} as const satisfies Record<string, StateNames>;

/**
 * Notices for the person who sent the list. They say what happened and what to do. `{code}` is the error code of the report, in
 * brackets. Other states have a notice among the reasons, or no notice.
 */
export const STATE_NOTICES = {
	partly: {
		el: 'Το μήνυμα αποτελείται από πολλά SMS και δεν παραδόθηκαν όλα{code}. Ρωτήστε τον παραλήπτη τι έλαβε. Αν δεν έλαβε ολόκληρο το μήνυμα, πείτε του το υπόλοιπο με άλλον τρόπο, π.χ. τηλεφωνικά.',
		en: 'The message takes several SMS, and not all of them were delivered{code}. Ask the person what they got. If part of the message is missing, give them that part in another way, such as by phone.',
	},
	notDelivered: {
		el: 'Σύμφωνα με την αναφορά, το μήνυμα δεν παραδόθηκε{code}. Ελέγξτε τον αριθμό. Αν είναι σωστός, στείλτε ξανά το μήνυμα ή ενημερώστε τον παραλήπτη με άλλον τρόπο.',
		en: 'The report says that the message was not delivered{code}. Check the number. If the number is right, send the message again, or contact the person in another way.',
	},
	late: {
		el: 'Το μήνυμα στάλθηκε, αλλά δεν είναι γνωστό αν έφτασε, γιατί η αναφορά αργεί. Δείτε ξανά αργότερα. Αν η αναφορά αργεί για πολλούς παραλήπτες, πείτε το στον διαχειριστή.',
		en: 'The message was sent, but it is not known whether it arrived, because its report is late. Look again later. If many reports are late, tell the admin.',
	},
	onItsWay: {
		el: 'Το μήνυμα στάλθηκε, αλλά η αναφορά του δεν έχει έρθει ακόμη. Δείτε ξανά σε λίγο.',
		en: 'The message was sent, but its report has not come yet. Look again in a while.',
	},
	notSent: {
		el: 'Το μήνυμα δεν στάλθηκε. Ανεβάστε ένα φύλλο μόνο με τις γραμμές που δεν στάλθηκαν.',
		en: 'The message was not sent. Upload a sheet that has only the rows that were not sent.',
	},
} as const satisfies Record<string, InBoth>;

export const ANSWER_NAMES = {
	/** An answer with none of the question's words, or with two different ones. */
	other: { el: 'Άλλη απάντηση', en: 'Other answer' },
	/** The answers that came too late, or from numbers to which the question was not sent. */
	withoutQuestion: { el: 'Απαντήσεις χωρίς ερώτηση', en: 'Answers without a question' },
} as const satisfies Record<string, InBoth>;

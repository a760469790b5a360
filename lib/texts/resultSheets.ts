import type { InBoth } from './reasons';

/* The headings and the texts in the cells of the sheets that Compare and Who Got It make, in both languages. */

/** The names of the columns that a sheet adds to the columns in the list, in their order. */
type SheetHeadings = Record<'el' | 'en', readonly string[]>;

export const WHO_GOT_IT_SHEET = {
	headings: {
		el: ['Κατάσταση', 'Γιατί', 'Στάλθηκε', 'Αναφορά'],
		en: ['State', 'Why', 'Sent', 'Report'],
	},
	/** Further headings, for a list with a question. */
	answerHeadings: {
		el: ['Απάντηση', 'Κείμενο απάντησης', 'Απαντήθηκε'],
		en: ['Answer', 'Answer Text', 'Answered'],
	},
} as const satisfies Record<string, SheetHeadings>;

/** The cells of the sheet of Who Got It, besides the names of the states and their notices. */
export const WHO_GOT_IT_CELLS = {
	/** The heading of the column of recipients. It is only needed for rows without columns. */
	recipient: { el: 'Παραλήπτης', en: 'Recipient' },
	answerWithoutQuestion: { el: 'απάντηση χωρίς ερώτηση', en: 'answer without a question' },
	whyWithoutQuestion: {
		el: 'Η απάντηση ήρθε πολύ αργά ή από αριθμό στον οποίο δεν στάλθηκε η ερώτηση.',
		en: 'The answer came too late, or from a number to which the question was not sent.',
	},
} as const satisfies Record<string, InBoth>;

export const COMPARE_HEADINGS = {
	el: ['Αποτέλεσμα', 'Διαφέρει', 'Λείπει από το φύλλο σας', 'Λείπει από το μητρώο', 'Προσοχή'],
	en: ['Result', 'Differs', 'Missing in the Sheet', 'Missing in the Registry', 'Note'],
} as const satisfies SheetHeadings;

/** The results of Compare, and the notes beside them. */
export const COMPARE_CELLS = {
	notChecked: { el: 'δεν ελέγχθηκε', en: 'not checked' },
	notMatched: { el: 'δεν ταυτοποιήθηκε', en: 'not matched' },
	deceased: { el: 'έχει αποβιώσει', en: 'has died' },
	differs: { el: 'διαφέρει', en: 'differs' },
	incomplete: { el: 'έχει ελλείψεις', en: 'incomplete' },
	agrees: { el: 'συμφωνεί', en: 'agrees' },
	newerNumber: { el: 'έχει νεότερο ΑΜΚΑ', en: 'has a newer AMKA' },
	unknownDeath: {
		el: 'ο κωδικός που γράφει το μητρώο για τον θάνατο δεν αναγνωρίζεται: ελέγξτε αν το πρόσωπο ζει',
		en: "the registry's note on a death has an unknown code: check whether the person is alive",
	},
	fictitious: { el: 'πλασματική ημερομηνία γέννησης', en: 'fictitious birth date' },
} as const satisfies Record<string, InBoth>;

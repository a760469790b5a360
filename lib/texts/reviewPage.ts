import { REASONS, type InBoth } from './reasons';

/* The texts of the page of Review a List, in both languages. */

/** What to send after the quiet hours: the same list, or only its rows that were not sent. The texts complete a sentence. */
const WHICH_ROWS = {
	sameList: { el: 'την ίδια λίστα', en: 'the same list' },
	onlyUnsent: { el: 'μόνο τις γραμμές που δεν έχουν σταλεί', en: 'only the rows that were not sent' },
} as const satisfies Record<string, InBoth>;

export const REVIEW_PAGE = {
	willBeSent: { el: 'Τι θα σταλεί', en: 'What will be sent' },
	nothing: { el: 'Δεν θα σταλεί τίποτα', en: 'Nothing will be sent' },
	quietHours: (until: string, which: keyof typeof WHICH_ROWS) => ({
		el: `Είναι ώρες ησυχίας έως τις ${until}: αν στείλετε τώρα, δεν θα σταλεί τίποτα. Μετά από αυτή την ώρα στείλτε ${WHICH_ROWS[which].el}.`,
		en: `Quiet hours have begun: no messages are sent until ${until}. If you send now, nothing goes out. When the quiet hours are over, send ${WHICH_ROWS[which].en}.`,
	}),

	messages: { el: 'Μηνύματα που θα σταλούν', en: 'Messages that will be sent' },
	people: { el: 'Παραλήπτες', en: 'Recipients' },
	segments: { el: 'SMS συνολικά', en: 'SMS in all' },
	longest: { el: 'Πόσα SMS χρειάζεται το μεγαλύτερο μήνυμα', en: 'SMS needed for the longest message' },

	notSent: { el: 'Δεν θα σταλούν', en: 'Will not be sent' },
	why: { el: 'Γιατί', en: 'Why' },
	alreadySent: { el: 'Έχουν ήδη σταλεί', en: 'Already sent' },
	unknown: { el: 'Άγνωστο αν έχουν ήδη σταλεί', en: 'Not known whether already sent' },
	twice: { el: 'Υπάρχουν ήδη σε προηγούμενη γραμμή', en: 'The same as an earlier row' },
	doNotSend: { el: 'Παραλήπτες που δεν θέλουν μηνύματα', en: 'People who do not want messages' },
	faulty: { el: 'Γραμμές με λάθη', en: 'Rows with errors' },
	askRecipients: REASONS.allUnknown.todo,
	otherFaults: (count: number) => ({ el: `Άλλα είδη λαθών: ${count}`, en: `Other kinds of errors: ${count}` }),
	correctAfterwards: {
		el: 'Αν στείλετε τώρα τα υπόλοιπα μηνύματα, διορθώστε τα λάθη αργότερα και ανεβάστε μόνο τις διορθωμένες γραμμές.',
		en: 'If you send the other rows now, correct the errors afterwards and upload only the corrected rows.',
	},

	row: { el: 'Γραμμή', en: 'Row' },
	rows: (count: number) => ({ el: `${count} γραμμές:`, en: `${count} rows:` }),
	/** The words for rows if the row numbers of the spreadsheet are not known. */
	entry: { el: 'Εγγραφή', en: 'Entry' },
	entries: (count: number) => ({ el: `${count} εγγραφές`, en: `${count} entries` }),
	withoutHeadings: { el: 'χωρίς τις επικεφαλίδες', en: 'without the headings' },

	toCheck: { el: 'Σημεία προς έλεγχο', en: 'Points to check' },
	firstMessages: { el: 'Τα πρώτα μηνύματα', en: 'The first messages' },
	allMessages: { el: 'Τα μηνύματα', en: 'The messages' },
	noText: { el: 'Το κείμενο δεν είναι γνωστό', en: 'The text is not known' },
	whileSending: {
		el: 'Η αποστολή χιλιάδων μηνυμάτων μπορεί να διαρκέσει πολλά λεπτά. Αν κλείσετε τη σελίδα, η αποστολή συνεχίζεται.',
		en: 'It may take many minutes to send thousands of messages. If you close the page, the list still goes out.',
	},
} as const;

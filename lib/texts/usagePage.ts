/* The texts of the page of Usage, in both languages. */

export const USAGE_PAGE = {
	heading: { el: 'Χρήση', en: 'Usage' },
	nothing: { el: 'Δεν έχει σταλεί ακόμη κανένα μήνυμα.', en: 'No message has been sent yet.' },
	month: { el: 'Μήνας', en: 'Month' },
	unknownMonth: { el: 'Άγνωστος', en: 'Not known' },
	service: { el: 'Υπηρεσία', en: 'Service' },
	messages: { el: 'Μηνύματα', en: 'Messages' },
	delivered: { el: 'Παραδόθηκαν', en: 'Delivered' },
	total: { el: 'Σύνολο', en: 'Total' },
	withoutText: (count: number) => ({
		el: `Μηνύματα που το κείμενό τους δεν είναι γνωστό: ${count}. Τα SMS που χρειάστηκαν αυτά τα μηνύματα δεν περιλαμβάνονται στον πίνακα.`,
		en: `Messages whose text is not known: ${count}. The table does not include the SMS that these messages needed.`,
	}),
} as const;

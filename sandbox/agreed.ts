/** The agreement of an institution with the two operators: keys, URLs, and services with their messages and keywords. */

export interface Settings {
	/** The AMKA service's key. */
	apiKey: string;
	institution: string;
	preSharedKey: string;
	/** The operator's own key for forwards. Empty: the pre-shared key. */
	forwardKey: string;
	/** The URL for texts whose keyword has no URL of its own. Empty: they go nowhere. */
	forwardUrl: string;
	/** The URLs of single keywords, by the registered keyword. */
	keywordUrls: Record<string, string>;
}

/** Returns the first settings. Their keys are public, and are valid only for a sandbox. */
export const firstSettings = (): Settings => ({
	apiKey: 'sandbox-amka-key-4b1f0c7e',
	institution: 'example-university',
	preSharedKey: 'sandbox-pre-shared-key-9d2a63e5',
	forwardKey: '',
	forwardUrl: '',
	keywordUrls: {},
});

/** A service as the platform's operator defines it. */
interface Service {
	keywords: string[];
	/** Predefined messages by messageId, with placeholders `{label,position}`. */
	messages: Record<string, string>;
}

/** The services that the sandbox's operator has defined, by serviceId. */
export const services: Readonly<Record<string, Service>> = {
	'101': {
		keywords: ['ΒΑ', 'ΒΑΘΜΟΣ'],
		messages: {
			'1': 'Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}',
			'2': 'Οι βαθμοί της εξεταστικής ανακοινώθηκαν.',
			'3': 'Δεν βρέθηκε βαθμός σας.',
		},
	},
	'102': {
		keywords: ['ΣΙΤΙΣΗ', 'ΒΟΗΘΕΙΑ'],
		messages: {
			'1': 'Η αίτηση {Αριθμός,1} εγκρίθηκε.',
			'2': 'Για τους βαθμούς σας στείλτε ΒΑ.',
		},
	},
	'103': {
		keywords: [],
		messages: { '1': 'Ο κωδικός επαλήθευσης της εγγραφής σας είναι {Κωδικός,1}' },
	},
	'104': {
		keywords: ['ΑΠ'],
		messages: {
			'1': 'Δέχεστε {Τι,1}; Απαντήστε με SMS: ΑΠ {Αριθμός,2} ΝΑΙ ή ΑΠ {Αριθμός,2} ΟΧΙ.',
			'2': 'Η απάντησή σας στην ερώτηση {Αριθμός,1} καταγράφηκε: {Απάντηση,2}',
			'3': 'Δεν καταγράφηκε απάντηση: η ερώτηση {Γιατί,1}.',
		},
	},
	'105': {
		keywords: ['ΟΡΚ'],
		messages: {
			'1': 'Θα έρθετε στην ορκωμοσία του τμήματος {Τμήμα,1}; Απαντήστε με SMS: ΟΡΚ ΝΑΙ ή ΟΡΚ ΟΧΙ.',
			'2': 'Λάβαμε την απάντησή σας: {Απάντηση,1}. Αλλάζει με νέο SMS: ΟΡΚ ΝΑΙ ή ΟΡΚ ΟΧΙ.',
		},
	},
	// Names as institutions use them. Ids need not be numbers.
	gradeService: {
		keywords: [],
		messages: { testMessage: 'Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}' },
	},
	otp: {
		keywords: [],
		messages: { OTP_SEND: 'Ο κωδικός σας είναι {Κωδικός,1}' },
	},
	newsService: {
		// STOP too, because not all phones in Greece are set to Greek.
		keywords: ['ΝΕΑ', 'ΣΤΟΠ', 'STOP'],
		messages: {
			subscribed: 'Γραφτήκατε στα νέα της σχολής. Διακοπή όλων των SMS: ΣΤΟΠ.',
			unsubscribed: 'Δεν θα λαμβάνετε πια νέα, βαθμούς και ερωτήσεις με SMS. Ξανά: ΝΕΑ',
			news: 'Νέα της σχολής: {Νέο,1} Διακοπή όλων των SMS: ΣΤΟΠ.',
		},
	},
};

/** Returns every message as a line of the credential's Messages: `serviceId/messageId: text`. */
export const messageLines = (): string[] =>
	Object.entries(services).flatMap(([serviceId, { messages }]) =>
		Object.entries(messages).map(([messageId, text]) => `${serviceId}/${messageId}: ${text}`),
	);

/** Returns all keywords: those of the services and those that were registered later. */
export const keywordsOf = ({ keywordUrls }: Settings): string[] => [
	...new Set([...Object.values(services).flatMap(({ keywords }) => keywords), ...Object.keys(keywordUrls)]),
];

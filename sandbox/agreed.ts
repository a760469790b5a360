/**
 * The data on which an institution and the operators of the two services agree: keys, URLs, and services with their
 * messages and keywords.
 */

export interface Settings {
	/** The AMKA service's key. */
	apiKey: string;
	institution: string;
	preSharedKey: string;
	/** The key that the platform puts into SMS forwards (incoming SMS that it passes on). Empty: it puts in the pre-shared key. */
	forwardKey: string;
	/** The URL for incoming SMS whose keyword has no URL of its own. Empty: such SMS are not passed on. */
	forwardUrl: string;
	/** The URLs of the keywords that have a URL of their own, by keyword. */
	keywordUrls: Record<string, string>;
}

/** Returns the settings of a new sandbox. The keys are public, and only a sandbox accepts them. */
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
	/** The text of each predefined message by its messageId, with placeholders `{label,position}`. */
	messages: Record<string, string>;
}

/** The services of the simulated platform by their serviceId. */
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
			'2': 'Η απάντησή σας {Αποτέλεσμα,1}.',
		},
	},
	// From here on the ids of services and messages are names, because an id need not be a number. Institutions use such ids too.
	gradeService: {
		keywords: [],
		messages: { testMessage: 'Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}' },
	},
	otp: {
		keywords: [],
		messages: { OTP_SEND: 'Ο κωδικός σας είναι {Κωδικός,1}' },
	},
	newsService: {
		// STOP is a keyword too, because some people in Greece use a phone without Greek letters.
		keywords: ['ΝΕΑ', 'ΣΤΟΠ', 'STOP'],
		messages: {
			subscribed: 'Εγγραφήκατε στα νέα της σχολής. Διακοπή όλων των SMS: ΣΤΟΠ.',
			unsubscribed: 'Δεν θα λαμβάνετε SMS με νέα, βαθμούς και ερωτήσεις. Επανεγγραφή: ΝΕΑ',
			news: 'Νέα της σχολής: {Νέο,1} Διακοπή όλων των SMS: ΣΤΟΠ.',
		},
	},
};

/** Returns one line for each message, as the field *Messages* in the credential takes it: `serviceId/messageId: text`. */
export const messageLines = (): string[] =>
	Object.entries(services).flatMap(([serviceId, { messages }]) =>
		Object.entries(messages).map(([messageId, text]) => `${serviceId}/${messageId}: ${text}`),
	);

/** Returns all keywords: those of the services and those that a user registered on the page. */
export const keywordsOf = ({ keywordUrls }: Settings): string[] => [
	...new Set([...Object.values(services).flatMap(({ keywords }) => keywords), ...Object.keys(keywordUrls)]),
];

import { REASONS, type InBoth } from './reasons';

/* The texts of the page of Who Got It, in both languages. */

export const WHO_GOT_IT_PAGE = {
	heading: { el: 'Τι έγινε με τα μηνύματα', en: 'What happened to the messages' },
	noListName: { el: 'Χωρίς όνομα λίστας', en: 'Without a list name' },

	noList: { el: 'Δεν έχει ολοκληρωθεί ακόμη καμία αποστολή.', en: 'No list has finished sending yet.' },
	sendFirst: {
		el: 'Στείλτε πρώτα μια λίστα ή, αν την έχετε ήδη στείλει, περιμένετε να ολοκληρωθεί η αποστολή. Μετά ανοίξτε ξανά αυτή τη σελίδα.',
		en: 'Send a list first. If you have already sent one, wait until sending has finished. Then open this page again.',
	},
	noSuchList: { el: 'Δεν υπάρχει λίστα με αυτό το όνομα.', en: 'There is no list with this name.' },
	chooseList: { el: 'Επιλέξτε μία από αυτές:', en: 'Choose one of these:' },
	otherLists: (count: number) => ({ el: `Άλλες λίστες: ${count}`, en: `Other lists: ${count}` }),
	/** The label of the field in which people choose a list. */
	list: { el: 'Λίστα', en: 'List' },

	messages: { el: 'Μηνύματα', en: 'Messages' },
	again: {
		el: 'Παραλήπτες στους οποίους μπορείτε να στείλετε ξανά το μήνυμα',
		en: 'People to whom the message can be sent again',
	},
	atLeast: (sms: string) => ({ el: `τουλάχιστον ${sms}`, en: `at least ${sms}` }),
	unknownToo: {
		el: 'Παραλήπτες που ίσως έλαβαν ήδη το μήνυμα (είναι άγνωστο αν στάλθηκε)',
		en: 'People who may already have the message (it is not known whether it was sent)',
	},
	otherReasons: (count: number) => ({
		el: `Άλλοι λόγοι: ${count}. Δείτε το φύλλο.`,
		en: `Other reasons: ${count}. See the sheet.`,
	}),

	answers: { el: 'Απαντήσεις', en: 'Answers' },
	noAnswer: { el: 'Δεν απάντησαν ακόμη', en: 'No answer yet' },
	fromOthers: {
		el: 'Οι απαντήσεις αυτές ήρθαν πολύ αργά ή από αριθμούς στους οποίους δεν στάλθηκε η ερώτηση. Το φύλλο δείχνει το κείμενο κάθε απάντησης.',
		en: 'These answers came too late, or from numbers to which the question was not sent. The sheet shows what they say.',
	},

	whatToDo: { el: 'Τι να κάνετε τώρα', en: 'What to do now' },
	nothingToDo: { el: 'Δεν χρειάζεται να κάνετε κάτι.', en: 'There is nothing to do.' },
} as const;

/** The next steps for the people who sent the list, in their order on the page. */
export const NEXT_STEPS = {
	waitForReports: {
		el: 'Περιμένετε λίγο και δείτε ξανά ποιος έλαβε το μήνυμα: κάποιες αναφορές δεν έχουν έρθει ακόμη.',
		en: 'Wait a little, then open this page again: some reports have not come yet.',
	},
	reportLate: {
		el: 'Όπου δεν έχει έρθει αναφορά, το μήνυμα ίσως έφτασε: μην το στείλετε ξανά. Αν τα μηνύματα χωρίς αναφορά είναι πολλά, πείτε το στον διαχειριστή.',
		en: 'A message without a report may have arrived, so do not send it again. If many reports are missing, tell the admin.',
	},
	notDeliveredQuestion: {
		el: 'Αν κάποιο μήνυμα δεν παραδόθηκε, ελέγξτε τον αριθμό του παραλήπτη. Αν είναι σωστός, κάντε την ερώτηση στον παραλήπτη με άλλον τρόπο, π.χ. τηλεφωνικά. Αν είναι λάθος, ανεβάστε τη διορθωμένη γραμμή.',
		en: 'If a message was not delivered, check the number. If the number is right, ask the person the question in another way, such as by phone. If the number is wrong, upload the corrected row.',
	},
	notDelivered: {
		el: 'Αν κάποιο μήνυμα δεν παραδόθηκε, ελέγξτε τον αριθμό του παραλήπτη. Αν είναι σωστός, επιλέξτε νέα αποστολή. Αν δεν έχετε φόρμα για νέα αποστολή, πείτε το στον διαχειριστή. Αν ο αριθμός είναι λάθος, ανεβάστε τη διορθωμένη γραμμή.',
		en: 'If a message was not delivered, check the number. If the number is right, use the form that sends a message again or, if there is no such form, tell the admin. If the number is wrong, upload the corrected row.',
	},
	partly: {
		el: 'Όπου το μήνυμα παραδόθηκε εν μέρει, ρωτήστε τον παραλήπτη τι έλαβε. Αν δεν έλαβε ολόκληρο το μήνυμα, πείτε του το υπόλοιπο με άλλον τρόπο.',
		en: 'If a message was only partly delivered, ask the person what they got. If part of the message is missing, give them that part in another way, such as by phone.',
	},
	unknown: {
		el: `Όπου είναι άγνωστο αν στάλθηκε το μήνυμα: ${REASONS.unknown.todo.el}`,
		en: `For some of the messages, it is not known whether they were sent. ${REASONS.unknown.todo.en}`,
	},
	/**
	 * The text refers to the reason first. A reason such as an outage already says what to send again, and a second instruction
	 * could contradict it.
	 */
	notSent: {
		el: 'Για όσα μηνύματα δεν στάλθηκαν, δείτε πιο πάνω τον λόγο και κάντε ό,τι γράφει εκεί. Αν εκεί δεν γράφει τι να στείλετε ξανά, ανεβάστε ένα φύλλο μόνο με τις γραμμές που δεν στάλθηκαν, εκτός αν το έχετε ήδη ανεβάσει.',
		en: 'If a message was not sent, do what the reason above says. If the reason does not say what to send again, upload a sheet that contains only the unsent rows, unless you have already done so.',
	},
	noAnswer: {
		el: 'Μπορείτε να στείλετε υπενθύμιση σε όσους δεν απάντησαν ακόμη.',
		en: 'You can send a reminder to people who have not answered yet.',
	},
} as const satisfies Record<string, InBoth>;

/*
 * Why a row was not sent, not checked or not verified, for whoever typed its data: a visitor of a form, a secretary with a
 * sheet. No word of n8n's or of the wire is in it; where only the admin can help, it says so. The English of errors is made
 * from the same words, so that a fault has one wording. The first sentence says what is wrong, the rest what to do about
 * it. In braces: what the fault is about.
 */
export const REASONS = {
	emptyList: {
		el: 'Το αρχείο δεν έχει καμία γραμμή με στοιχεία. Ελέγξτε ότι είναι το σωστό αρχείο και ότι τα στοιχεία βρίσκονται στο πρώτο φύλλο εργασίας.',
		en: 'The file has no row with anything in it. Check that it is the right file, and that the data are on its first sheet.',
	},
	missingColumn: {
		el: 'Η λίστα δεν έχει στήλη «{field}». Προσθέστε ή μετονομάστε στήλη. Στήλες της λίστας: {columns}.',
		en: 'The list has no column "{field}". Add or rename a column. Columns of the list: {columns}.',
	},
	twoColumns: {
		el: 'Δύο στήλες ταιριάζουν στο «{field}»: {columns}. Κρατήστε μία από τις δύο.',
		en: 'Two columns fit "{field}": {columns}. Keep one of the two.',
	},
	emptyRecipient: {
		el: 'Λείπει το κινητό. Συμπληρώστε το ή αφαιρέστε τη γραμμή.',
		en: 'The mobile number is missing. Fill it in, or leave the row out.',
	},
	landline: {
		el: 'Το {value} είναι σταθερό τηλέφωνο. Γράψτε ένα κινητό (69…).',
		en: '{value} is a landline, which gets no SMS. Write a mobile number (69…).',
	},
	notMobile: {
		el: 'Το «{value}» δεν είναι αριθμός κινητού. Γράψτε τα δέκα ψηφία του κινητού (69…).',
		en: '"{value}" is not a mobile number. Write the ten digits of the mobile (69…).',
	},
	codeAbroad: {
		el: 'Ο κωδικός στέλνεται μόνο σε ελληνικό κινητό. Γράψτε έναν αριθμό που αρχίζει από 69.',
		en: 'A code is sent to a Greek mobile number only. Write a number that begins with 69.',
	},
	digitsLost: {
		el: 'Στο «{value}» έχουν χαθεί ψηφία, γιατί το Excel συντόμευσε τον αριθμό. Ορίστε τη στήλη ως κείμενο στο Excel και γράψτε ξανά τον αριθμό.',
		en: '"{value}" has lost digits, because Excel shortened the number. Format the column as text in Excel, and write the number again.',
	},
	twoNumbers: {
		el: 'Το κελί έχει δύο αριθμούς: {value}. Κρατήστε τον έναν ή κάντε δύο γραμμές.',
		en: 'The cell has two numbers: {value}. Keep one, or make two rows of it.',
	},
	emptyValue: {
		el: 'Το «{field}» είναι κενό. Συμπληρώστε το ή αφαιρέστε τη γραμμή.',
		en: '"{field}" is empty. Fill it in, or leave the row out.',
	},
	tooLong: {
		el: 'Το «{field}» είναι πολύ μεγάλο. Συντομεύστε το.',
		en: '"{field}" is too long. Write it in fewer words.',
	},
	notText: {
		el: 'Η τιμή στο «{field}» δεν διαβάζεται. Σβήστε το κελί και γράψτε ξανά την τιμή.',
		en: 'The value in "{field}" can\'t be read. Empty the cell, and type it again.',
	},
	unknownMessage: {
		el: 'Το κείμενο του μηνύματος δεν είναι γνωστό. Πείτε στον διαχειριστή ότι λείπει το κείμενο του μηνύματος {value}.',
		en: 'The text of the message is not known. Tell the admin that the text of the message {value} is missing.',
	},
	wrongCount: {
		el: 'Λάθος πλήθος τιμών: το μήνυμα θέλει {wanted} και δόθηκαν {given}. Πείτε το στον διαχειριστή.',
		en: 'The message takes {wanted} values, but {given} were given. Tell the admin.',
	},
	onTrial: {
		el: 'Γίνεται δοκιμή και μηνύματα παίρνουν μόνο όσοι συμμετέχουν σε αυτήν. Στείλτε ξανά μόλις ο διαχειριστής σάς πει ότι η δοκιμή τελείωσε.',
		en: 'This is on trial: only the people who take part in the trial get messages. Send again when the admin tells you that the trial is over.',
	},
	tooManyRows: {
		el: 'Η λίστα έχει {rows} γραμμές και επιτρέπονται ως {most}, γι’ αυτό δεν στάλθηκε τίποτα. Ελέγξτε τη λίστα. Αν είναι σωστή, ζητήστε από τον διαχειριστή μεγαλύτερο όριο.',
		en: 'Nothing was sent: the list has {rows} rows, and {most} are allowed. Check the list. If it is right, ask the admin for a higher limit.',
	},
	quietHours: {
		el: 'Είναι ώρες ησυχίας ως τις {until}. Στείλτε ξανά την ίδια λίστα μετά: θα φύγουν όσα δεν στάλθηκαν.',
		en: 'It is quiet hours until {until}. Send the same list again after that: what was not sent goes out then.',
	},
	sentBefore: {
		el: 'Το ίδιο μήνυμα έχει ήδη σταλεί σε αυτόν τον παραλήπτη. Δεν χρειάζεται να κάνετε κάτι.',
		en: 'The same message was sent to this person before. There is nothing to do.',
	},
	unknown: {
		el: 'Δεν είναι γνωστό αν στάλθηκε το μήνυμα. Ρωτήστε τον παραλήπτη πριν το στείλετε ξανά.',
		en: 'It is not known whether the message was sent. Ask the recipient before you send it again.',
	},
	doNotSend: {
		el: 'Ο παραλήπτης δεν θέλει μηνύματα. Ενημερώστε τον με άλλον τρόπο, αν χρειάζεται.',
		en: 'This person wants no messages. Tell them in another way, if need be.',
	},
	refused: {
		el: 'Το μήνυμα δεν στάλθηκε: η υπηρεσία SMS το απέρριψε{code}. Πείτε το στον διαχειριστή.',
		en: 'The message was not sent: the SMS service rejected it{code}. Tell the admin.',
	},
	notReached: {
		el: 'Το μήνυμα δεν στάλθηκε, γιατί δεν έγινε σύνδεση με την υπηρεσία SMS. Δοκιμάστε ξανά αργότερα. Αν συμβεί πάλι, πείτε το στον διαχειριστή.',
		en: 'The message was not sent, because there was no connection to the SMS service. Try again later. If it happens again, tell the admin.',
	},
	looksLikeDate: {
		el: 'Στο «{field}» υπάρχει ο αριθμός {value}: έτσι αποθηκεύει το Excel τις ημερομηνίες. Αν ήταν βαθμός, γράψτε τον ξανά ως κείμενο.',
		en: '"{field}" has the number {value}, which is how Excel keeps dates. If it was a grade, type it again as text.',
	},
	sameReference: {
		el: 'Το αναγνωριστικό (Reference) είναι ίδιο για πολλούς: η αναφορά για τον έναν θα μετρούσε για όλους. Πείτε στον διαχειριστή να το ορίσει διαφορετικό για κάθε μήνυμα.',
		en: 'Several people have the same Reference: a report on one would count for all. Tell the admin to make it another for each message.',
	},
	moreThanRemembered: {
		el: 'Η λίστα έχει {rows} γραμμές. Αν σταλεί δεύτερη φορά, οι πρώτες μπορεί να λάβουν το μήνυμα ξανά. Στείλτε την σε μέρη με ως {most} γραμμές.',
		en: 'The list has {rows} rows. Sent a second time, the first ones may get the message again. Send it in parts of {most} rows at most.',
	},
	setting: {
		el: 'Κάτι δεν έχει ρυθμιστεί σωστά. Πείτε στον διαχειριστή να ελέγξει: {field}.',
		en: 'Something is not set up correctly. Tell the admin to check: {field}.',
	},
	emptyNumber: {
		el: 'Λείπει ο ΑΜΚΑ. Συμπληρώστε τον.',
		en: 'The AMKA is missing. Fill it in.',
	},
	leadingZero: {
		el: 'Από τον ΑΜΚΑ {value} λείπει το μηδέν στην αρχή. Γράψτε και τα έντεκα ψηφία.',
		en: 'The AMKA {value} has lost the zero at its front. Write all eleven digits.',
	},
	length: {
		el: 'Ο ΑΜΚΑ {value} δεν έχει έντεκα ψηφία. Ελέγξτε τον στο έγγραφο.',
		en: 'The AMKA {value} does not have eleven digits. Check it against the document.',
	},
	characters: {
		el: 'Ο ΑΜΚΑ {value} περιέχει και κάτι που δεν είναι ψηφίο. Γράψτε έντεκα ψηφία.',
		en: 'The AMKA {value} has something in it that is no digit. Write eleven digits.',
	},
	date: {
		el: 'Ο ΑΜΚΑ {value} δεν αρχίζει με ημερομηνία. Ελέγξτε τον στο έγγραφο.',
		en: 'The AMKA {value} does not begin with a date. Check it against the document.',
	},
	checkDigit: {
		el: 'Ο ΑΜΚΑ {value} έχει κάποιο λάθος: ένα ψηφίο είναι λάθος ή δύο έχουν αλλάξει θέση. Ελέγξτε τον στο έγγραφο.',
		en: 'The AMKA {value} has a mistake: one digit is wrong, or two have changed places. Check it against the document.',
	},
	emptyDate: {
		el: 'Λείπει η ημερομηνία γέννησης. Συμπληρώστε την, όπως 31/12/1999.',
		en: 'The birth date is missing. Fill it in, as in 31/12/1999.',
	},
	badDate: {
		el: 'Το «{date}» δεν διαβάζεται με βεβαιότητα ως ημερομηνία. Γράψτε την ως κείμενο, όπως 31/12/1999.',
		en: '"{date}" can\'t be read as a date for certain. Write it as text, as in 31/12/1999.',
	},
	emptySurname: {
		el: 'Λείπει το επώνυμο. Συμπληρώστε το με ελληνικά γράμματα.',
		en: 'The surname is missing. Fill it in, in Greek letters.',
	},
	deceased: {
		el: 'Στο μητρώο το άτομο αυτό φαίνεται ότι έχει αποβιώσει. Ελέγξτε το πριν συνεχίσετε.',
		en: 'The registry says that this person has died. Check this before you go on.',
	},
	notMatched: {
		el: 'Τα στοιχεία δεν επιβεβαιώθηκαν. Ελέγξτε τον ΑΜΚΑ, την ημερομηνία γέννησης και το επώνυμο ή απευθυνθείτε στη γραμματεία.',
		en: 'The details could not be confirmed. Check AMKA, birth date and surname, or ask the secretariat.',
	},
	doesNotAgree: {
		el: 'Διαφέρουν από το μητρώο ή λείπουν: {fields}. Ελέγξτε τα με το έγγραφο και διορθώστε ή συμπληρώστε τα.',
		en: 'Not as in the registry, or missing: {fields}. Check them against the document, and correct them or fill them in.',
	},
	couldNotAsk: {
		el: 'Το μητρώο δεν έδωσε απάντηση και το άτομο δεν ελέγχθηκε. Δοκιμάστε ξανά αργότερα. Αν συμβεί πάλι, πείτε το στον διαχειριστή.',
		en: 'The registry gave no answer, and the person was not checked. Try again later. If it happens again, tell the admin.',
	},
	wrong: {
		el: 'Ο κωδικός δεν είναι σωστός. Ελέγξτε τον στο SMS και γράψτε τον ξανά{left}.',
		en: 'The code is not right. Look at the SMS, and type it again{left}.',
	},
	expired: {
		el: 'Ο κωδικός έληξε. Ζητήστε νέο κωδικό.',
		en: 'The code has expired. Ask for a new one.',
	},
	tooManyAttempts: {
		el: 'Δόθηκαν πολλοί λανθασμένοι κωδικοί. Δοκιμάστε ξανά αργότερα με νέο κωδικό.',
		en: 'Too many wrong codes were typed. Try again later with a new code.',
	},
	used: {
		el: 'Ο κωδικός έχει ήδη χρησιμοποιηθεί. Ζητήστε νέο κωδικό.',
		en: 'The code was used already. Ask for a new one.',
	},
	invalid: {
		el: 'Η επαλήθευση δεν μπορεί να συνεχιστεί. Ξεκινήστε από την αρχή.',
		en: "The verification can't go on. Begin again.",
	},
	tooManyCodes: {
		el: 'Στάλθηκαν ήδη πολλοί κωδικοί, γι’ αυτό δεν στάλθηκε άλλος. Δοκιμάστε ξανά {when}.',
		en: 'Too many codes were sent already, so this one was not sent. Try again {when}.',
	},
} as const satisfies Record<string, { el: string; en: string }>;

export type Reason = keyof typeof REASONS;

/** What to do instead, where a fault names one of these as `todo`. */
export const OTHER_TODOS = {
	key: {
		el: 'Πείτε στον διαχειριστή ότι η υπηρεσία δεν δέχεται το κλειδί.',
		en: 'Tell the admin that the service does not accept the key.',
	},
	address: {
		el: 'Πείτε στον διαχειριστή ότι η διεύθυνση της υπηρεσίας είναι λάθος.',
		en: 'Tell the admin that the address of the service is wrong.',
	},
	busy: {
		el: 'Η υπηρεσία έχει πολλή κίνηση αυτή τη στιγμή. Δοκιμάστε ξανά αργότερα. Αν συμβεί πάλι, πείτε το στον διαχειριστή.',
		en: 'The service is too busy at the moment. Try again later. If it happens again, tell the admin.',
	},
	headings: {
		el: 'Η πρώτη γραμμή του φύλλου πρέπει να έχει τα ονόματα των στηλών. Στήλες της λίστας: {columns}.',
		en: 'The first row of the sheet must have the names of the columns. Columns of the list: {columns}.',
	},
} as const satisfies Record<string, { el: string; en: string }>;

/** The one for a service that answers whoever asks with such a status. */
export const TODO_OF_STATUS: Partial<Record<number, keyof typeof OTHER_TODOS>> = {
	...{ 401: 'key', 403: 'key', 404: 'address', 405: 'address', 429: 'busy', 503: 'busy' },
};

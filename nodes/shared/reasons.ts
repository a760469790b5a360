/*
 * Why a row was not sent, checked or verified, for whoever typed it: no word is n8n's or the wire's. The first sentence
 * says what is wrong, the others what to do, with what it is about in braces. Errors in English are made of the same words.
 */
type Words = Record<'el' | 'en', string>;

const NOTICES = {
	emptyList: {
		el: 'Το αρχείο δεν έχει καμία γραμμή με στοιχεία. Ελέγξτε ότι είναι το σωστό αρχείο, με τα στοιχεία στο πρώτο φύλλο εργασίας, και ανεβάστε το ξανά.',
		en: 'The file has no row with anything in it. Check that it is the right file, with the data on its first sheet, and upload it again.',
	},
	missingColumn: {
		el: 'Η λίστα δεν έχει στήλη «{field}». Προσθέστε ή μετονομάστε στήλη. Στήλες της λίστας: {columns}.',
		en: 'The list has no column "{field}". Add or rename a column. Columns of the list: {columns}.',
	},
	twoColumns: {
		el: 'Δύο στήλες ταιριάζουν στο «{field}»: {columns}. Κρατήστε μία από τις δύο.',
		en: 'Two columns fit "{field}": {columns}. Keep one of the two.',
	},
	emptyRecipient: { el: 'Λείπει το κινητό. Συμπληρώστε το.', en: 'The mobile number is missing. Fill it in.' },
	landline: {
		el: 'Το {value} είναι σταθερό τηλέφωνο. Γράψτε ένα κινητό (69…).',
		en: '{value} is a landline, which gets no SMS. Write a mobile number (69…).',
	},
	notMobile: {
		el: 'Το «{value}» δεν είναι αριθμός κινητού. Γράψτε τα δέκα ψηφία του κινητού (69…) ή, αν είναι του εξωτερικού, τον αριθμό με + μπροστά.',
		en: '"{value}" is not a mobile number. Write the ten digits of the mobile (69…), or a number abroad with + in front.',
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
		el: 'Το κελί έχει δύο αριθμούς: {value}. Κρατήστε τον έναν ή γράψτε τους σε δύο γραμμές.',
		en: 'The cell has two numbers: {value}. Keep one, or make it two rows.',
	},
	emptyValue: {
		el: 'Το «{field}» είναι κενό. Συμπληρώστε το ή αφαιρέστε τη γραμμή.',
		en: '"{field}" is empty. Fill it in or leave the row out.',
	},
	tooLong: {
		el: 'Το «{field}» είναι πολύ μεγάλο. Συντομεύστε το.',
		en: '"{field}" is too long. Write it in fewer words.',
	},
	notText: {
		el: 'Η τιμή στο «{field}» δεν διαβάζεται. Αδειάστε το κελί και γράψτε ξανά την τιμή.',
		en: 'The value in "{field}" can\'t be read. Empty the cell, and type it again.',
	},
	expression: {
		el: 'Στο «{field}» υπάρχει κώδικας αντί για τιμή: {value}. Πείτε στον διαχειριστή να ελέγξει αυτό το πεδίο.',
		en: '"{field}" has code in place of a value: {value}. Tell the admin to check this field.',
	},
	unknownMessage: {
		el: 'Το κείμενο του μηνύματος δεν είναι γνωστό. Πείτε στον διαχειριστή ότι λείπει το κείμενο του μηνύματος {value}.',
		en: 'The text of the message is not known. Tell the admin that the text of the message {value} is missing.',
	},
	wrongCount: {
		el: 'Λάθος πλήθος τιμών: το μήνυμα θέλει {wanted}, όχι {given}. Πείτε το στον διαχειριστή.',
		en: 'The message takes {wanted} values, but {given} were given. Tell the admin.',
	},
	onTrial: {
		el: 'Γίνεται δοκιμή και μηνύματα λαμβάνουν μόνο όσοι συμμετέχουν σε αυτήν. Στείλτε το ξανά μόλις ο διαχειριστής σάς πει ότι η δοκιμή τελείωσε.',
		en: 'This is on trial: only the people who take part in the trial get messages. Send it again when the admin tells you that the trial is over.',
	},
	tooManyRows: {
		el: 'Η λίστα έχει {rows} γραμμές και επιτρέπονται έως {most}, γι’ αυτό δεν στάλθηκε τίποτα. Ελέγξτε τη λίστα. Αν είναι σωστή, ζητήστε από τον διαχειριστή μεγαλύτερο όριο.',
		en: 'Nothing was sent: the list has {rows} rows, and {most} are allowed. Check the list. If it is right, ask the admin for a higher limit.',
	},
	quietHours: {
		el: 'Είναι ώρες ησυχίας έως τις {until}. Στείλτε ξανά την ίδια λίστα μετά από αυτή την ώρα, έως μία εβδομάδα από την πρώτη φορά: θα σταλούν όσα δεν στάλθηκαν.',
		en: 'It is quiet hours until {until}. Send the same list again after that, up to a week after the first time: what was not sent goes out then.',
	},
	sentBefore: {
		el: 'Το ίδιο μήνυμα έχει ήδη σταλεί σε αυτόν τον παραλήπτη. Δεν χρειάζεται να κάνετε κάτι.',
		en: 'The same message was sent to this person before. There is nothing to do.',
	},
	unknown: {
		el: 'Δεν είναι γνωστό αν στάλθηκε το μήνυμα. Ρωτήστε τον παραλήπτη. Αν δεν το έλαβε, πείτε το στον διαχειριστή.',
		en: 'It is not known whether the message was sent. Ask the recipient. If they did not get it, tell the admin.',
	},
	twice: {
		el: 'Το ίδιο μήνυμα για αυτόν τον παραλήπτη υπάρχει ήδη πιο πάνω στη λίστα. Δεν χρειάζεται να κάνετε κάτι: θα σταλεί μία φορά.',
		en: 'The same message to this person is already further up in the list. There is nothing to do: it is sent once.',
	},
	doNotSend: {
		el: 'Ο παραλήπτης δεν θέλει μηνύματα. Ενημερώστε τον με άλλον τρόπο, αν χρειάζεται.',
		en: 'This person wants no messages. Tell them in another way, if need be.',
	},
	refused: {
		el: 'Το μήνυμα δεν στάλθηκε: η υπηρεσία SMS το απέρριψε{code}. Δεν χρειάζεται να διορθώσετε κάτι: πείτε στον διαχειριστή τι γράφει εδώ και στείλτε ξανά αργότερα μόνο αυτό το μήνυμα.',
		en: 'The message was not sent: the SMS service rejected it{code}. There is nothing to correct: tell the admin what it says here, and send only this message again later.',
	},
	notReached: {
		el: 'Το μήνυμα δεν στάλθηκε, γιατί δεν έγινε σύνδεση με την υπηρεσία SMS. Στείλτε ξανά αργότερα μόνο αυτό το μήνυμα. Αν συμβεί πάλι, πείτε το στον διαχειριστή.',
		en: 'The message was not sent, because there was no connection to the SMS service. Send only this message again later. If it happens again, tell the admin.',
	},
	serviceDown: {
		el: 'Η υπηρεσία SMS δεν απαντά, και για αυτές τις γραμμές δεν στάλθηκε τίποτα. Στείλτε ξανά την ίδια λίστα αργότερα, ή μετά από μία εβδομάδα μόνο αυτές. Αν συμβεί πάλι, πείτε το στον διαχειριστή.',
		en: 'The SMS service does not answer, and nothing was sent to these rows. Send the same list again later, or after a week only these rows. If it happens again, tell the admin.',
	},
	looksLikeDate: {
		el: 'Το «{field}» έχει τον αριθμό {value}: έτσι γράφει το Excel ημερομηνίες. Αν ήταν βαθμός, γράψτε τον ως κείμενο και ανεβάστε το φύλλο.',
		en: '"{field}" has the number {value}, which is how Excel keeps dates. If it was a grade, type it as text, and upload the sheet again.',
	},
	longNumber: {
		el: 'Στο «{field}» υπάρχει ο αριθμός {number}, με πολλά δεκαδικά. Αν δεν πρέπει να σταλεί έτσι, στρογγυλοποιήστε τον στο φύλλο και ανεβάστε το ξανά.',
		en: '"{field}" has the number {number}, with many decimals. If it should not go out like that, round it in the sheet, and upload it again.',
	},
	sameReference: {
		el: 'Το αναγνωριστικό (Reference) είναι ίδιο για πολλούς: η αναφορά για τον έναν θα μετρούσε για όλους. Πείτε στον διαχειριστή να το ορίσει διαφορετικό για κάθε μήνυμα.',
		en: 'Several people have the same Reference: a report about one counts for all. Tell the admin to give each message its own.',
	},
	moreThanRemembered: {
		el: 'Η λίστα έχει {rows} γραμμές. Αν σταλεί δεύτερη φορά, οι πρώτοι παραλήπτες μπορεί να λάβουν ξανά το μήνυμα. Στείλτε την τμηματικά, έως {most} γραμμές τη φορά, και κανένα τμήμα ξανά αφού σταλεί το επόμενο.',
		en: 'The list has {rows} rows. If it is sent a second time, its first recipients may get the message again. Send it in parts of at most {most} rows, and none again after the next.',
	},
	allSent: {
		el: 'Όλα τα μηνύματα της λίστας έχουν ήδη σταλεί ({rows}). Δεν χρειάζεται να κάνετε κάτι.',
		en: 'All messages of the list were sent before ({rows}). There is nothing to do.',
	},
	allUnknown: {
		el: 'Δεν είναι γνωστό αν τα μηνύματα της λίστας έχουν ήδη σταλεί. Ρωτήστε τους παραλήπτες. Αν κάποιοι δεν έλαβαν το μήνυμα, δώστε στον διαχειριστή μια λίστα μόνο με αυτούς.',
		en: 'It is not known whether the messages of the list were sent before. Ask the recipients. If some did not get it, give the admin a list of just these.',
	},
	allFaulty: {
		el: 'Όλες οι γραμμές της λίστας έχουν λάθη. Διορθώστε τα λάθη και ανεβάστε μόνο τις διορθωμένες γραμμές.',
		en: 'All rows of the list have faults. Correct the faults, and upload only the corrected rows.',
	},
	allNotWanted: {
		el: 'Κανένας από τους παραλήπτες της λίστας δεν θέλει μηνύματα. Ενημερώστε τους με άλλον τρόπο, αν χρειάζεται.',
		en: 'None of the people on the list wants messages. Tell them in another way, if need be.',
	},
	mixed: {
		el: 'Καμία γραμμή της λίστας δεν θα σταλεί, για διαφορετικούς λόγους. Δεν χρειάζεται να κάνετε κάτι.',
		en: 'No row of the list will be sent, for different reasons. There is nothing to do.',
	},
	setting: {
		el: 'Κάτι δεν έχει ρυθμιστεί σωστά. Πείτε στον διαχειριστή να ελέγξει: {field}.',
		en: 'Something is not set up correctly. Tell the admin to check: {field}.',
	},
	emptyNumber: { el: 'Λείπει ο ΑΜΚΑ. Συμπληρώστε τον.', en: 'The AMKA is missing. Fill it in.' },
	leadingZero: {
		el: 'Από τον ΑΜΚΑ {value} λείπει το μηδέν στην αρχή. Γράψτε και τα έντεκα ψηφία.',
		en: 'The AMKA {value} has lost its leading zero. Write all eleven digits.',
	},
	personalNumber: {
		el: 'Το {value} έχει τη μορφή Προσωπικού Αριθμού, όχι ΑΜΚΑ. Γράψτε τον ΑΜΚΑ, που έχει έντεκα ψηφία.',
		en: '{value} has the form of a Personal Number (Προσωπικός Αριθμός), not of an AMKA. Write the AMKA, which has eleven digits.',
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
		el: 'Σύμφωνα με το μητρώο, το άτομο αυτό έχει αποβιώσει. Ελέγξτε το πριν συνεχίσετε.',
		en: 'The registry says that this person has died. Check this before you go on.',
	},
	notMatched: {
		el: 'Τα στοιχεία δεν επιβεβαιώθηκαν. Ελέγξτε τον ΑΜΚΑ, την ημερομηνία γέννησης και το επώνυμο ή απευθυνθείτε στη γραμματεία.',
		en: 'The details could not be confirmed. Check AMKA, birth date and surname, or ask the secretariat.',
	},
	doesNotAgree: {
		el: 'Διαφέρουν από το μητρώο ή λείπουν: {fields}. Ελέγξτε τα στο έγγραφο και διορθώστε ή συμπληρώστε τα.',
		en: 'Not as in the registry, or missing: {fields}. Check them against the document, and correct them or fill them in.',
	},
	couldNotAsk: {
		el: 'Το μητρώο δεν έδωσε απάντηση και τα στοιχεία δεν ελέγχθηκαν. Δοκιμάστε ξανά αργότερα. Αν συμβεί πάλι, πείτε το στον διαχειριστή.',
		en: 'The registry gave no answer, and the person was not checked. Try again later. If it happens again, tell the admin.',
	},
	wrong: {
		el: 'Ο κωδικός δεν είναι σωστός. Δείτε τον στο τελευταίο SMS και γράψτε τον ξανά. Σας μένουν {left} προσπάθειες.',
		en: 'The code is not right. Look at the latest SMS, and type it again. You have {left} attempts left.',
	},
	expired: { el: 'Ο κωδικός έληξε. Ζητήστε νέο κωδικό.', en: 'The code has expired. Ask for a new one.' },
	tooManyAttempts: {
		el: 'Δόθηκαν πολλοί λανθασμένοι κωδικοί. Ζητήστε νέο κωδικό {when}.',
		en: 'Too many wrong codes were typed. Ask for a new code {when}.',
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
		el: 'Στάλθηκαν ήδη πολλοί κωδικοί, γι’ αυτό δεν στάλθηκε άλλος. Ζητήστε νέο κωδικό {when}.',
		en: 'Too many codes were sent already, so this one was not sent. Ask for a new code {when}.',
	},
} as const satisfies Record<string, Words>;

export type Reason = keyof typeof NOTICES;

const firstOf = (text: string) => text.slice(0, text.indexOf('. ') + 1);
const restOf = (text: string) => text.slice(firstOf(text).length + 1);

/** Each notice in two parts: `what` is wrong, and what is `todo`. */
export const REASONS = Object.fromEntries(
	Object.entries(NOTICES).map(([reason, { el, en }]) => [
		reason,
		{ what: { el: firstOf(el), en: firstOf(en) }, todo: { el: restOf(el), en: restOf(en) } },
	]),
) as Record<Reason, { what: Words; todo: Words }>;

/** Other words for what is wrong or for what to do, where a fault names one of these as its `what` or its `todo`. */
export const OTHER_WORDS = {
	registryDown: {
		el: 'Το μητρώο δεν απαντά και αυτές οι γραμμές δεν ελέγχθηκαν.',
		en: 'The registry does not answer, and these rows were not checked.',
	},
	/** Where what was sent is not remembered for long enough, or not at all. */
	onlyThese: {
		el: 'Στείλτε αργότερα μόνο αυτές τις γραμμές: με όλη τη λίστα, όσοι έλαβαν το μήνυμα μπορεί να το λάβουν ξανά.',
		en: 'Send only these rows later: with the whole list, whoever got the message may get it again.',
	},
	soonOrOnlyThese: {
		el: 'Στείλτε ξανά την ίδια λίστα αργότερα, μέσα σε 10 ώρες, ή μετά μόνο αυτές τις γραμμές. Αν συμβεί πάλι, πείτε το στον διαχειριστή.',
		en: 'Send the same list again later, within 10 hours, or after that only these rows. If it happens again, tell the admin.',
	},
	checkLater: {
		el: 'Ελέγξτε τις ξανά αργότερα. Αν συμβεί πάλι, πείτε το στον διαχειριστή.',
		en: 'Check them again later. If it happens again, tell the admin.',
	},
	key: {
		el: 'Πείτε στον διαχειριστή ότι η υπηρεσία δεν δέχεται το κλειδί.',
		en: 'Tell the admin that the service does not accept the key.',
	},
	sender: {
		el: 'Πείτε στον διαχειριστή ότι η υπηρεσία SMS δεν δέχεται αιτήματα από αυτόν τον διακομιστή.',
		en: 'Tell the admin that the SMS service does not accept requests from this server.',
	},
	address: {
		el: 'Πείτε στον διαχειριστή ότι η διεύθυνση της υπηρεσίας είναι λάθος.',
		en: 'Tell the admin that the address of the service is wrong.',
	},
	busy: {
		el: 'Η υπηρεσία έχει πολλή κίνηση αυτή τη στιγμή. Δοκιμάστε ξανά αργότερα. Αν συμβεί πάλι, πείτε το στον διαχειριστή.',
		en: 'The service is too busy at the moment. Try again later. If it happens again, tell the admin.',
	},
	busySending: {
		el: 'Η υπηρεσία έχει πολλή κίνηση αυτή τη στιγμή. Στείλτε ξανά αργότερα μόνο αυτό το μήνυμα. Αν συμβεί πάλι, πείτε το στον διαχειριστή.',
		en: 'The service is too busy at the moment. Send only this message again later. If it happens again, tell the admin.',
	},
	/** For whoever asked for a code. */
	checkMobile: {
		el: 'Ελέγξτε το κινητό και δοκιμάστε ξανά. Αν συμβεί πάλι, απευθυνθείτε στη γραμματεία.',
		en: 'Check the mobile number, and try again. If it happens again, ask the secretariat.',
	},
	/** Where the list has gone out already. */
	gradeSent: {
		el: 'Αν ήταν βαθμός, γράψτε τον ως κείμενο και στείλτε μόνο τις διορθωμένες γραμμές.',
		en: 'If it was a grade, type it as text, and send only the corrected rows.',
	},
	numberSent: {
		el: 'Αν δεν έπρεπε να σταλεί έτσι, στρογγυλοποιήστε τον και στείλτε μόνο τις διορθωμένες γραμμές.',
		en: 'If it should not have gone out like that, round it, and send only the corrected rows.',
	},
	notAgain: {
		el: 'Μην τη στείλετε ξανά: οι πρώτοι παραλήπτες μπορεί να λάβουν ξανά το μήνυμα. Την επόμενη λίστα στείλτε την τμηματικά, έως {most} γραμμές τη φορά.',
		en: 'Do not send it again: its first recipients may get the message again. Send the next list in parts of at most {most} rows.',
	},
	lastTry: {
		el: 'Δείτε τον στο τελευταίο SMS και γράψτε τον ξανά. Σας μένει μία προσπάθεια.',
		en: 'Look at the latest SMS, and type it again. You have one attempt left.',
	},
	codeMayCome: {
		el: 'Αν σας ήρθε, γράψτε τον κωδικό του, αλλιώς ζητήστε νέο SMS: θα έχει τον ίδιο κωδικό.',
		en: 'If it came, type its code; otherwise ask for another SMS, which has the same code.',
	},
	codeYouHave: {
		el: 'Γράψτε τον κωδικό του τελευταίου SMS ή ζητήστε νέο {when}.',
		en: 'Type the code of the latest SMS, or ask for a new one {when}.',
	},
	inNoRow: { el: 'Για το «{field}» δεν διαβάστηκε τιμή σε καμία γραμμή.', en: 'No row gave a value for "{field}".' },
	columns: { el: 'Στήλες της λίστας: {columns}.', en: 'Columns of the list: {columns}.' },
	tellColumns: {
		el: 'Πείτε στον διαχειριστή ποιες στήλες έχει η λίστα: {columns}.',
		en: 'Tell the admin which columns the list has: {columns}.',
	},
	latinSurname: {
		el: 'Το επώνυμο έχει λατινικά γράμματα. Γράψτε το με ελληνικά, όπως στην ταυτότητα.',
		en: 'The surname has Latin letters. Write it in Greek, as on the identity card.',
	},
	otherDate: {
		el: 'Ο ΑΜΚΑ αρχίζει με άλλη ημερομηνία γέννησης. Ελέγξτε και τα δύο στο έγγραφο ή απευθυνθείτε στη γραμματεία.',
		en: 'The AMKA begins with another birth date. Check both against the document, or ask the secretariat.',
	},
	latinSurnameOtherDate: {
		el: 'Το επώνυμο έχει λατινικά γράμματα: γράψτε το με ελληνικά. Και ο ΑΜΚΑ αρχίζει με άλλη ημερομηνία γέννησης: ελέγξτε τα στο έγγραφο.',
		en: 'The surname has Latin letters: write it in Greek ones. And the AMKA begins with another birth date: check both.',
	},
	headings: {
		el: 'Η πρώτη γραμμή του φύλλου πρέπει να έχει τα ονόματα των στηλών. Στήλες της λίστας: {columns}.',
		en: 'The first row of the sheet must have the names of the columns. Columns of the list: {columns}.',
	},
} as const satisfies Record<string, Words>;

/** The one for a service that answers whoever asks with such a status. */
export const TODO_OF_STATUS: Partial<Record<number, keyof typeof OTHER_WORDS>> = {
	...{ 401: 'key', 403: 'key', 404: 'address', 405: 'address', 429: 'busy', 503: 'busy' },
};

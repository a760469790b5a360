/*
 * Why a row was not sent, checked or verified, for whoever typed it: no word is n8n's or the wire's. `what` is wrong,
 * `todo` is what to do, with what it is about in braces. Errors in English are made of the same words.
 */
export type Words = Record<'el' | 'en', string>;

/** `many` stands in place of `what` where `value` has several values, or `columns` more than two. */
export type Sentences = { what: Words; many?: Words; todo: Words };

/** The one instruction for messages of unknown outcome, for people who don't open n8n. For admins: `ASK_THEM`. */
const ASK_RECIPIENTS = {
	el: 'Ρωτήστε τους παραλήπτες. Αν κάποιοι δεν έλαβαν το μήνυμα, δώστε στον διαχειριστή μια λίστα μόνο με αυτούς.',
	en: 'Ask the recipients. If some did not get the message, give the admin a list of just these people.',
};

export const REASONS = {
	emptyList: {
		what: { el: 'Το αρχείο δεν έχει καμία γραμμή με στοιχεία.', en: 'The file has no row with anything in it.' },
		todo: {
			el: 'Ελέγξτε ότι είναι το σωστό αρχείο, με τα στοιχεία στο πρώτο φύλλο εργασίας και χωρίς κωδικό πρόσβασης, και ανεβάστε το ξανά.',
			en: 'Check that it is the right file, with the data on its first sheet and without a password, and upload it again.',
		},
	},
	missingColumn: {
		what: { el: 'Η λίστα δεν έχει στήλη «{field}».', en: 'The list has no column "{field}".' },
		todo: {
			el: 'Προσθέστε ή μετονομάστε στήλη. Στήλες της λίστας: {columns}.',
			en: 'Add or rename a column. Columns of the list: {columns}.',
		},
	},
	twoColumns: {
		what: { el: 'Δύο στήλες ταιριάζουν στο «{field}»: {columns}.', en: 'Two columns fit "{field}": {columns}.' },
		many: {
			el: 'Πάνω από δύο στήλες ταιριάζουν στο «{field}»: {columns}.',
			en: 'More than two columns fit "{field}": {columns}.',
		},
		todo: { el: 'Κρατήστε μόνο τη σωστή.', en: 'Keep only the right one.' },
	},
	emptyRecipient: {
		what: { el: 'Λείπει το κινητό.', en: 'The mobile number is missing.' },
		todo: { el: 'Συμπληρώστε το.', en: 'Fill it in.' },
	},
	landline: {
		what: { el: 'Το {value} είναι σταθερό τηλέφωνο.', en: '{value} is a landline, which gets no SMS.' },
		many: { el: 'Σταθερά τηλέφωνα: {value}.', en: '{value} are landlines, which get no SMS.' },
		todo: { el: 'Γράψτε ένα κινητό (69…).', en: 'Write a mobile number (69…).' },
	},
	notMobile: {
		what: { el: 'Το «{value}» δεν είναι αριθμός κινητού.', en: '"{value}" is not a mobile number.' },
		many: { el: 'Δεν είναι αριθμοί κινητού: {value}.', en: '"{value}" are not mobile numbers.' },
		todo: {
			el: 'Γράψτε τα δέκα ψηφία του κινητού (69…) ή, αν είναι του εξωτερικού, τον αριθμό με + μπροστά.',
			en: 'Write the ten digits of the mobile (69…), or a number abroad with + in front.',
		},
	},
	codeAbroad: {
		what: { el: 'Ο κωδικός στέλνεται μόνο σε ελληνικό κινητό.', en: 'A code is sent to a Greek mobile number only.' },
		todo: { el: 'Γράψτε έναν αριθμό που αρχίζει από 69.', en: 'Write a number that begins with 69.' },
	},
	digitsLost: {
		what: {
			el: 'Στο «{value}» έχουν χαθεί ψηφία, γιατί το Excel συντόμευσε τον αριθμό.',
			en: '"{value}" has lost digits, because Excel shortened the number.',
		},
		many: {
			el: 'Στα «{value}» έχουν χαθεί ψηφία, γιατί το Excel συντόμευσε τους αριθμούς.',
			en: '"{value}" have lost digits, because Excel shortened the numbers.',
		},
		todo: {
			el: 'Ορίστε τη στήλη ως κείμενο στο Excel και γράψτε ξανά τον αριθμό.',
			en: 'Format the column as text in Excel, and write the number again.',
		},
	},
	twoNumbers: {
		what: { el: 'Το κελί έχει δύο αριθμούς: {value}.', en: 'The cell has two numbers: {value}.' },
		many: { el: 'Κελιά με πάνω από έναν αριθμό: {value}.', en: 'Cells with more than one number: {value}.' },
		todo: {
			el: 'Κρατήστε έναν ή γράψτε τον καθένα σε δική του γραμμή.',
			en: 'Keep one, or give each a row of its own.',
		},
	},
	emptyValue: {
		what: { el: 'Το «{field}» δεν έχει τιμή.', en: '"{field}" has no value.' },
		todo: {
			el: 'Συμπληρώστε το ή αφαιρέστε τη γραμμή. Αν το κελί έχει τύπο ή δείχνει σφάλμα, όπως #DIV/0!, γράψτε εκεί την τιμή.',
			en: 'Fill it in or leave the row out. If the cell has a formula or shows an error such as #DIV/0!, type the value there.',
		},
	},
	notValue: {
		what: { el: 'Στο «{field}» υπάρχει {value} αντί για τιμή.', en: '"{field}" has {value} in place of a value.' },
		many: {
			el: 'Στο «{field}» δεν υπάρχουν τιμές, αλλά: {value}.',
			en: '"{field}" has these in place of values: {value}.',
		},
		todo: {
			el: 'Διορθώστε το κελί ή αφαιρέστε τη γραμμή. Αν είναι σωστό, πείτε το στον διαχειριστή.',
			en: 'Correct the cell or leave the row out. If it is right, tell the admin.',
		},
	},
	tooLong: {
		what: { el: 'Το «{field}» είναι πολύ μεγάλο.', en: '"{field}" is too long.' },
		todo: { el: 'Συντομεύστε το.', en: 'Write it in fewer words.' },
	},
	notText: {
		what: { el: 'Η τιμή στο «{field}» δεν διαβάζεται.', en: 'The value in "{field}" can\'t be read.' },
		todo: { el: 'Αδειάστε το κελί και γράψτε ξανά την τιμή.', en: 'Empty the cell, and type it again.' },
	},
	expression: {
		what: {
			el: 'Στο «{field}» υπάρχει κώδικας αντί για τιμή: {value}.',
			en: '"{field}" has code in place of a value: {value}.',
		},
		todo: { el: 'Πείτε στον διαχειριστή να ελέγξει αυτό το πεδίο.', en: 'Tell the admin to check this field.' },
	},
	unknownMessage: {
		what: { el: 'Το κείμενο του μηνύματος δεν είναι γνωστό.', en: 'The text of the message is not known.' },
		todo: {
			el: 'Πείτε στον διαχειριστή τι λείπει από τα κείμενα των μηνυμάτων: {value}.',
			en: 'Tell the admin what is missing from the texts of the messages: {value}.',
		},
	},
	wrongCount: {
		what: {
			el: 'Λάθος πλήθος τιμών: το μήνυμα θέλει {wanted}, όχι {given}.',
			en: 'The message takes {wanted} values, but {given} were given.',
		},
		todo: { el: 'Πείτε το στον διαχειριστή.', en: 'Tell the admin.' },
	},
	onTrial: {
		what: {
			el: 'Γίνεται δοκιμή και μηνύματα λαμβάνουν μόνο όσοι συμμετέχουν σε αυτήν.',
			en: 'This is on trial: only the people who take part in the trial get messages.',
		},
		todo: {
			el: 'Στείλτε το ξανά μόλις ο διαχειριστής σάς πει ότι η δοκιμή τελείωσε.',
			en: 'Send it again when the admin tells you that the trial is over.',
		},
	},
	tooManyRows: {
		what: {
			el: 'Η λίστα έχει {rows} γραμμές και επιτρέπονται έως {most}, γι’ αυτό δεν στάλθηκε τίποτα.',
			en: 'Nothing was sent: the list has {rows} rows, and {most} are allowed.',
		},
		todo: {
			el: 'Ελέγξτε τη λίστα. Αν είναι σωστή, ζητήστε από τον διαχειριστή μεγαλύτερο όριο.',
			en: 'Check the list. If it is right, ask the admin for a higher limit.',
		},
	},
	tooManyMessages: {
		what: {
			el: 'Το μήνυμα δεν στάλθηκε, γιατί συμπληρώθηκε το όριο μηνυμάτων ({most}).',
			en: 'The message was not sent, because the limit of messages ({most}) was reached.',
		},
		todo: {
			el: 'Ελέγξτε όσα στάλθηκαν. Αν είναι σωστά, ζητήστε από τον διαχειριστή μεγαλύτερο όριο.',
			en: 'Check the messages that were sent. If they are right, ask the admin for a higher limit.',
		},
	},
	quietHours: {
		what: { el: 'Είναι ώρες ησυχίας έως τις {until}.', en: 'It is quiet hours until {until}.' },
		todo: {
			el: 'Στείλτε ξανά την ίδια λίστα μετά από αυτή την ώρα, έως μία εβδομάδα από την πρώτη φορά: θα σταλούν όσα δεν στάλθηκαν.',
			en: 'Send the same list again after that, up to a week after the first time: what was not sent goes out then.',
		},
	},
	memoryFull: {
		what: {
			el: 'Δεν στάλθηκε, γιατί η μνήμη των απεσταλμένων μηνυμάτων είναι γεμάτη: χωρά περίπου {most} μηνύματα.',
			en: 'Not sent, because the memory of sent messages is full: it holds about {most} messages.',
		},
		todo: {
			el: 'Πείτε το στον διαχειριστή. Θα υπάρχει ξανά χώρος από τις {from}.',
			en: 'Tell the admin. There is room again from {from}.',
		},
	},
	sentBefore: {
		what: {
			el: 'Το ίδιο μήνυμα έχει ήδη σταλεί σε αυτόν τον παραλήπτη.',
			en: 'The same message was sent to this person before.',
		},
		todo: { el: 'Δεν χρειάζεται να κάνετε κάτι.', en: 'There is nothing to do.' },
	},
	unknown: {
		what: { el: 'Δεν είναι γνωστό αν στάλθηκε το μήνυμα.', en: 'It is not known whether the message was sent.' },
		todo: ASK_RECIPIENTS,
	},
	twice: {
		what: {
			el: 'Το ίδιο μήνυμα για αυτόν τον παραλήπτη υπάρχει ήδη πιο πάνω στη λίστα.',
			en: 'The same message to this person is already further up in the list.',
		},
		todo: { el: 'Δεν χρειάζεται να κάνετε κάτι: θα σταλεί μία φορά.', en: 'There is nothing to do: it is sent once.' },
	},
	doNotSend: {
		what: {
			el: 'Ο παραλήπτης δεν θέλει μηνύματα: έστειλε ΣΤΟΠ ή το ζήτησε με άλλον τρόπο.',
			en: 'This person wants no messages: they texted ΣΤΟΠ, or asked in another way.',
		},
		todo: { el: 'Ενημερώστε τον με άλλον τρόπο, αν χρειάζεται.', en: 'Tell them in another way, if need be.' },
	},
	refused: {
		what: {
			el: 'Το μήνυμα δεν στάλθηκε: η υπηρεσία SMS το απέρριψε{code}.',
			en: 'The message was not sent: the SMS service rejected it{code}.',
		},
		todo: {
			el: 'Δεν χρειάζεται να διορθώσετε κάτι: πείτε στον διαχειριστή τι γράφει εδώ και στείλτε ξανά αργότερα μόνο αυτό το μήνυμα.',
			en: 'There is nothing to correct: tell the admin what it says here, and send only this message again later.',
		},
	},
	notReached: {
		what: {
			el: 'Το μήνυμα δεν στάλθηκε, γιατί δεν έγινε σύνδεση με την υπηρεσία SMS.',
			en: 'The message was not sent, because there was no connection to the SMS service.',
		},
		todo: {
			el: 'Στείλτε ξανά αργότερα μόνο αυτό το μήνυμα. Αν συμβεί πάλι, πείτε το στον διαχειριστή.',
			en: 'Send only this message again later. If it happens again, tell the admin.',
		},
	},
	serviceDown: {
		what: {
			el: 'Η υπηρεσία SMS δεν απαντά, και για αυτές τις γραμμές δεν στάλθηκε τίποτα.',
			en: 'The SMS service does not answer, and nothing was sent to these rows.',
		},
		todo: {
			el: 'Στείλτε αργότερα την ίδια λίστα, μέσα σε μία εβδομάδα: όσα στάλθηκαν παραλείπονται. Αν συμβεί πάλι, πείτε το στον διαχειριστή.',
			en: 'Send the same list again later, within a week: what was sent is skipped. If it happens again, tell the admin.',
		},
	},
	looksLikeDate: {
		what: {
			el: 'Το «{field}» είναι {number}: έτσι γράφει το Excel ημερομηνίες, ώρες και ποσοστά.',
			en: '"{field}" has the number {number}, as Excel keeps dates, times and percentages.',
		},
		many: {
			el: 'Το «{field}» έχει αριθμούς όπως {number}: έτσι γράφει το Excel ημερομηνίες, ώρες και ποσοστά.',
			en: '"{field}" has numbers such as {number}, as Excel keeps dates, times and percentages.',
		},
		todo: {
			el: 'Αν δεν πρέπει να σταλεί έτσι, γράψτε την τιμή ως κείμενο κι ανεβάστε ξανά.',
			en: 'If it should not go out like that, type the value as text, and upload again.',
		},
	},
	longNumber: {
		what: {
			el: 'Στο «{field}» υπάρχει ο αριθμός {number}, με πολλά δεκαδικά.',
			en: '"{field}" has the number {number}, with many decimals.',
		},
		many: {
			el: 'Στο «{field}» υπάρχουν αριθμοί όπως {number}, με πολλά δεκαδικά.',
			en: '"{field}" has numbers such as {number}, with many decimals.',
		},
		todo: {
			el: 'Αν δεν πρέπει να σταλεί έτσι, γράψτε τον με λιγότερα (η μορφή του κελιού δεν αρκεί) κι ανεβάστε ξανά.',
			en: "If it should not go out like that, type it with fewer (the cell's format is not enough), and upload again.",
		},
	},
	boolean: {
		what: {
			el: 'Το «{field}» είναι {number}: έτσι γράφει το Excel το ναι και το όχι.',
			en: '"{field}" is {number}, as Excel writes yes and no.',
		},
		many: {
			el: 'Το «{field}» είναι TRUE ή FALSE: έτσι γράφει το Excel το ναι και το όχι.',
			en: '"{field}" is TRUE or FALSE, as Excel writes yes and no.',
		},
		todo: {
			el: 'Αν δεν πρέπει να σταλεί έτσι, γράψτε την τιμή ως κείμενο, όπως ΝΑΙ ή ΟΧΙ, κι ανεβάστε ξανά.',
			en: 'If it should not go out like that, type the value as text, such as YES or NO, and upload again.',
		},
	},
	sameRecipient: {
		what: {
			el: 'Η λίστα έχει διαφορετικά μηνύματα για τον ίδιο παραλήπτη.',
			en: 'The list has different messages to the same person.',
		},
		todo: {
			el: 'Αν είναι λάθος, κρατήστε μόνο τη σωστή γραμμή κάθε παραλήπτη κι ανεβάστε ξανά.',
			en: 'If this is a mistake, keep only the right row of each person, and upload again.',
		},
	},
	roundMobile: {
		what: {
			el: 'Το κινητό τελειώνει σε έξι μηδενικά, όπως ένα που το Excel έχει συντομεύσει.',
			en: 'The mobile ends in six zeros, as one that Excel has shortened.',
		},
		many: {
			el: 'Κινητά τελειώνουν σε έξι μηδενικά, όπως όσα το Excel έχει συντομεύσει.',
			en: 'Mobiles end in six zeros, as those that Excel has shortened.',
		},
		todo: {
			el: 'Ελέγξτε το στο έγγραφο, γράψτε το ως κείμενο κι ανεβάστε ξανά.',
			en: 'Check it against the document, type it as text, and upload again.',
		},
	},
	noPosition: {
		what: {
			el: 'Το {value} στο κείμενο δεν έχει θέση, γι’ αυτό δεν παίρνει τιμή.',
			en: '{value} in the text has no position, so it takes no value.',
		},
		todo: {
			el: 'Πείτε στον διαχειριστή να γράψει τη θέση του στο κείμενο.',
			en: 'Tell the admin to write its position in the text.',
		},
	},
	sameReference: {
		what: {
			el: 'Το αναγνωριστικό (Reference) είναι ίδιο για πολλούς: η αναφορά για τον έναν θα μετρούσε για όλους.',
			en: 'Several people have the same Reference: a report about one counts for all.',
		},
		todo: {
			el: 'Πείτε στον διαχειριστή να το ορίσει διαφορετικό για κάθε μήνυμα.',
			en: 'Tell the admin to give each message its own.',
		},
	},
	allSent: {
		what: {
			el: 'Όλα τα μηνύματα της λίστας έχουν ήδη σταλεί ({rows}).',
			en: 'All messages of the list were sent before ({rows}).',
		},
		todo: { el: 'Δεν χρειάζεται να κάνετε κάτι.', en: 'There is nothing to do.' },
	},
	allUnknown: {
		what: {
			el: 'Δεν είναι γνωστό αν τα μηνύματα της λίστας έχουν ήδη σταλεί.',
			en: 'It is not known whether the messages of the list were sent before.',
		},
		todo: ASK_RECIPIENTS,
	},
	allFaulty: {
		what: { el: 'Όλες οι γραμμές της λίστας έχουν λάθη.', en: 'All rows of the list have faults.' },
		todo: {
			el: 'Διορθώστε τα λάθη και ανεβάστε μόνο τις διορθωμένες γραμμές.',
			en: 'Correct the faults, and upload only the corrected rows.',
		},
	},
	allNotWanted: {
		what: {
			el: 'Κανένας από τους παραλήπτες της λίστας δεν θέλει μηνύματα.',
			en: 'None of the people on the list wants messages.',
		},
		todo: { el: 'Ενημερώστε τους με άλλον τρόπο, αν χρειάζεται.', en: 'Tell them in another way, if need be.' },
	},
	mixed: {
		what: {
			el: 'Καμία γραμμή της λίστας δεν θα σταλεί, για διαφορετικούς λόγους.',
			en: 'No row of the list will be sent, for different reasons.',
		},
		todo: { el: 'Δεν χρειάζεται να κάνετε κάτι.', en: 'There is nothing to do.' },
	},
	setting: {
		what: { el: 'Κάτι δεν έχει ρυθμιστεί σωστά.', en: 'Something is not set up correctly.' },
		todo: { el: 'Πείτε στον διαχειριστή να ελέγξει: {field}.', en: 'Tell the admin to check: {field}.' },
	},
	emptyNumber: {
		what: { el: 'Λείπει ο ΑΜΚΑ.', en: 'The AMKA is missing.' },
		todo: { el: 'Συμπληρώστε τον.', en: 'Fill it in.' },
	},
	leadingZero: {
		what: {
			el: 'Από τον ΑΜΚΑ {value} λείπει το μηδέν στην αρχή.',
			en: 'The AMKA {value} has lost its leading zero.',
		},
		many: {
			el: 'Από τους ΑΜΚΑ {value} λείπει το μηδέν στην αρχή.',
			en: 'The AMKA {value} have lost their leading zeros.',
		},
		todo: { el: 'Γράψτε και τα έντεκα ψηφία.', en: 'Write all eleven digits.' },
	},
	personalNumber: {
		what: {
			el: 'Το {value} έχει τη μορφή Προσωπικού Αριθμού, όχι ΑΜΚΑ.',
			en: '{value} has the form of a Personal Number (Προσωπικός Αριθμός), not of an AMKA.',
		},
		many: {
			el: 'Τα {value} έχουν τη μορφή Προσωπικού Αριθμού, όχι ΑΜΚΑ.',
			en: '{value} have the form of Personal Numbers (Προσωπικός Αριθμός), not of AMKA.',
		},
		todo: { el: 'Γράψτε τον ΑΜΚΑ, που έχει έντεκα ψηφία.', en: 'Write the AMKA, which has eleven digits.' },
	},
	length: {
		what: { el: 'Ο ΑΜΚΑ {value} δεν έχει έντεκα ψηφία.', en: 'The AMKA {value} does not have eleven digits.' },
		many: { el: 'Οι ΑΜΚΑ {value} δεν έχουν έντεκα ψηφία.', en: 'The AMKA {value} do not have eleven digits.' },
		todo: { el: 'Ελέγξτε τον στο έγγραφο.', en: 'Check it against the document.' },
	},
	characters: {
		what: {
			el: 'Ο ΑΜΚΑ {value} περιέχει και κάτι που δεν είναι ψηφίο.',
			en: 'The AMKA {value} has something in it that is no digit.',
		},
		many: {
			el: 'Οι ΑΜΚΑ {value} περιέχουν και κάτι που δεν είναι ψηφίο.',
			en: 'The AMKA {value} have something in them that is no digit.',
		},
		todo: { el: 'Γράψτε έντεκα ψηφία.', en: 'Write eleven digits.' },
	},
	date: {
		what: { el: 'Ο ΑΜΚΑ {value} δεν αρχίζει με ημερομηνία.', en: 'The AMKA {value} does not begin with a date.' },
		many: { el: 'Οι ΑΜΚΑ {value} δεν αρχίζουν με ημερομηνία.', en: 'The AMKA {value} do not begin with dates.' },
		todo: { el: 'Ελέγξτε τον στο έγγραφο.', en: 'Check it against the document.' },
	},
	checkDigit: {
		what: {
			el: 'Ο ΑΜΚΑ {value} έχει κάποιο λάθος: ένα ψηφίο είναι λάθος ή δύο έχουν αλλάξει θέση.',
			en: 'The AMKA {value} has a mistake: one digit is wrong, or two have changed places.',
		},
		many: {
			el: 'Οι ΑΜΚΑ {value} έχουν κάποιο λάθος: ένα ψηφίο είναι λάθος ή δύο έχουν αλλάξει θέση.',
			en: 'The AMKA {value} have mistakes: one digit is wrong, or two have changed places.',
		},
		todo: { el: 'Ελέγξτε τον στο έγγραφο.', en: 'Check it against the document.' },
	},
	emptyDate: {
		what: { el: 'Λείπει η ημερομηνία γέννησης.', en: 'The birth date is missing.' },
		todo: { el: 'Συμπληρώστε την, όπως 31/12/1999.', en: 'Fill it in, as in 31/12/1999.' },
	},
	badDate: {
		what: {
			el: 'Το «{date}» δεν διαβάζεται με βεβαιότητα ως ημερομηνία.',
			en: '"{date}" can\'t be read as a date for certain.',
		},
		many: {
			el: 'Δεν διαβάζονται με βεβαιότητα ως ημερομηνίες: {date}.',
			en: '"{date}" can\'t be read as dates for certain.',
		},
		todo: { el: 'Γράψτε την ως κείμενο, όπως 31/12/1999.', en: 'Write it as text, as in 31/12/1999.' },
	},
	emptySurname: {
		what: { el: 'Λείπει το επώνυμο.', en: 'The surname is missing.' },
		todo: { el: 'Συμπληρώστε το με ελληνικά γράμματα.', en: 'Fill it in, in Greek letters.' },
	},
	notMatched: {
		what: { el: 'Τα στοιχεία δεν επιβεβαιώθηκαν.', en: 'The details could not be confirmed.' },
		todo: {
			el: 'Ελέγξτε τον ΑΜΚΑ, την ημερομηνία γέννησης και το επώνυμο ή απευθυνθείτε στη γραμματεία.',
			en: 'Check AMKA, birth date and surname, or ask the secretariat.',
		},
	},
	doesNotAgree: {
		what: { el: 'Διαφέρουν από το μητρώο ή λείπουν: {fields}.', en: 'Not as in the registry, or missing: {fields}.' },
		todo: {
			el: 'Ελέγξτε τα στο έγγραφο και διορθώστε ή συμπληρώστε τα.',
			en: 'Check them against the document, and correct them or fill them in.',
		},
	},
	couldNotAsk: {
		what: {
			el: 'Το μητρώο δεν έδωσε απάντηση και τα στοιχεία δεν ελέγχθηκαν.',
			en: 'The registry gave no answer, and the person was not checked.',
		},
		todo: {
			el: 'Δοκιμάστε ξανά αργότερα. Αν συμβεί πάλι, πείτε το στον διαχειριστή.',
			en: 'Try again later. If it happens again, tell the admin.',
		},
	},
	wrong: {
		what: { el: 'Ο κωδικός δεν είναι σωστός.', en: 'The code is not right.' },
		todo: {
			el: 'Δείτε τον στο τελευταίο SMS και γράψτε τον ξανά. Σας μένουν {left} προσπάθειες.',
			en: 'Look at the latest SMS, and type it again. You have {left} attempts left.',
		},
	},
	expired: {
		what: { el: 'Ο κωδικός έληξε.', en: 'The code has expired.' },
		todo: { el: 'Ζητήστε νέο κωδικό.', en: 'Ask for a new one.' },
	},
	tooManyAttempts: {
		what: { el: 'Δόθηκαν πολλοί λανθασμένοι κωδικοί.', en: 'Too many wrong codes were typed.' },
		todo: { el: 'Ζητήστε νέο κωδικό {when}.', en: 'Ask for a new code {when}.' },
	},
	used: {
		what: { el: 'Ο κωδικός έχει ήδη χρησιμοποιηθεί.', en: 'The code was used already.' },
		todo: { el: 'Ζητήστε νέο κωδικό.', en: 'Ask for a new one.' },
	},
	invalid: {
		what: { el: 'Η επαλήθευση δεν μπορεί να συνεχιστεί.', en: "The verification can't go on." },
		todo: { el: 'Ξεκινήστε από την αρχή.', en: 'Begin again.' },
	},
	tooManyCodes: {
		what: {
			el: 'Στάλθηκαν ήδη πολλοί κωδικοί, γι’ αυτό δεν στάλθηκε άλλος.',
			en: 'Too many codes were sent already, so this one was not sent.',
		},
		todo: { el: 'Ζητήστε νέο κωδικό {when}.', en: 'Ask for a new code {when}.' },
	},
} as const satisfies Record<string, Sentences>;

export type Reason = keyof typeof REASONS;

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
	sameListSoon: {
		el: 'Στείλτε ξανά την ίδια λίστα μετά από αυτή την ώρα, έως 10 ώρες από την πρώτη φορά: θα σταλούν όσα δεν στάλθηκαν.',
		en: 'Send the same list again after that, up to 10 hours after the first time: what was not sent goes out then.',
	},
	soonOrOnlyThese: {
		el: 'Στείλτε αργότερα την ίδια λίστα, μέσα σε 10 ώρες, ή μετά μόνο αυτές τις γραμμές. Αν συμβεί πάλι, πείτε το στον διαχειριστή.',
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
	refusedPerson: {
		el: 'Ελέγξτε τα στοιχεία. Αν είναι σωστά, πείτε στον διαχειριστή ότι το μητρώο απορρίπτει το αίτημα.',
		en: 'Check the details. If they are right, tell the admin that the registry refuses the request.',
	},
	/** For whoever asked for a code. */
	checkMobile: {
		el: 'Ελέγξτε το κινητό και δοκιμάστε ξανά. Αν συμβεί πάλι, απευθυνθείτε στη γραμματεία.',
		en: 'Check the mobile number, and try again. If it happens again, ask the secretariat.',
	},
	askSecretariat: {
		el: 'Δοκιμάστε ξανά αργότερα. Αν συμβεί πάλι, απευθυνθείτε στη γραμματεία.',
		en: 'Try again later. If it happens again, ask the secretariat.',
	},
	/** Where the list has gone out already. */
	valueSent: {
		el: 'Αν δεν έπρεπε να σταλεί έτσι, γράψτε την τιμή ως κείμενο και στείλτε μόνο τις διορθωμένες γραμμές.',
		en: 'If it should not have gone out like that, type the value as text, and send only the corrected rows.',
	},
	numberSent: {
		el: 'Αν δεν έπρεπε να σταλεί έτσι, γράψτε τον με λιγότερα και στείλτε μόνο τις διορθωμένες γραμμές.',
		en: 'If it should not have gone out like that, type it with fewer, and send only the corrected rows.',
	},
	lastTry: {
		el: 'Δείτε τον στο τελευταίο SMS και γράψτε τον ξανά. Σας μένει μία προσπάθεια.',
		en: 'Look at the latest SMS, and type it again. You have one attempt left.',
	},
	codeMayCome: {
		el: 'Αν σας ήρθε, γράψτε τον κωδικό του, αλλιώς ζητήστε νέο SMS: θα έχει τον ίδιο κωδικό. Αν δεν έρθει κανένα, απευθυνθείτε στη γραμματεία.',
		en: 'If it came, type its code; otherwise ask for another SMS, which has the same code. If none comes, ask the secretariat.',
	},
	codeYouHave: {
		el: 'Γράψτε τον κωδικό του τελευταίου SMS ή ζητήστε νέο {when}.',
		en: 'Type the code of the latest SMS, or ask for a new one {when}.',
	},
	memoryBroken: {
		el: 'Δεν στάλθηκε, γιατί ένα άλλο βήμα της ροής έσβησε μέρος της μνήμης των απεσταλμένων μηνυμάτων.',
		en: 'Not sent, because another node of the workflow removed a part of the memory of sent messages.',
	},
	/** The list did not fit, and nothing of it went out. */
	memoryFullWhole: {
		el: 'Πείτε το στον διαχειριστή. Θα υπάρχει ξανά χώρος από τις {from}.',
		en: 'Tell the admin. There is room again from {from}.',
	},
	memoryFullPart: {
		el: 'Στείλτε μετά τις {from} μια λίστα μόνο με αυτές τις γραμμές. Αν είναι επείγον, πείτε το στον διαχειριστή.',
		en: 'Send a list of just these rows after {from}. If it is urgent, tell the admin.',
	},
	/** The list is longer than the memory. */
	memoryTooSmall: {
		el: 'Πείτε στον διαχειριστή ότι η λίστα είναι μεγαλύτερη από τη μνήμη.',
		en: 'Tell the admin that the list is longer than the memory.',
	},
	/** For a message that comes from no list: a reply, a code, the call of an AI agent. */
	noValue: { el: 'Λείπει η τιμή για το «{field}».', en: 'There is no value for "{field}".' },
	tellValue: {
		el: 'Πείτε στον διαχειριστή ποια τιμή λείπει.',
		en: 'Tell the admin which value is missing.',
	},
	inNoRow: { el: 'Για το «{field}» δεν διαβάστηκε τιμή σε καμία γραμμή.', en: 'No row gave a value for "{field}".' },
	columns: { el: 'Στήλες της λίστας: {columns}.', en: 'Columns of the list: {columns}.' },
	tellColumns: {
		el: 'Πείτε στον διαχειριστή ποιες στήλες έχει η λίστα: {columns}.',
		en: 'Tell the admin which columns the list has: {columns}.',
	},
	moreNumbers: {
		el: 'Το κελί έχει πάνω από δύο αριθμούς: {value}.',
		en: 'The cell has more than two numbers: {value}.',
	},
	moreNumbersMany: {
		el: 'Κελιά με πάνω από έναν αριθμό: {value}.',
		en: 'Cells with more than one number: {value}.',
	},
	sameHeading: {
		el: 'Η «{renamed}» μπορεί να είναι η δεύτερη από δύο στήλες με την ίδια επικεφαλίδα. Κρατήστε μόνο τη σωστή.',
		en: '{renamed} may be the second of two columns with the same heading. Keep only the right one.',
	},
	lostLetters: {
		el: 'Στο «{field}» υπάρχουν γράμματα που δεν διαβάζονται: {value}.',
		en: '"{field}" has letters that can\'t be read: {value}.',
	},
	maybeNotValue: {
		el: 'Στο «{field}» υπάρχει κάτι που ίσως δεν είναι τιμή: {number}.',
		en: '"{field}" has something that may be no value: {number}.',
	},
	dateInside: {
		el: 'Στο «{field}» υπάρχει ημερομηνία όπως τη γράφουν τα προγράμματα: {number}.',
		en: '"{field}" has a date as programs write it: {number}.',
	},
	dateWritten: {
		el: 'Η ημερομηνία στο «{field}» γράφεται στο μήνυμα ως {number}.',
		en: 'The message has the date in "{field}" as {number}.',
	},
	dateWrittenMany: {
		el: 'Οι ημερομηνίες στο «{field}» γράφονται στο μήνυμα όπως {number}.',
		en: 'The messages have the dates in "{field}" as in {number}.',
	},
	dayAsNumber: {
		el: 'Το κελί έχει την ημερομηνία {date} ως αριθμό του Excel, και ο ΑΜΚΑ αρχίζει με άλλη.',
		en: 'The cell has the date {date} as a number of Excel, and the AMKA begins with another one.',
	},
	dayAsNumberMany: {
		el: 'Κελιά έχουν ημερομηνίες ως αριθμούς του Excel ({date}), και οι ΑΜΚΑ αρχίζουν με άλλες.',
		en: 'Cells have dates as numbers of Excel ({date}), and the AMKA begin with other ones.',
	},
	dayAsText: {
		el: 'Ελέγξτε και τα δύο στο έγγραφο. Αν η ημερομηνία είναι σωστή, ορίστε τη στήλη ως κείμενο στο Excel και γράψτε την ξανά.',
		en: 'Check both against the document. If the date is right, format the column as text in Excel, and type it again.',
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
	letters: {
		el: 'Τα γράμματα των επικεφαλίδων δεν διαβάζονται: ανοίξτε το αρχείο στο Excel, αποθηκεύστε το ως .xlsx και ανεβάστε εκείνο. Στήλες της λίστας: {columns}.',
		en: "The letters of the headings can't be read: open the file in Excel, save it as .xlsx, and upload that. Columns of the list: {columns}.",
	},
	headings: {
		el: 'Διαγράψτε τις γραμμές πάνω από τις επικεφαλίδες, ώστε να είναι στην πρώτη γραμμή του φύλλου. Στήλες της λίστας: {columns}.',
		en: 'Delete the rows above the headings, so that they are in the first row of the sheet. Columns of the list: {columns}.',
	},
} as const satisfies Record<string, Words>;

/** The one for a service that answers whoever asks with such a status. */
export const TODO_OF_STATUS: Partial<Record<number, keyof typeof OTHER_WORDS>> = {
	...{ 401: 'key', 403: 'key', 404: 'address', 405: 'address', 429: 'busy', 503: 'busy' },
};

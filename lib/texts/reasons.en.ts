/*
 * The English texts of all reasons. They are for people who do not know n8n, so they contain no term of n8n or of HTTP. Names in
 * braces are replaced by values when a text is shown. `reasons.el.ts` has the same keys in Greek, and `reasons.ts` combines both.
 */

/** The texts of a reason. `what` says what is wrong, and `todo` says what to do. `many` replaces `what` for several values. */
type Texts = { what: string; many?: string; todo: string };

/** The instruction for messages of unknown outcome, for people who don't open n8n. The instruction for admins is `ASK_THEM`. */
const ASK_RECIPIENTS =
	'Ask the recipients whether they got the message. If some did not, give the admin a list of just these people.';

export const reasonsEn = {
	emptyList: {
		what: 'The file contains no data.',
		todo: 'Check that this is the right file, that the data are on its first sheet, and that it has no password. Then upload it again.',
	},
	missingColumn: {
		what: 'The list has no column "{field}".',
		todo: 'Add or rename a column. The list has these columns: {columns}.',
	},
	twoColumns: {
		what: 'Two columns match "{field}": {columns}.',
		many: 'More than two columns match "{field}": {columns}.',
		todo: 'Keep only the right one.',
	},
	emptyRecipient: {
		what: 'The mobile number is missing.',
		todo: 'Fill it in.',
	},
	landline: {
		what: '{value} is a landline, which cannot receive SMS.',
		many: '{value} are landlines, which cannot receive SMS.',
		todo: 'Write a mobile number (69…).',
	},
	notMobile: {
		what: '"{value}" is not a mobile number.',
		many: '"{value}" are not mobile numbers.',
		todo: 'Write the ten digits of the mobile number (69…), or a foreign number that begins with +.',
	},
	codeAbroad: {
		what: 'Codes are sent only to Greek mobile numbers.',
		todo: 'Write a number that begins with 69.',
	},
	digitsLost: {
		what: '"{value}" has lost digits, because Excel rounded the number.',
		many: '"{value}" have lost digits, because Excel rounded the numbers.',
		todo: 'Format the column as text in Excel, and write the number again.',
	},
	twoNumbers: {
		what: 'The cell has two numbers: {value}.',
		many: 'Cells with more than one number: {value}.',
		todo: 'Keep one number, or give each number its own row.',
	},
	emptyValue: {
		what: '"{field}" has no value.',
		todo: 'Fill it in or leave the row out. If the cell has a formula or shows an error such as #DIV/0!, type the value there.',
	},
	notValue: {
		what: '"{field}" has {value} in place of a value.',
		many: '"{field}" has these entries, which are not values: {value}.',
		todo: 'Correct the cell or leave the row out. If the cell is right, tell the admin.',
	},
	tooLong: {
		what: '"{field}" is too long.',
		todo: 'Shorten it.',
	},
	notText: {
		what: 'The value in "{field}" can\'t be read.',
		todo: 'Empty the cell, and type the value again.',
	},
	expression: {
		what: '"{field}" has program code in place of a value: {value}.',
		todo: 'Tell the admin to check this field.',
	},
	unknownMessage: {
		what: 'The text of the message is not known.',
		todo: 'Tell the admin what is missing from the message texts: {value}.',
	},
	wrongCount: {
		what: 'The number of values is {given}, but the message needs {wanted}.',
		todo: 'Tell the admin.',
	},
	onTrial: {
		what: 'The service is in trial mode: only the people who take part in the trial get messages.',
		todo: 'Send the message again when the admin tells you that the trial is over.',
	},
	tooManyRows: {
		what: 'Nothing was sent: the list has {rows} rows, but only {most} are allowed.',
		todo: 'Check the list. If it is right, ask the admin for a higher limit.',
	},
	tooManyMessages: {
		what: 'The message was not sent, because the limit of {most} messages was reached.',
		todo: 'Check the messages that were sent. If they are right, ask the admin for a higher limit.',
	},
	quietHours: {
		what: 'Quiet hours last until {until}. No messages are sent before then.',
		todo: 'Send the same list again after that time, but within a week of the first attempt. Messages that were sent are skipped.',
	},
	memoryFull: {
		what: 'The message was not sent, because the memory of sent messages is full (it holds about {most} messages).',
		todo: 'Tell the admin. There will be room again from {from}.',
	},
	sentBefore: {
		what: 'The same message was sent to this person before.',
		todo: 'There is nothing to do.',
	},
	unknown: {
		what: 'It is not known whether the message was sent.',
		todo: ASK_RECIPIENTS,
	},
	twice: {
		what: 'The same message to this person appears further up in the list.',
		todo: 'There is nothing to do: the message is sent only once.',
	},
	doNotSend: {
		what: 'This person does not want messages: they texted ΣΤΟΠ, or said so in another way.',
		todo: 'If necessary, contact them in another way.',
	},
	refused: {
		what: 'The message was not sent: the SMS service rejected it{code}.',
		todo: 'There is nothing to correct. Tell the admin what this notice says, and send only this message again later.',
	},
	notReached: {
		what: 'The message was not sent, because there was no connection to the SMS service.',
		todo: 'Send only this message again later. If it happens again, tell the admin.',
	},
	serviceDown: {
		what: 'The SMS service does not answer, so these rows were not sent.',
		todo: 'Send the same list again later, within a week. Messages that were sent are skipped. If it happens again, tell the admin.',
	},
	looksLikeDate: {
		what: '"{field}" has the number {number}. Excel stores dates, times and percentages like this.',
		many: '"{field}" has numbers such as {number}. Excel stores dates, times and percentages like this.',
		todo: 'If the value should look different in the message, type it as text, and upload the sheet again.',
	},
	longNumber: {
		what: '"{field}" contains {number}, a number with many decimals.',
		many: '"{field}" contains numbers with many decimals, such as {number}.',
		todo: 'If that is too many decimals for the message, type fewer, and upload the sheet again. Changing the cell format is not enough.',
	},
	boolean: {
		what: '"{field}" is {number}. Excel writes TRUE for yes and FALSE for no.',
		many: '"{field}" is TRUE or FALSE. Excel writes TRUE for yes and FALSE for no.',
		todo: 'If the value should look different in the message, type it as text, such as YES or NO, and upload the sheet again.',
	},
	sameRecipient: {
		what: 'The list has different messages for the same person.',
		todo: 'If this is a mistake, keep only the right row for each person, and upload the sheet again.',
	},
	roundMobile: {
		what: 'The mobile number ends in six zeros. Excel may have rounded it.',
		many: 'Some mobile numbers end in six zeros. Excel may have rounded them.',
		todo: 'Find the right number, type it as text, and upload the sheet again.',
	},
	noPosition: {
		what: 'The placeholder {value} in the text of the message has no position, so no value is filled in there.',
		todo: 'Tell the admin to add the position to the text.',
	},
	sameReference: {
		what: 'Several people have the same Reference, so a delivery report about one of them is treated as a report about all of them.',
		todo: 'Tell the admin to give each message its own Reference.',
	},
	allSent: {
		what: 'All messages in the list have already been sent ({rows}).',
		todo: 'There is nothing to do.',
	},
	allUnknown: {
		what: 'It is not known whether the messages in the list were sent before.',
		todo: ASK_RECIPIENTS,
	},
	allFaulty: {
		what: 'All rows in the list contain errors.',
		todo: 'Correct the errors, and upload only the corrected rows.',
	},
	allNotWanted: {
		what: 'None of the people on the list wants messages.',
		todo: 'If necessary, contact them in another way.',
	},
	mixed: {
		what: 'No row in the list will be sent. The reason is not the same for all rows.',
		todo: 'There is nothing to do.',
	},
	setting: {
		what: 'Something is not set up correctly.',
		todo: 'Tell the admin to check: {field}.',
	},
	emptyNumber: {
		what: 'The AMKA is missing.',
		todo: 'Fill it in.',
	},
	leadingZero: {
		what: 'The AMKA {value} has lost its leading zero.',
		many: 'The AMKA numbers {value} have lost their leading zeros.',
		todo: 'Write all eleven digits.',
	},
	personalNumber: {
		what: '{value} looks like a Personal Number (Προσωπικός Αριθμός), not like an AMKA.',
		many: '{value} look like Personal Numbers (Προσωπικός Αριθμός), not like AMKA numbers.',
		todo: 'Write the AMKA, which has eleven digits.',
	},
	length: {
		what: 'The AMKA {value} does not have eleven digits.',
		many: 'The AMKA numbers {value} do not have eleven digits.',
		todo: 'Check the number against the AMKA certificate.',
	},
	characters: {
		what: 'The AMKA {value} contains a character that is not a digit.',
		many: 'The AMKA numbers {value} contain characters that are not digits.',
		todo: 'Write eleven digits.',
	},
	date: {
		what: 'The AMKA {value} does not begin with a date.',
		many: 'The AMKA numbers {value} do not begin with dates.',
		todo: 'Check the number against the AMKA certificate.',
	},
	checkDigit: {
		what: 'The AMKA {value} has a mistake: one digit is wrong, or two digits have been swapped.',
		many: 'The AMKA numbers {value} have mistakes: in each of them one digit is wrong, or two digits have been swapped.',
		todo: 'Check the number against the AMKA certificate.',
	},
	emptyDate: {
		what: 'The birth date is missing.',
		todo: 'Fill it in, as in 31/12/1999.',
	},
	badDate: {
		what: '"{date}" is not a clear date.',
		many: '"{date}" are not clear dates.',
		todo: 'Write the date as text, as in 31/12/1999.',
	},
	emptySurname: {
		what: 'The surname is missing.',
		todo: 'Write it in Greek letters.',
	},
	notMatched: {
		what: 'The details could not be confirmed.',
		todo: 'Check the AMKA, the birth date and the surname, or contact the office.',
	},
	doesNotAgree: {
		what: 'These details differ from the registry or are missing: {fields}.',
		todo: 'Check them against the identity card or AMKA certificate, and correct or add them.',
	},
	couldNotAsk: {
		what: 'The registry did not give an answer, so the person was not checked.',
		todo: 'Try again later. If it happens again, tell the admin.',
	},
	wrong: {
		what: 'The code is not correct.',
		todo: 'Look at the latest SMS, and type the code again. You have {left} attempts left.',
	},
	expired: {
		what: 'The code has expired.',
		todo: 'Ask for a new one.',
	},
	tooManyAttempts: {
		what: 'Too many wrong codes were typed.',
		todo: 'Ask for a new code {when}.',
	},
	used: {
		what: 'The code has already been used.',
		todo: 'Ask for a new one.',
	},
	invalid: {
		what: "The verification can't continue.",
		todo: 'Start again.',
	},
	tooManyCodes: {
		what: 'Too many codes have already been sent, so no new code was sent.',
		todo: 'Ask for a new code {when}.',
	},
} as const satisfies Record<string, Texts>;

/** Texts that replace the `what` of a reason. A fault selects a text by its key. `…Many` is the text for several values. */
export const otherWhatEn = {
	registryDown: 'The registry does not answer, so these rows were not checked.',
	memoryBroken: 'The message was not sent, because part of the list of sent messages was deleted.',
	/** The text for a message that comes from no list: a reply, a code, or a tool call of an AI agent. */
	noValue: 'There is no value for "{field}".',
	inNoRow: 'No value for "{field}" was found in any row.',
	moreNumbers: 'The cell has more than two numbers: {value}.',
	moreNumbersMany: 'Cells with more than one number: {value}.',
	lostLetters: '"{field}" has letters that can\'t be read: {value}.',
	maybeNotValue: 'The entry in "{field}" might not be a real value: {number}.',
	dateInside: '"{field}" has a date in computer format: {number}.',
	dateWritten: 'The message shows the date in "{field}" as {number}.',
	dateWrittenMany: 'The messages show the dates in "{field}" like this: {number}.',
	dayAsNumber:
		'The birth date in the cell ({date}, which Excel stored as a number) differs from the date at the beginning of the AMKA.',
	dayAsNumberMany:
		'The birth dates in some cells ({date}, which Excel stored as numbers) differ from the dates at the beginning of the AMKA numbers.',
} as const satisfies Record<string, string>;

/** Texts that replace the `todo` of a reason. A fault selects a text by its key. */
export const otherTodoEn = {
	/** The advice if the node does not remember sent messages for long enough. */
	onlyThese:
		'Send only these rows later. If you send the whole list, people who already got the message may get it again.',
	sameListSoon:
		'Send the same list again after that time, but within 10 hours of the first attempt. Messages that were sent are skipped.',
	soonOrOnlyThese:
		'Send the same list again later, within 10 hours. If more than 10 hours have passed, send only these rows. If it happens again, tell the admin.',
	checkLater: 'Check them again later. If it happens again, tell the admin.',
	key: 'Tell the admin that the service does not accept the key.',
	sender: 'Tell the admin that the SMS service does not accept requests from this server.',
	address: 'Tell the admin that the address of the service is wrong.',
	busy: 'The service is too busy at the moment. Try again later. If it happens again, tell the admin.',
	busySending:
		'The service is too busy at the moment. Send only this message again later. If it happens again, tell the admin.',
	refusedPerson: 'Check the details. If they are right, tell the admin that the registry refuses the request.',
	/** The advice for the person who requested a code. */
	checkMobile: 'Check the mobile number, and try again. If it happens again, contact the office.',
	askOffice: 'Try again later. If it happens again, contact the office.',
	/** The advice if the list was already sent. */
	valueSent:
		'If the value should have looked different in the message, type it as text, and send only the corrected rows.',
	numberSent: 'If that is too many decimals for the message, type fewer decimals, and send only the corrected rows.',
	lastTry: 'Look at the latest SMS, and type the code again. You have one attempt left.',
	codeMayCome:
		'If you got the SMS, type its code. Otherwise ask for another SMS: it has the same code. If that SMS does not come either, contact the office.',
	codeYouHave: 'Type the code from the latest SMS, or ask for a new one {when}.',
	/** The advice if no message in the list was sent, because the memory (see `memory.ts`) has no room for all. */
	memoryFullWhole: 'Tell the admin. There will be room again from {from}.',
	memoryFullPart: 'Send a list of just these rows after {from}. If it is urgent, tell the admin.',
	/** The advice if the list is longer than the memory. */
	memoryTooSmall: 'Tell the admin that the list has more messages than the workflow can remember.',
	tellValue: 'Tell the admin which value is missing.',
	columns: 'The list has these columns: {columns}.',
	tellColumns: 'Tell the admin which columns the list has: {columns}.',
	sameHeading: '{renamed} may be the second of two columns with the same heading. Keep only the right one.',
	dayAsText:
		'Check both against the AMKA certificate. If the date is right, format the column as text in Excel, and type the date again.',
	latinSurname: 'The surname has Latin letters. Write it in Greek, as on the identity card.',
	otherDate:
		'The AMKA begins with a different birth date. Check both against the AMKA certificate, or contact the office.',
	latinSurnameOtherDate:
		'The surname has Latin letters: write it in Greek letters. Also, the AMKA begins with a different birth date: check both against the AMKA certificate.',
	letters:
		"The headings contain letters that can't be read: open the file in Excel, save it as .xlsx, and upload that file. The list has these columns: {columns}.",
	headings:
		'Delete the rows above the headings: the headings must be in the first row of the sheet. The list has these columns: {columns}.',
} as const satisfies Record<string, string>;

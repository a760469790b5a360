/*
 * Everything that people are told to do next, and for each the test that does it and sees that it works: file, and the name
 * of the test as its source has it. The functions of `advice` are hints and errors for an admin; the reasons, and the other
 * words for them, are notices and pages for whoever typed the data. That nothing is missing here is a test too.
 */

const admin = (name: string) => ['test/workflow/advice.test.ts', name] as const;
const corrected = admin('a row that was corrected as it says goes out');
const later = admin('the same list is sent again later, as it says, and goes out');
const certain = admin('what is doubtful in a list is not after it was corrected as it says');
const listOfThese = admin(
	'rows of which nobody knows are said now and next time, and go out as a list of just these with Send',
);
const nothingToDo = [
	'test/workflow/review.test.ts',
	'where nothing would go out, the item and the page say why first',
] as const;

type Done = readonly [file: string, test: string];

/** What hints and errors tell an admin: the functions of `advice`. */
export const OF_ADMINS: Record<string, Done> = {
	skippedBefore: admin(
		'goes out again with the date as Duplicate Key, once a day, and two messages to one person stay two',
	),
	skippedUnknown: listOfThese,
	unknownNow: listOfThese,
	doNotSend: ['test/workflow/guards.test.ts', "comes before what was sent before: the same row is then nobody's"],
	notTried: admin('a list that was stopped'),
	serviceDown: admin('a list whose service went down'),
	stoppedByFaults: admin('with On Error Stop, a list with faults'),
	stoppedByRefusals: admin('with On Error Stop, a list of which some rows are refused'),
	onTrial: admin('a trial ends when Trial Recipients is emptied'),
};

/** What notices and pages tell people: the reasons, and the other words for them. */
export const OF_REASONS: Record<string, Done> = {
	emptyList: corrected,
	missingColumn: corrected,
	twoColumns: corrected,
	emptyRecipient: corrected,
	landline: corrected,
	notMobile: corrected,
	digitsLost: corrected,
	twoNumbers: corrected,
	emptyValue: corrected,
	tooLong: corrected,
	notText: corrected,
	unknownMessage: later,
	onTrial: later,
	tooManyRows: later,
	refused: later,
	notReached: later,
	setting: later,
	expression: later,
	quietHours: ['test/workflow/guards.test.ts', 'at %s %d message goes out'],
	sentBefore: nothingToDo,
	twice: ['test/workflow/review.test.ts', 'of two equal rows a review skips the second as such'],
	unknown: listOfThese,
	doNotSend: ['test/workflow/guards.test.ts', "comes before what was sent before: the same row is then nobody's"],
	serviceDown: admin('a list whose service went down'),
	looksLikeDate: certain,
	longNumber: certain,
	sameReference: certain,
	allSent: nothingToDo,
	allUnknown: listOfThese,
	allFaulty: corrected,
	allNotWanted: ['test/workflow/guards.test.ts', "comes before what was sent before: the same row is then nobody's"],
	mixed: corrected,
};

/** Reasons whose advice no test does yet. */
export const NOT_DONE = new Set([
	...['codeAbroad', 'wrongCount', 'moreThanRemembered', 'wrong', 'expired', 'tooManyAttempts', 'used', 'invalid'],
	...['tooManyCodes', 'lastTry', 'codeYouHave', 'emptyNumber', 'leadingZero', 'personalNumber', 'length', 'characters'],
	...['date', 'checkDigit', 'emptyDate', 'badDate', 'emptySurname', 'deceased', 'notMatched', 'doesNotAgree'],
	...['couldNotAsk', 'registryDown', 'checkLater', 'key', 'address', 'busy', 'inNoRow', 'columns', 'tellColumns'],
	...['latinSurname', 'otherDate', 'latinSurnameOtherDate', 'headings'],
]);

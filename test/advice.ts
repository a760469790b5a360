/*
 * Lists all advice for people, and for each the test that follows it and checks that it works: the file, and the title
 * of the test as in its source. The functions of `advice` are hints and errors for an admin. The reasons, and the
 * other texts for them, are notices and pages for the person who typed the data. A test checks that this list is
 * complete.
 */

import { OTHER_TODO, OTHER_WHAT, REASONS } from '../lib/texts/reasons';

const admin = (name: string) => ['test/workflow/advice.test.ts', name] as const;
const corrected = admin('a row is sent after the correction that its error advises');
const later = admin('the same list is sent later, as advised');
const noList = admin('a reply, which has no list, is sent with Map Each Column Manually as advised');
const onlyThisLater = admin('only this message is sent the next day, as advised, and no other one twice');
const onlyCorrected = admin('only the corrected rows of a sent list are sent, as advised');
const certain = admin('a warning about a list disappears after the correction that it advises');
const listOfThese = admin(
	'messages of unknown outcome are sent again as a list of only these rows, as the hint advises',
);
const nothingToDo = [
	'test/workflow/review.test.ts',
	'if nothing would be sent, the item and the page begin with the reason',
] as const;

const message = (name: string) => ['test/workflow/adviceMessages.test.ts', name] as const;
const setRight = message('advice that visitors pass on to the admin solves the problem');
const amka = (name: string) => ['test/workflow/amka/advice.test.ts', name] as const;
const typed = amka('data that did not match does match after the advised correction');
const checkedLater = amka('the same data is checked later, as advised');
const noColumn = amka('an expression that names no column is corrected with a column from the notice');
const typedCode = [
	'test/workflow/adviceCodes.test.ts',
	'the code is verified when it is typed as advised, with the number of attempts that the notice states',
] as const;
const askedAgain = (name: string) => ['test/workflow/codes.test.ts', name] as const;

type Done = readonly [file: string, test: string];
/** Reasons whose advice is followed by the same test. */
const each = (done: Done, reasons: string) => Object.fromEntries(reasons.split(' ').map((reason) => [reason, done]));

/** The texts for an admin in hints and errors: the functions of `advice`. */
export const OF_ADMINS: Record<string, Done> = {
	skippedBefore: admin('is sent again each day with the date as Repeat Key, and two messages to one person stay two'),
	answeredBefore: ['test/workflow/reply.test.ts', 'that was sent before needs no action, and the notice states it'],
	skippedUnknown: listOfThese,
	unknownNow: listOfThese,
	doNotSend: ['test/workflow/guards.test.ts', 'takes precedence over If Already Sent: an excluded item stays excluded'],
	notTried: admin('a stopped list continues as advised, and sends nothing twice: %s'),
	serviceDown: admin('a list continues as advised after its service was down, and sends nothing twice: %s'),
	stoppedByFaults: admin('under On Error Stop, a list with faults %s'),
	stoppedAtEnd: admin('under On Error Stop, a list with some rejected rows'),
	onTrial: admin('the trial ends when Trial Recipients is emptied'),
};

/** The texts for people in notices and pages: the reasons, and the texts that replace theirs. */
export const OF_REASONS: Record<string, Done> = {
	...each(corrected, 'emptyList missingColumn twoColumns emptyRecipient landline notMobile digitsLost twoNumbers'),
	...each(
		corrected,
		'emptyValue notValue lostLetters tooLong notText sameHeading moreNumbers moreNumbersMany allFaulty mixed',
	),
	...each(certain, 'looksLikeDate longNumber roundMobile noPosition sameReference sameRecipient'),
	...each(certain, 'boolean maybeNotValue dateInside dateWritten dateWrittenMany'),
	...each(later, 'unknownMessage onTrial tooManyRows setting expression'),
	...each(setRight, 'wrongCount key address sender'),
	...each(
		typed,
		'emptyNumber personalNumber length characters date checkDigit emptyDate badDate emptySurname latinSurname',
	),
	...each(typed, 'otherDate latinSurnameOtherDate notMatched dayAsNumber dayAsNumberMany dayAsText'),
	...each(checkedLater, 'busy refusedPerson couldNotAsk registryDown checkLater'),
	...each(noColumn, 'inNoRow columns tellColumns'),
	...each(noList, 'noValue tellValue'),
	letters: [
		'test/e2e/calcSheets.test.ts',
		'a file in windows-1253 is read after it is saved as an .xlsx, as the page advises',
	],
	refused: onlyThisLater,
	notReached: onlyThisLater,
	tooManyMessages: [
		'test/workflow/guards.test.ts',
		'rejects only messages over the limit, so that they can be sent later',
	],
	quietHours: ['test/workflow/guards.test.ts', 'at %s let %d message through'],
	sentBefore: nothingToDo,
	twice: ['test/workflow/review.test.ts', 'a review skips the second of two equal rows'],
	unknown: listOfThese,
	doNotSend: ['test/workflow/guards.test.ts', 'takes precedence over If Already Sent: an excluded item stays excluded'],
	serviceDown: admin('a list continues as advised after its service was down, and sends nothing twice: %s'),
	soonOrOnlyThese: admin('a list continues as advised after its service was down, and sends nothing twice: %s'),
	sameListSoon: [
		'test/workflow/guards.test.ts',
		'that end soon let the same list be sent after them as the notice advises, each message once',
	],
	onlyThese: [
		'test/workflow/guards.test.ts',
		'hold messages that are sent in the morning as the notice advises, each once: remembered %s',
	],
	allSent: nothingToDo,
	allUnknown: listOfThese,
	allNotWanted: [
		'test/workflow/guards.test.ts',
		'takes precedence over If Already Sent: an excluded item stays excluded',
	],
	busySending: message('the same message is sent later, as advised'),
	checkMobile: [
		'test/workflow/adviceCodes.test.ts',
		'a rejected code is sent after the mobile or the service is corrected, as each error advises',
	],
	askSecretariat: [
		'test/workflow/adviceCodes.test.ts',
		'a visitor whom %s keeps from a code is not referred to an admin: the code is sent and checked later, as advised',
	],
	valueSent: onlyCorrected,
	numberSent: onlyCorrected,
	...each(
		[
			'test/workflow/memoryFull.test.ts',
			'is sent as the error advises: now from a copy of the workflow, or later from the same one',
		],
		'memoryFull memoryFullWhole memoryFullPart memoryTooSmall memoryBroken',
	),
	codeAbroad: ['test/workflow/adviceCodes.test.ts', 'a foreign number gets no code, and a Greek one does'],
	wrong: typedCode,
	lastTry: typedCode,
	invalid: ['test/workflow/adviceCodes.test.ts', 'a person who starts again is verified'],
	expired: askedAgain('gets a new, valid code after the end of the first one, as the notice states'),
	tooManyAttempts: askedAgain(
		'sends nothing after the last attempt until the code ends, and then a new valid one, as the notice states',
	),
	used: askedAgain('gets a new code if the first one was used, which stays used with each of its ids'),
	tooManyCodes: askedAgain(
		'allow five in ten minutes for a number, also at once, and the error refers to the code that the person has',
	),
	codeMayCome: [
		'test/workflow/adviceCodes.test.ts',
		'after an SMS of unknown outcome the code is verified if it arrived, or a second SMS has the same code',
	],
	codeYouHave: askedAgain(
		'allow five in ten minutes for a number, also at once, and the error refers to the code that the person has',
	),
	leadingZero: amka('leadingZero: all eleven digits are valid'),
	doesNotAgree: amka('data that does not agree does agree after it is corrected and filled in'),
	headings: amka('a sheet with a title above its headings is read once the title is removed'),
};

const OTHERS = { ...OTHER_WHAT, ...OTHER_TODO };

export type Sentence = keyof typeof REASONS | keyof typeof OTHERS;

/** Returns a pattern for the Greek advice of a reason, or of another text, with any values in its placeholders. */
export function sentence(name: Sentence): RegExp {
	const { el } = name in OTHERS ? OTHERS[name as keyof typeof OTHERS] : REASONS[name as keyof typeof REASONS].todo;
	return new RegExp(el.replace(/[.?()]/g, '\\$&').replace(/\{\w+\}/g, '.+'));
}

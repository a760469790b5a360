/*
 * Lists all advice that the nodes give to people. For each advice, this file names the test that follows the advice and shows
 * that it works: the test's file, and its title as in the source. An admin gets advice in hints and errors, which come from the
 * functions in lib/texts/advice.ts. The person who typed the data gets advice in notices and pages, which come from
 * lib/texts/reasons.ts. unit/lib/texts/advice.test.ts tests that the list is complete.
 */

import { OTHER_TODO, OTHER_WHAT, REASONS } from '../lib/texts/reasons';

const admin = (name: string) => ['test/workflow/advice.test.ts', name] as const;
const corrected = admin('a row is sent after the correction that its error advises');
const later = admin('the same list is sent later, as advised');
const noList = admin('a reply, which has no list, is sent with Map Each Column Manually as advised');
const onlyThisLater = admin(
	'a message that was not sent is sent alone the next day, as advised, and no other message is sent twice',
);
const onlyCorrected = admin('only the corrected rows of a sent list are sent, as advised');
const certain = admin('a warning about a list disappears after the correction that it advises');
const listOfThese = admin(
	'messages of unknown outcome are sent again as a list of only these rows, as the hint advises',
);
const nothingToDo = [
	'test/workflow/review.test.ts',
	'a review in which nothing would be sent states the reason first, in the item and on the page',
] as const;

const message = (name: string) => ['test/workflow/adviceMessages.test.ts', name] as const;
const setRight = message('advice that visitors pass on to the admin solves the problem');
const amka = (name: string) => ['test/workflow/amka/advice.test.ts', name] as const;
const typed = amka('a person whose row has a fault matches in the registry after the advised correction');
const checkedLater = amka('a person who was not checked is checked later, as advised');
const noColumn = amka(
	'for an expression with a wrong column name: the expression works with a column name from the notice',
);
const typedCode = [
	'test/workflow/adviceCodes.test.ts',
	'a wrong code can be corrected as often as the notice states, and the code of the latest SMS is verified',
] as const;
const askedAgain = (name: string) => ['test/workflow/codes.test.ts', name] as const;

type Done = readonly [file: string, test: string];
/** Assigns the same test to several reasons. */
const each = (done: Done, reasons: string) => Object.fromEntries(reasons.split(' ').map((reason) => [reason, done]));

/** The advice for an admin in hints and errors, by the name of its function in lib/texts/advice.ts. */
export const OF_ADMINS: Record<string, Done> = {
	skippedBefore: admin('is sent once more with the date as Repeat Key, as the hint advises'),
	answeredBefore: [
		'test/workflow/reply.test.ts',
		'that was sent before is skipped, and the notice states that there is nothing to do',
	],
	skippedUnknown: listOfThese,
	unknownNow: listOfThese,
	doNotSend: [
		'test/workflow/guards.test.ts',
		'has precedence over If Already Sent for a person to whom the message was already sent',
	],
	notTried: admin(
		'a list that a person stopped continues as advised, and no message is sent twice (If Already Sent: %s)',
	),
	serviceDown: admin(
		'a list that stopped because the service was down continues as advised, and no message is sent twice (If Already Sent: %s)',
	),
	stoppedByFaults: admin('a list with faulty rows under On Error Stop %s, as the error advises'),
	stoppedAtEnd: admin('a list of which the platform rejected a row under On Error Stop'),
	onTrial: admin('the trial ends when Trial Recipients is emptied'),
};

/** The advice in notices and pages, by the name of its reason in lib/texts/reasons.ts, or of another text there. */
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
		'a file in windows-1253 is read after it was saved as an .xlsx, as the page advises',
	],
	refused: onlyThisLater,
	notReached: onlyThisLater,
	tooManyMessages: [
		'test/workflow/guards.test.ts',
		'does not record a message over the limit as sent, so the message is sent after the limit was raised',
	],
	quietHours: ['test/workflow/guards.test.ts', 'of 22:00-08:00 let, at %s, %d message through'],
	sentBefore: nothingToDo,
	twice: ['test/workflow/review.test.ts', 'a review skips the second of two equal rows'],
	unknown: listOfThese,
	doNotSend: [
		'test/workflow/guards.test.ts',
		'has precedence over If Already Sent for a person to whom the message was already sent',
	],
	serviceDown: admin(
		'a list that stopped because the service was down continues as advised, and no message is sent twice (If Already Sent: %s)',
	),
	soonOrOnlyThese: admin(
		'a list that stopped because the service was down continues as advised, and no message is sent twice (If Already Sent: %s)',
	),
	sameListSoon: [
		'test/workflow/guards.test.ts',
		'that end within the time of Remember For: the same list can be sent in the morning, as the notice advises, and each message is sent once',
	],
	onlyThese: [
		'test/workflow/guards.test.ts',
		'hold messages, which are sent once in the morning, as the notice advises, with %s',
	],
	allSent: nothingToDo,
	allUnknown: listOfThese,
	allNotWanted: [
		'test/workflow/guards.test.ts',
		'has precedence over If Already Sent for a person to whom the message was already sent',
	],
	busySending: message('the same message is sent later, as advised'),
	checkMobile: [
		'test/workflow/adviceCodes.test.ts',
		'a code that was not sent is sent after the mobile or the service is corrected, as each notice advises',
	],
	askOffice: [
		'test/workflow/adviceCodes.test.ts',
		'a visitor who gets no code because of %s is referred to the office, and is verified after the correction',
	],
	valueSent: onlyCorrected,
	numberSent: onlyCorrected,
	...each(
		[
			'test/workflow/memoryFull.test.ts',
			'is sent as the error advises: now from a copy of the workflow, or later from the same workflow',
		],
		'memoryFull memoryFullWhole memoryFullPart memoryTooSmall memoryBroken',
	),
	codeAbroad: ['test/workflow/adviceCodes.test.ts', 'a foreign number gets no code, and a Greek number does'],
	wrong: typedCode,
	lastTry: typedCode,
	invalid: [
		'test/workflow/adviceCodes.test.ts',
		'a person with an invalid verification ID is verified after a new request for a code',
	],
	expired: askedAgain('gets a new, valid code after the first code has expired, as the notice states'),
	tooManyAttempts: askedAgain(
		'is rejected after the last attempt until the code has expired, and then gets a new code, as the notice states',
	),
	used: askedAgain(
		'gets a new code after the first code was used, and the first code stays used with each of its verification IDs',
	),
	tooManyCodes: askedAgain(
		'allow five codes in ten minutes for a number, even in one run, and the error refers to the code that the person has',
	),
	codeMayCome: [
		'test/workflow/adviceCodes.test.ts',
		'after an SMS of unknown outcome the code is verified if it arrived, and a second SMS has the same code',
	],
	codeYouHave: askedAgain(
		'allow five codes in ten minutes for a number, even in one run, and the error refers to the code that the person has',
	),
	leadingZero: amka('a number that has lost its leading zero is valid with all eleven digits, as the notice advises'),
	doesNotAgree: amka(
		'a row that does not agree with the registry agrees after it is corrected and filled in, as the notice advises',
	),
	headings: amka('a sheet with a title above its headings is read after the title is removed, as the notice advises'),
};

const OTHERS = { ...OTHER_WHAT, ...OTHER_TODO };

export type Sentence = keyof typeof REASONS | keyof typeof OTHERS;

/** Returns a pattern that matches the Greek advice of a reason, or another text, with any values in its placeholders. */
export function sentence(name: Sentence): RegExp {
	const { el } = name in OTHERS ? OTHERS[name as keyof typeof OTHERS] : REASONS[name as keyof typeof REASONS].todo;
	return new RegExp(el.replace(/[.?()]/g, '\\$&').replace(/\{\w+\}/g, '.+'));
}

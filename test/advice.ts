/*
 * Everything that people are told to do next, and for each the test that does it and sees that it works: file, and the name
 * of the test as its source has it. The functions of `advice` are hints and errors for an admin; the reasons, and the other
 * words for them, are notices and pages for whoever typed the data. That nothing is missing here is a test too.
 */

import { OTHER_TODO, OTHER_WHAT, REASONS } from '../lib/texts/reasons';

const admin = (name: string) => ['test/workflow/advice.test.ts', name] as const;
const corrected = admin('a row that was corrected as it says goes out');
const later = admin('the same list is sent again later, as it says, and goes out');
const noList = admin('a reply, which has no list, with Map Each Column Manually as it says');
const onlyThisLater = admin('only this message is sent again the next day, as it says, and nobody else gets it twice');
const onlyCorrected = admin('of a list that went out only the rows that were corrected go out, as it says');
const certain = admin('what is doubtful in a list is not after it was corrected as it says');
const listOfThese = admin('messages of unknown outcome go out again as a list of just these rows, as the hint says');
const nothingToDo = [
	'test/workflow/review.test.ts',
	'where nothing would go out, the item and the page say why first',
] as const;

const message = (name: string) => ['test/workflow/adviceMessages.test.ts', name] as const;
const setRight = message('what the admin is told through people, once it is set right');
const amka = (name: string) => ['test/workflow/amka/advice.test.ts', name] as const;
const typed = amka('what was typed matches once it is corrected as it says');
const checkedLater = amka('the same is checked later, as it says');
const noColumn = amka('an expression that names no column: with the name of one that the notice has');
const typedCode = ['test/workflow/adviceCodes.test.ts', 'the code is verified once it is typed as it says'] as const;
const askedAgain = (name: string) => ['test/workflow/codes.test.ts', name] as const;

type Done = readonly [file: string, test: string];
/** Reasons of which one test does what they say. */
const each = (done: Done, reasons: string) => Object.fromEntries(reasons.split(' ').map((reason) => [reason, done]));

/** What hints and errors tell an admin: the functions of `advice`. */
export const OF_ADMINS: Record<string, Done> = {
	skippedBefore: admin('goes out again each day with the date as Repeat Key, and two messages to one person stay two'),
	answeredBefore: ['test/workflow/reply.test.ts', 'says of a reply that went out before that there is nothing to do'],
	skippedUnknown: listOfThese,
	unknownNow: listOfThese,
	doNotSend: ['test/workflow/guards.test.ts', "comes before what was sent before: the same row is then nobody's"],
	notTried: admin('a list that was stopped'),
	serviceDown: admin('a list whose service went down'),
	stoppedByFaults: admin('with On Error Stop, a list with faults'),
	stoppedAtEnd: admin('with On Error Stop, a list of which some rows are refused'),
	onTrial: admin('a trial ends when Trial Recipients is emptied'),
};

/** What notices and pages tell people: the reasons, and the other words for them. */
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
		'one in windows-1253 is read once it is saved as an .xlsx, as the page says',
	],
	refused: onlyThisLater,
	notReached: onlyThisLater,
	tooManyMessages: [
		'test/workflow/guards.test.ts',
		'refuses only what is over the limit, so that the message can be sent afterwards',
	],
	quietHours: ['test/workflow/guards.test.ts', 'at %s %d message goes out'],
	sentBefore: nothingToDo,
	twice: ['test/workflow/review.test.ts', 'of two equal rows a review skips the second as such'],
	unknown: listOfThese,
	doNotSend: ['test/workflow/guards.test.ts', "comes before what was sent before: the same row is then nobody's"],
	serviceDown: admin('a list whose service went down'),
	soonOrOnlyThese: admin('a list whose service went down'),
	sameListSoon: [
		'test/workflow/guards.test.ts',
		'that end soon let the same list out after them, as the notice says, nobody twice',
	],
	onlyThese: [
		'test/workflow/guards.test.ts',
		'what they kept goes out in the morning as the notice says, nobody twice: remembered %s',
	],
	allSent: nothingToDo,
	allUnknown: listOfThese,
	allNotWanted: ['test/workflow/guards.test.ts', "comes before what was sent before: the same row is then nobody's"],
	busySending: message('the same is sent later, as it says'),
	checkMobile: [
		'test/workflow/adviceCodes.test.ts',
		'a refused code comes once the mobile is corrected, or the service takes it',
	],
	askSecretariat: ['test/workflow/adviceCodes.test.ts', 'has no admin: the code is sent and checked later, as it says'],
	valueSent: onlyCorrected,
	numberSent: onlyCorrected,
	...each(
		['test/workflow/memoryFull.test.ts', 'goes out as the error says'],
		'memoryFull memoryFullWhole memoryFullPart memoryTooSmall memoryBroken',
	),
	codeAbroad: ['test/workflow/adviceCodes.test.ts', 'a number abroad gets none, and a Greek one does'],
	wrong: typedCode,
	lastTry: typedCode,
	invalid: ['test/workflow/adviceCodes.test.ts', 'whoever begins again is verified'],
	expired: askedAgain('as the notice says after its end: a new one that is right'),
	tooManyAttempts: askedAgain('as the notice says after the last try: nothing is sent until the code ends'),
	used: askedAgain('after it was used: a new one, and the used one stays used with each of its ids'),
	tooManyCodes: askedAgain('five in ten minutes to a number, also at once'),
	codeMayCome: [
		'test/workflow/adviceCodes.test.ts',
		'of an SMS of which nobody knows, the code is typed as it says, or another SMS has the same',
	],
	codeYouHave: askedAgain('five in ten minutes to a number, also at once'),
	leadingZero: amka('leadingZero: all eleven digits are valid'),
	doesNotAgree: amka('what does not agree agrees once it is corrected and filled in'),
	headings: amka('a sheet with a title above its headings is read once the title is removed'),
};

const OTHERS = { ...OTHER_WHAT, ...OTHER_TODO };

export type Sentence = keyof typeof REASONS | keyof typeof OTHERS;

/** What a notice in Greek says to do by a reason, or in these other words, whatever stands in its braces. */
export function sentence(name: Sentence): RegExp {
	const { el } = name in OTHERS ? OTHERS[name as keyof typeof OTHERS] : REASONS[name as keyof typeof REASONS].todo;
	return new RegExp(el.replace(/[.?()]/g, '\\$&').replace(/\{\w+\}/g, '.+'));
}

/* The texts for the admin about a person and about answers of the AMKA registry. */

/** The warnings in the item of a person. */
export const PERSON_WARNINGS = {
	lostZero: 'The AMKA had lost its leading zero, as often happens in spreadsheets. The look-up added the zero.',
	otherDate:
		'The birth date differs from the first six digits of the AMKA. Both can be right, because the number stays the same when the registry corrects a date.',
	mixedLetters:
		'The surname mixes Greek and Latin letters. A Greek and a Latin letter may look alike, but they never match.',
	noGreekLetter:
		'The surname has no Greek letters, but the registry compares Greek letters. The node did not change the surname to Greek letters.',
	unreadableLetters:
		'Some letters of the answer could not be read: the answer is neither in UTF-8 nor in the charset that it names.',
	newerNumber: 'The registry has a newer AMKA for this person. To see it, choose another Output.',
	hasDied: 'The registry says that this person has died.',
	unknownDeath:
		"The registry's note on a death has an unknown code, so it is not clear whether the person has died. Ask the operator of the service.",
	unknownBirthDateNote:
		"The registry's note on the birth date has an unknown code, so it is not clear whether the date is fictitious.",
} as const;

export const addToNoMatchCodes = (status: number, field: string) =>
	`If your service answers like this when the data do not match, add ${status} to ${field} in the credential`;

/** The errors about an answer without a verdict. */
export const NO_VERDICT = {
	otherNumber: {
		message: 'The AMKA service answered about a different number from the one that was looked up',
		whatToDo: 'Such an answer says nothing about this person. Ask the operator of the service why this happens',
	},
	unclearMatch: (match: string) => ({
		message: `The value of match in the answer of the AMKA service is neither true nor false: "${match}"`,
		whatToDo: 'Ask the operator of the service what this value means',
	}),
	noRecord: (status: number) => ({
		message: `The AMKA service answered with HTTP ${status} without a record`,
		whatToDo: 'Check the Base URL in the credential',
	}),
} as const;

/** The texts of a successful credential test. `how`: the way in which the service answered, such as "without a record". */
export const REGISTRY_REACHED = {
	confirmed: 'The AMKA service answered and did not reject the key. Only a real query can prove that the key is right.',
	unconfirmed: (how: string) =>
		`The AMKA service did not reject the key. The test asked about a number that does not belong to anybody, and the answer was ${how}. Only a real query can prove that the key is right.`,
} as const;

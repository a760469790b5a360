/** Why somebody is not verified. */
export type Reason = 'wrong' | 'expired' | 'tooManyAttempts' | 'used' | 'invalid';

const NOTICES: Record<Reason, { greek: string; english: string }> = {
	wrong: { greek: 'Ο κωδικός δεν είναι σωστός.', english: 'The code is not right.' },
	expired: { greek: 'Ο κωδικός έληξε. Ζητήστε νέο κωδικό.', english: 'The code has expired. Ask for a new one.' },
	tooManyAttempts: {
		greek: 'Δόθηκαν πολλοί λανθασμένοι κωδικοί. Δοκιμάστε ξανά αργότερα με νέο κωδικό.',
		english: 'Too many wrong codes were typed. Try again later with a new code.',
	},
	used: {
		greek: 'Ο κωδικός έχει ήδη χρησιμοποιηθεί. Ζητήστε νέο κωδικό.',
		english: 'The code was used already. Ask for a new one.',
	},
	invalid: {
		greek: 'Η επαλήθευση δεν μπορεί να συνεχιστεί. Ξεκινήστε από την αρχή.',
		english: "The verification can't go on. Begin again.",
	},
};

/**
 * What to tell a person who is not verified: Greek and English in one text, ready for a page.
 *
 * @param attemptsLeft how many wrong codes may still be typed, where that is known
 */
export function noticeOf(reason: Reason, attemptsLeft: number | undefined): string {
	const { greek, english } = NOTICES[reason];
	if (reason !== 'wrong' || attemptsLeft === undefined || attemptsLeft === 0) return `${greek} / ${english}`;
	const [inGreek, inEnglish] =
		attemptsLeft === 1
			? ['μία προσπάθεια', 'one attempt']
			: [`${attemptsLeft} προσπάθειες`, `${attemptsLeft} attempts`];
	return `${greek} Σας μένουν ${inGreek}. / ${english} You have ${inEnglish} left.`.replace('μένουν μία', 'μένει μία');
}

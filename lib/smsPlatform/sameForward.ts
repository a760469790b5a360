/** What tells one forward of the platform from another; a field that a forward does not have is empty. */
export interface ForwardFields {
	smsForwardId: string;
	msisdn: string;
	keyword: string;
	body: string;
}

/**
 * Returns the values by which two forwards are compared: if all are equal, the platform sent one forward twice. The id alone
 * does not tell: some platforms give several messages the same id (`part-id-1`, `0`, `null`).
 */
export const identifyForward = ({ smsForwardId, msisdn, keyword, body }: ForwardFields): string[] =>
	[smsForwardId, msisdn, keyword, body].map(compared);

/** Normalising a text with thousands of combining marks in a row takes seconds; UAX #15 allows 30 in stream-safe text. */
const MANY_MARKS = /\p{M}{31}/u;

/** Returns a text in NFC and without blanks at its ends; it stays as it is if normalising it would take long. */
const compared = (text: string): string => (MANY_MARKS.test(text) ? text : text.normalize('NFC')).trim();

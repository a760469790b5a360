/**
 * The fields that identify a forward: an incoming message that the platform forwards to a webhook. A field is empty if the
 * forward does not have it.
 */
interface ForwardFields {
	smsForwardId: string;
	msisdn: string;
	keyword: string;
	body: string;
}

/**
 * Returns the values that decide whether two forwards are equal. If all of them are equal, the platform sent one forward twice.
 * The id alone is not enough, because some platforms give several messages the same id (`part-id-1`, `0`, `null`).
 */
export const identifyForward = ({ smsForwardId, msisdn, keyword, body }: ForwardFields): string[] =>
	[smsForwardId, msisdn, keyword, body].map(compared);

/**
 * Matches more than 30 combining marks in a row, which is the limit of UAX #15 for stream-safe text. Normalising a text with
 * thousands of them takes seconds.
 */
const MANY_MARKS = /\p{M}{31}/u;

/** Returns a text in NFC and without white space at its ends. If NFC would take too long, only the white space is removed. */
const compared = (text: string): string => (MANY_MARKS.test(text) ? text : text.normalize('NFC')).trim();

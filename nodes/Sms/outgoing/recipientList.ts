import { tidy } from '../../shared/greek';
import { badParameter } from '../../shared/problem';
import { isNothing } from '../../shared/parameter';
import { readRecipient } from './recipient';

/** More than a hundred thousand numbers. In UTF-16 units. */
const LONGEST_LIST = 2_000_000;

/**
 * A list of recipients: a text with commas or line breaks between them, or a list of texts and numbers. Entries that are
 * nothing are dropped.
 *
 * @param label the field's name as the editor shows it
 * @returns each in normal form; perhaps none
 * @throws Problem where it is no list, or where an entry is no recipient: which one, without the entry itself
 */
export function readRecipientList(value: unknown, label: string): ReadonlySet<string> {
	const recipients = new Set<string>();
	for (const [index, entry] of entriesOf(value, label).entries()) {
		if (!isNothing(entry))
			recipients.add(readRecipient(entry, true, 'national', `Entry ${index + 1} of ${label}`).same);
	}
	return recipients;
}

function entriesOf(value: unknown, label: string): unknown[] {
	if (isNothing(value)) return [];
	if (Array.isArray(value)) return value;
	if (typeof value === 'number') return [value];
	if (typeof value !== 'string')
		throw badParameter(
			label,
			`must be a list of recipients, and is of type ${typeof value}`,
			'Write the recipients with commas between them, or correct the expression so that it evaluates to a list of mobile numbers',
		);
	if (value.length > LONGEST_LIST)
		throw badParameter(
			label,
			'is longer than two million characters',
			'Check that it contains recipients and nothing else',
		);
	return value.split(/[,\r\n]/u).map(tidy);
}

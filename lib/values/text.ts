import { clean } from '../greek/letters';

/** A value from outside as text, otherwise as JSON. It never throws, as `String` does on `{"toString":1}`. */
export function toText(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return String(value);
	if (value === undefined || value === null) return '';
	try {
		return JSON.stringify(value) ?? '';
	} catch {
		return ''; // It contains itself, or a number that JSON does not know.
	}
}

/** Whether a value is a Date, or a DateTime of n8n's own date functions. */
export function isDateObject(value: unknown): value is { toJSON(): unknown } {
	return typeof value === 'object' && value !== null && typeof (value as { toJSON?: unknown }).toJSON === 'function';
}

/** A key as it is used: without the white space and the invisible characters that come along when it is pasted. */
export const cleanKey = (key: unknown): string => clean(toText(key));

import { clean } from '../greek/letters';

/**
 * Returns a text unchanged, a number as `String` writes it, and any other value as JSON. The result is empty for null, undefined
 * and values that have no JSON text. It never throws, while `String` would throw on `{"toString":1}`.
 */
export function toText(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return String(value);
	if (value === undefined || value === null) return '';
	try {
		return JSON.stringify(value) ?? '';
	} catch {
		return ''; // For example, the value contains itself.
	}
}

/** Returns whether a value has a `toJSON`, as a Date has, or a luxon DateTime, which n8n's date functions return. */
export function isDateObject(value: unknown): value is { toJSON(): unknown } {
	return typeof value === 'object' && value !== null && typeof (value as { toJSON?: unknown }).toJSON === 'function';
}

/** Returns a key without white space at its ends and without invisible characters. Both may be pasted with a key. */
export const cleanKey = (key: unknown): string => clean(toText(key));

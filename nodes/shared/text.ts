/** A value from outside as text, otherwise as JSON. It never throws, as `String` does on `{"toString":1}`. */
export function asText(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return String(value);
	if (value === undefined || value === null) return '';
	try {
		return JSON.stringify(value) ?? '';
	} catch {
		return ''; // It contains itself, or a number that JSON does not know.
	}
}

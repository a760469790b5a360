import { clean } from '../greek/letters';
import { countSegments, LONGEST_SMS } from './segments';

/** The operator's text of a message, with placeholders such as `{Βαθμός,2}`. */
export interface MessageText {
	text: string;
	/**
	 * The names of the placeholders, in the order of their positions. The name is the label, or `Value 1` if the label of
	 * position 1 is empty. If several placeholders have the same label, the second one is named `label (2)`.
	 */
	placeholders: string[];
}

/** Matches a placeholder, `{label,position}`. The label may contain commas. */
const PLACEHOLDER = /\{([^{}]*),\s*(\d{1,3})\s*\}/gu;

/**
 * Returns the names of the placeholders of a text, one for each position. If a position is wrong, returns the reason of the
 * fault.
 */
export function placeholdersOf(text: string): string[] | string {
	const labels = new Map<number, string>();
	for (const [, label, position] of text.matchAll(PLACEHOLDER))
		if (!labels.has(Number(position))) labels.set(Number(position), clean(label!));
	const positions = [...labels.keys()].sort((one, other) => one - other);
	const wrong = positions.find((position, index) => position !== index + 1);
	if (wrong === 0) return 'has a placeholder with the position 0, but the first position is 1';
	if (wrong !== undefined)
		return `has a placeholder with the position ${wrong}, but none with the position ${positions.indexOf(wrong) + 1}`;

	const used = new Set<string>();
	for (const position of positions) {
		const label = labels.get(position) || `Value ${position}`;
		let id = label;
		for (let count = 2; used.has(id); count++) id = `${label} (${count})`;
		used.add(id);
	}
	return [...used];
}

/**
 * Returns the text that the recipient gets, and its length in SMS. If the number of replacements is wrong, returns in `fault`
 * which placeholders the message has. If the replacements are too long, returns in `fault` the limit. Both are sentences
 * without a full stop.
 * @param replacements the values in the order of positions; the first one replaces the placeholder with position 1
 */
export function fillPlaceholders({ text, placeholders }: MessageText, replacements: string[]) {
	if (replacements.length !== placeholders.length) {
		const names = `The placeholders of the message are ${placeholders.join(', ')}`;
		return { fault: placeholders.length === 0 ? 'The message has no placeholders' : names };
	}
	const lengths = [...text.matchAll(PLACEHOLDER)].map(([, , position]) => replacements[Number(position) - 1]!.length);
	if (lengths.reduce((sum, length) => sum + length, 0) > LONGEST_SMS)
		return {
			fault: `Together, the values have more than ${LONGEST_SMS} characters, and no SMS can hold that many`,
		};
	const filled = text.replace(PLACEHOLDER, (_, _label, position) => replacements[Number(position) - 1]!);
	return { text: filled, segments: countSegments(filled) };
}

/**
 * Matches a placeholder without a position. More than 60 characters in braces don't count as a placeholder, because the error
 * would show them all.
 */
const NO_POSITION = /\{[^{}]{1,60}\}(?<!,\s{0,3}\d{1,3}\s{0,3}\})/u;

/** Returns the first placeholder without a position, with its braces. Undefined: all placeholders have a position. */
export const placeholderWithoutPosition = (text: string): string | undefined => NO_POSITION.exec(text)?.[0];

/**
 * Returns the fault of a text with a placeholder without a position, as a text that follows the name of the line. Undefined: all
 * placeholders have a position.
 */
export function withoutPosition(text: string): string | undefined {
	const found = placeholderWithoutPosition(text);
	if (found === undefined) return undefined;
	const label = found.slice(0, -1).trimEnd().replace(/,$/, '');
	return `contains ${found} without a position: add it, as in ${label},1}`;
}

import { foldForComparison, clean } from '../greek/letters';
import { isBlank } from '../n8n/parameters';
import { countSegments, LONGEST_SMS } from './segments';

/** The operator's text of a message, with placeholders such as `{Βαθμός,2}`. */
export interface MessageText {
	text: string;
	/**
	 * The names of the placeholders, in the order of their positions. The name is the label. If two placeholders have the same
	 * label, the second one is named `label (2)`.
	 */
	placeholders: string[];
}

/** A predefined message of the platform, from the field Messages of the credential. */
export type PredefinedMessage = MessageText & { serviceId: string; messageId: string };

/** The fault of a line. `line`: the number of the line, from 1. `reason`: the text that follows this number in the error. */
type LineFault = { line: number; reason: string };

/**
 * Reads the field Messages of the credential. Each line is one predefined message, `serviceId/messageId: text`. Empty lines and
 * lines that begin with # are skipped. `\n` in a text is a line break. If a placeholder has no position, the result has both a
 * fault and the message. This placeholder stays unchanged in the text.
 */
export function readMessages(lines: unknown) {
	const messages: PredefinedMessage[] = [];
	const faults: LineFault[] = [];
	for (const [index, content] of (typeof lines === 'string' ? lines : '').split(/\r\n|\r|\n/u).entries()) {
		const line = content.replace(/^\p{Cf}+/u, '').trim();
		if (line === '' || line.startsWith('#')) continue;
		const message = readLine(line, messages);
		const reason = typeof message === 'string' ? message : withoutPosition(message.text);
		if (typeof message !== 'string') messages.push(message);
		if (reason !== undefined) faults.push({ line: index + 1, reason });
	}
	return { messages, faults };
}

/**
 * Reads a line.
 * @param earlier the messages of the lines before
 * @returns the message, or the reason of the line's fault
 */
function readLine(line: string, earlier: PredefinedMessage[]): PredefinedMessage | string {
	const parts = /^([^/]*)\/([^:]*):([^]*)$/u.exec(line);
	if (parts === null) return 'is not of the form serviceId/messageId: text';
	const [serviceId, messageId, text] = [clean(parts[1]!), clean(parts[2]!), parts[3]!.trim().replaceAll('\\n', '\n')];
	if (serviceId === '') return 'has no service ID before the /';
	if (messageId === '') return 'has no message ID between the / and the :';
	if (clean(text) === '') return 'has no text after the :';
	if (findMessage(earlier, serviceId, messageId) !== undefined)
		return 'names a message that an earlier line has already';
	const placeholders = placeholdersOf(text);
	return typeof placeholders === 'string' ? placeholders : { serviceId, messageId, text, placeholders };
}

/** Matches a placeholder without a position. Its length is limited, because the error shows it. */
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
	return `contains ${found} without a position: write ${label},1}, or another number`;
}

/** Finds the message with these ids. Undefined: the credential does not have it. */
export const findMessage = (messages: PredefinedMessage[], serviceId: string, messageId: string) =>
	messages.find((message) => message.serviceId === serviceId && message.messageId === messageId);

/**
 * Returns the ids of the chosen message. If no service was chosen, the list in the form has the messages of all services. Then
 * the value of the parameter Message contains both ids, separated by a slash as in the credential.
 */
export function idsOf<T>(serviceId: T, messageId: T): [serviceId: T | string, messageId: T | string] {
	const parts = isBlank(serviceId) && typeof messageId === 'string' ? /^([^/]+)\/([^]+)$/u.exec(messageId) : null;
	return parts === null ? [serviceId, messageId] : [parts[1]!, parts[2]!];
}

/** The largest number of ids in the description of the known messages. */
const NAMED = 10;

/**
 * Describes the known messages, for the error about a message that was not found. The text names the services of the credential,
 * or the messages of the service, and the first line that can't be read. It has no full stop.
 */
export function describeKnownMessages(messages: PredefinedMessage[], [wrong]: LineFault[], serviceId: string): string {
	const unread = wrong && `Line ${wrong.line} of Messages of the credential ${wrong.reason}`;
	if (messages.length === 0) return unread ?? 'Messages of the credential is empty';
	const ofService = messages.filter((message) => message.serviceId === serviceId);
	const isService = ofService.length > 0;
	const named = isService ? ofService.map((each) => each.messageId) : messages.map((each) => each.serviceId);
	const ids = [...new Set(named)];
	const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : '';
	const which = isService ? 'these messages of the service' : 'messages of these services only';
	const known = `The credential has ${which}: ${ids.slice(0, NAMED).join(', ')}${more}`;
	return unread === undefined ? known : `${known}. ${unread}`;
}

/** Returns whether a text contains the search text, ignoring case and accents. */
export const matchesSearch = (text: string, search: string | undefined): boolean =>
	foldForComparison(text.slice(0, LONGEST_SMS)).includes(foldForComparison((search ?? '').slice(0, 200)));

/** Matches a placeholder, `{label,position}`. The label may contain commas. */
const PLACEHOLDER = /\{([^{}]*),\s*(\d{1,3})\s*\}/gu;

/**
 * Returns the names of the placeholders of a text, one for each position. If a position is wrong, returns the reason of the
 * fault.
 */
function placeholdersOf(text: string): string[] | string {
	const labels = new Map<number, string>();
	for (const [, label, position] of text.matchAll(PLACEHOLDER))
		if (!labels.has(Number(position))) labels.set(Number(position), clean(label!));
	const positions = [...labels.keys()].sort((one, other) => one - other);
	const wrong = positions.find((position, index) => position !== index + 1);
	if (wrong === 0) return 'has a placeholder with the position 0, but positions count from 1';
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
 * Returns the text that the recipient gets, and its length in SMS. If the number or the length of the replacements is wrong,
 * returns the fault as a sentence without a full stop.
 * @param replacements the values in the order of positions; the first one replaces the placeholder with position 1
 */
export function fillPlaceholders({ text, placeholders }: MessageText, replacements: string[]) {
	const wanted = placeholders.length;
	const given = replacements.length;
	if (given !== wanted) {
		const many = `${wanted} replacement${wanted === 1 ? '' : 's'} (${placeholders.join(', ')})`;
		const takes = wanted === 0 ? 'no replacements' : many;
		return { fault: `The message takes ${takes}, but ${given} ${given === 1 ? 'was' : 'were'} given` };
	}
	const lengths = [...text.matchAll(PLACEHOLDER)].map(([, , position]) => replacements[Number(position) - 1]!.length);
	if (lengths.reduce((sum, length) => sum + length, 0) > LONGEST_SMS)
		return { fault: `The replacements fill in more than ${LONGEST_SMS} characters, which is too long for any SMS` };
	const filled = text.replace(PLACEHOLDER, (_, _label, position) => replacements[Number(position) - 1]!);
	return { text: filled, segments: countSegments(filled) };
}

import { foldForComparison, clean } from '../greek/letters';
import { isBlank } from '../n8n/parameters';
import { countSegments, LONGEST_SMS } from './segments';

/** The operator's own words, with placeholders such as `{Βαθμός,2}`. */
export interface MessageText {
	text: string;
	/** Its placeholders in the order of their positions, by what tells the editor's fields apart: the label, or `label (2)`. */
	placeholders: string[];
}

/** A predefined message of the platform, as the credential's Messages list it. */
export type PredefinedMessage = MessageText & { serviceId: string; messageId: string };

/** What is wrong with a line. It counts from 1; `reason` goes on from its number. */
type LineFault = { line: number; reason: string };

/**
 * Reads the credential's Messages: one predefined message a line, `serviceId/messageId: text`. Empty lines and those
 * that begin with # are passed over; `\n` in a text is a line break. A line whose placeholder has no position is a
 * fault, and sent as it stands.
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

/** @param earlier the messages of the lines before @returns the message of a line, or what is wrong with it */
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

/** Bounded, because it is repeated to the user. */
const NO_POSITION = /\{[^{}]{1,60}\}(?<!,\s{0,3}\d{1,3}\s{0,3}\})/u;

/** The first placeholder of a text whose position was forgotten, braces and all; undefined where none was. */
export const placeholderWithoutPosition = (text: string): string | undefined => NO_POSITION.exec(text)?.[0];

/** What is wrong with a text that has one, as it goes on from what is spoken of; otherwise undefined. */
export function withoutPosition(text: string): string | undefined {
	const found = placeholderWithoutPosition(text);
	if (found === undefined) return undefined;
	const label = found.slice(0, -1).trimEnd().replace(/,$/, '');
	return `contains ${found} without a position: write ${label},1}, or another number`;
}

/** The message with these ids; undefined where its text is not known. */
export const findMessage = (messages: PredefinedMessage[], serviceId: string, messageId: string) =>
	messages.find((message) => message.serviceId === serviceId && message.messageId === messageId);

/**
 * The ids of a message, as they were chosen. Without a service the list has the messages of all, each by both of its ids
 * as in the credential, with the first / between them.
 */
export function idsOf<T>(serviceId: T, messageId: T): [serviceId: T | string, messageId: T | string] {
	const parts = isBlank(serviceId) && typeof messageId === 'string' ? /^([^/]+)\/([^]+)$/u.exec(messageId) : null;
	return parts === null ? [serviceId, messageId] : [parts[1]!, parts[2]!];
}

const NAMED = 10;

/**
 * What there is where no message has the ids that were given: services, or messages of the service, and the first line that
 * can't be read. Without a full stop.
 */
export function whatThereIs(messages: PredefinedMessage[], [wrong]: LineFault[], serviceId: string): string {
	const unread = wrong && `Line ${wrong.line} of Messages of the credential ${wrong.reason}`;
	if (messages.length === 0) return unread ?? 'Messages of the credential is empty';
	const ofService = messages.filter((message) => message.serviceId === serviceId);
	const isService = ofService.length > 0;
	const named = isService ? ofService.map((each) => each.messageId) : messages.map((each) => each.serviceId);
	const ids = [...new Set(named)];
	const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : '';
	const which = isService ? 'these messages of the service' : 'messages of these services alone';
	const there = `The credential has ${which}: ${ids.slice(0, NAMED).join(', ')}${more}`;
	return unread === undefined ? there : `${there}. ${unread}`;
}

/** Whether a text has the words that somebody searches for, without distinction of case and accents. */
export const matchesSearch = (text: string, search: string | undefined): boolean =>
	foldForComparison(text.slice(0, LONGEST_SMS)).includes(foldForComparison((search ?? '').slice(0, 200)));

/** `{label,position}`: the label may contain commas, the position is the last part. */
const PLACEHOLDER = /\{([^{}]*),\s*(\d{1,3})\s*\}/gu;

/** The placeholders of a text; a position that is there twice is one place. Or the rule that they break. */
function placeholdersOf(text: string): string[] | string {
	const labels = new Map<number, string>();
	for (const [, label, position] of text.matchAll(PLACEHOLDER))
		if (!labels.has(Number(position))) labels.set(Number(position), clean(label!));
	const positions = [...labels.keys()].sort((one, other) => one - other);
	const wrong = positions.find((position, index) => position !== index + 1);
	if (wrong === 0) return 'has a text whose placeholder positions count from 1, and one is 0';
	if (wrong !== undefined)
		return `has a text whose placeholder positions leave out ${positions.indexOf(wrong) + 1}, although there is a ${wrong}`;

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
 * The text that arrives, and how many SMS it takes; or what does not fit, as a sentence without a full stop.
 * @param replacements the first one takes the placeholder with position 1
 */
export function fillPlaceholders({ text, placeholders }: MessageText, replacements: string[]) {
	const wanted = placeholders.length;
	const given = replacements.length;
	if (given !== wanted) {
		const many = `${wanted} replacement${wanted === 1 ? '' : 's'} (${placeholders.join(', ')})`;
		const takes = wanted === 0 ? 'no replacements' : many;
		return { fault: `The message takes ${takes}, and ${given} ${given === 1 ? 'was' : 'were'} given` };
	}
	const lengths = [...text.matchAll(PLACEHOLDER)].map(([, , position]) => replacements[Number(position) - 1]!.length);
	if (lengths.reduce((sum, length) => sum + length, 0) > LONGEST_SMS)
		return { fault: `The replacements fill in more than ${LONGEST_SMS} characters, and no SMS is as long` };
	const filled = text.replace(PLACEHOLDER, (_, _label, position) => replacements[Number(position) - 1]!);
	return { text: filled, segments: countSegments(filled) };
}

import { foldForComparison, clean } from '../greek/letters';
import { isBlank } from '../n8n/parameters';
import { placeholdersOf, withoutPosition, type MessageText } from './placeholders';
import { LONGEST_SMS } from './segments';

/** A predefined message of the platform, from the field Messages in the credential. */
export type PredefinedMessage = MessageText & { serviceId: string; messageId: string };

/** The fault of a line. `line`: the number of the line, from 1. `reason`: the text that follows this number in the error. */
type LineFault = { line: number; reason: string };

/**
 * Reads the field Messages in the credential. Each line is one predefined message, `serviceId/messageId: text`. Empty lines and
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
	if (parts === null) return 'does not have the form serviceId/messageId: text';
	const [serviceId, messageId, text] = [clean(parts[1]!), clean(parts[2]!), parts[3]!.trim().replaceAll('\\n', '\n')];
	if (serviceId === '') return 'has no service ID before the /';
	if (messageId === '') return 'has no message ID between the / and the :';
	if (clean(text) === '') return 'has no text after the :';
	if (findMessage(earlier, serviceId, messageId) !== undefined)
		return 'has the same service ID and message ID as an earlier line';
	const placeholders = placeholdersOf(text);
	return typeof placeholders === 'string' ? placeholders : { serviceId, messageId, text, placeholders };
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
 * Describes the known messages, for the error about a message that was not found. The text names the first services of the
 * credential, or the first messages of the service, and the fault of the first faulty line. It has no full stop at its end.
 */
export function describeKnownMessages(messages: PredefinedMessage[], [wrong]: LineFault[], serviceId: string): string {
	const unread = wrong && `In the credential, line ${wrong.line} of Messages ${wrong.reason}`;
	if (messages.length === 0) return unread ?? 'The field Messages in the credential is empty';
	const ofService = messages.filter((message) => message.serviceId === serviceId);
	const isService = ofService.length > 0;
	const named = isService ? ofService.map((each) => each.messageId) : messages.map((each) => each.serviceId);
	const ids = [...new Set(named)];
	const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : '';
	const which = isService ? 'these messages of the service' : 'only messages of these services';
	const known = `The credential has ${which}: ${ids.slice(0, NAMED).join(', ')}${more}`;
	return unread === undefined ? known : `${known}. ${unread}`;
}

/** Returns whether a text contains the search text, ignoring case and accents. */
export const matchesSearch = (text: string, search: string | undefined): boolean =>
	foldForComparison(text.slice(0, LONGEST_SMS)).includes(foldForComparison((search ?? '').slice(0, 200)));

import { groupBy } from '../../texts/groups';
import { noticeOf, shortenNumbers, type About, type Language } from '../../texts/notice';
import type { OtherTodo, Reason } from '../../texts/reasons';
import { redactPersonalNumbers } from '../../texts/redact';
import type { ValueWarning } from './find';

/*
 * Collects the warnings of a list. Warnings of several rows with the same kind, text and placeholder become one, with the first
 * rows and values as examples.
 */

/** The number of examples of a warning. */
export const EXAMPLES = 3;

/** The keys of the advice (in `lib/texts/reasons`) if the messages were already sent. */
const ONCE_SENT: Partial<Record<Reason, OtherTodo>> = {
	looksLikeDate: 'valueSent',
	longNumber: 'numberSent',
	roundMobile: 'valueSent',
	notValue: 'valueSent',
	boolean: 'valueSent',
};

/** A message that was sent, or that would be sent according to Review a List. */
export interface CheckedMessage {
	row: number;
	isSent: boolean;
	warnings: ValueWarning[];
	reference?: string;
	recipient?: string;
	/** The recipient in normal form. Only Review a List sets it. */
	normal?: string;
	/** The service, message and replacements, as one text. It is the same for equal messages. Only Review a List sets it. */
	content?: string;
}

export type Warning = ReturnType<typeof createWarning>;

/**
 * Makes a warning.
 * @param cells the values with their rows
 * @param isOut whether at least one message in the list was already sent
 */
function createWarning(
	kind: Reason,
	about: About,
	cells: Array<{ row: number; value?: string }>,
	isOut: boolean,
	language: Language,
) {
	const todo = isOut ? (ONCE_SENT[kind] ?? '') : '';
	return {
		kind,
		notice: noticeOf({ reason: kind, about: { ...about, todo } }, language),
		rows: cells.length,
		examples: cells.slice(0, EXAMPLES).map(({ row }) => row),
		values: cells.slice(0, EXAMPLES).map(({ value = '' }) => value),
	};
}

/** Makes all warnings about a list of messages. */
export function summarizeWarnings(messages: CheckedMessage[], language: Language): Warning[] {
	const isOut = messages.some(({ isSent }) => isSent);
	const found = aboutValues(messages, isOut, language);
	const shared = withSeveral(
		messages,
		({ reference }) => reference,
		({ recipient }) => recipient,
	).map(({ row, reference }) => ({ row, value: redactPersonalNumbers(reference!) }));
	if (shared.length > 0) found.push(createWarning('sameReference', {}, shared, isOut, language));
	const toOne = withSeveral(
		messages.filter(({ normal }) => normal !== undefined),
		({ normal }) => normal,
		({ content }) => content,
	).map(({ row, normal }) => ({ row, value: shortenNumbers(normal!) }));
	if (toOne.length > 0) found.push(createWarning('sameRecipient', {}, toOne, isOut, language));
	return found;
}

/** Makes the warnings about values: one for each kind, text and placeholder. */
function aboutValues(messages: CheckedMessage[], isOut: boolean, language: Language): Warning[] {
	const cells = messages.flatMap(({ row, warnings }) => warnings.map((warning) => ({ row, ...warning })));
	return [...groupBy(cells, ({ kind, what, field_en }) => `${kind} ${what} ${field_en}`).values()].map((alike) => {
		const [{ kind, what, field_el, field_en, value }] = alike as [(typeof alike)[number]];
		const many = new Set(alike.map((each) => each.value)).size > 1 ? 1 : 0;
		return createWarning(kind, { what, field_el, field_en, value, number: value, many }, alike, isOut, language);
	});
}

/** Returns the messages that have the same key as another message with another value. */
const withSeveral = (
	messages: CheckedMessage[],
	keyOf: (of: CheckedMessage) => string | undefined,
	valueOf: (of: CheckedMessage) => string | undefined,
): CheckedMessage[] =>
	[...groupBy(messages, keyOf).values()].flatMap((same) => (new Set(same.map(valueOf)).size > 1 ? same : []));

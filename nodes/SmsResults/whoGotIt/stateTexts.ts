import { clip, noticeOf, shortenNumbers, type Language } from '../../../lib/texts/notice';
import { STATE_NAMES, STATE_NOTICES } from '../../../lib/texts/messageStates';
import type { InBoth } from '../../../lib/texts/reasons';
import type { State } from '../items/facts';
import type { Message } from '../messages/message';

/* Selects the texts about the state of a message. */

/** Returns the names of the state of a message, for one message and for many. */
export const nameOfState = (message: Message) =>
	message.state === 'late' && !isReportLate(message) ? STATE_NAMES.sentBefore : STATE_NAMES[message.state];

/** The notices of the states that have one. */
const notices: Partial<Record<State, InBoth>> = STATE_NOTICES;

/**
 * Returns whether the report is overdue. A message that was skipped, because it was sent before, has a notice and no `sentAt`.
 * Its report does not count as overdue, because it is not known when the message was sent.
 */
export const isReportLate = ({ state, sentAt, notice }: Message): boolean =>
	state === 'late' && (sentAt !== undefined || notice === undefined);

/** Returns the notice of a message. Undefined: its state needs no notice, for example because it was delivered. */
export function noticeOfMessage(message: Message, language: Language): string | undefined {
	const { state, report, notice: why } = message;
	if (state === 'unknown') return noticeOf({ reason: 'unknown' }, language);
	if (state === 'notWanted') return noticeOf({ reason: 'doNotSend' }, language);
	// SMS Send wrote a notice into the item when it did not send the message. That notice is used.
	const isExplained = state === 'notSent' || (state === 'late' && !isReportLate(message));
	if (isExplained && why !== undefined) return why;
	const notice = notices[state];
	if (notice === undefined) return undefined;
	const code = report?.errorCode === undefined ? '' : ` (${clip(shortenNumbers(report.errorCode.slice(0, 1000)), 40)})`;
	const noticeIn = (one: 'el' | 'en') => notice[one].replace('{code}', () => code);
	return language === 'both' ? `${noticeIn('el')} / ${noticeIn('en')}` : noticeIn(language);
}

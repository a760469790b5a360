/* The texts for the admin about the memory: n8n's list of the workflow, in which SMS Send remembers the messages that it sent. */

const OTHER_WAYS = 'use the Redis counter (see "Large lists" in the documentation), or a copy of this workflow';

/**
 * Returns what to do with messages that do not fit into the memory.
 * @param from when there will be room; empty if the list never fits
 * @param isPartOut whether a part of the list was sent. Then the advice is not to send the whole list later, because the memory
 * may no longer know that part
 */
export function whenFull(from: string, isPartOut: boolean): string {
	const later = from === '' ? '' : `There will be room again from ${from}. `;
	return isPartOut
		? `${later}Send a list of just the refused rows${from === '' ? '' : ' after that, or now'} from a copy of this workflow`
		: `${later}To send this list ${from === '' ? 'as a whole' : 'now'}, ${OTHER_WAYS} for this list`;
}

/** Returns how full the memory is. @param room the number of further messages that fit */
export const almostFull = (percent: number, room: number | undefined): string =>
	`The memory of sent messages is ${percent}% full: this workflow can remember ${room} more messages at present. If there is no room to remember a message, the node refuses to send it. For longer lists, ${OTHER_WAYS} for each list.`;

/** The errors if n8n's list can't be used. */
export const LIST_ERRORS = {
	/** The error if a Remove Duplicates node uses the same list in a mode that stores no entries. */
	usedOtherwise: {
		message:
			"A Remove Duplicates node of this workflow has the scope Workflow, so it uses the list in which this node remembers sent messages. As a result, this node can't use the list",
		whatToDo:
			'Run the Remove Duplicates node once with the operation Clear Deduplication History and the scope Workflow. Then set that node back to its earlier operation, with the scope Node. After that, this node treats all messages as not yet sent',
	},
	unusable: (error: string) => ({
		message: `n8n's list of sent messages can't be used: ${error}`,
		whatToDo: "Try again. If the error persists, ask the n8n admin to look at n8n's database",
	}),
	filledByOthers: {
		message: 'Other n8n processes are writing to the list of sent messages at the same time',
		whatToDo: 'Let only one n8n process send the lists from this workflow. Try again in a minute',
	},
} as const;

/** The name of the list in a notice. */
export const LIST_NAME = {
	field_el: 'τη μνήμη των απεσταλμένων μηνυμάτων',
	field_en: 'the memory of sent messages',
} as const;

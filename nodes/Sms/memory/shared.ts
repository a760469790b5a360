/** A message that is claimed, and that some run of this process works on. */
interface Claimed {
	period: number;
	/** `ahead`: any row may begin it, whoever comes first. */
	state: 'ahead' | 'begun';
	/** What the run that claimed it has claimed and not begun. */
	owner: Set<string>;
	/** Wakes those who wait for what becomes of it. */
	waiting: Array<() => void>;
}

/** What the runs of one workflow share while the process lasts. */
export interface Shared {
	claimed: Map<string, Claimed>;
	/** Messages that somebody asks n8n's list about: one at a time, or each would take the other's question for an answer. */
	asking: Map<string, Promise<unknown>>;
	/** Accepted messages, with the period in which they were claimed; those before `KEPT` others are forgotten. */
	accepted: Map<string, number>;
	/** Accepted messages whose mark is not recorded yet. */
	unrecorded: Map<string, number>;
	/** Claims that are perhaps in n8n's list, of messages that were not sent and that nobody works on. */
	leftOver: Map<string, number>;
}

const sharedByName = new Map<string, Shared>();

/** @param name of the list and the length of the window */
export function sharedOf(name: string): Shared {
	const known = sharedByName.get(name);
	if (known !== undefined) return known;
	const shared: Shared = {
		claimed: new Map(),
		asking: new Map(),
		accepted: new Map(),
		unrecorded: new Map(),
		leftOver: new Map(),
	};
	sharedByName.set(name, shared);
	return shared;
}

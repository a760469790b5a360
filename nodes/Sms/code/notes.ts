import { createHmac } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { Problem } from '../../shared/problem';
import type { DerivedKeys } from '../keys';
import { openList, type List } from '../memory/list';

type Mark = readonly [string, string];
async function putMarks(list: List, marks: Mark[]) {
	const fresh = await list.record([...new Set(marks.flat())]);
	return marks.map(([first, second]) => ({ isFirstNew: fresh.has(first), isSecondNew: fresh.has(second) }));
}
async function lookForMarks(list: List, marks: Mark[]) {
	const firsts = await list.record([...new Set(marks.map(([first]) => first))]);
	const known = marks.filter(([first]) => !firsts.has(first));
	const seconds = await list.record([...new Set(known.map(([, second]) => second))]);
	await list.remove([...firsts, ...seconds]);
	return marks.map(([first, second]) => (firsts.has(first) ? 0 : seconds.has(second) ? 1 : 2));
}
const removeMarks = async (list: List, marks: Mark[]) => await list.remove(marks.flat());
const turns = new Map<string, Promise<unknown>>();
async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
	const turn = (turns.get(name) ?? Promise.resolve()).then(work);
	turns.set(
		name,
		turn.catch(() => {}),
	);
	return await turn;
}

/**
 * What is remembered of codes: notes, each of which is there or not. They are in n8n's list of the workflow, which keeps
 * no times, so whatever a note is about has its period in its name.
 */
export interface Notes {
	/** The list's name, by which a process knows what it found out about it. */
	of: string;
	/** For each of these notes, whether it is there. None is left that was not. */
	look(notes: string[]): Promise<boolean[]>;
	/** Puts notes there. @returns for each whether it was not there before */
	put(notes: string[]): Promise<boolean[]>;
	remove(notes: string[]): Promise<void>;
}

/**
 * Works with the notes of this workflow while nothing else in this process does.
 *
 * @param keys those that the notes are made unreadable with: n8n's list contains no number
 * @throws Problem where n8n's list can't be used; nobody is verified then, and nothing is sent
 */
export async function withNotes<T>(
	context: IExecuteFunctions,
	keys: DerivedKeys,
	work: (notes: Notes) => Promise<T>,
): Promise<T> {
	const list = openList(context);
	const markOf = (note: string): Mark => {
		const entry = `smsCode ${createHmac('sha256', keys.memory).update(note).digest('base64url')}`;
		return [entry, `${entry} 2`];
	};
	const use = async <R>(change: Promise<R>): Promise<R> =>
		await change.catch((error: Error) => {
			throw listFailed(error.message);
		});
	const notes: Notes = {
		of: `${list.name}${markOf('').join('')}`,
		look: async (names) => (await use(lookForMarks(list, names.map(markOf)))).map((found) => found === 2),
		put: async (names) =>
			(await use(putMarks(list, names.map(markOf)))).map(({ isFirstNew, isSecondNew }) => isFirstNew || isSecondNew),
		remove: async (names) => await use(removeMarks(list, names.map(markOf))),
	};
	return await inTurn(list.name, async () => await work(notes));
}

/** The words of n8n's list contain no value of ours: its entries are hashes. */
function listFailed(words: string): Problem {
	return new Problem(
		'n8n could not look up which codes were sent and tried',
		`n8n's list of the workflow said: ${words.slice(0, 300)}. If a Remove Duplicates node of this workflow remembers items by date or number with the scope Workflow, set its scope to Node: both use the same list`,
		{ outcome: 'rejected' },
	);
}

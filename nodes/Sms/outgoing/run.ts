import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { openLedger } from '../../shared/ledger';
import type { Why } from '../../shared/notice';
import { readTextOption } from '../../shared/parameter';
import { failing, failuresOf, giveWay, openProgress, runRows, type Opened, type Results } from '../../shared/pool';
import { badParameter, Problem } from '../../shared/problem';

import { isSignable } from '../signedUrl';
import { isUnknown } from './deliver';
import { reference } from './parameters';
import { typedRecipient } from './recipient';

/** A problem as JSON data. */
interface StoredProblem {
	message: string;
	description: string;
	details: IDataObject;
	httpCode?: string;
	why: Why;
}

type Entry<T> = { result: T } | { unknown: StoredProblem };

/**
 * What became of rows, for Retry On Fail and n8n's Retry, which run the whole node again: what was accepted, or may have
 * been, is not sent again. A rejected row is not in it: it may be tried again.
 */
export interface Answers<T> {
	/** By the row's place: within one execution the rows stay the same, whatever an expression evaluates to the next time. */
	ofPlace(itemIndex: number): T | Problem | undefined;
	/** By what the row sends: in another execution, with a corrected list, places are other rows'. */
	ofContent(content: string): T | Problem | undefined;
	keep(itemIndex: number, content: string, result: T | Problem): void;
	/** Forgets the run, once nothing can run it again. */
	close(): void;
}

/** @param T the result of an accepted row, as JSON data. @param lasts as for the ledger */
export function openAnswers<T extends object>(context: IExecuteFunctions, lasts: 'run' | 'execution'): Answers<T> {
	const ledger = openLedger<Entry<T>>(context, lasts);
	const placeOf = (itemIndex: number) => `${context.getExecutionId()} ${itemIndex}`;
	const recall = (id: string): T | Problem | undefined => {
		const entry = ledger.get(id);
		if (entry === undefined || 'result' in entry) return entry?.result;
		const { message, description, details, httpCode, why } = entry.unknown;
		return new Problem(message, description, details, httpCode, why);
	};
	return {
		ofPlace: (itemIndex) => recall(placeOf(itemIndex)),
		ofContent: recall,
		keep(itemIndex, content, result) {
			for (const id of [placeOf(itemIndex), content]) {
				if (!(result instanceof Problem)) ledger.set(id, { result });
				else if (isUnknown(result)) ledger.set(id, { unknown: stored(result) });
				else ledger.forget(id);
			}
		},
		close: () => ledger.close(),
	};
}

const stored = ({ message, description, details, httpCode, why }: Problem): StoredProblem => ({
	message,
	description,
	details,
	httpCode,
	why,
});

/**
 * Works on the rows of a run that sends, but for those that an earlier attempt dealt with, also where nothing can be sent
 * now. A row's problem gets the recipient and the reference that the row names.
 *
 * @param name the node's, for the log
 * @param recipientIn the recipient that a row names, as it is typed
 */
export async function runMessages<T>(
	context: IExecuteFunctions,
	answers: Pick<Answers<T>, 'ofPlace'>,
	name: string,
	recipientIn: (itemIndex: number) => unknown,
	open: () => Promise<Opened<T>>,
): Promise<Results<T>> {
	const progress = openProgress(context, name);
	const results = await runRows(context, async () => {
		const { places, work } = await open().catch(failing<T>);
		return {
			places,
			work: async (itemIndex) => answers.ofPlace(itemIndex) ?? (await work(itemIndex).finally(progress)),
		};
	});
	for (const [done, [itemIndex, problem]] of failuresOf(results).entries()) {
		results[itemIndex] = nameProblem(context, itemIndex, problem, recipientIn);
		await giveWay(done);
	}
	return results;
}

/** A row's problem with what a user knows the row by, as much of it as can be read. */
export function nameProblem(
	context: IExecuteFunctions,
	itemIndex: number,
	problem: Problem,
	recipientIn: (itemIndex: number) => unknown,
): Problem {
	const { details } = problem;
	if (details.recipient !== undefined && details.reference !== undefined) return problem;
	const readable = <R>(read: () => R): R | undefined => {
		try {
			return read();
		} catch {
			return undefined; // The row has an error already, and that one may be it.
		}
	};
	const recipient = readable(() => typedRecipient(recipientIn(itemIndex)));
	const own = readable(() => readReference(context, itemIndex));
	return problem.with({ ...(recipient !== undefined && { recipient }), ...(own !== undefined && { reference: own }) });
}

/** The row's own reference for its message; undefined where the node makes one. */
export function readReference(context: IExecuteFunctions, itemIndex: number): string | undefined {
	const own = readTextOption(context, reference, itemIndex, 256);
	if (own !== undefined && !isSignable(own)) {
		throw badParameter('Reference', 'contains control characters', 'Use a reference of letters and digits');
	}
	// As its report brings it back.
	return own?.normalize('NFC');
}

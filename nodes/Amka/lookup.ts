import { createHash } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { openLedger, type Ledger } from '../shared/ledger';
import { getOption, readFlagOption, readList, readNumberOption } from '../shared/parameter';
import { badParameter } from '../shared/problem';
import { openRegistry, type Registry } from './ask';
import { acceptDeceased, noMatchStatusCodes, retries, timeout } from './parameters';
import { readPerson } from './person';
import type { Answered, Said } from './verdict';

/** What the rows of one run share. */
export interface Lookup {
	ask: Registry;
	/** What earlier attempts of Retry On Fail found out, by what their rows asked. */
	ledger: Ledger<Said<unknown>> | undefined;
}

/** @returns what the rows of a run share; nothing is asked yet */
export function openLookup(context: IExecuteFunctions): Lookup {
	// Where nothing runs the node again, nothing about anybody is kept for it.
	return {
		ask: openRegistry(context),
		ledger: context.getNode().retryOnFail === true ? openLedger<Said<unknown>>(context) : undefined,
	};
}

/**
 * A row that was read: gives what is said of it.
 *
 * @throws Problem where the registry could not be asked
 */
export type Question<Item> = () => Promise<Said<Item>>;

/**
 * Reads a row. Its question asks the registry, unless an earlier attempt of Retry On Fail has asked the same for any row.
 *
 * Matched, not matched and could-not-ask are three things: the first two are items, the last is an error.
 *
 * @param wanted what is said depends on beside the person, as JSON data
 * @throws Problem where a parameter breaks its rule
 */
export function questionOf<Item>(
	context: IExecuteFunctions,
	itemIndex: number,
	lookup: Lookup,
	wanted: unknown,
	say: (answered: Answered) => Said<Item>,
): Question<Item> {
	const { person, how, countsDeceased } = readRow(context, itemIndex);
	if ('reason' in person) return async () => say({ ...person, warnings: [], acceptDeceased: countsDeceased });

	return async () => {
		// A digest, because what a row contains has no place in what is kept of a run.
		const question = createHash('sha256')
			.update(JSON.stringify([person, how, countsDeceased, wanted]))
			.digest('base64url');
		const known = lookup.ledger?.get(question);
		if (known !== undefined) return known as Said<Item>;

		const { result, unreadable } = await lookup.ask(person, how);
		const said = say({
			ssn: person.ssn,
			result,
			warnings: unreadable ? [...person.warnings, UNREADABLE] : person.warnings,
			acceptDeceased: countsDeceased,
		});
		lookup.ledger?.set(question, said);
		return said;
	};
}

const UNREADABLE = 'Some letters of the answer could not be read: it is not in the charset that it names.';

/** Who one row asks about, and how. */
function readRow(context: IExecuteFunctions, itemIndex: number) {
	const how = {
		noMatch: readStatusCodes(getOption(context, noMatchStatusCodes, itemIndex)),
		timeout: readNumberOption(context, timeout, itemIndex) * 1000,
		retries: readNumberOption(context, retries, itemIndex),
	};
	return {
		how,
		countsDeceased: readFlagOption(context, acceptDeceased, itemIndex),
		person: readPerson(context, itemIndex),
	};
}

/** Statuses that say something else than "no match": the key is refused, a proxy asks for a login, time is over, there are too many requests. */
const NEVER_NO_MATCH = ['401', '403', '407', '408', '429'];

function readStatusCodes(value: unknown): number[] {
	const codes = readList(value, noMatchStatusCodes.displayName);
	if (!codes.every((code) => code === '200' || (/^4\d\d$/.test(code) && !NEVER_NO_MATCH.includes(code)))) {
		throw badParameter(
			noMatchStatusCodes.displayName,
			`must be 200, or HTTP statuses from 400 to 499 other than ${NEVER_NO_MATCH.join(', ')}, separated by commas`,
			'Write for example 400, 404, or leave it empty: other statuses say that the registry could not be asked',
		);
	}
	return codes.map(Number);
}

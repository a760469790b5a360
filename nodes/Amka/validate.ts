import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { openLedger, type Ledger } from '../shared/ledger';
import { getParameter } from '../shared/parameter';
import { badParameter } from '../shared/problem';
import { readChoice, readFlag, readList, readNumber, readWholeNumber } from '../shared/read';
import { openRegistry, type Registry } from './ask';
import { toOutput, type OutputForm } from './output';
import { readPerson } from './person';

/** What the rows of one run share. */
export interface Lookup {
	ask: Registry;
	/** Items of rows that an earlier try of Retry On Fail answered. */
	ledger: Ledger<IDataObject> | undefined;
	/** The same items by what their rows ask: a row that is equal to one of them does not ask either. */
	earlier: Map<string, IDataObject>;
}

/** @returns what the rows of a run share; nothing is asked yet */
export function openLookup(context: IExecuteFunctions): Lookup {
	// Where nothing runs the node again, nothing about anybody is kept for it.
	const ledger = context.getNode().retryOnFail === true ? openLedger<IDataObject>(context) : undefined;
	const earlier = new Map<string, IDataObject>();
	for (const [itemIndex, json] of ledger?.entries() ?? []) {
		try {
			earlier.set(JSON.stringify(readRow(context, itemIndex)), json);
		} catch {
			// It was read when it was answered; where its expressions give something else now, it is equal to no row.
		}
	}
	return { ask: openRegistry(context), ledger, earlier };
}

/**
 * Asks the registry whether one row's number, birth date and surname belong together.
 *
 * Matched, not matched and could-not-ask are three things: the first two are items, the last is an error.
 *
 * @throws Problem where a parameter breaks its rule (nothing is sent then) or the registry could not be asked
 */
export async function validate(context: IExecuteFunctions, itemIndex: number, lookup: Lookup): Promise<IDataObject> {
	const known = lookup.ledger?.get(itemIndex);
	if (known !== undefined) return known;

	const row = readRow(context, itemIndex);
	const { person, form } = row;
	if ('reason' in person) return { matched: false, ...person };
	let json = lookup.earlier.get(JSON.stringify(row));
	if (json === undefined) {
		const { result, unreadable } = await lookup.ask(person, row.how);
		const warnings = unreadable ? [...person.warnings, UNREADABLE] : person.warnings;
		json = toOutput(result, person.ssn, form, warnings);
	}
	lookup.ledger?.set(itemIndex, json);
	return json;
}

const UNREADABLE = 'Some letters of the answer could not be read: it is not in the charset that it names.';

/** Everything that one row says. */
function readRow(context: IExecuteFunctions, itemIndex: number) {
	const option = (name: string, label: string, fallback: unknown) => getParameter(context, `options.${name}`, label, itemIndex, fallback);
	const form = readForm(context, itemIndex);
	const checkNumberFirst = readFlag(option('checkNumberFirst', 'Check Number First', true), 'Check Number First');
	const how = {
		noMatch: readStatusCodes(option('noMatchStatusCodes', 'No-Match Status Codes', '')),
		timeout: readNumber(option('timeout', 'Timeout', 30), 'Timeout', 0.001, 3600, 30) * 1000,
		retries: readWholeNumber(option('retries', 'Retries', 2), 'Retries', 0, 10, 2),
	};
	return { form, how, person: readPerson(context, itemIndex, checkNumberFirst) };
}

/** @throws Problem where an expression gives something else: no other form may show more than was asked for */
function readForm(context: IExecuteFunctions, itemIndex: number): OutputForm {
	const output = getParameter(context, 'output', 'Output', itemIndex);
	const kind = readChoice(output, 'Output', ['verdict', 'simplified', 'record', 'selected'] as const);
	if (kind !== 'selected') return { kind };
	return { kind, fields: readList(getParameter(context, 'fields', 'Fields', itemIndex, []), 'Fields') };
}

function readStatusCodes(value: unknown): number[] {
	const codes = readList(value, 'No-Match Status Codes');
	// 401 and 403 say that the key is rejected: they are never "no match".
	if (!codes.every((code) => /^[1-5]\d\d$/.test(code) && !['401', '403'].includes(code))) {
		throw badParameter(
			'No-Match Status Codes',
			'must be HTTP statuses other than 401 and 403, separated by commas',
			'Write for example 400, 404, or leave it empty',
		);
	}
	return codes.map(Number);
}

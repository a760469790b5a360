import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { badParameter, Problem } from '../shared/errors';
import { capitalsWithoutTonos, mixesGreekAndLatin } from '../shared/greek';
import { operationUrl } from '../shared/operationUrl';
import { readText } from '../shared/readText';
import { readTimeout } from '../shared/readTimeout';
import { describeFailure, request, type Credential } from '../shared/request';
import { AMKA_FAULTS, checkAmkaNumber, tidyAmka } from './amkaNumber';
import { readBirthDate } from './birthDate';
import { isMatch, simplify, validationResult, type ValidationResult } from './record';

export const AMKA_PATH = '/api/rest/v1/ssn_validation';

interface Options {
	checkNumberFirst?: boolean;
	noMatchStatusCodes?: string;
	timeout?: number;
}

/**
 * Asks the registry whether one row's number, birth date and surname belong together.
 *
 * Matched, not matched and could-not-ask are three things: the first two are items, the last is an error.
 *
 * @throws Problem where a parameter breaks its rule (nothing is sent then) or the registry could not be asked
 */
export async function validate(
	context: IExecuteFunctions,
	itemIndex: number,
	credential: () => Promise<Credential>,
): Promise<INodeExecutionData> {
	const options = context.getNodeParameter('options', itemIndex, {}) as Options;
	const { ssn, birthDate, surname, warnings } = readPerson(context, itemIndex, options);
	const output = context.getNodeParameter('output', itemIndex) as string;
	const noMatch = readStatusCodes(options.noMatchStatusCodes);
	const timeout = readTimeout(options.timeout);

	const { type, data } = await credential();
	const url = operationUrl(data.baseUrl, AMKA_PATH);
	if (url === undefined) {
		throw badParameter('Base URL', 'is not an http or https address', 'Correct it in the credential');
	}
	const query = `ssn=${encodeURIComponent(ssn)}&birthdate=${birthDate}&surname=${encodeURIComponent(surname)}`;
	const answer = await request(
		context,
		{ type, data },
		{ method: 'GET', url: `${url}?${query}`, timeout },
		validationResult,
		(status) => status === 200,
	);

	let result: ValidationResult;
	if (answer.ok) {
		result = answer.value;
	} else if (answer.failure.kind === 'status' && noMatch.has(answer.failure.status)) {
		result = { match: 'false' };
	} else {
		const { message, whatToDo } = describeFailure('AMKA service', answer.failure);
		const status = 'status' in answer.failure ? answer.failure.status : undefined;
		throw new Problem(message, whatToDo, { asked: false, ...(status && { httpStatus: status }) }, String(status ?? ''));
	}
	return {
		json: toOutput(result, ssn, output, warnings, () =>
			readFields(context.getNodeParameter('fields', itemIndex, [])),
		),
		pairedItem: { item: itemIndex },
	};
}

function toOutput(
	result: ValidationResult,
	ssn: string,
	output: string,
	warnings: string[],
	fields: () => string[],
): IDataObject {
	const matched = isMatch(result);
	const warning = warnings.length > 0 ? { warning: warnings.join(' ') } : {};
	switch (output) {
		case 'verdict':
			return { matched, ssn };
		case 'record':
			return { ssn, ...withoutErrorKey(result), ...warning, matched };
		case 'selected': {
			// Someone else's data may stand in an answer that does not match: it goes no further.
			const chosen = matched ? fields().filter((name) => Object.hasOwn(result, name) && result[name] !== undefined) : [];
			const values = Object.fromEntries(chosen.map((name) => [name, result[name]]));
			return { matched, ssn, ...(values as IDataObject), ...warning };
		}
		default:
			return { matched, ssn, ...(matched ? simplify(result) : {}), ...warning };
	}
}

/** As received, but for a field named `error`: n8n would take the item for a failed one and ask again. */
function withoutErrorKey(result: ValidationResult): IDataObject {
	const { error, ...record } = result as IDataObject;
	return error === undefined ? record : { ...record, registryError: error };
}

function readPerson(context: IExecuteFunctions, itemIndex: number, options: Options) {
	const typed = readText(context.getNodeParameter('ssn', itemIndex), 'AMKA', 40);
	const check = checkAmkaNumber(typed);
	if (!check.valid && options.checkNumberFirst !== false) {
		throw badParameter(
			'AMKA',
			`is not a valid number: ${AMKA_FAULTS[check.reason]}`,
			check.reason === 'leadingZero'
				? 'Format the column as text in the spreadsheet, so that the zero stays'
				: 'Correct the number, or switch off "Check Number First" to send it as it is',
		);
	}
	const ssn = tidyAmka(typed);

	const birthDate = readBirthDate(context.getNodeParameter('birthDate', itemIndex), context.getTimezone());
	if (birthDate === undefined) {
		throw badParameter(
			'Birth Date',
			'is not a date that can be read for certain',
			'Use YYYY-MM-DD or D/M/YYYY (day first, four-digit year)',
		);
	}

	const asTyped = readText(context.getNodeParameter('surname', itemIndex), 'Surname', 200).replace(/\s+/gu, ' ');
	const capitalise = context.getNodeParameter('capitaliseSurname', itemIndex, true) as boolean;
	const surname = capitalise ? capitalsWithoutTonos(asTyped) : asTyped;

	const warnings: string[] = [];
	const [year, month, day] = birthDate.split('-') as [string, string, string];
	if (check.valid && ssn.slice(0, 6) !== `${day}${month}${year.slice(2)}`) {
		warnings.push(
			'The birth date differs from the first six digits of the AMKA. That is possible: the number stays when the registry corrects a date.',
		);
	}
	if (mixesGreekAndLatin(surname)) {
		warnings.push('The surname mixes Greek and Latin letters, which look alike and never match.');
	}
	return { ssn, birthDate, surname, warnings };
}

function readFields(value: unknown): string[] {
	return Array.isArray(value) ? value.map(String) : [];
}

/** `"404, 400"` as a set of HTTP statuses that mean "no match" for this institution. */
function readStatusCodes(value: unknown): Set<number> {
	const codes = String(value ?? '').split(',').map((code) => code.trim()).filter(Boolean);
	// 200 has a verdict of its own, and 401 and 403 say that the key is rejected: those are never "no match".
	if (!codes.every((code) => /^[1-5]\d\d$/.test(code) && !['200', '401', '403'].includes(code))) {
		throw badParameter(
			'No-Match Status Codes',
			'must be HTTP statuses other than 200, 401 and 403, separated by commas',
			'Write for example 400, 404, or leave it empty',
		);
	}
	return new Set(codes.map(Number));
}

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { badParameter, Problem } from '../shared/errors';
import { capitalsWithoutTonos, mixesGreekAndLatin } from '../shared/greek';
import { requireOperationUrl } from '../shared/operationUrl';
import { readText } from '../shared/readText';
import { readTimeout } from '../shared/readTimeout';
import { describeFailure, request, type Answer, type Credential } from '../shared/request';
import { AMKA_FAULTS, checkAmkaNumber, tidyAmka } from './amkaNumber';
import { readBirthDate } from './birthDate';
import { answerOfTheRegistry, isMatch, simplify, type ValidationResult } from './record';

export const AMKA_PATH = '/api/rest/v1/ssn_validation';

type Output = { kind: 'simplified' | 'verdict' | 'record' } | { kind: 'selected'; fields: string[] };

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
	const output = readOutput(context, itemIndex);
	const noMatch = readStatusCodes(options.noMatchStatusCodes);
	const timeout = readTimeout(options.timeout);

	const { type, data } = await credential();
	const url = requireOperationUrl(data.baseUrl, AMKA_PATH);
	const query = `ssn=${encodeURIComponent(ssn)}&birthdate=${birthDate}&surname=${encodeURIComponent(surname)}`;
	const answer = await request(
		context,
		{ type, data },
		{ method: 'GET', url: `${url}?${query}`, timeout },
		answerOfTheRegistry,
		(status) => status === 200,
	);
	const status = answer.ok ? 200 : 'status' in answer.failure ? answer.failure.status : undefined;
	const isNoMatch = status !== undefined && noMatch.has(status) && (answer.ok || answer.failure.kind === 'status');
	const result = answer.ok ? answer.value : undefined;
	if (result === undefined && !isNoMatch) throw couldNotAsk(answer, status);
	return {
		json: toOutput(result, ssn, output, warnings),
		pairedItem: { item: itemIndex },
	};
}

/** Why there is no verdict, and the option for services that say "no match" by this status. */
function couldNotAsk(answer: Answer<unknown>, status: number | undefined): Problem {
	const { message, whatToDo } = answer.ok
		? { message: 'The AMKA service answered HTTP 200 without a record', whatToDo: 'Check the Base URL of the credential' }
		: describeFailure('AMKA service', answer.failure);
	const isPerhapsNoMatch = answer.ok || (answer.failure.kind === 'status' && [400, 404, 422].includes(answer.failure.status));
	const advice = isPerhapsNoMatch
		? `${whatToDo}. If your service answers so where the data do not match, add ${status} to the option "No-Match Status Codes"`
		: whatToDo;
	return new Problem(message, advice, { asked: false, ...(status && { httpStatus: status }) }, String(status ?? ''));
}

function toOutput(
	result: ValidationResult | undefined,
	ssn: string,
	output: Output,
	warnings: string[],
): IDataObject {
	const matched = result !== undefined && isMatch(result);
	const warning = warnings.length > 0 ? { warning: warnings.join(' ') } : {};
	switch (output.kind) {
		case 'verdict':
			return { matched, ssn };
		case 'record':
			return { ...withoutErrorKey(result ?? {}), ssn: result?.ssn || ssn, ...warning, matched } as IDataObject;
		case 'selected': {
			// Someone else's data may stand in an answer that does not match: it goes no further.
			const chosen = Object.entries(matched ? result : {}).filter(
				([name]) => name !== 'matched' && name !== 'ssn' && output.fields.includes(name),
			);
			return { matched, ssn, ...withoutErrorKey(Object.fromEntries(chosen)), ...warning };
		}
		case 'simplified':
			return { matched, ssn, ...(matched ? simplify(result, ssn) : {}), ...warning };
	}
}

/** As received, but for a field named `error`: n8n would take the item for a failed one and ask again. */
function withoutErrorKey(result: object): IDataObject {
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

	const typedDate = context.getNodeParameter('birthDate', itemIndex);
	const birthDate = readBirthDate(typedDate, context.getTimezone());
	if (birthDate === undefined) {
		throw badParameter(
			'Birth Date',
			'is not a date that can be read for certain',
			isDayCount(typedDate)
				? 'It is a number of days, as spreadsheets store dates: format the column as text there'
				: 'Use YYYY-MM-DD or D/M/YYYY (day first, four-digit year)',
		);
	}

	const asTyped = readText(context.getNodeParameter('surname', itemIndex), 'Surname', 200).replace(/\s+/gu, ' ');
	const capitalise = context.getNodeParameter('capitaliseSurname', itemIndex, true) as boolean;
	const surname = capitalise ? capitalsWithoutTonos(asTyped) : asTyped;

	const warnings: string[] = [];
	const [year, month, day] = birthDate.split('-') as [string, string, string];
	// With the check switched off the number may be wrong in other places.
	if (/^\d{11}$/.test(ssn) && ssn.slice(0, 6) !== `${day}${month}${year.slice(2)}`) {
		warnings.push(
			'The birth date differs from the first six digits of the AMKA. That is possible: the number stays when the registry corrects a date.',
		);
	}
	if (mixesGreekAndLatin(surname)) {
		warnings.push('The surname mixes Greek and Latin letters, which look alike and never match.');
	}
	return { ssn, birthDate, surname, warnings };
}

/** How spreadsheets store a day: the days since 1900, five digits for every living person but the oldest. */
function isDayCount(value: unknown): boolean {
	return (typeof value === 'number' || typeof value === 'string') && /^\d{4,5}(?:\.\d+)?$/.test(String(value).slice(0, 20));
}

/** @throws Problem where an expression gives something else: no other form may show more than was asked for */
function readOutput(context: IExecuteFunctions, itemIndex: number): Output {
	const kind = context.getNodeParameter('output', itemIndex);
	if (kind === 'simplified' || kind === 'verdict' || kind === 'record') return { kind };
	if (kind !== 'selected') throw badParameter('Output', 'is unknown', 'Use simplified, verdict, record or selected');
	const fields = context.getNodeParameter('fields', itemIndex, []);
	if (!Array.isArray(fields)) throw badParameter('Fields', 'must be a list of field names', "Write for example {{ ['name_gr', 'tid'] }}");
	return { kind, fields: fields.map(String) };
}

/** `"404, 400"` as a set of HTTP statuses that mean "no match" for this institution; 200 does so without a record. */
function readStatusCodes(value: unknown): Set<number> {
	const codes = String(value ?? '').split(',').map((code) => code.trim()).filter(Boolean);
	// 401 and 403 say that the key is rejected: they are never "no match".
	if (!codes.every((code) => /^[1-5]\d\d$/.test(code) && !['401', '403'].includes(code))) {
		throw badParameter(
			'No-Match Status Codes',
			'must be HTTP statuses other than 401 and 403, separated by commas',
			'Write for example 400, 404, or leave it empty',
		);
	}
	return new Set(codes.map(Number));
}

import { checkAmkaNumber } from '../../lib/greek/amkaNumber';
import { toNumberText } from './parsePerson';
import type { ItemResult } from './verdict';

/**
 * Checks a number offline. An empty value gets the result "not valid" and is no error, because this operation is used on sheets
 * with empty cells.
 * @throws Problem if the value can't be a number
 */
export function checkNumber(typed: unknown): ItemResult {
	const check = checkAmkaNumber(toNumberText(typed));
	if (check.valid) return { item: { ...check } };
	const reason = check.ssn === '' ? 'emptyNumber' : check.reason;
	return { item: { ...check }, why: { reason, about: { value: check.ssn } } };
}

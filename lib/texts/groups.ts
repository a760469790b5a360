import { shortenNumbers } from './notice';
import { fault, type Problem } from './problem';
import { REASONS, type Reason } from './reasons';
import { countForAdmin, nameForAdmin, type RowNumbers } from './rowNumber';

/** The largest number of reasons in a text, of rows for each reason, and of values for each reason. */
const MOST_REASONS = 12;
const FEW = 5;
const FEW_VALUES = 3;

/** Groups values by a key. Groups are in the order of their first members, and members keep their order. */
export function groupBy<T, K>(all: Iterable<T>, keyOf: (each: T) => K): Map<K, T[]> {
	const groups = new Map<K, T[]>();
	for (const each of all) {
		const key = keyOf(each);
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [each]);
		else group.push(each);
	}
	return groups;
}

/**
 * Groups failed rows by their problem, the most frequent first. Problems that differ only in the row's value are one group.
 */
export function groupsOf(failed: Array<[itemIndex: number, problem: Problem]>) {
	const groups = groupBy(failed, ([, problem]) => {
		const { why, message } = problem;
		const name = valueName(problem);
		return name === undefined ? message : JSON.stringify([why.reason, { ...why.about, [name]: '' }]);
	});
	const mostFirst = [...groups.values()].sort((one, other) => other.length - one.length);
	return mostFirst.map((group) => ({
		/** The problem of the first row. If the values differ from row to row, it names the first ones. */
		problem: inOne(group.map(([, problem]) => problem)),
		rows: group.map(([itemIndex]) => itemIndex),
	}));
}

/** Returns the name of the placeholder for a row's value in the text of a problem. Undefined if the text has none. */
const valueName = ({ why: { reason } }: Problem) =>
	(['value', 'date'] as const).find((name) => wordsIn(REASONS[reason]).includes(`{${name}}`));

const wordsIn = ({ what, todo }: (typeof REASONS)[Reason]) => `${what.en} ${todo.en}`;

function inOne(problems: Problem[]): Problem {
	const [first] = problems as [Problem, ...Problem[]];
	const name = valueName(first);
	if (problems.length === 1 || name === undefined) return first;
	// Each number is shortened by itself. With a comma between them, two numbers would be shortened as one.
	const shorten = name === 'value' ? shortenNumbers : String;
	const values = [...new Set(problems.map(({ why }) => shorten(String(why.about?.[name]))))];
	// One cell may have two numbers, separated by a comma.
	const between = values.some((value) => value.includes(',')) ? '; ' : ', ';
	const value = values.slice(0, FEW_VALUES).join(between) + (values.length > FEW_VALUES ? ' …' : '');
	const many = values.length > 1 && { many: 1 };
	const all = fault(first.why.reason, { ...first.why.about, [name]: value, ...many });
	// If the text sends people to the admin, or has other advice for visitors, the admin gets the advice of the first problem.
	const isForPeople = /\bthe admin\b/.test(all.description) || Boolean(first.why.about?.todo);
	return isForPeople ? all.copyWith({ description: first.description }) : all;
}

/**
 * Describes failed rows by reason, with advice, as in "Recipient is empty: 2 rows (row 2, row 5). Fill it in". Returns an empty
 * text if no row failed.
 * @param alreadyRead the text before this one. Its advice is not repeated
 */
export function groupByReason(
	failed: Array<[itemIndex: number, problem: Problem]>,
	list: RowNumbers,
	alreadyRead = '',
): string {
	const known = new Set(['']);
	const problems = new Map(failed);
	const groups = groupsOf(failed);
	const named = groups.slice(0, MOST_REASONS).map(({ problem, rows }) => {
		const few = rows.slice(0, FEW).map((itemIndex) => nameRow(list.numbers[itemIndex]!, list, problems.get(itemIndex)));
		const counted = `${problem.message}: ${countForAdmin(rows.length, list)} (${few.join(', ')}${rows.length > FEW ? ' …' : ''})`;
		const advice = adviceOf(problem);
		const isNew = !known.has(advice) && !alreadyRead.includes(advice);
		known.add(advice);
		return isNew ? `${counted}. ${advice}` : counted;
	});
	const more = groups.slice(MOST_REASONS).reduce((sum, { rows }) => sum + rows.length, 0);
	return [...named, ...(more > 0 ? [`Other reasons: ${countForAdmin(more, list)}`] : [])].join('. ');
}

/**
 * Returns what an admin should do about failed rows, without a full stop. Empty if the text of the run says it (`advice`).
 */
function adviceOf({ description, why }: Problem): string {
	if (why.reason === 'serviceDown') return '';
	if (why.reason === 'unknown')
		return why.about?.remedy === undefined ? '' : `Before you run anything: ${why.about.remedy}`;
	return description.replace(/\.$/, '');
}

export const countRows = (count: number) => `${count} ${count === 1 ? 'row' : 'rows'}`;

/**
 * Returns the name of a row: its number, and the last digits of its person's number, as in "row 5 (…678)" or "item 5 (…678)".
 */
export function nameRow(row: number, list: RowNumbers, problem?: Problem): string {
	const number = [problem?.details.recipient, problem?.details.ssn].find(
		(text): text is string => typeof text === 'string' && /\d{7}/.test(text),
	);
	return nameForAdmin(row, list, number?.slice(-3));
}

import { shortenNumbers } from './notice';
import { fault, type Problem } from './problem';
import { REASONS, type Reason } from './reasons';
import { countForAdmin, nameForAdmin, type RowNumbers } from './rowNumber';

/** The largest number of reasons in a text. */
const MOST_REASONS = 12;
/** The largest number of rows that are named for a reason. */
const FEW_ROWS = 5;
/** The largest number of values that are named for a reason. */
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
 * Groups failed rows by their Problem, the most frequent one first. Problems that differ only in the value of the row are in one
 * group.
 */
export function groupsOf(failed: Array<[itemIndex: number, problem: Problem]>) {
	const groups = groupBy(failed, ([, problem]) => {
		const { why, message } = problem;
		const name = valueName(problem);
		return name === undefined ? message : JSON.stringify([why.reason, { ...why.about, [name]: '' }]);
	});
	const mostFirst = [...groups.values()].sort((one, other) => other.length - one.length);
	return mostFirst.map((group) => ({
		/** The Problem of the group. If the values of the rows differ, its text has the first few of them. */
		problem: combineProblems(group.map(([, problem]) => problem)),
		rows: group.map(([itemIndex]) => itemIndex),
	}));
}

/**
 * Returns the name in braces that stands for the value of a row in the text of a Problem. Undefined: the text has no such name.
 */
const valueName = ({ why: { reason } }: Problem) =>
	(['value', 'date'] as const).find((name) => wordsIn(REASONS[reason]).includes(`{${name}}`));

const wordsIn = ({ what, todo }: (typeof REASONS)[Reason]) => `${what.en} ${todo.en}`;

/** Makes one Problem of the Problems of a group. If their values differ, its text has the first few values. */
function combineProblems(problems: Problem[]): Problem {
	const [first] = problems as [Problem, ...Problem[]];
	const name = valueName(first);
	if (problems.length === 1 || name === undefined) return first;
	// Each number is shortened alone, because two numbers with a comma between them would be shortened as one.
	const shorten = name === 'value' ? shortenNumbers : String;
	const values = [...new Set(problems.map(({ why }) => shorten(String(why.about?.[name]))))];
	// A cell may contain two numbers with a comma between them. Then the values are separated by semicolons.
	const between = values.some((value) => value.includes(',')) ? '; ' : ', ';
	const value = values.slice(0, FEW_VALUES).join(between) + (values.length > FEW_VALUES ? ' …' : '');
	const many = values.length > 1 && { many: 1 };
	const all = fault(first.why.reason, { ...first.why.about, [name]: value, ...many });
	// The advice in `all` may be for people who filled in a form: it tells them to ask the admin, or `todo` selected it for them.
	// Then the admin gets the advice of the first Problem.
	const isForPeople = /\bthe admin\b/.test(all.description) || Boolean(first.why.about?.todo);
	return isForPeople ? all.copyWith({ description: first.description }) : all;
}

/**
 * Describes failed rows by reason, with advice, for example "Recipient is empty: 2 rows (row 2, row 5). Fill it in". The text is
 * empty if no row failed.
 * @param alreadyRead the text that is shown before this one. Advice in that text is not repeated
 */
export function groupByReason(
	failed: Array<[itemIndex: number, problem: Problem]>,
	rowNumbers: RowNumbers,
	alreadyRead = '',
): string {
	const known = new Set(['']);
	const problems = new Map(failed);
	const groups = groupsOf(failed);
	const named = groups.slice(0, MOST_REASONS).map(({ problem, rows }) => {
		const few = rows
			.slice(0, FEW_ROWS)
			.map((itemIndex) => nameRow(rowNumbers.numbers[itemIndex]!, rowNumbers, problems.get(itemIndex)));
		const counted = `${problem.message}: ${countForAdmin(rows.length, rowNumbers)} (${few.join(', ')}${rows.length > FEW_ROWS ? ' …' : ''})`;
		const advice = adviceOf(problem);
		const isNew = !known.has(advice) && !alreadyRead.includes(advice);
		known.add(advice);
		return isNew ? `${counted}. ${advice}` : counted;
	});
	const more = groups.slice(MOST_REASONS).reduce((sum, { rows }) => sum + rows.length, 0);
	return [...named, ...(more > 0 ? [`Other reasons: ${countForAdmin(more, rowNumbers)}`] : [])].join('. ');
}

/**
 * Returns the advice for an admin about failed rows, without a full stop. It is empty if a text about the whole run (in
 * `advice.ts`) has the same advice.
 */
function adviceOf({ description, why }: Problem): string {
	if (why.reason === 'serviceDown') return '';
	if (why.reason === 'unknown')
		return why.about?.remedy === undefined ? '' : `Before the next run: ${why.about.remedy}`;
	return description.replace(/\.$/, '');
}

export const countRows = (count: number) => `${count} ${count === 1 ? 'row' : 'rows'}`;

/**
 * Returns the name of a row: its number and, if known, the last digits of the person's mobile or AMKA. Examples are "row 5
 * (…678)" and "item 5 (…678)".
 */
export function nameRow(row: number, rowNumbers: RowNumbers, problem?: Problem): string {
	const number = [problem?.details.recipient, problem?.details.ssn].find(
		(text): text is string => typeof text === 'string' && /\d{7}/.test(text),
	);
	return nameForAdmin(row, rowNumbers, number?.slice(-3));
}

import { shortenNumbers } from './notice';
import { fault, type Problem } from './problem';
import { REASONS, type Reason } from './reasons';
import { countForAdmin, nameForAdmin, type RowNumbers } from './rowNumber';

/** How many reasons are named, how many rows for one, and how many values of one. */
const MOST_REASONS = 12;
const FEW = 5;
const FEW_VALUES = 3;

/** The members of each group, in their order; the groups in the order of their first members. */
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

/** Failed rows by what is wrong with them, the most frequent first. A value of its own makes no difference. */
export function groupsOf(failed: Array<[itemIndex: number, problem: Problem]>) {
	const groups = groupBy(failed, ([, problem]) => {
		const { why, message } = problem;
		const name = valueName(problem);
		return name === undefined ? message : JSON.stringify([why.reason, { ...why.about, [name]: '' }]);
	});
	const mostFirst = [...groups.values()].sort((one, other) => other.length - one.length);
	return mostFirst.map((group) => ({
		/** The first row's, with the first values that several have of their own. */
		problem: inOne(group.map(([, problem]) => problem)),
		rows: group.map(([itemIndex]) => itemIndex),
	}));
}

/** What the words of a problem call the value that is each row's own. */
const valueName = ({ why: { reason } }: Problem) =>
	(['value', 'date'] as const).find((name) => wordsIn(REASONS[reason]).includes(`{${name}}`));

const wordsIn = ({ what, todo }: (typeof REASONS)[Reason]) => `${what.en} ${todo.en}`;

function inOne(problems: Problem[]): Problem {
	const [first] = problems as [Problem, ...Problem[]];
	const name = valueName(first);
	if (problems.length === 1 || name === undefined) return first;
	// Each by itself: two numbers with a comma between them would be hidden as one.
	const hidden = name === 'value' ? shortenNumbers : String;
	const values = [...new Set(problems.map(({ why }) => hidden(String(why.about?.[name]))))];
	// One cell may have two numbers, with a comma between them.
	const between = values.some((value) => value.includes(',')) ? '; ' : ', ';
	const value = values.slice(0, FEW_VALUES).join(between) + (values.length > FEW_VALUES ? ' …' : '');
	const many = values.length > 1 && { many: 1 };
	const all = fault(first.why.reason, { ...first.why.about, [name]: value, ...many });
	// Where people are sent to somebody, or visitors are told something else, the admin has advice of their own.
	const isOfPeople = /\bthe admin\b/.test(all.description) || Boolean(first.why.about?.todo);
	return isOfPeople ? all.copyWith({ description: first.description }) : all;
}

/**
 * Failed rows by reason with what to do, as in "Recipient is empty: 2 rows (row 2, row 5). Fill it in"; empty where none
 * failed. @param said what the reader has already read: its advice is not repeated
 */
export function groupByReason(
	failed: Array<[itemIndex: number, problem: Problem]>,
	list: RowNumbers,
	said = '',
): string {
	const known = new Set(['']);
	const problems = new Map(failed);
	const groups = groupsOf(failed);
	const named = groups.slice(0, MOST_REASONS).map(({ problem, rows }) => {
		const few = rows.slice(0, FEW).map((itemIndex) => nameRow(list.numbers[itemIndex]!, list, problems.get(itemIndex)));
		const counted = `${problem.message}: ${countForAdmin(rows.length, list)} (${few.join(', ')}${rows.length > FEW ? ' …' : ''})`;
		const advice = adviceOf(problem);
		const isNew = !known.has(advice) && !said.includes(advice);
		known.add(advice);
		return isNew ? `${counted}. ${advice}` : counted;
	});
	const more = groups.slice(MOST_REASONS).reduce((sum, { rows }) => sum + rows.length, 0);
	return [...named, ...(more > 0 ? [`Other reasons: ${countForAdmin(more, list)}`] : [])].join('. ');
}

/** What an admin is told about failed rows, without a full stop; empty if the run itself says what to do (`advice`). */
function adviceOf({ description, why }: Problem): string {
	if (why.reason === 'serviceDown') return '';
	if (why.reason === 'unknown')
		return why.about?.remedy === undefined ? '' : `Before you run anything: ${why.about.remedy}`;
	return description.replace(/\.$/, '');
}

export const countRows = (count: number) => `${count} ${count === 1 ? 'row' : 'rows'}`;

/** What a row is known by: its number, and the end of its person's number, as in "row 5 (…678)" or "item 5 (…678)". */
export function nameRow(row: number, list: RowNumbers, problem?: Problem): string {
	const number = [problem?.details.recipient, problem?.details.ssn].find(
		(text): text is string => typeof text === 'string' && /\d{7}/.test(text),
	);
	return nameForAdmin(row, list, number?.slice(-3));
}

import { SEPARATORS } from '../greek/mobile';
import { OTHER_TODO, OTHER_WHAT, REASONS } from './reasons';
import type { InBoth, OtherTodo, OtherWhat, Reason } from './reasons';

/** The language of notices, pages and sheets. `both`: Greek and then English, but sheets are in Greek. */
export type Language = 'both' | 'el' | 'en';

/** The names in the braces of the texts. A name that ends in `_el` or `_en` is for the text in one language. */
type AboutName =
	| 'code'
	| 'columns'
	| 'date'
	| 'field'
	| 'fields'
	| 'from'
	| 'given'
	| 'left'
	| 'most'
	| 'number'
	| 'renamed'
	| 'rows'
	| 'until'
	| 'value'
	| 'wanted'
	| 'when';

/** The values for the names in braces, and the keys that select other texts than those of the reason. */
export type About = { [N in AboutName | `${AboutName}_${'el' | 'en'}`]?: string | number } & {
	/** The key of the text that replaces the reason's `what`. */
	what?: OtherWhat | '';
	/** The key of the advice that replaces the reason's `todo`. It may be the advice of another reason. */
	todo?: OtherTodo | Reason | '';
	/** The number 1 selects the text for several values. */
	many?: number;
	/** The first thing that an admin must do, in English. It is shown to admins, and not in notices. */
	remedy?: string;
};

/** The reason of a fault, with its values. The texts for people are made from it. */
export type Why = { reason: Reason; about?: About };

/** The length at which values are cut, in characters, because a cell can contain a whole page. Lists of names may be longer. */
const LONGEST_VALUE = 40;
const LONGEST_LISTS: Record<string, number> = { columns: 80, fields: 80 };

/** Returns the whole text of a reason for a page or a cell. It says what is wrong and what to do. */
export function noticeOf(why: Why, language: Language): string {
	if (language === 'both') return `${noticeOf(why, 'el')} / ${noticeOf(why, 'en')}`;
	const { what, todo } = selectTexts(why, language);
	return fillBraces(`${what} ${todo}`, why, language);
}

/** Returns the two parts of a reason's text: what is wrong, and what to do about it. They have no full stop at their ends. */
export function textsOf(why: Why, language: 'el' | 'en'): [what: string, todo: string] {
	const { what, todo } = selectTexts(why, language);
	const withoutStop = (text: string) => fillBraces(text.replace(/\.$/, ''), why, language);
	return [withoutStop(what), withoutStop(todo)];
}

/** Selects the texts of a reason. Keys in `about` may select other texts. */
function selectTexts({ reason, about = {} }: Why, language: 'el' | 'en'): { what: string; todo: string } {
	const texts = REASONS[reason];
	const others: Record<string, InBoth> = { ...OTHER_WHAT };
	const what = about.what ? others[about.what]! : texts.what;
	const many = about.what ? (others[`${about.what}Many`] ?? what) : (texts.many ?? what);
	return { what: (about.many ? many : what)[language], todo: findTodo(about.todo, texts.todo)[language] };
}

function findTodo(key: About['todo'], standard: InBoth): InBoth {
	if (!key) return standard;
	return key in OTHER_TODO ? OTHER_TODO[key as OtherTodo] : REASONS[key as Reason].todo;
}

/** Fills in the names in braces. Personal numbers are shortened, as in 691…678, and long values are cut. */
function fillBraces(text: string, { about = {} }: Why, language: 'el' | 'en'): string {
	return text.replace(/\{(\w+)\}/g, (_, found: string) => {
		const name = found as AboutName;
		const value = String(about[`${name}_${language}`] ?? about[name] ?? '').slice(0, 1000);
		// Names of fields and dates are no personal numbers. `number` is the value that a warning shows. Numbers in these stay
		// whole.
		const isWhole = ['date', 'field', 'fields', 'from', 'number'].includes(name);
		const shown = isWhole ? value : shortenNumbers(value, name === 'columns' ? COLUMN_NUMBER : LONG_NUMBER);
		return clip(shown, LONGEST_LISTS[name] ?? LONGEST_VALUE);
	});
}

/** Returns a pattern for a number with at least this many digits, with or without characters between them. */
const numberOf = (digits: number, between: string) =>
	new RegExp(`\\p{Nd}(?:[${SEPARATORS}${between}]{0,4}\\p{Nd}){${digits - 1},}`, 'gu');
const LONG_NUMBER = numberOf(7, '_+,');
/**
 * Matches a mobile or an AMKA in the name of a column. Shorter numbers don't match, because a column may be called `2025-2026`.
 */
const COLUMN_NUMBER = numberOf(10, '_+');

/**
 * Shortens numbers to a form such as 691…678, in which the person who typed them recognises them.
 * @param longNumber matches the numbers to shorten; by default those of seven or more digits
 */
export const shortenNumbers = (text: string, longNumber = LONG_NUMBER): string =>
	text.replace(longNumber, (number) => {
		const digits = [...number].filter((character) => /\p{Nd}/u.test(character));
		return `${digits.slice(0, 3).join('')}…${digits.slice(-3).join('')}`;
	});

/** Returns a large number in the spelling of both languages: 30.000 and 30,000. */
export const aboutCount = (name: AboutName, count: number): About => {
	const en = String(count).replace(/\B(?=(\d{3})+$)/g, ',');
	return { [`${name}_el`]: en.replaceAll(',', '.'), [`${name}_en`]: en };
};

/** Describes a duration as a text that follows "try again". @param time the duration in milliseconds */
export function aboutDuration(time: number): { when_el: string; when_en: string } {
	const minutes = Math.ceil(time / 60_000);
	if (minutes <= 1) return { when_el: 'μετά από ένα λεπτό', when_en: 'in a minute' };
	if (minutes <= 90) return { when_el: `μετά από ${minutes} λεπτά`, when_en: `in ${minutes} minutes` };
	const hours = Math.ceil(minutes / 60);
	return { when_el: `μετά από ${hours} ώρες`, when_en: `in ${hours} hours` };
}

/** Cuts a text to a number of characters and puts it on one line. A cut text ends in …. */
export function clip(text: string, longest: number): string {
	const characters = [...text.replace(/\s+/gu, ' ')];
	return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : characters.join('');
}

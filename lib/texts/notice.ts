import { SEPARATORS } from '../greek/mobile';
import { OTHER_TODO, OTHER_WHAT, REASONS } from './reasons';
import type { InBoth, OtherTodo, OtherWhat, Reason } from './reasons';

/** The language of notices, pages and sheets. `both`: Greek, then English; sheets are in Greek then. */
export type Language = 'both' | 'el' | 'en';

/** The names in the braces of the texts. A name that ends in `_el` or `_en` gives a value for one language. */
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

/** The values that a text names, and the keys that select its texts. */
export type About = { [N in AboutName | `${AboutName}_${'el' | 'en'}`]?: string | number } & {
	/** Selects another text for the fault. */
	what?: OtherWhat | '';
	/** Selects another advice, which may be that of another reason. */
	todo?: OtherTodo | Reason | '';
	/** 1 selects the text for several values. */
	many?: number;
	/** The first thing that an admin must do, in English. No notice shows it. */
	remedy?: string;
};

/** A reason with its values. The texts for people are made from it. */
export type Why = { reason: Reason; about?: About };

/** The length at which values are cut, in characters: a cell can hold a whole page. Lists of names can be longer. */
const LONGEST_VALUE = 40;
const LONGEST_LISTS: Record<string, number> = { columns: 80, fields: 80 };

/** Returns the whole text of a reason for a page or a cell: what is wrong and what to do. */
export function noticeOf(why: Why, language: Language): string {
	if (language === 'both') return `${noticeOf(why, 'el')} / ${noticeOf(why, 'en')}`;
	const { what, todo } = selectTexts(why, language);
	return fill(`${what} ${todo}`, why, language);
}

/** Returns the two parts of a reason's text without a full stop at their ends: what is wrong, and what to do about it. */
export function textsOf(why: Why, language: 'el' | 'en'): [what: string, todo: string] {
	const { what, todo } = selectTexts(why, language);
	const withoutStop = (text: string) => fill(text.replace(/\.$/, ''), why, language);
	return [withoutStop(what), withoutStop(todo)];
}

/** Selects the texts of a reason. `about` may name other texts, which replace them. */
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
function fill(text: string, { about = {} }: Why, language: 'el' | 'en'): string {
	return text.replace(/\{(\w+)\}/g, (_, found: string) => {
		const name = found as AboutName;
		const value = String(about[`${name}_${language}`] ?? about[name] ?? '').slice(0, 1000);
		// A field's name, a date and a number with decimals are never a person's number.
		const isWhole = ['date', 'field', 'fields', 'from', 'number'].includes(name);
		const shown = isWhole ? value : shortenNumbers(value, name === 'columns' ? COLUMN_NUMBER : LONG_NUMBER);
		return clip(shown, LONGEST_LISTS[name] ?? LONGEST_VALUE);
	});
}

/** Returns a pattern of a number with at least so many digits, with or without characters between them. */
const numberOf = (digits: number, between: string) =>
	new RegExp(`\\p{Nd}(?:[${SEPARATORS}${between}]{0,4}\\p{Nd}){${digits - 1},}`, 'gu');
const LONG_NUMBER = numberOf(7, '_+,');
/** A mobile or an AMKA among column names. A column can be called `2025-2026`, so shorter numbers stay. */
const COLUMN_NUMBER = numberOf(10, '_+');

/** Shortens each number of seven or more digits to its ends, as in 691…678. The person who typed the number recognises it. */
export const shortenNumbers = (text: string, longNumber = LONG_NUMBER): string =>
	text.replace(longNumber, (number) => {
		const digits = [...number].filter((character) => /\p{Nd}/u.test(character));
		return `${digits.slice(0, 3).join('')}…${digits.slice(-3).join('')}`;
	});

/** Returns a large number in the spelling of each language: 30.000 and 30,000. */
export const aboutCount = (name: AboutName, count: number): About => {
	const en = String(count).replace(/\B(?=(\d{3})+$)/g, ',');
	return { [`${name}_el`]: en.replaceAll(',', '.'), [`${name}_en`]: en };
};

/** Describes a duration, to be read after "try again". @param time milliseconds */
export function aboutDuration(time: number): { when_el: string; when_en: string } {
	const minutes = Math.ceil(time / 60_000);
	if (minutes <= 1) return { when_el: 'σε ένα λεπτό', when_en: 'in a minute' };
	if (minutes <= 90) return { when_el: `σε ${minutes} λεπτά`, when_en: `in ${minutes} minutes` };
	const hours = Math.ceil(minutes / 60);
	return { when_el: `σε ${hours} ώρες`, when_en: `in ${hours} hours` };
}

/** Cuts a text to a number of characters and puts it on one line. A cut text ends in …. */
export function clip(text: string, longest: number): string {
	const characters = [...text.replace(/\s+/gu, ' ')];
	return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : characters.join('');
}

import { SEPARATORS } from '../greek/mobile';
import { OTHER_WORDS, REASONS, type Reason, type Sentences, type Words } from './reasons';

/** The language of what people read: notices, pages, sheets. `both`: Greek, then English; sheets are Greek then. */
export type Language = 'both' | 'el' | 'en';

/** What a fault is about, by the names in the braces of its words; `what` and `todo`: other words than its reason's
 * own, or another reason's advice; `many`: 1 if the words are to be those for several values. */
export type About = Record<string, string | number>;

/** Why something is as it is, for people. */
export type Why = { reason: Reason; about?: About };

/** Where values are cut, in characters: a cell may hold a whole page. Lists of names may be longer. */
const LONGEST_VALUE = 40;
const LONGEST_LISTS: Record<string, number> = { columns: 80, fields: 80 };

/** What a reason says of a fault, as one text for a person, ready for a page or a cell. */
export function noticeOf(why: Why, language: Language): string {
	if (language === 'both') return `${noticeOf(why, 'el')} / ${noticeOf(why, 'en')}`;
	const { what, todo } = textsOf(why, language);
	return fill(`${what} ${todo}`, why, language);
}

/** The same in two parts, without a full stop at their ends: what is wrong, and what to do about it. */
export function wordsOf(why: Why, language: 'el' | 'en'): [what: string, todo: string] {
	const { what, todo } = textsOf(why, language);
	const withoutStop = (text: string) => fill(text.replace(/\.$/, ''), why, language);
	return [withoutStop(what), withoutStop(todo)];
}

function textsOf({ reason, about }: Why, language: 'el' | 'en'): { what: string; todo: string } {
	const { what, many, todo }: Sentences = REASONS[reason];
	const other = (name?: string | number): Words | undefined =>
		OTHER_WORDS[name as keyof typeof OTHER_WORDS] ?? REASONS[name as Reason]?.todo;
	const one = other(about?.what) ?? what;
	const several = about?.what ? (other(`${about.what}Many`) ?? one) : (many ?? what);
	return { what: (about?.many ? several : one)[language], todo: (other(about?.todo) ?? todo)[language] };
}

/** Puts in what a fault is about: people's numbers by their ends, as in 691…678, and no long values. */
function fill(text: string, { about = {} }: Why, language: 'el' | 'en'): string {
	return text.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = String(about[`${name}_${language}`] ?? about[name] ?? '').slice(0, 1000);
		// Of a field's name nothing is hidden, nor of a `date` or a `number` with decimals, which are nobody's number.
		const isWhole = ['date', 'field', 'fields', 'from', 'number'].includes(name);
		const shown = isWhole ? value : shortenNumbers(value, name === 'columns' ? COLUMN_NUMBER : LONG_NUMBER);
		return clip(shown, LONGEST_LISTS[name] ?? LONGEST_VALUE);
	});
}

/** A number of so many digits at least, whatever stands between them. */
const numberOf = (digits: number, between: string) =>
	new RegExp(`\\p{Nd}(?:[${SEPARATORS}${between}]{0,4}\\p{Nd}){${digits - 1},}`, 'gu');
const LONG_NUMBER = numberOf(7, '_+,');
/** What can be a mobile or an AMKA, in a list without headings: a column may be called `2025-2026`. */
const COLUMN_NUMBER = numberOf(10, '_+');

/** A text in which each number of seven digits or more is known by its ends alone, as in 691…678. For who typed the number. */
export const shortenNumbers = (text: string, longNumber = LONG_NUMBER): string =>
	text.replace(longNumber, (number) => {
		const digits = [...number].filter((character) => /\p{Nd}/u.test(character));
		return `${digits.slice(0, 3).join('')}…${digits.slice(-3).join('')}`;
	});

/** A large number under a name of `About`, as each language writes it: 30.000 and 30,000. */
export const aboutCount = (name: string, count: number): About => {
	const en = String(count).replace(/\B(?=(\d{3})+$)/g, ',');
	return { [`${name}_el`]: en.replaceAll(',', '.'), [`${name}_en`]: en };
};

/** How long something takes, as it goes on from "try again". @param time milliseconds */
export function aboutDuration(time: number): { when_el: string; when_en: string } {
	const minutes = Math.ceil(time / 60_000);
	if (minutes <= 1) return { when_el: 'σε ένα λεπτό', when_en: 'in a minute' };
	if (minutes <= 90) return { when_el: `σε ${minutes} λεπτά`, when_en: `in ${minutes} minutes` };
	const hours = Math.ceil(minutes / 60);
	return { when_el: `σε ${hours} ώρες`, when_en: `in ${hours} hours` };
}

/** A text of at most so many characters, on one line; what is cut ends in …. */
export function clip(text: string, longest: number): string {
	const characters = [...text.replace(/\s+/gu, ' ')];
	return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : characters.join('');
}

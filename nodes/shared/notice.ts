import { SEPARATORS } from './greek';
import { REASONS, type Reason, type Words } from './reasons';

/** The language of what people read: notices, pages, sheets. `both`: Greek, then English; sheets are Greek then. */
export type Language = 'both' | 'el' | 'en';

/** What a fault is about, by the names in the braces of its words. */
export type About = Record<string, string | number>;

/** Why something is as it is, for people. */
export interface Why {
	reason: Reason;
	about?: About;
}

/** In characters: a cell may hold a whole page. Lists of names may be longer. */
const LONGEST_VALUE = 40;
const LONGEST_LIST = 80;

/**
 * What a reason says of a fault, its two sentences without a full stop. People's numbers are shown by their ends, as in
 * 691…678, and values are cut.
 */
export function wordsOf({ reason, about = {} }: Why, language: 'el' | 'en'): Words {
	const fill = (text: string) =>
		text.replace(/\{(\w+)\}/g, (_, name: string) => {
			const longest = name === 'columns' || name === 'fields' ? LONGEST_LIST : LONGEST_VALUE;
			const value = String(about[`${name}_${language}`] ?? about[name] ?? '');
			// Of a date nothing is hidden: whoever names one as `date` has seen that it is none of people's numbers.
			return clip(name === 'date' ? value : shownNumbers(value.slice(0, 1000)), longest);
		});
	const [what, todo] = REASONS[reason][language];
	return [fill(what), fill(todo)];
}

/** The same as one text for a person, ready for a page or a cell. */
export function noticeOf(why: Why, language: Language): string {
	const inOne = (one: 'el' | 'en') =>
		wordsOf(why, one)
			.map((sentence) => `${sentence}.`)
			.join(' ');
	return language === 'both' ? `${inOne('el')} / ${inOne('en')}` : inOne(language);
}

const LONG_NUMBER = new RegExp(`\\p{Nd}(?:[${SEPARATORS}_+,]{0,4}\\p{Nd}){6,}`, 'gu');

/** A text in which each number of seven digits or more is known by its ends alone, as in 691…678. For who typed the number. */
export const shownNumbers = (text: string): string =>
	text.replace(LONG_NUMBER, (number) => {
		const digits = [...number].filter((character) => /\p{Nd}/u.test(character));
		return `${digits.slice(0, 3).join('')}…${digits.slice(-3).join('')}`;
	});

/** A text of at most so many characters, on one line; what is cut ends in …. */
export function clip(text: string, longest: number): string {
	const characters = [...text.replace(/\s+/gu, ' ')];
	return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : characters.join('');
}

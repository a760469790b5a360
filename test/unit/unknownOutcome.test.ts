import { globSync } from 'node:fs';

import * as advice from '../../lib/texts/advice';
import { OTHER_TODO, OTHER_WHAT, REASONS } from '../../lib/texts/reasons';
import { pages, read, withoutFigures } from './pages';

/*
 * Tests that all texts give the same instruction for messages of unknown outcome: ask the recipients whether they got the
 * message. If some did not, send a list of just their rows with "Skip Sent, Resend Unknown". A person who does not open n8n gives
 * that list to the admin. Any other instruction could send a message twice.
 */

/** Matches a text about messages of unknown outcome, but not about unknown keywords or about fields named "unknown". */
const SPEAKS_OF_THEM =
	/unknown outcome|outcome (?:of a message )?is unknown|[Nn]ot known (?:whether|if)|[Nn]obody knows whether it|`?outcome: unknown|\bunknown: true|\bUnknown: |have been unknown|[Άά]γνωστ[οα] (?:αν|αν κάποια)|είναι άγνωστ[οα]|γνωστό αν/;

/** Matches an instruction about these messages. Statements such as "is skipped" are no instructions. */
const IS_ORDER =
	/\b(?:[Aa]sk|[Ss]end (?:it|them|again|a list)|send again|choose|select|upload)\b|[Ρρ]ωτήστε|ρωτά|[Σσ]τείλτε|[Εε]πιλέξτε|νέα αποστολή/;

const ENGLISH =
	/[Aa]sk the recipients whether they got the message\. If some did not, (?:send a list of just their rows|give the admin a list of just these people)/;
const GREEK =
	/[Ρρ]ωτήστε τους παραλήπτες[.·] [Αα]ν κάποιοι δεν έλαβαν το μήνυμα, (?:η γραμματεία δίνει|δώστε|στείλτε)(?: στον διαχειριστή)? μια λίστα μόνο με (?:αυτούς|τις γραμμές τους)/;
const INSTRUCTION = new RegExp(`${ENGLISH.source}|${GREEK.source}`);

/** Matches instructions that would send all messages of unknown outcome again. */
const SENDS_TO_ALL = /Send Again|If Already Sent: Send\b(?! Again)|on Send\b|[Νν]έα αποστολή|με την τρίτη επιλογή/;

/** Returns the paragraphs, list items and table rows of a page. */
const paragraphsOf = (text: string): string[] =>
	withoutFigures(text)
		.split(/\n\s*\n|\n(?=[-|]|\d+\. )/)
		.map((paragraph) =>
			paragraph
				.replace(/\*\*|(?<!\w)\*|\*(?!\w)/g, '')
				.replace(/\s+/g, ' ')
				.trim(),
		);

/** Returns all texts of an example, split into paragraphs. */
const textsOf = (value: unknown): string[] =>
	typeof value === 'string'
		? paragraphsOf(value)
		: typeof value === 'object' && value !== null
			? Object.values(value).flatMap(textsOf)
			: [];

/** Returns the quoted texts of a source file, with the texts of `reasons.ts` and `advice.ts` filled in. */
const quotedIn = (file: string): string[] =>
	[...read(file).matchAll(/'((?:[^'\\\n]|\\.)*)'|`([^`]*)`/g)].map(([, quoted, template]) =>
		(quoted ?? template!)
			.replace('${REASONS.unknown.todo.el}', REASONS.unknown.todo.el)
			.replace('${REASONS.unknown.todo.en}', REASONS.unknown.todo.en)
			.replace('${ASK_THEM}', advice.ASK_THEM),
	);

const ofReasons = Object.entries({ ...REASONS, ...OTHER_WHAT, ...OTHER_TODO }).flatMap(([name, words]) =>
	(['el', 'en'] as const).map((language): [string, string] => [
		`reasons.ts, ${name}`,
		'what' in words ? `${words.what[language]} ${words.todo[language]}` : words[language],
	]),
);
const ofAdvice = [
	advice.skippedUnknown(2),
	advice.unknownNow(2, 'day'),
	advice.unknownNow(2, 'week'),
	advice.unknownNow(2, undefined),
].map((text): [string, string] => ['advice.ts', text]);
const ofSources = globSync('lib/texts/*.ts')
	.filter((file) => !/reasons\.|advice/.test(file))
	.flatMap((file) => quotedIn(file).map((text): [string, string] => [file, text]));
const ofExamples = globSync('**/*.json', { cwd: 'examples' })
	.filter((file) => file.endsWith('.json'))
	.flatMap((file) => textsOf(JSON.parse(read(`examples/${file}`))).map((text): [string, string] => [file, text]));
const ofPages = pages.flatMap((page) => paragraphsOf(read(page)).map((text): [string, string] => [page, text]));

const about = [...ofReasons, ...ofAdvice, ...ofSources, ...ofExamples, ...ofPages].filter(([, text]) =>
	SPEAKS_OF_THEM.test(text),
);

it('each place that this test lists has a text about messages of unknown outcome', () => {
	const places = new Set(about.map(([place]) => place));
	for (const place of [
		...['reasons.ts, unknown', 'reasons.ts, allUnknown', 'advice.ts', 'lib/texts/whoGotItPage.ts'],
		...['desk/send-again.json', 'desk/check-and-send.json', 'more/once-across-workers.json'],
		...['docs/problems.md', 'docs/secretary.md', 'docs/who-got-it.md', 'docs/scale.md'],
		...['docs/el/secretary.md', 'docs/el/who-got-it.md', 'docs/el/problems.md'],
	])
		expect([place, places.has(place)]).toEqual([place, true]);
});

it('no text advises to send all messages of unknown outcome again', () => {
	expect(about.filter(([, text]) => SENDS_TO_ALL.test(text))).toEqual([]);
});

it('every text that gives advice about messages of unknown outcome gives the same instruction, or links to it', () => {
	const others = about.filter(
		([, text]) =>
			IS_ORDER.test(text) &&
			!INSTRUCTION.test(text) &&
			!text.includes('#outcome-unknown') &&
			// A text about an outage states the number of these messages, but its instruction is about the whole list.
			!/Στείλτε αργότερα την ίδια λίστα|Ανεβάστε (?:αργότερα|ξανά) το ίδιο φύλλο/.test(text),
	);
	expect(others).toEqual([]);
});

it('the instruction for messages of unknown outcome refers admins to Skip Sent, Resend Unknown, and secretaries to the admin', () => {
	expect(advice.ASK_THEM).toMatch(INSTRUCTION);
	expect(advice.ASK_THEM).toContain('Skip Sent, Resend Unknown');
	expect(REASONS.allUnknown.todo).toEqual(REASONS.unknown.todo);
	for (const page of ['docs/secretary.md', 'docs/el/secretary.md', 'docs/who-got-it.md', 'docs/el/who-got-it.md']) {
		const told = paragraphsOf(read(page)).filter((text) => INSTRUCTION.test(text));
		expect([page, told.length > 0 && told.every((text) => /give the admin|στον διαχειριστή/.test(text))]).toEqual([
			page,
			true,
		]);
	}
	for (const page of ['docs/problems.md', 'docs/el/problems.md'])
		expect(
			paragraphsOf(read(page)).some((text) => INSTRUCTION.test(text) && text.includes('Skip Sent, Resend Unknown')),
		).toBe(true);
});

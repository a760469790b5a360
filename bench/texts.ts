import * as greek from '../lib/greek/letters';
import { isScientificNotation } from '../lib/greek/mobile';
import { redactSecretsInData, redactPersonalNumbers, redactSecrets } from '../lib/texts/redact';
import { fillPlaceholders } from '../lib/smsPlatform/placeholders';
import { countSegments } from '../lib/smsPlatform/segments';
import { longText, refusedParameter, refusedWith, takingAny, toForward, UNITS } from '../test/hostile/longTexts';
import { computer, writeResults } from './common';

/* `npm run bench -- texts` measures how long one text from outside blocks the n8n process. It runs without n8n. */

/** The longest time that the processing of one text may block the n8n process, in milliseconds. */
const TARGET = 50;
const TRIES = 5;

interface Slowest {
	what: string;
	length: number;
	unit: string;
	milliseconds: number;
}

/**
 * Measures all kinds of texts, and returns the time of the slowest kind (the median of several runs).
 * @param length in characters
 */
async function slowest(what: string, length: number, prepare: (text: string) => () => unknown): Promise<Slowest> {
	let worst: Slowest = { what, length, unit: '', milliseconds: -1 };
	for (const unit of UNITS) {
		const work = prepare(longText(unit, length));
		const tries: number[] = [];
		for (let i = 0; i < TRIES; i++) {
			const start = performance.now();
			await work();
			tries.push(performance.now() - start);
		}
		const milliseconds = tries.sort((a, b) => a - b)[Math.floor(TRIES / 2)]!;
		if (milliseconds > worst.milliseconds) worst = { what, length, unit, milliseconds };
	}
	return worst;
}

/** Functions that search a text, each with the length of the longest text that it gets, in characters. */
const searches: Array<[what: string, longest: number, look: (text: string) => unknown]> = [
	['the body of an incoming message', 40_000, async (text) => await toForward({ body: text })()],
	['a keyword', 160, greek.foldForComparison],
	['a parameter', 10_000, refusedParameter],
	['a surname', 200, (text) => [greek.capitalsWithoutTonos(text), greek.mixesGreekAndLatin(text)]],
	['a recipient', 256, (text) => [greek.clean(text), isScientificNotation(text)]],
	['an error of the platform', 20_000, async (text) => await refusedWith(text)()],
	['the echo of a long key', 20_000, (text) => redactSecrets(text, ['a7 '.repeat(30)])],
	['an error of n8n', 100_000, redactPersonalNumbers],
	['the text of a message', 10_000, (text) => fillPlaceholders({ text, placeholders: ['x'] }, ['x'])],
	['the final text of a message', 40_000, countSegments],
	['an answer that may contain the key', 50_000, (text) => redactSecretsInData({ text }, ['a7 '.repeat(30)])],
];

/** Returns a text as a JSON string that contains only ASCII. */
const inAscii = (text: string) =>
	JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

async function main(): Promise<void> {
	const all: Slowest[] = [];
	for (const [what, prepare] of Object.entries(takingAny)) all.push(await slowest(what, 10_000_000, prepare));
	for (const [what, longest, look] of searches) all.push(await slowest(what, longest, (text) => () => look(text)));
	all.sort((a, b) => b.milliseconds - a.milliseconds);
	const over = all.filter(({ milliseconds }) => milliseconds >= TARGET);
	const shown = all.filter(({ milliseconds }) => milliseconds >= 1);
	const rows = shown.map(
		({ what, length, unit, milliseconds }) =>
			`| ${what} | ${length.toLocaleString('en')} | \`${inAscii(unit)}\` | ${milliseconds.toFixed(1)} |`,
	);
	writeResults(
		'texts',
		`\`npm run bench -- texts\` has measured these figures without n8n: ${computer}. They show how long one text from outside blocks
the n8n process. Each field gets 10,000,000 characters, and each function that searches a text gets the longest text that it can get in n8n. Each is measured with ${UNITS.length} kinds of
texts, which repeat a few characters. The time is the median of ${TRIES} runs with the slowest kind. The target is less than ${TARGET} ms. ${over.length} of ${all.length} are above it, and ${all.length - shown.length} take less than 1 ms and
are left out.

| text | characters | repeated characters | ms |
|---|---|---|---|
${rows.join('\n')}
`,
	);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

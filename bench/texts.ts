import * as greek from '../lib/greek/letters';
import { isScientificNotation } from '../lib/greek/mobile';
import { redactSecretsInData, redactPersonalNumbers, redactSecrets } from '../lib/texts/redact';
import { fillPlaceholders } from '../lib/smsPlatform/predefinedMessages';
import { countSegments } from '../lib/smsPlatform/segments';
import { longText, refusedParameter, refusedWith, takingAny, toForward, UNITS } from '../test/hostile/longTexts';
import { computer, writeResults } from './common';

/** How long one call may block everything else in n8n, in milliseconds. */
const TARGET = 50;
const TRIES = 5;

interface Slowest {
	what: string;
	length: number;
	unit: string;
	milliseconds: number;
}

/** Returns the time for the slowest kind of text, as the median of several tries. @param length in characters */
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

/** Functions that search a text, with the longest text that they get, in characters. */
const lookingThrough: Array<[what: string, longest: number, look: (text: string) => unknown]> = [
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

const inAscii = (text: string) =>
	JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

async function main(): Promise<void> {
	const all: Slowest[] = [];
	for (const [what, prepare] of Object.entries(takingAny)) all.push(await slowest(what, 10_000_000, prepare));
	for (const [what, longest, look] of lookingThrough)
		all.push(await slowest(what, longest, (text) => () => look(text)));
	all.sort((a, b) => b.milliseconds - a.milliseconds);
	const over = all.filter(({ milliseconds }) => milliseconds >= TARGET);
	const shown = all.filter(({ milliseconds }) => milliseconds >= 1);
	const rows = shown.map(
		({ what, length, unit, milliseconds }) =>
			`| ${what} | ${length.toLocaleString('en')} | \`${inAscii(unit)}\` | ${milliseconds.toFixed(1)} |`,
	);
	writeResults(
		'texts',
		`Made by \`npm run bench -- texts\`, without n8n: ${computer}. How long one text of a stranger
holds up everything else in n8n: 10 MB in each field, and for what looks through a text the longest that it is given. Each with ${UNITS.length} kinds of text, medians of ${TRIES} tries; the slowest
kind is shown. The target is less than ${TARGET} ms: ${over.length} of ${all.length} are over it, and ${all.length - shown.length} take less than 1 ms and are left out.

| text | characters | of | ms |
|---|---|---|---|
${rows.join('\n')}
`,
	);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

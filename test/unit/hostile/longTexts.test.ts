import { longText, takingAny, UNITS } from '../../hostile/longTexts';

/** The greatest length of a text, in characters, that a function of this package may search. */
const LONGEST = 100_000;

/** Runs the work. @returns the length of the longest text that a pattern or `normalize` has processed during the work */
async function longestLookedThrough(work: () => unknown): Promise<number> {
	// All JavaScript functions that use a pattern call its `exec`.
	const { exec } = RegExp.prototype;
	const { normalize } = String.prototype;
	let longest = 0;
	RegExp.prototype.exec = function (text) {
		longest = Math.max(longest, text.length);
		return exec.call(this, text);
	};
	String.prototype.normalize = function (form?: string) {
		longest = Math.max(longest, this.length);
		return normalize.call(this, form);
	};
	try {
		await work();
	} finally {
		RegExp.prototype.exec = exec;
		String.prototype.normalize = normalize;
	}
	return longest;
}

test('longestLookedThrough counts the texts that a pattern or `normalize` processes, but not the texts that `includes` searches', async () => {
	const looks: Array<(text: string) => unknown> = [
		(text) => /b/.test(text),
		(text) => text.match(/b/u),
		(text) => [...text.matchAll(/b/g)],
		(text) => text.replace(/b/g, ''),
		(text) => text.split(/b/),
		(text) => text.normalize('NFKC'),
	];
	for (const look of looks) expect(await longestLookedThrough(() => look('a'.repeat(1000)))).toBe(1000);
	expect(await longestLookedThrough(() => 'a'.repeat(1000).includes('b'))).toBe(0);
});

test.each(UNITS)(
	'no function in `takingAny` searches more than 100,000 characters of a text of 2 MB that consists of %j',
	async (unit) => {
		const text = longText(unit, 2_000_000);
		for (const [what, prepare] of Object.entries(takingAny)) {
			const longest = await longestLookedThrough(prepare(text));
			expect([what, Math.max(LONGEST, longest)]).toEqual([what, LONGEST]);
		}
	},
	120_000,
);

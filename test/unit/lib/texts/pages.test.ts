import { ANSWER_NAMES, STATE_NAMES, STATE_NOTICES } from '../../../../lib/texts/messageStates';
import { COMPARE_CELLS, WHO_GOT_IT_CELLS } from '../../../../lib/texts/resultSheets';
import { REVIEW_PAGE } from '../../../../lib/texts/reviewPage';
import { USAGE_PAGE } from '../../../../lib/texts/usagePage';
import { NEXT_STEPS, WHO_GOT_IT_PAGE } from '../../../../lib/texts/whoGotItPage';

/** Collects the texts in both languages. Functions are called to get their texts with values. */
function textsIn(all: object): Array<[name: string, text: { el: string; en: string }]> {
	return Object.entries(all).flatMap(([name, one]: [string, unknown]) => {
		const text =
			typeof one === 'function' ? (one as (...values: unknown[]) => object)(17, 'sameList') : (one as object);
		return 'el' in text
			? [[name, text as { el: string; en: string }]]
			: textsIn(text).map(([inner, each]): [string, typeof each] => [`${name} ${inner}`, each]);
	});
}

describe.each(
	Object.entries({
		...{ REVIEW_PAGE, WHO_GOT_IT_PAGE, NEXT_STEPS, USAGE_PAGE },
		...{ STATE_NAMES, STATE_NOTICES, ANSWER_NAMES, WHO_GOT_IT_CELLS, COMPARE_CELLS },
	}),
)('the texts in %s', (_, texts) => {
	test.each(textsIn(texts))('have %s in Greek and in English, with the same values in both', (name, { el, en }) => {
		expect(en).not.toMatch(/[α-ώ]/i);
		if (name !== 'segments') expect(el).toMatch(/[α-ώ]/i);
		const valuesOf = (text: string) => text.match(/\{\w+\}|\d+/g) ?? [];
		expect(valuesOf(el)).toEqual(valuesOf(en));
		expect([el, en].join()).not.toMatch(/undefined|NaN|\[object/);
	});
});

import { sameText } from '../../../../lib/values/digest';

test('texts are the same only where they are, and absurdly long ones are not looked at', () => {
	const long = 'a'.repeat(10_000);
	for (const text of ['a', '', long]) expect(sameText(text, text)).toBe(true);
	expect([sameText('a', 'b'), sameText('', 'a'), sameText(`${long}a`, `${long}a`)]).toEqual([false, false, false]);
});

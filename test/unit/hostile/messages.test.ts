import fc from 'fast-check';

import { fillPlaceholders } from '../../../lib/smsPlatform/placeholders';
import { readMessages } from '../../../lib/smsPlatform/predefinedMessages';
import { countSegments } from '../../../lib/smsPlatform/segments';
import { text } from '../../hostile/generators';
import { holds } from '../../hostile/property';

const short = (of: fc.Arbitrary<string>) => of.map((long) => long.slice(0, 300));

describe('for any text of a message,', () => {
	const label = fc.string({ unit: fc.constantFrom(...'Μάθημα, 1') });

	holds(
		'each replacement is inserted at its placeholder, and a replacement is never read as a placeholder',
		2.5,
		fc.tuple(fc.array(short(text), { maxLength: 5 }), fc.array(label, { minLength: 5, maxLength: 5 })),
		([replacements, labels]) => {
			const parts = replacements.map((_, i) => `{${labels[i]!.replace(/,\s*1*\s*$/, '')},${i + 1}}`);
			const message = { text: parts.join(' | '), placeholders: labels.slice(0, parts.length) };
			expect(fillPlaceholders(message, replacements)).toMatchObject({ text: replacements.join(' | ') });
			expect(fillPlaceholders(message, [...replacements, 'x'])).toHaveProperty('fault');
		},
	);

	const letters = fc.string({
		unit: fc.oneof(fc.constantFrom(...'abΔΦ\n@€{}~^|'), fc.constantFrom('ά', '😀', 'Ж')),
		maxLength: 700,
	});
	const plain = fc.string({ unit: fc.constantFrom(...'abcXYZ0123 ΔΦΓ€[]'), maxLength: 700 });

	holds('the count of SMS segments follows the 3GPP standard', 1.25, plain, (message) => {
		const septets = [...message].reduce((sum, letter) => sum + ('€[]'.includes(letter) ? 2 : 1), 0);
		const segments = countSegments(message);
		if (septets <= 160) expect(segments).toBe(1);
		else {
			// An escape sequence is not split, so a part may have one septet less.
			expect(segments).toBeGreaterThanOrEqual(Math.ceil(septets / 153));
			expect(segments).toBeLessThanOrEqual(Math.ceil(septets / 152));
		}
		// With one letter that the GSM alphabet does not have, all letters take 16 bits.
		const units = message.length + 1;
		expect(countSegments(`${message}ά`)).toBe(units <= 70 ? 1 : Math.ceil(units / 67));
	});

	holds(
		'a text never takes fewer segments after more text was added',
		1.25,
		fc.tuple(letters, letters),
		([message, more]) => {
			expect(countSegments(message + more)).toBeGreaterThanOrEqual(countSegments(message));
		},
	);

	holds(
		'Messages in the credential gives only complete messages, and faults with the number of an existing line',
		1.25,
		fc.array(fc.oneof(short(text), fc.constantFrom('a/b: {x,1}', 'a/c: x', '# x', '', 'a/b', '/:', 'a/d: {x,2}')), {
			maxLength: 8,
		}),
		(lines) => {
			const whole = lines.join('\n');
			const { messages, faults } = readMessages(whole);
			const count = whole.split(/\r\n|\r|\n/).length;
			expect(messages.length + faults.length).toBeLessThanOrEqual(count);
			for (const { line } of faults) expect([line >= 1, line <= count]).toEqual([true, true]);
			for (const { serviceId, messageId, text: words, placeholders } of messages) {
				expect([serviceId, messageId, words].includes('')).toBe(false);
				expect(fillPlaceholders({ text: words, placeholders }, placeholders)).not.toHaveProperty('fault');
			}
		},
	);
});

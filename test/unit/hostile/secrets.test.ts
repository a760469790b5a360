import fc from 'fast-check';

import { redactSecrets } from '../../../lib/texts/redact';
import { encodings } from '../../../sandbox/echo';
import { holds } from '../../hostile/property';
import { findSecrets } from '../../spellings';

/** A piece of a text: often a piece of an escape sequence, otherwise any character. */
const part = fc.oneof(
	fc.constantFrom('%', '&', '\\', '+', '"', ' ', '/', '2', '5', '0', '4', '1', 'lt;', 'amp;', '#', 'u', 'a', ';'),
	fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
);
/** Printable texts that may be keys, without the mark that replaces secrets. */
const secrets = fc
	.array(part, { minLength: 3, maxLength: 20 })
	.map((parts) => parts.join(''))
	.filter((text) => !/[\p{Cc}\p{Cs}•]/u.test(text));
const others = fc.string({ maxLength: 20 });

holds(
	'no secret remains in a redacted text or JSON body, in any encoding',
	21,
	fc.tuple(fc.constantFrom(...Object.entries(encodings)), secrets, others, others),
	([[how, write], secret, before, after]) => {
		const inJson = JSON.stringify({ before, 'pre-shared key': secret, after });
		// `redactSecrets` does not search for short secrets in base64.
		if (Buffer.byteLength(secret) < 8 && /base64|basic/.test(how)) return;
		for (const whole of [before + secret + after, inJson]) {
			const left = findSecrets(redactSecrets(write(whole), [secret]), [secret, JSON.stringify(secret).slice(1, -1)]);
			expect(left).toEqual([]);
		}
	},
);

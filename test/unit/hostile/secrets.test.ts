import fc from 'fast-check';

import { hideSecrets } from '../../../nodes/shared/hide';
import { encodings } from '../../../sandbox/echo';
import { holds } from '../../hostile/property';
import { findSecrets } from '../../spellings';

/** What escapes are made of, beside whatever else. */
const part = fc.oneof(
	fc.constantFrom('%', '&', '\\', '+', '"', ' ', '/', '2', '5', '0', '4', '1', 'lt;', 'amp;', '#', 'u', 'a', ';'),
	fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
);
const textOf = (minLength: number, maxLength: number) =>
	fc.array(part, { minLength, maxLength }).map((parts) => parts.join(''));

/** Printable, as keys are; not of the mark that hides them. */
const secrets = fc
	.oneof(textOf(3, 20), fc.string({ unit: 'grapheme', minLength: 3, maxLength: 40 }))
	.filter((text) => !/[\p{Cc}\p{Cs}•]/u.test(text));
const others = fc.oneof(textOf(0, 10), fc.string({ maxLength: 20 }));
const anyEncoding = fc.constantFrom(...(Object.keys(encodings) as Array<keyof typeof encodings>));

holds(
	'no secret is left in a text, however it is written there',
	11,
	fc.tuple(anyEncoding, secrets, others, others),
	([encoding, secret, before, after]) => {
		// A short secret is not looked for inside of what is encoded as a whole.
		fc.pre(Buffer.byteLength(secret) >= 8 || !/base64|basic/.test(encoding));
		const hidden = hideSecrets(encodings[encoding](before + secret + after), [secret]);
		expect(findSecrets(hidden, [secret])).toEqual([]);
	},
);

holds(
	'no secret is left in a JSON body, however that is written',
	10,
	fc.tuple(anyEncoding, secrets, others),
	([encoding, secret, other]) => {
		fc.pre(Buffer.byteLength(secret) >= 8);
		const body = encodings[encoding](JSON.stringify({ institution: other, 'pre-shared key': secret, other }));
		expect(findSecrets(hideSecrets(body, [secret]), [secret, JSON.stringify(secret).slice(1, -1)])).toEqual([]);
	},
);

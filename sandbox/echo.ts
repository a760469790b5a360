import type { FastifyReply, FastifyRequest } from 'fastify';

const json = (text: string): string => JSON.stringify(text).slice(1, -1);

/** A text with those of its bytes that are no letters or digits written in a way of their own. */
const bytesAs = (text: string, write: (byte: number) => string): string =>
	[...Buffer.from(text)]
		.map((byte) => (/[a-z\d]/i.test(String.fromCharCode(byte)) && byte < 128 ? String.fromCharCode(byte) : write(byte)))
		.join('');

const names =
	'excl quot num dollar percnt amp apos lpar rpar ast plus comma hyphen period sol colon semi lt equals gt quest commat lbrack bsol rsqb Hat lowbar grave lbrace vert rcub tilde'.split(
		' ',
	);
const htmlNames = Object.fromEntries([...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'].map((char, i) => [char, names[i]!]));

/** The ways in which software writes one text inside another. */
export const encodings = {
	plain: (text: string) => text,
	json,
	/** A log line in JSON that quotes a body in JSON. */
	jsonTwice: (text: string) => json(json(text)),
	/** As libraries do that put only ASCII into JSON, and escape the slash. */
	jsonAscii: (text: string) =>
		json(text)
			.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
			.replaceAll('/', '\\/'),
	url: (text: string) => encodeURIComponent(text),
	urlLowerCase: (text: string) => encodeURIComponent(text).replace(/%../g, (byte) => byte.toLowerCase()),
	urlTwice: (text: string) => encodeURIComponent(encodeURIComponent(text)),
	form: (text: string) => new URLSearchParams({ text }).toString().slice('text='.length),
	html: (text: string) =>
		text.replace(
			/["&'<>]/g,
			(char) => ({ '"': '&quot;', '&': '&amp;', "'": '&#39;', '<': '&lt;', '>': '&gt;' })[char]!,
		),
	htmlInNumbers: (text: string) => [...text].map((char) => `&#${char.codePointAt(0)};`).join(''),
	/** As PHP writes HTML 5. */
	htmlNames: (text: string) => text.replace(/[!-/:-@[-`{-~]/g, (char) => `&${htmlNames[char]};`),
	/** As Python and web servers write bytes into their logs. */
	backslashX: (text: string) => bytesAs(text, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`),
	octal: (text: string) => bytesAs(text, (byte) => `\\${byte.toString(8).padStart(3, '0')}`),
	codePoints: (text: string) => text.replace(/[^\w]/gu, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`),
	/** As in mail: lines of 76 characters at most. */
	quotedPrintable: (text: string) =>
		(
			bytesAs(text, (byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).match(/(?:=..|[^=]){1,25}/g) ?? []
		).join('=\r\n'),
	hexSpaced: (text: string) => (Buffer.from(text).toString('hex').match(/../g) ?? []).join(' '),
	base64Wrapped: (text: string) =>
		(
			Buffer.from(text)
				.toString('base64')
				.match(/.{1,64}/g) ?? []
		).join('\n'),
	base64: (text: string) => Buffer.from(text).toString('base64'),
	base64url: (text: string) => Buffer.from(text).toString('base64url'),
	hex: (text: string) => Buffer.from(text).toString('hex'),
} satisfies Record<string, (text: string) => string>;

export type Encoding = keyof typeof encodings;

/** Where a careless server repeats a request. */
export const echoPlaces = [
	/** As an object, in a JSON body of its own shape. */
	'object',
	/** As the whole body. */
	'text',
	'html',
	/** In the fields that the platform's refusal has. */
	'refusal',
	/** Beside the fields of a success: a match, or a message that was taken. (It was not.) */
	'success',
] as const;

/** Answers a request with the request itself, headers and keys included. */
export function sendEcho(
	status: number,
	place: (typeof echoPlaces)[number],
	encoding: Encoding,
	request: FastifyRequest,
	reply: FastifyReply,
): FastifyReply {
	const { method, url, headers, body } = request;
	const whole = encodings[encoding](JSON.stringify({ method, url, headers, body }));
	const { ssn = '' } = request.query as { ssn?: string };
	switch (place) {
		case 'object':
			return reply.code(status).send({ error: 'Bad request', request: { method, url, headers, body }, whole });
		case 'text':
			return reply.code(status).type('text/plain; charset=utf-8').send(whole);
		case 'html':
			return reply.code(status).type('text/html; charset=utf-8').send(`<!doctype html><pre>${whole}</pre>`);
		case 'refusal':
			return reply.code(status).send({ serviceId: '101', errorCode: whole, error: `Cannot read: ${whole}` });
		case 'success':
			return reply.code(status).send({
				match: 'true',
				ssn,
				address_street: whole,
				serviceId: '101',
				errorCode: '',
				error: '',
				request: { headers, body },
			});
	}
}

import type { FastifyReply, FastifyRequest } from 'fastify';

const json = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The encodings in which a server may repeat a text in its answer. */
export const encodings = {
	plain: (text: string) => text,
	json,
	/** JSON that contains only ASCII, with escaped slashes, as some libraries write it. */
	jsonAscii: (text: string) =>
		json(text)
			.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
			.replaceAll('/', '\\/'),
	url: (text: string) => encodeURIComponent(text),
	urlLowerCase: (text: string) => encodeURIComponent(text).replace(/%../g, (byte) => byte.toLowerCase()),
	form: (text: string) => new URLSearchParams({ text }).toString().slice('text='.length),
	html: (text: string) =>
		text.replace(
			/["&'<>]/g,
			(char) => ({ '"': '&quot;', '&': '&amp;', "'": '&#39;', '<': '&lt;', '>': '&gt;' })[char]!,
		),
	htmlInNumbers: (text: string) => text.replace(/[^\w.-]/gu, (char) => `&#${char.codePointAt(0)};`),
	/** Percent-encoding of every byte, even if a byte needs none. */
	urlEveryByte: (text: string) =>
		Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
	htmlEveryLetter: (text: string) => Array.from(text, (char) => `&#${char.codePointAt(0)};`).join(''),
	htmlEveryLetterInHex: (text: string) =>
		Array.from(text, (char) => `&#x${char.codePointAt(0)!.toString(16)};`).join(''),
	jsonEveryUnit: (text: string) =>
		text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
	base64: (text: string) => Buffer.from(text).toString('base64'),
	base64url: (text: string) => Buffer.from(text).toString('base64url'),
	/** The value of a header for basic authentication, with an arbitrary user name. */
	basic: (text: string) => Buffer.from(`user:${text}`).toString('base64'),
} satisfies Record<string, (text: string) => string>;

export type Encoding = keyof typeof encodings;

/** The places in an answer where a faulty server repeats the request. */
export const echoPlaces = [
	/** In an undocumented JSON body, as an object. */
	'object',
	/** As the whole body, which is plain text. */
	'text',
	'html',
	/** In the fields `errorCode` and `error`, which the platform's rejections have. */
	'refusal',
	/** Beside the fields of a success: a match, or an accepted message. In fact nothing was accepted. */
	'success',
] as const;

/** Sends an answer that repeats the whole request, with its headers and keys. */
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

import { z } from 'zod';
import { echoPlaces, encodings, type Encoding } from './echo';
import { prefixes } from './keywords';

/** The answers to the next requests. `normal` is the documented answer. */
export const answers = [
	'normal',
	/** The service rejects the request: 403 from the registry, an `errorCode` from the platform. No message is accepted. */
	'refuse',
	'429',
	'500',
	'503',
	/** The connection breaks before the request is accepted. */
	'cutBefore',
	/** The request is accepted, and the connection breaks before the answer, so the outcome is unknown to the caller. */
	'cutAfter',
	/** 200 with a body that is not the documented object. The request is taken. */
	'html',
	'missingFields',
	/** The whole request, key included, as careless servers do; `status` (400), `echoIn` and `echoAs` say how. */
	'echo',
	/** A redirect to a URL under `redirectTo`, with `status` (307). */
	'redirect',
] as const;

/** The kinds of delivery reports for an accepted message. */
export const reports = [
	'normal',
	'lost',
	'twice',
	/** It is sent before the send itself is answered. */
	'early',
	/** SUBMITTED and SENT come first, as separate reports. */
	'intermediate',
	/** The same three, the last one first. */
	'outOfOrder',
] as const;

/** How the URL of a report comes back from a platform that changes it: with `&amp;` in its query, or without its end. */
export const reportUrls = ['unchanged', 'amp', 'cut'] as const;

const milliseconds = z.number().int().min(0).max(600_000);
const shortText = z.string().max(500);

/** The switches. They hold for every request until they are changed, or for `times` requests. */
export const switches = z
	.object({
		answer: z.enum(answers),
		/** For how many requests `answer` holds; after that it is `normal` again. null: until changed. */
		times: z.number().int().min(1).nullable(),
		/**
		 * How long `answer` holds from the first request on, in milliseconds; after that it is `normal` again. null: until
		 * changed.
		 */
		forMs: milliseconds.min(1).nullable(),
		/** `answer`, `delayMs` and `holdUntilTaken` hold for messages to this recipient only; empty: for every request. */
		recipient: shortText,
		/** Waited before any answer, in milliseconds. */
		delayMs: milliseconds,
		/**
		 * A request waits until so many messages were accepted. So a test can let others pass a slow one without a clock. 0: no
		 * wait.
		 */
		holdUntilTaken: z.number().int().min(0),
		/** The Retry-After header of a 429 or a 503, in seconds or as a date; empty: none. */
		retryAfter: shortText,
		/** The HTTP status of `echo` and `redirect`. null: the usual one. */
		status: z.number().int().min(200).max(599).nullable(),
		/** The HTTP status of the SMS platform's rejections. The documents leave it open. */
		refusalStatus: z.union([z.literal(200), z.number().int().min(400).max(499)]),
		/** The HTTP status of the registry's answer "no match". The documents leave it open. */
		noMatchStatus: z.union([z.literal(200), z.number().int().min(400).max(499)]),
		echoIn: z.enum(echoPlaces),
		echoAs: z.enum(Object.keys(encodings) as [Encoding, ...Encoding[]]),
		/** The origin to which `redirect` points. */
		redirectTo: shortText,
		report: z.enum(reports),
		reportUrl: z.enum(reportUrls),
		/** Between the answer and its report, in milliseconds. */
		reportDelayMs: milliseconds,
		/** Empty: DELIVRD. Otherwise the report says ERROR, with this code. */
		reportError: shortText,
		/** The percentage of messages, evenly spread, whose report says ERROR, with `reportError` or otherwise 27. */
		notDelivered: z.number().int().min(0).max(100),
		/** How long the platform waits for the answer to a forward or a report, in milliseconds. Then it gives up the call. */
		giveUpAfterMs: milliseconds.min(100),
		/** How often it repeats a call with the same body if the call was given up or not accepted. null: the usual number. */
		callsAgain: z.number().int().min(0).max(20).nullable(),
		/** See `Habits` in keywords.ts. */
		greekLetters: z.boolean(),
		canonicalKeyword: z.boolean(),
		prefix: z.enum(prefixes),
	})
	.strict();

export type Trouble = z.infer<typeof switches>;

export const noTrouble: Readonly<Trouble> = {
	answer: 'normal',
	times: null,
	forMs: null,
	recipient: '',
	delayMs: 0,
	holdUntilTaken: 0,
	retryAfter: '',
	status: null,
	refusalStatus: 200,
	noMatchStatus: 200,
	echoIn: 'object',
	echoAs: 'plain',
	redirectTo: '',
	report: 'normal',
	reportUrl: 'unchanged',
	reportDelayMs: 20,
	reportError: '',
	notDelivered: 0,
	giveUpAfterMs: 30_000,
	callsAgain: null,
	greekLetters: true,
	canonicalKeyword: false,
	prefix: 'none',
};

/** When the `forMs` that has begun ends, in Unix milliseconds. */
const ends = new WeakMap<Trouble, number>();

/** Switches as at the start. */
export function endTrouble(trouble: Trouble, start: Trouble): void {
	Object.assign(trouble, start);
	ends.delete(trouble);
}

/**
 * Takes the answer that is due for one request, and counts it.
 * @returns a value of `answers`
 */
export function nextAnswer(trouble: Trouble): Trouble['answer'] {
	const { answer } = trouble;
	if (answer === 'normal') return answer;
	if (trouble.forMs !== null) {
		const end = ends.get(trouble) ?? Date.now() + trouble.forMs;
		ends.set(trouble, end);
		if (Date.now() >= end) {
			Object.assign(trouble, { answer: 'normal', forMs: null });
			ends.delete(trouble);
			return 'normal';
		}
	}
	if (trouble.times !== null && --trouble.times <= 0) Object.assign(trouble, { answer: 'normal', times: null });
	return answer;
}

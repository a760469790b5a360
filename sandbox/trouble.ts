import { z } from 'zod';
import { echoPlaces, encodings, type Encoding } from './echo';
import { prefixes } from './keywords';

/** The kinds of answers that a service can give. `normal` is the documented answer; the others are simulated faults. */
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
	/** The request is accepted, and the answer is 200 with a web page. */
	'html',
	/** The request is accepted, and the answer is 200 with an empty object. */
	'missingFields',
	/**
	 * The answer repeats the whole request with its key, as some faulty servers do. `status` (400 by default), `echoIn` and
	 * `echoAs` set its form.
	 */
	'echo',
	/** A redirect to the same path at `redirectTo`, with `status` (307 by default). */
	'redirect',
] as const;

/** The kinds of delivery reports for an accepted message. */
export const reports = [
	'normal',
	'lost',
	'twice',
	/** The report arrives before the answer to the send. */
	'early',
	/** The reports SUBMITTED and SENT come before the last one. */
	'intermediate',
	/** The same three reports in the reverse order. */
	'outOfOrder',
] as const;

/** The form in which the platform calls the URL for a report: unchanged, with `&amp;` for each `&`, or without its end. */
export const reportUrls = ['unchanged', 'amp', 'cut'] as const;

const milliseconds = z.number().int().min(0).max(600_000);
const shortText = z.string().max(500);

/** The switches, which simulate faults and variants of the services. A switch applies until it is changed. */
export const switches = z
	.object({
		answer: z.enum(answers),
		/** The number of requests for which `answer` applies. After them `answer` is `normal` again. null: there is no limit. */
		times: z.number().int().min(1).nullable(),
		/**
		 * How long `answer` applies, in milliseconds from the first request on. After that time `answer` is `normal` again. null:
		 * there is no limit of time.
		 */
		forMs: milliseconds.min(1).nullable(),
		/** `answer`, `delayMs` and `holdUntilTaken` apply only to messages to this recipient. Empty: to every request. */
		recipient: shortText,
		/** The delay before every answer, in milliseconds. */
		delayMs: milliseconds,
		/**
		 * A request waits for its answer until the platform has accepted this number of messages. So in a test other messages can
		 * overtake the message of that request, without depending on time. 0: no wait.
		 */
		holdUntilTaken: z.number().int().min(0),
		/** The Retry-After header of the answers 429 and 503, in seconds or as a date. Empty: no header. */
		retryAfter: shortText,
		/** The HTTP status of the answers `echo` and `redirect`. null: their default. */
		status: z.number().int().min(200).max(599).nullable(),
		/** The HTTP status of the SMS platform's rejections, which the documentation does not define. */
		refusalStatus: z.union([z.literal(200), z.number().int().min(400).max(499)]),
		/** The HTTP status of the registry's answer "no match", which the documentation does not define. */
		noMatchStatus: z.union([z.literal(200), z.number().int().min(400).max(499)]),
		echoIn: z.enum(echoPlaces),
		echoAs: z.enum(Object.keys(encodings) as [Encoding, ...Encoding[]]),
		/** The origin of the URL to which the answer `redirect` points. */
		redirectTo: shortText,
		report: z.enum(reports),
		reportUrl: z.enum(reportUrls),
		/** The time from the accepted message to its report, in milliseconds. */
		reportDelayMs: milliseconds,
		/** The error code of every report, whose status is then ERROR. Empty: the status is DELIVRD. */
		reportError: shortText,
		/**
		 * The percentage of messages, evenly spread, whose report says ERROR. The error code is `reportError`, or 27 if that is
		 * empty. 0: `reportError` applies to all messages.
		 */
		notDelivered: z.number().int().min(0).max(100),
		/** How long the platform waits for an answer to a forward or a report, in milliseconds. Then it ends the call. */
		giveUpAfterMs: milliseconds.min(100),
		/**
		 * How often the platform repeats a call that the institution has neither accepted nor rejected with a documented answer.
		 * null: as often as `retryMs` says.
		 */
		callsAgain: z.number().int().min(0).max(20).nullable(),
		/** See `KeywordSwitches` in keywords.ts. */
		greekLetters: z.boolean(),
		canonicalKeyword: z.boolean(),
		prefix: z.enum(prefixes),
	})
	.strict();

/** The values of all switches. `trouble` is also the name of the path that sets them: /control/trouble. */
export type Trouble = z.infer<typeof switches>;

/** The values of the switches without any fault. */
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

/** The end of the time `forMs`, in Unix milliseconds, if a request has started it. */
const ends = new WeakMap<Trouble, number>();

/** Sets all switches to their initial values. */
export function endTrouble(trouble: Trouble, start: Trouble): void {
	Object.assign(trouble, start);
	ends.delete(trouble);
}

/**
 * Returns the kind of answer for the next request. That request counts for `times`, and if it is the first one, the time `forMs`
 * begins. When `times` or `forMs` is over, the switch `answer` returns to `normal`.
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

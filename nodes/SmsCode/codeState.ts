import { randomBytes } from 'node:crypto';

import { sameText } from '../../lib/values/digest';
import { aboutDuration, type About } from '../../lib/texts/notice';
import { fault, type Problem } from '../../lib/texts/problem';
import type { Platform } from '../../lib/smsPlatform/credential';
import { newCode, readTypedCode } from './oneTimeCode';
import type { Verification } from './verificationId';

/*
 * The state of one-time codes in this process: the times when codes were sent, and for each mobile number and purpose the
 * current code, the number of wrong codes that were typed, and the used codes. Limits apply to the codes that are sent and to
 * the wrong codes.
 *
 * The state is in the memory of this process. The functions are synchronous, so two executions can't exceed a limit together.
 * After a restart the state is empty, but a person who guesses codes can't cause a restart. Each worker of queue mode has a
 * state of its own, so several workers allow more tries. A used code must stay used after a restart, and for all workers. So
 * `checkItem` in `checkCode.ts` records it in n8n's database too (`recordOnce`). All times are in milliseconds since 1970.
 */

const MINUTE = 60_000;
export const TEN_MINUTES = 10 * MINUTE;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The largest number of codes that are sent to one mobile number within any ten minutes. */
export const IN_TEN_MINUTES = 5;
/** The largest number of codes that are sent to one mobile number within any 24 hours. */
export const IN_A_DAY = 20;
/** The largest number of mobile numbers in the state. Further numbers get no code, and their codes are not checked. */
export const MOST_NUMBERS = 50_000;

/** A request for a code. */
export interface Order {
	/** The Greek mobile number, ten digits. */
	mobile: string;
	/** The purpose of the code as the user typed it. It may be empty. */
	purpose: string;
	codeLength: number;
	validMinutes: number;
	maxAttempts: number;
}

/**
 * The current code of a mobile number for one purpose. The same code may be sent in several SMS. `serial`: a random id of the
 * code. `ends`: when the code of each SMS expires.
 */
type Code = { digits: string; serial: string; ends: number[] };

/** The tries for one number and purpose. When the last of the codes expires, the tries are counted from zero again. */
interface Tries {
	/** The current code. Undefined after it was used. */
	code?: Code;
	/** The number of wrong codes that were typed. */
	wrong: number;
	/** The serials of codes that were used. */
	used: Set<string>;
	/** When the last of the codes expires. */
	end: number;
}

/**
 * The result of a request for a code. Either a code may be sent, and the code is counted already. If the code is then not sent,
 * the caller calls `release`, which removes the code from the counts. Or a limit refuses the request, and `current` is the
 * valid code that the person has, if there is one.
 */
type Claimed = { verification: Verification; release: () => void } | { refused: Problem; current?: Verification };

/** The result of trying a typed code. */
export interface Verdict {
	reason: 'right' | 'used' | 'wrong' | 'tooManyAttempts';
	attemptsLeft?: number;
	/** When the counted tries expire, so that the person may try again. */
	freeAt?: number;
}

/** The state of each platform's codes. */
const ofPlatforms = new Map<string, ReturnType<typeof openCodeState>>();

/** Returns the state of a platform's codes. The URL and the institution identify the platform. */
export function codeStateOf({ sendUrl, institution }: Platform): ReturnType<typeof openCodeState> {
	const name = JSON.stringify([sendUrl, institution]);
	const codeState = ofPlatforms.get(name) ?? openCodeState();
	ofPlatforms.set(name, codeState);
	return codeState;
}

/** Opens an empty state. @param mostNumbers the largest number of mobile numbers in it */
export function openCodeState(mostNumbers = MOST_NUMBERS) {
	/** For each mobile number: the times when codes were sent to it, and its tries by purpose. */
	const phones = new Map<string, { sent: number[]; tries: Map<string, Tries> }>();
	/** The times when codes were sent, by the id of each workflow that has a limit. */
	const ofWorkflows = new Map<string, number[]>();
	let cleanedAt = -Infinity;

	/** Removes what has expired from the state, at most once a minute. */
	function removeExpired(now: number): void {
		if (now - cleanedAt < MINUTE) return;
		cleanedAt = now;
		for (const [mobile, { sent, tries }] of phones) {
			for (const [purpose, { end }] of tries) if (end <= now) tries.delete(purpose);
			if (tries.size === 0 && roomAt(sent, 1, DAY) <= now) phones.delete(mobile);
		}
		for (const [workflow, sent] of ofWorkflows) if (roomAt(sent, 1, HOUR) <= now) ofWorkflows.delete(workflow);
	}

	/**
	 * Returns the times when codes were sent to a mobile number, and its tries for a purpose.
	 * @throws Problem if the number is new and the state has too many numbers already
	 */
	function stateOfNumber(mobile: string, purpose: string, now: number): { sent: number[]; tries: Tries } {
		removeExpired(now);
		const phone = phones.get(mobile) ?? { sent: [], tries: new Map<string, Tries>() };
		if (!phones.has(mobile) && phones.size >= mostNumbers) {
			const what = { field_el: 'τους κωδικούς επαλήθευσης', field_en: 'one-time codes' };
			throw fault(
				'setting',
				what,
				`Codes were requested for too many different mobile numbers: the limit is ${mostNumbers}. ${CHECK_FORM}`,
			);
		}
		phones.set(mobile, phone);
		const known = phone.tries.get(purpose);
		const tries = known !== undefined && known.end > now ? known : { wrong: 0, used: new Set<string>(), end: 0 };
		phone.tries.set(purpose, tries);
		return { sent: phone.sent, tries };
	}

	return {
		/**
		 * Chooses the code to send, and counts it before it is sent. The current code of this mobile number and purpose is
		 * chosen if it is still valid and has the length of the order. Otherwise a new code is made.
		 * @param maxPerHour the number of codes that the workflow may send in an hour; 0: no limit
		 * @returns `refused` if a limit is reached or if no tries are left. If no tries are left, no code is sent: the person
		 * could not use the code, and would have to wait even longer for new tries
		 */
		claim(order: Order, workflow: string, maxPerHour: number, now: number): Claimed {
			const { mobile, purpose, codeLength, validMinutes, maxAttempts } = order;
			const { sent, tries } = stateOfNumber(mobile, purpose, now);
			if (tries.wrong >= maxAttempts)
				return { refused: fault('tooManyAttempts', aboutDuration(tries.end - now), 'No code was sent') };
			const validCode = tries.code?.ends.some((end) => end > now) === true ? tries.code : undefined;
			const verificationOf = ({ digits, serial }: Code, end: number): Verification => {
				return { mobile, code: digits, serial, maxAttempts, end };
			};

			const ofWorkflow = ofWorkflows.get(workflow) ?? [];
			const limits: Array<[until: number, advice: string]> = [
				[roomAt(sent, IN_TEN_MINUTES, TEN_MINUTES), 'Five codes were sent to this number within ten minutes'],
				[roomAt(sent, IN_A_DAY, DAY), `Twenty codes were sent to this number within a day. ${CHECK_FORM}`],
				[
					roomAt(ofWorkflow, maxPerHour || Infinity, HOUR),
					`This workflow sent ${maxPerHour} codes in the last hour. ${CHECK_FORM}. If the form is not being misused, raise the option Max Codes per Hour`,
				],
			];
			const [until, advice] = limits.reduce((one, other) => (other[0] > one[0] ? other : one));
			if (until > now) {
				const about: About = { ...aboutDuration(until - now), ...(validCode && { todo: 'codeYouHave' }) };
				const current = validCode && verificationOf(validCode, Math.max(...validCode.ends));
				return { refused: fault('tooManyCodes', about, advice), current };
			}

			const end = now + validMinutes * MINUTE;
			const code =
				validCode?.digits.length === codeLength
					? validCode
					: { digits: newCode(codeLength), serial: randomBytes(9).toString('base64url'), ends: [] };
			tries.code = code;
			tries.end = Math.max(tries.end, end);
			code.ends.push(end);
			addTime(sent, now, DAY);
			if (maxPerHour > 0) {
				addTime(ofWorkflow, now, HOUR);
				ofWorkflows.set(workflow, ofWorkflow);
			}
			const release = () => {
				removeTime(code.ends, end);
				// The new code was not sent. So the code before it becomes the current one again.
				if (tries.code === code && code.ends.length === 0 && !tries.used.has(validCode?.serial ?? ''))
					tries.code = validCode;
				removeTime(sent, now);
				if (maxPerHour > 0) removeTime(ofWorkflow, now);
			};
			return { verification: verificationOf(code, end), release };
		},

		/**
		 * Tries a typed code. A wrong code uses up a try, but a text that can't be a code does not. A right code is recorded as
		 * used.
		 * @throws Problem if the number is new and the state has too many numbers already
		 */
		try(verification: Verification, purpose: string, typed: unknown, now: number): Verdict {
			const { mobile, code, serial, maxAttempts, end } = verification;
			const { tries } = stateOfNumber(mobile, purpose, now);
			if (tries.wrong >= maxAttempts) return { reason: 'tooManyAttempts', attemptsLeft: 0, freeAt: tries.end };
			const digits = readTypedCode(typed, code.length);
			if (digits !== undefined) tries.end = Math.max(tries.end, end);
			if (digits === undefined || !sameText(digits, code)) {
				if (digits !== undefined) tries.wrong++;
				return { reason: 'wrong', attemptsLeft: maxAttempts - tries.wrong, freeAt: tries.end };
			}
			if (tries.used.has(serial)) return { reason: 'used' };
			tries.used.add(serial);
			if (tries.code?.serial === serial) delete tries.code;
			return { reason: 'right' };
		},

		/**
		 * Records a code as unused again. This is needed if `recordOnce` could not write to n8n's database, so that the check
		 * failed.
		 */
		releaseUse: ({ mobile, serial }: Verification, purpose: string) =>
			void phones.get(mobile)?.tries.get(purpose)?.used.delete(serial),
	};
}

const CHECK_FORM = 'Check that nobody misuses the form';

/**
 * Returns when the next code may be sent.
 * @param times the times when codes were sent, in their order
 * @param most the largest number of codes within any span of time of the length `span`
 */
const roomAt = (times: number[], most: number, span: number): number => (times.at(-most) ?? -Infinity) + span;

/** Adds the current time to the times, and removes the times that are older than `span`. */
function addTime(times: number[], now: number, span: number): void {
	while (times[0]! <= now - span) times.shift();
	times.push(now);
}

function removeTime(times: number[], time: number): void {
	const index = times.lastIndexOf(time);
	if (index !== -1) times.splice(index, 1);
}

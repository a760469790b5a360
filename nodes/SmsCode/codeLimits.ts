import { randomBytes } from 'node:crypto';

import { sameText } from '../../lib/values/digest';
import { aboutDuration, type About } from '../../lib/texts/notice';
import { fault, type Problem } from '../../lib/texts/problem';
import type { Platform } from '../../lib/smsPlatform/credential';
import { newCode, readTypedCode } from './oneTimeCode';
import type { Verification } from './verificationId';

/*
 * The limits for codes: how many are sent to a number and by a workflow, how many wrong codes may be typed, and the code that a
 * number has now. The counts are kept in this process. The functions are synchronous, so two executions can't exceed a limit
 * together. After a restart the counts begin again, but a person who guesses codes can't cause a restart. Each worker of queue
 * mode has its own counts, so several workers allow more tries. Times are Unix milliseconds.
 */

const MINUTE = 60_000;
export const TEN_MINUTES = 10 * MINUTE;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The largest number of codes to one number, in any ten minutes and in any day. */
export const IN_TEN_MINUTES = 5;
export const IN_A_DAY = 20;
/** The most mobile numbers that are counted at once. Other numbers get no code, and their codes are not checked. */
export const MOST_NUMBERS = 50_000;

/** A request for a code. */
export interface Order {
	/** Ten digits. */
	mobile: string;
	/** The purpose of the code, as the user typed it; may be empty. */
	purpose: string;
	codeLength: number;
	validMinutes: number;
	maxAttempts: number;
}

/** A code that a number has, and when each SMS with it ends. */
type Code = { digits: string; serial: string; ends: number[] };

/** Attempts for one number and purpose, until the last of its codes expires. */
interface Tries {
	/** Undefined after the code was used. */
	code?: Code;
	wrong: number;
	/** The serials of codes that were used. */
	used: Set<string>;
	end: number;
}

/**
 * A code that may be sent, with a function that takes it out of the counts again. Or the rejection, with the code that the
 * person has.
 */
type Claimed = { verification: Verification; release: () => void } | { refused: Problem; current?: Verification };

export interface Verdict {
	reason: 'right' | 'used' | 'wrong' | 'tooManyAttempts';
	attemptsLeft?: number;
	/** When the person may try again, because the counted tries expire. */
	freeAt?: number;
}

const ofPlatforms = new Map<string, ReturnType<typeof openCounts>>();

/** Returns the counts of a platform, which its URL and the institution identify. */
export function countsOf({ sendUrl, institution }: Platform): ReturnType<typeof openCounts> {
	const name = JSON.stringify([sendUrl, institution]);
	const counts = ofPlatforms.get(name) ?? openCounts();
	ofPlatforms.set(name, counts);
	return counts;
}

/** Opens empty counts. @param mostNumbers the largest number of numbers that they count */
export function openCounts(mostNumbers = MOST_NUMBERS) {
	/** For each number: the times when codes were sent to it, and its tries by purpose. */
	const phones = new Map<string, { sent: number[]; tries: Map<string, Tries> }>();
	/** The times when codes were sent, by the id of each workflow that has a limit. */
	const ofWorkflows = new Map<string, number[]>();
	let cleanedAt = -Infinity;

	/** Removes expired counts, at most once a minute. */
	function removeExpired(now: number): void {
		if (now - cleanedAt < MINUTE) return;
		cleanedAt = now;
		for (const [mobile, { sent, tries }] of phones) {
			for (const [purpose, { end }] of tries) if (end <= now) tries.delete(purpose);
			if (tries.size === 0 && roomAt(sent, 1, DAY) <= now) phones.delete(mobile);
		}
		for (const [workflow, sent] of ofWorkflows) if (roomAt(sent, 1, HOUR) <= now) ofWorkflows.delete(workflow);
	}

	/** Returns the counts of a number. @throws Problem if too many numbers are counted already */
	function open(mobile: string, purpose: string, now: number): { sent: number[]; tries: Tries } {
		removeExpired(now);
		const phone = phones.get(mobile) ?? { sent: [], tries: new Map<string, Tries>() };
		if (!phones.has(mobile) && phones.size >= mostNumbers) {
			const what = { field_el: 'τους κωδικούς επαλήθευσης', field_en: 'one-time codes' };
			throw fault('setting', what, `Codes of ${mostNumbers} numbers were counted, and of no more. ${CHECK_FORM}`);
		}
		phones.set(mobile, phone);
		const known = phone.tries.get(purpose);
		const tries = known !== undefined && known.end > now ? known : { wrong: 0, used: new Set<string>(), end: 0 };
		phone.tries.set(purpose, tries);
		return { sent: phone.sent, tries };
	}

	return {
		/**
		 * Counts a code before it is sent. The code is the one that the number has, or a new one.
		 * @param maxPerHour how many codes the workflow may send in an hour; 0: no limit
		 * @returns `refused` if a limit is reached or no tries are left, because a new code would give new tries
		 */
		claim(order: Order, workflow: string, maxPerHour: number, now: number): Claimed {
			const { mobile, purpose, codeLength, validMinutes, maxAttempts } = order;
			const { sent, tries } = open(mobile, purpose, now);
			if (tries.wrong >= maxAttempts)
				return { refused: fault('tooManyAttempts', aboutDuration(tries.end - now), 'No code was sent') };
			const there = tries.code?.ends.some((end) => end > now) === true ? tries.code : undefined;
			const verificationOf = ({ digits, serial }: Code, end: number): Verification => {
				return { mobile, code: digits, serial, maxAttempts, end };
			};

			const ofWorkflow = ofWorkflows.get(workflow) ?? [];
			const limits: Array<[until: number, advice: string]> = [
				[roomAt(sent, IN_TEN_MINUTES, TEN_MINUTES), 'Five codes went to this number within ten minutes'],
				[roomAt(sent, IN_A_DAY, DAY), `Twenty codes went to this number within a day. ${CHECK_FORM}`],
				[
					roomAt(ofWorkflow, maxPerHour || Infinity, HOUR),
					`This workflow sent ${maxPerHour} codes within the hour. ${CHECK_FORM}. If all is in order, set the option Max Codes per Hour higher`,
				],
			];
			const [until, advice] = limits.reduce((one, other) => (other[0] > one[0] ? other : one));
			if (until > now) {
				const about: About = { ...aboutDuration(until - now), ...(there && { todo: 'codeYouHave' }) };
				const current = there && verificationOf(there, Math.max(...there.ends));
				return { refused: fault('tooManyCodes', about, advice), current };
			}

			const end = now + validMinutes * MINUTE;
			const code =
				there?.digits.length === codeLength
					? there
					: { digits: newCode(codeLength), serial: randomBytes(9).toString('base64url'), ends: [] };
			tries.code = code;
			tries.end = Math.max(tries.end, end);
			code.ends.push(end);
			note(sent, now, DAY);
			if (maxPerHour > 0) {
				note(ofWorkflow, now, HOUR);
				ofWorkflows.set(workflow, ofWorkflow);
			}
			const release = () => {
				removeTime(code.ends, end);
				// The code did not reach its recipient, so the earlier one stays valid.
				if (tries.code === code && code.ends.length === 0 && !tries.used.has(there?.serial ?? '')) tries.code = there;
				removeTime(sent, now);
				if (maxPerHour > 0) removeTime(ofWorkflow, now);
			};
			return { verification: verificationOf(code, end), release };
		},

		/**
		 * Tries a typed code. A wrong code costs a try, and a right code is marked as used.
		 * @throws Problem if it can't be counted
		 */
		try(verification: Verification, purpose: string, typed: unknown, now: number): Verdict {
			const { mobile, code, serial, maxAttempts, end } = verification;
			const { tries } = open(mobile, purpose, now);
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

		/** Marks a code as unused again if its success could not be reported. */
		releaseUse: ({ mobile, serial }: Verification, purpose: string) =>
			void phones.get(mobile)?.tries.get(purpose)?.used.delete(serial),
	};
}

const CHECK_FORM = 'Check that nobody misuses the form';

/**
 * Returns when the next code may be sent.
 * @param times in their order
 * @param most how many are allowed in any span
 * @param span its length
 */
const roomAt = (times: number[], most: number, span: number): number => (times.at(-most) ?? -Infinity) + span;

/** Adds a time, and removes those before the span. */
function note(times: number[], now: number, span: number): void {
	while (times[0]! <= now - span) times.shift();
	times.push(now);
}

function removeTime(times: number[], time: number): void {
	const index = times.lastIndexOf(time);
	if (index !== -1) times.splice(index, 1);
}

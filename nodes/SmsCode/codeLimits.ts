import { randomBytes } from 'node:crypto';

import { sameText } from '../../lib/values/digest';
import { aboutDuration, type About } from '../../lib/texts/notice';
import { fault, type Problem } from '../../lib/texts/problem';
import type { Platform } from '../../lib/smsPlatform/credential';
import { newCode, readTypedCode } from './oneTimeCode';
import type { Verification } from './verificationId';

/*
 * What is counted of codes, in this process alone: codes sent to a number and by a workflow, wrong codes typed, and which
 * code a number has. Nothing here waits, so two executions can't take the same place. A restart begins anew, which nobody
 * who guesses can cause; each worker of queue mode counts for itself, and so gives further tries. Times are Unix
 * milliseconds.
 */

const MINUTE = 60_000;
export const TEN_MINUTES = 10 * MINUTE;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The most codes that go to a number, in any ten minutes and in any day. */
export const IN_TEN_MINUTES = 5;
export const IN_A_DAY = 20;
/** Nothing is counted of more numbers than these, so no further one gets a code, or has one checked. */
export const MOST_NUMBERS = 50_000;

/** A code that is asked for. */
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
	/** Undefined after it was used. */
	code?: Code;
	wrong: number;
	/** The serials of codes that were used. */
	used: Set<string>;
	end: number;
}

/** A code that may be sent, with a function that takes its count back. Or the refusal, with the code that the person has. */
type Taken = { verification: Verification; giveBack: () => void } | { refused: Problem; current?: Verification };

export interface Verdict {
	reason: 'right' | 'used' | 'wrong' | 'tooManyAttempts';
	attemptsLeft?: number;
	/** When the tries are over, so that there may be new ones. */
	freeAt?: number;
}

const ofPlatforms = new Map<string, ReturnType<typeof openCounts>>();

/** The counts of a platform: base URL and institution. */
export function countsOf({ sendUrl, institution }: Platform): ReturnType<typeof openCounts> {
	const name = JSON.stringify([sendUrl, institution]);
	const counts = ofPlatforms.get(name) ?? openCounts();
	ofPlatforms.set(name, counts);
	return counts;
}

/** Counts that begin with nothing. @param mostNumbers of how many numbers they know at most */
export function openCounts(mostNumbers = MOST_NUMBERS) {
	/** By number: when codes were sent to it, and its tries by purpose. */
	const phones = new Map<string, { sent: number[]; tries: Map<string, Tries> }>();
	/** When codes of a workflow that has a limit were sent, by its id. */
	const ofWorkflows = new Map<string, number[]>();
	let tidiedAt = -Infinity;

	/** Forgets what is over, at most once a minute. */
	function tidy(now: number): void {
		if (now - tidiedAt < MINUTE) return;
		tidiedAt = now;
		for (const [mobile, { sent, tries }] of phones) {
			for (const [purpose, { end }] of tries) if (end <= now) tries.delete(purpose);
			if (tries.size === 0 && roomAt(sent, 1, DAY) <= now) phones.delete(mobile);
		}
		for (const [workflow, sent] of ofWorkflows) if (roomAt(sent, 1, HOUR) <= now) ofWorkflows.delete(workflow);
	}

	/** @throws Problem where the number would be one too many */
	function open(mobile: string, purpose: string, now: number): { sent: number[]; tries: Tries } {
		tidy(now);
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
		 * Counts a code before it is sent: the one that the number has, or a new one.
		 * @param maxPerHour how many codes the workflow may send in an hour; 0: no limit
		 * @returns `refused` where a limit is reached, or the tries are spent: a new code would be new tries
		 */
		take(order: Order, workflow: string, maxPerHour: number, now: number): Taken {
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
			const giveBack = () => {
				takeOut(code.ends, end);
				// The code did not reach its recipient, so the earlier one stays valid.
				if (tries.code === code && code.ends.length === 0 && !tries.used.has(there?.serial ?? '')) tries.code = there;
				takeOut(sent, now);
				if (maxPerHour > 0) takeOut(ofWorkflow, now);
			};
			return { verification: verificationOf(code, end), giveBack };
		},

		/** Tries a typed code: a wrong one costs a try, a right one is used. @throws Problem if it can't be counted */
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
		giveBackUse: ({ mobile, serial }: Verification, purpose: string) =>
			void phones.get(mobile)?.tries.get(purpose)?.used.delete(serial),
	};
}

const CHECK_FORM = 'Check that nobody misuses the form';

/** When there is room for one more, where so many are allowed in any span of this length. @param times in their order */
const roomAt = (times: number[], most: number, span: number): number => (times.at(-most) ?? -Infinity) + span;

/** Adds a moment, and forgets those before the span. */
function note(times: number[], now: number, span: number): void {
	while (times[0]! <= now - span) times.shift();
	times.push(now);
}

function takeOut(times: number[], time: number): void {
	const index = times.lastIndexOf(time);
	if (index !== -1) times.splice(index, 1);
}

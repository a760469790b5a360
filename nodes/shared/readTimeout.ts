import { badParameter } from './errors';

/**
 * The Timeout option.
 *
 * @param seconds as set, or undefined for the default of 30
 * @returns milliseconds
 * @throws Problem where it is no number of seconds up to an hour
 */
export function readTimeout(seconds: unknown): number {
	const value = seconds === undefined ? 30 : Number(seconds);
	if (!(value > 0 && value <= 3600)) {
		throw badParameter('Timeout', 'must be more than 0 and at most 3600 seconds', 'Set a number such as 30');
	}
	return value * 1000;
}

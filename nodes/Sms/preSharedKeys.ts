import type { IDataObject } from 'n8n-workflow';

import { hideInData } from '../shared/hideSecret';
import { REPORT_ADDRESS_LIFETIME } from './reportAddress';

/** What signatures of report addresses are checked with. */
export interface PreSharedKeys {
	/** Empty where the credential holds none; then nothing is valid. */
	current: string;
	/** The key before the current one, for addresses that were signed before the change. */
	previous?: { key: string; lastExpiry: number };
}

/** What a caller wrote, as it may be stored with the execution: without the keys, in whichever field they put one. */
export function hideKeys<T>(data: T, { current, previous }: PreSharedKeys): T {
	return hideInData(data, [current, previous?.key ?? '']);
}

/** Seconds. The day of the change has a time zone, which the credential does not say, and people type it afterwards. */
const SLACK = 24 * 60 * 60;

/**
 * The keys of an SMS Platform credential.
 *
 * An address that was signed on the day of the change at the latest expires within its lifetime after it. Whoever
 * learns the previous key can therefore use it no longer than that, however late an expiry he signs.
 *
 * @returns the previous key only where the day of the change is known: without it, it would be valid for ever
 */
export function readPreSharedKeys({ preSharedKey, previousPreSharedKey, keyChangedOn }: IDataObject): PreSharedKeys {
	const current = typeof preSharedKey === 'string' ? preSharedKey : '';
	const changedOn = Date.parse(String(keyChangedOn)) / 1000;
	if (typeof previousPreSharedKey !== 'string' || previousPreSharedKey === '' || Number.isNaN(changedOn)) {
		return { current };
	}
	return { current, previous: { key: previousPreSharedKey, lastExpiry: changedOn + REPORT_ADDRESS_LIFETIME + SLACK } };
}

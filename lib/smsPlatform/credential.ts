import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { operationUrl } from '../http/baseUrl';
import { invalidParameter } from '../texts/problem';
import { isBlank, readChoice, readText } from '../n8n/parameters';
import type { Credential } from '../http/request';
import { cleanKey } from '../values/text';
import { readMessages } from './predefinedMessages';

const SEND_PATH = '/sendSMS';

/** The keys that check reports and codes. */
export interface Keys {
	/** Empty if the credential has no key. Then no report and no code is valid. */
	current: string;
	/** The key before the current one, and the Unix second until which it is valid. */
	previous?: { key: string; validUntil: number };
}

/** The settings of an institution, read from its credential. */
export type Platform = ReturnType<typeof readPlatform>;

/** The rules for recipients: which ones are allowed, and the format in which the platform gets them. */
export type RecipientRules = Pick<Platform, 'mobileFormat' | 'userNames'>;

/**
 * Reads a credential. The test of the credential reports faulty lines of Messages.
 * @throws Problem if another field can't be read
 */
export function readPlatform(credential: Credential) {
	const { data } = credential;
	const keys = readKeys(data);
	if (isBlank(data.institution)) throw invalidParameter('Institution', 'is empty', 'Fill it in the credential');
	if (keys.current === '') throw invalidParameter('Pre-Shared Key', 'is empty', 'Fill it in the credential');
	return {
		credential,
		sendUrl: operationUrl(data.baseUrl, SEND_PATH),
		institution: readText(data.institution, 'Institution', 256),
		keys,
		...readMessages(data.messages),
		/** The default for nodes without a URL of their own. Undefined if the credential has none. */
		dlrUrl: isBlank(data.dlrUrl) ? undefined : readText(data.dlrUrl, 'Delivery Report URL', 2000),
		/**
		 * The format of Greek mobiles: 69XXXXXXXX or 3069XXXXXXXX. A credential can lack the field if the form never showed it.
		 */
		mobileFormat: readChoice(data.mobileFormat ?? 'national', 'Mobile Format', ['national', 'international']),
		/** Whether a recipient may be a user name of the institution. */
		userNames: data.userNames === true,
	};
}

/** In seconds. Report URLs are valid for seven days. One day is added, because the day of the change has no time zone. */
export const PREVIOUS_KEY_LIFETIME = 8 * 24 * 60 * 60;

/** Reads the keys. The previous key counts only if the day of the change is known. Otherwise it would be valid for ever. */
export function readKeys({ preSharedKey, previousPreSharedKey, keyChangedOn }: IDataObject): Keys {
	const current = cleanKey(preSharedKey);
	const key = cleanKey(previousPreSharedKey);
	const changedOn = readDay(keyChangedOn);
	if (key === '' || changedOn === undefined) return { current };
	return { current, previous: { key, validUntil: changedOn + PREVIOUS_KEY_LIFETIME } };
}

/**
 * Returns the keys that are valid at a moment in Unix seconds. The previous key ends at a fixed moment, even for signatures
 * that are made with it later.
 */
export const validKeys = ({ current, previous }: Keys, now: number): string[] =>
	[current, previous !== undefined && now <= previous.validUntil ? previous.key : ''].filter(Boolean);

/**
 * Returns the key that checks incoming messages: the operator's own key for them, or otherwise the pre-shared key.
 */
export const readForwardKey = ({ preSharedKey, forwardKey }: IDataObject): string =>
	cleanKey(forwardKey) || cleanKey(preSharedKey);

/**
 * Reads an ISO 8601 date, with or without a time, as Unix seconds. Returns undefined for anything else, because other forms
 * could be read with the month first.
 */
export function readDay(value: unknown): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	if (!/^\d{4}-\d\d-\d\d(?:[T ].+)?$/.test(text)) return undefined;
	const seconds = DateTime.fromISO(text.replace(' ', 'T'), { zone: 'utc' }).toSeconds();
	return Number.isNaN(seconds) ? undefined : seconds;
}

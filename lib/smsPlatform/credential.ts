import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { operationUrl } from '../http/baseUrl';
import { invalidParameter } from '../texts/problem';
import { isBlank, readChoice, readText } from '../n8n/parameters';
import type { Credential } from '../http/request';
import { cleanKey } from '../values/text';
import { readMessages } from './predefinedMessages';

const SEND_PATH = '/sendSMS';

/**
 * The pre-shared keys. The nodes use them to sign and check the URLs of delivery reports, and derive other keys from them (see
 * `derivedKeys.ts`).
 */
export interface Keys {
	/** The current key. It is empty if the credential has no key. `validKeys` leaves out an empty key. */
	current: string;
	/** The key before the current one, and until when it is valid, in Unix seconds. */
	previous?: { key: string; validUntil: number };
}

/** The settings of an institution, read from its credential. */
export type Platform = ReturnType<typeof readPlatform>;

/** The rules for recipients: whether user names are allowed, and the format in which mobiles are sent to the platform. */
export type RecipientRules = Pick<Platform, 'mobileFormat' | 'userNames'>;

/**
 * Reads a credential.
 * @throws Problem if Institution, Pre-Shared Key, Base URL, Delivery Report URL or Mobile Format can't be used. Faults in other
 * fields don't cause an error here. The credential test reports them
 */
export function readPlatform(credential: Credential) {
	const { data } = credential;
	const keys = readKeys(data);
	if (isBlank(data.institution))
		throw invalidParameter('Institution', 'is empty', 'Fill in this field in the credential');
	if (keys.current === '') throw invalidParameter('Pre-Shared Key', 'is empty', 'Fill in this field in the credential');
	return {
		credential,
		sendUrl: operationUrl(data.baseUrl, SEND_PATH),
		institution: readText(data.institution, 'Institution', 256),
		keys,
		...readMessages(data.messages),
		/** The Delivery Report URL for nodes that have none. Undefined: the credential has none either. */
		dlrUrl: isBlank(data.dlrUrl) ? undefined : readText(data.dlrUrl, 'Delivery Report URL', 2000),
		/**
		 * The format in which Greek mobiles are sent: 69XXXXXXXX or 3069XXXXXXXX. A credential may lack the field, because n8n
		 * does not store a field that its form never showed.
		 */
		mobileFormat: readChoice(data.mobileFormat ?? 'national', 'Mobile Format', ['national', 'international']),
		/** Whether a recipient may be a user name of the institution. */
		userNames: data.userNames === true,
	};
}

/**
 * How long the previous key stays valid after the moment that `readDay` returns for the day of the change, in seconds. Report
 * URLs are valid for seven days. One day is added, because the key may be changed at any time of that day.
 */
export const PREVIOUS_KEY_LIFETIME = 8 * 24 * 60 * 60;

/** Reads the keys. The previous key is used only if the day of the change is known. Otherwise it would be valid for ever. */
export function readKeys({ preSharedKey, previousPreSharedKey, keyChangedOn }: IDataObject): Keys {
	const current = cleanKey(preSharedKey);
	const key = cleanKey(previousPreSharedKey);
	const changedOn = readDay(keyChangedOn);
	if (key === '' || changedOn === undefined) return { current };
	return { current, previous: { key, validUntil: changedOn + PREVIOUS_KEY_LIFETIME } };
}

/**
 * Returns the keys that are valid at a moment. The previous key becomes invalid at a fixed moment. So a person who still has it
 * can't make valid signatures for ever.
 * @param now in Unix seconds
 */
export const validKeys = ({ current, previous }: Keys, now: number): string[] =>
	[current, previous !== undefined && now <= previous.validUntil ? previous.key : ''].filter(Boolean);

/**
 * Returns the key that checks incoming messages. If the operator gave no separate key for them, this is the pre-shared key.
 */
export const readForwardKey = ({ preSharedKey, forwardKey }: IDataObject): string =>
	cleanKey(forwardKey) || cleanKey(preSharedKey);

/**
 * Reads an ISO 8601 date (YYYY-MM-DD), with or without a time, as Unix seconds. Undefined: there is no such day, or the value has
 * another form. In other forms, the order of day and month may be uncertain.
 */
export function readDay(value: unknown): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	if (!/^\d{4}-\d\d-\d\d(?:[T ].+)?$/.test(text)) return undefined;
	const seconds = DateTime.fromISO(text.replace(' ', 'T'), { zone: 'utc' }).toSeconds();
	return Number.isNaN(seconds) ? undefined : seconds;
}

import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { operationUrl } from '../http/baseUrl';
import { invalidParameter } from '../texts/problem';
import { isBlank, readChoice, readText } from '../n8n/parameters';
import type { Credential } from '../http/request';
import { cleanKey } from '../values/text';
import { readMessages } from './predefinedMessages';

const SEND_PATH = '/sendSMS';

/** What reports and codes are checked with. */
export interface Keys {
	/** Empty where the credential has none; then nothing is valid. */
	current: string;
	/** The key before the current one, and the Unix second after which it opens nothing any more. */
	previous?: { key: string; validUntil: number };
}

/** What an institution agreed with the operator of the platform, read from the credential. */
export type Platform = ReturnType<typeof readPlatform>;

/** Who a recipient may be, and how it goes to the platform. */
export type RecipientRules = Pick<Platform, 'mobileFormat' | 'userNames'>;

/** Understands a credential; what can't be read of Messages is left to its test. @throws Problem for other fields */
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
		/** Of every node that has none of its own; undefined where the credential has none. */
		dlrUrl: isBlank(data.dlrUrl) ? undefined : readText(data.dlrUrl, 'Delivery Report URL', 2000),
		/** Of Greek ones: 69XXXXXXXX or 3069XXXXXXXX. Credentials saved before the field was shown contain nothing. */
		mobileFormat: readChoice(data.mobileFormat ?? 'national', 'Mobile Format', ['national', 'international']),
		/** Whether a user name of the institution may stand in place of a number. */
		userNames: data.userNames === true,
	};
}

/** Seconds. Report URLs live seven days; one more, because the day of the change names no time zone. */
export const PREVIOUS_KEY_LIFETIME = 8 * 24 * 60 * 60;

/** The keys. The previous one only where the day of the change is known: otherwise it would be valid for ever. */
export function readKeys({ preSharedKey, previousPreSharedKey, keyChangedOn }: IDataObject): Keys {
	const current = cleanKey(preSharedKey);
	const key = cleanKey(previousPreSharedKey);
	const changedOn = readDay(keyChangedOn);
	if (key === '' || changedOn === undefined) return { current };
	return { current, previous: { key, validUntil: changedOn + PREVIOUS_KEY_LIFETIME } };
}

/** The keys that are valid at a moment in Unix seconds: however late somebody signs with the previous one, it opens nothing longer. */
export const validKeys = ({ current, previous }: Keys, now: number): string[] =>
	[current, previous !== undefined && now <= previous.validUntil ? previous.key : ''].filter(Boolean);

/** The key that incoming messages are checked with: the operator's own for them where there is one, alone. */
export const readForwardKey = ({ preSharedKey, forwardKey }: IDataObject): string =>
	cleanKey(forwardKey) || cleanKey(preSharedKey);

/** An ISO 8601 date, with or without a time, as Unix seconds; undefined for anything else, which could be read month first. */
export function readDay(value: unknown): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	if (!/^\d{4}-\d\d-\d\d(?:[T ].+)?$/.test(text)) return undefined;
	const seconds = DateTime.fromISO(text.replace(' ', 'T'), { zone: 'utc' }).toSeconds();
	return Number.isNaN(seconds) ? undefined : seconds;
}

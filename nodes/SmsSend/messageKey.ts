import type { IExecuteFunctions } from 'n8n-workflow';

import { isLocal } from '../../lib/http/baseUrl';
import { isLeftEmpty } from '../../lib/n8n/columns';
import { hashOf } from '../../lib/values/digest';
import { clean } from '../../lib/greek/letters';
import { readTextOption } from '../../lib/n8n/parameters';
import { invalidParameter } from '../../lib/texts/problem';
import type { Platform } from '../../lib/smsPlatform/credential';
import type { Message } from '../../lib/smsPlatform/api';
import * as options from './properties';

export const LONGEST_KEY = 500;

/**
 * Makes the key of a message. Two messages are the same if their keys are equal. n8n stores the keys of sent messages. A key is
 * a hash, so that no mobile number is stored. The key of a message does not depend on the pre-shared key, so no message is sent
 * twice because that key was changed.
 * @param normalRecipient the recipient in normal form
 * @param repeatKey the user's own text (Repeat Key). The same message with another text is a new message
 * @param answered identifies the incoming message that a reply answers; undefined if the message is no reply
 */
export function keyOf(
	platform: Platform,
	{ serviceId, messageId, replacements }: Message,
	normalRecipient: string,
	repeatKey: string | undefined,
	answered: string[] | undefined,
): string {
	const values = replacements.map((value) => clean(value).normalize('NFC'));
	const what = [serviceId, messageId, normalRecipient, values, repeatKey?.normalize('NFC') ?? null];
	return hashOf([platformOf(platform.sendUrl), platform.institution, what, answered ?? null]);
}

/**
 * Identifies the platform at a URL. All public hosts count as one platform, so that a list is not sent again if the URL is
 * corrected or the host gets a new name. Local hosts, such as the sandbox, are different platforms if host or port differ.
 */
function platformOf(sendUrl: string): string {
	const { hostname, port, protocol } = new URL(sendUrl);
	if (!isLocal(hostname)) return 'public';
	const isThisComputer = /(?:^|\.)localhost$|^127\.|^\[::1\]$/.test(hostname);
	return `${isThisComputer ? 'localhost' : hostname}:${port || (protocol === 'http:' ? 80 : 443)}`;
}

/** Reads the option Repeat Key. @throws Problem if its expression evaluates to empty, because then a column may be missing */
export function readRepeatKey(context: IExecuteFunctions, itemIndex: number): string | undefined {
	const { name, displayName } = options.repeatKey;
	const own = readTextOption(context, options.repeatKey, itemIndex, LONGEST_KEY);
	if (own !== undefined || isLeftEmpty(context, `options.${name}`)) return own;
	const whatToDo = 'Correct the expression, or remove the option. Without the option, each message goes out once';
	throw invalidParameter(displayName, 'has an expression that returns no value', whatToDo);
}

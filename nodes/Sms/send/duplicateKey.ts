import type { IExecuteFunctions } from 'n8n-workflow';

import { isLeftEmpty } from '../../shared/columns';
import { hashOf } from '../../shared/digest';
import { tidy } from '../../shared/greekLetters';
import { readTextOption } from '../../shared/parameter';
import { badParameter } from '../../shared/problem';
import type { Platform } from '../credential';
import type { Message } from '../wire';
import * as options from './parameters';

export const LONGEST_KEY = 500;

/**
 * The key of a message, by which two are the same in any run: a hash, so that n8n's list contains no one's number. The
 * pre-shared key is no part of it: after a change of key nobody gets a message twice.
 * @param duplicateKey in place of the replacements alone: one that several people share keeps nobody from theirs
 * @param answered what tells the message that a reply answers from others; undefined if the message is no reply
 */
export function keyOf(
	platform: Platform,
	{ serviceId, messageId, replacements }: Message,
	normalRecipient: string,
	duplicateKey: string | undefined,
	answered: string[] | undefined,
): string {
	const values =
		duplicateKey === undefined
			? replacements.map((value) => tidy(value).normalize('NFC'))
			: { duplicateKey: duplicateKey.normalize('NFC') };
	const what = [serviceId, messageId, normalRecipient, values];
	return hashOf([platform.sendUrl, platform.institution, what, answered]);
}

/** The user's own key. @throws Problem where its expression evaluates to empty: then a column is missing, and the key with it */
export function readDuplicateKey(context: IExecuteFunctions, itemIndex: number): string | undefined {
	const { name, displayName } = options.duplicateKey;
	const own = readTextOption(context, options.duplicateKey, itemIndex, LONGEST_KEY);
	if (own !== undefined || isLeftEmpty(context, `options.${name}`, itemIndex)) return own;
	const whatToDo = 'Correct the expression, or remove the option: without it the values of the message count';
	throw badParameter(displayName, 'has an expression that evaluates to empty', whatToDo);
}

import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { foldForComparison, greekMobile, tidy } from '../shared/greek';
import type { PreSharedKeys } from './preSharedKeys';
import { malformed, type Accepted, type Refused } from './refused';
import { sameText } from './reportAddress';
import { fieldOf, smsForwardRequest, type SmsForward } from './wire';

/**
 * Checks one SMS forward: key, shape, keyword.
 *
 * @param body as received, parsed from JSON
 * @param readKeys reads the pre-shared keys, of which only the current one lets anybody in; where it is empty, nobody
 */
export async function readSmsForward(
	context: IWebhookFunctions,
	body: unknown,
	readKeys: () => Promise<PreSharedKeys>,
): Promise<Accepted | Refused> {
	const claimed = fieldOf(body, 'pre-shared key');
	if (claimed === undefined || claimed === '' || !sameText(claimed, (await readKeys()).current)) {
		return { status: 401, code: 'INVALID_KEY', reason: 'The pre-shared key is missing or wrong' };
	}

	const parsed = smsForwardRequest.safeParse(body);
	if (!parsed.success) return malformed(parsed.error);
	const forward = parsed.data;

	// An expression may give a number, or a list, whose text is its entries with commas.
	const keywords = String(context.getNodeParameter('keywords', ''))
		.split(',')
		.map(foldForComparison)
		.filter(Boolean);
	if (keywords.length > 0 && !keywords.includes(foldForComparison(forward.keyword))) {
		return { status: 200, code: 'UNKNOWN_KEYWORD', reason: 'No service is registered for this keyword' };
	}
	return {
		item: toItem(forward),
		key: forward.smsForwardId === '' ? undefined : `forward ${forward.smsForwardId}`,
	};
}

function toItem({ msisdn, keyword, body, smsForwardId }: SmsForward): IDataObject {
	const mobile = greekMobile(msisdn);
	return {
		event: 'smsForward',
		msisdn,
		...(mobile !== undefined && { mobile }),
		keyword,
		body,
		words: tidy(body).split(/\s+/u).filter(Boolean),
		...(smsForwardId !== '' && { smsForwardId }),
		receivedAt: new Date().toISOString(),
	};
}

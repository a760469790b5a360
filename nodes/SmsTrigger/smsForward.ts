import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { inOneAlphabet, clean } from '../../lib/greek/letters';
import { greekMobile } from '../../lib/greek/mobile';
import { secretsOf } from '../../lib/http/request';
import { sameText } from '../../lib/values/digest';
import { redactSecretsInData } from '../../lib/texts/redact';
import { withoutUndefined } from '../../lib/n8n/items';
import { readForwardKey } from '../../lib/smsPlatform/credential';
import { identifyForward } from '../../lib/smsPlatform/sameForward';
import { describeRequest, readFields, type Body, type Received } from '../../lib/smsPlatform/webhookBody';
import { makeRejection, type Rejection, type Valid } from '../../lib/smsPlatform/webhookResult';
import { fieldOf, smsForwardRequest, type SmsForward } from '../../lib/smsPlatform/api';
import { indexOfKeyword, readKeywords } from './keywords';

/**
 * Checks an incoming message (SMS forward): first its key, then its fields and its keyword.
 * @throws Problem if the keywords of the node can't be read
 */
export async function readForward(context: IWebhookFunctions, body: Body): Promise<Valid | Rejection> {
	const sentKey = fieldOf(body.data, 'pre-shared key');
	if (sentKey === undefined || sentKey === '') return WRONG_KEY;
	// The credential is read only if the request has a key, because reading it takes longer than all other checks.
	const credential = await context.getCredentials('smsPlatformApi');
	const key = readForwardKey(credential);
	if (key === '' || !sameText(sentKey, key)) return WRONG_KEY;

	const read = readFields(body, smsForwardRequest);
	if (read.kind === 'rejected') return read;
	const forward = read.fields;
	const { smsForwardId, keyword } = forward;

	const { list, outputs, outputOf } = readKeywords(context);
	const index = indexOfKeyword(list, keyword);
	if (list.length > 0 && index === -1) return UNKNOWN_KEYWORD;

	// Secrets are removed first, because `toItem` changes letters, and a changed secret would not be found.
	const safe = redactSecretsInData({ ...forward, received: describeRequest(context, body) }, secretsOf(credential));
	const json = toItem(safe, list[index]);
	return {
		kind: 'valid',
		outputs: Array.from({ length: outputs }, (_, output) => (output === outputOf(index) ? [{ json }] : [])),
		eventKey: smsForwardId === '' ? undefined : { message: JSON.stringify(['forward', ...identifyForward(forward)]) },
	};
}

const WRONG_KEY = makeRejection(401, 'INVALID_KEY', 'The pre-shared key is missing or wrong');
const UNKNOWN_KEYWORD = makeRejection(200, 'UNKNOWN_KEYWORD', 'No service is registered for this keyword');

function toItem(
	{ msisdn, keyword, body, smsForwardId, received }: SmsForward & { received: Received },
	matchedKeyword: string | undefined,
): IDataObject {
	return withoutUndefined({
		event: 'smsForward',
		msisdn,
		mobile: greekMobile(msisdn),
		keyword,
		matchedKeyword,
		body,
		words: clean(body).split(/\s+/u).filter(Boolean).map(inOneAlphabet),
		smsForwardId: smsForwardId || undefined,
		receivedAt: new Date().toISOString(),
		received,
	});
}

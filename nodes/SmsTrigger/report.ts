import type { ICredentialDataDecryptedObject, IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { clean } from '../../lib/greek/letters';
import { greekMobile } from '../../lib/greek/mobile';
import { readFlag } from '../../lib/n8n/parameters';
import { secretsOf } from '../../lib/http/request';
import { redactSecretsInData } from '../../lib/texts/redact';
import { withoutUndefined } from '../../lib/n8n/items';
import { readKeys } from '../../lib/smsPlatform/credential';
import { normalizeStatus, isDelivered, isFinal, dlrRequest, fieldOf, type Dlr } from '../../lib/smsPlatform/api';
import { verifyReportUrl } from '../../lib/smsPlatform/reportSignature';
import { describeRequest, readFields, type Body } from '../../lib/smsPlatform/webhookBody';
import { makeRejection, type Rejection, type Valid } from '../../lib/smsPlatform/webhookResult';

/**
 * Checks a delivery report (DLR request): first the signature of its URL, then its fields. Reports on messages of Send and Wait do
 * not come here: they go to the resume URL of the waiting execution (`receiveReport` in `nodes/SmsSend/awaitedReport.ts`).
 */
export async function readReport(context: IWebhookFunctions, body: Body): Promise<Valid | Rejection> {
	let credential: Promise<ICredentialDataDecryptedObject> | undefined;
	const readCredential = async () => await (credential ??= context.getCredentials('smsPlatformApi'));
	const serviceId = fieldOf(body.data, 'serviceId');
	const signature = await verifyReportUrl(
		context.getQueryData(),
		// A text above 1000 characters is not cleaned, because that takes time. It is rejected anyway, because the limit is 256.
		serviceId === undefined || serviceId.length > 1000 ? serviceId : clean(serviceId),
		async () => readKeys(await readCredential()),
		Date.now() / 1000,
	);
	if (signature.state === 'invalid' || (signature.state === 'missing' && !acceptsUnsigned(context)))
		return WRONG_SIGNATURE;

	const read = readFields(body, dlrRequest);
	if (read.kind === 'rejected') return read;
	const report = read.fields;
	const signed = signature.state === 'valid' ? signature : undefined;
	const item = { ...toItem(report, signed?.reference), received: describeRequest(context, body) };
	const json = redactSecretsInData(item, secretsOf(await readCredential()));
	return {
		kind: 'valid',
		// The second output is for reports, even if messages are not selected (see `triggerOutputs`).
		outputs: [[], [{ json }]],
		eventKey: signed && { message: JSON.stringify(['report', signed.mid]), status: normalizeStatus(report.status) },
	};
}

const IS_NOT_OURS = 'The URL of this delivery report is not signed, has expired, or belongs to another service';
const WRONG_SIGNATURE = makeRejection(401, 'INVALID_SIGNATURE', IS_NOT_OURS);

const acceptsUnsigned = (context: IWebhookFunctions) =>
	readFlag(context.getNodeParameter('acceptUnsignedReports', false), 'Accept Unsigned Reports');

function toItem({ serviceId, recipient, status, error }: Dlr, reference: string | undefined): IDataObject {
	return withoutUndefined({
		event: 'deliveryReport',
		serviceId,
		recipient,
		mobile: greekMobile(recipient),
		status,
		delivered: isDelivered(status),
		final: isFinal(status),
		errorCode: error || undefined,
		reference,
		receivedAt: new Date().toISOString(),
	});
}

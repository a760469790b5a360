import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import type { PreSharedKeys } from './preSharedKeys';
import { malformed, type Accepted, type Refused } from './refused';
import { verifyReportAddress } from './reportAddress';
import { dlrRequest, fieldOf, type Dlr } from './wire';

/**
 * Checks one DLR request: the signature of the address it came to, then its shape.
 *
 * @param body as received, parsed from JSON
 * @param readKeys reads the pre-shared keys, with one of which the address was signed
 */
export async function readDeliveryReport(
	context: IWebhookFunctions,
	body: unknown,
	readKeys: () => Promise<PreSharedKeys>,
): Promise<Accepted | Refused> {
	const signature = await verifyReportAddress(
		context.getQueryData(),
		fieldOf(body, 'serviceId'),
		readKeys,
		Date.now() / 1000,
	);
	const unsignedAllowed = context.getNodeParameter('acceptUnsignedReports', false) === true;
	if (signature.state === 'invalid' || (signature.state === 'missing' && !unsignedAllowed)) {
		return {
			status: 401,
			code: 'INVALID_SIGNATURE',
			reason: 'The address of this delivery report is not signed, expired, or belongs to another service',
		};
	}

	const parsed = dlrRequest.safeParse(body);
	if (!parsed.success) return malformed(parsed.error);
	const reference = signature.state === 'valid' ? signature.reference : undefined;
	return {
		item: toItem(parsed.data, reference),
		// A reference holds no line break, so no other report has the same key.
		key: reference === undefined ? undefined : `report ${reference}\n${parsed.data.status}`,
	};
}

function toItem({ serviceId, recipient, status, error }: Dlr, reference: string | undefined): IDataObject {
	return {
		event: 'deliveryReport',
		serviceId,
		recipient,
		status,
		delivered: isDelivered(status),
		...(error !== '' && { errorCode: error }),
		...(reference !== undefined && { reference }),
		receivedAt: new Date().toISOString(),
	};
}

/** Only DELIVRD means delivered; every other status passes through as it is (field notes 27). */
export function isDelivered(status: string): boolean {
	return status === 'DELIVRD';
}

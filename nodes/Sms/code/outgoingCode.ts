import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import type { DerivedKeys } from '../keys';
import type { Outgoing } from '../outgoing/deliver';
import type { ReportUrls } from '../reportUrl';
import { codeOf, endOf } from './oneTimeCode';
import type { CodeRequest } from './readCodeRow';
import { sealVerification, type Verification } from './verificationId';

/**
 * The message that takes a code to its phone, and the item of its row: the code is in the message alone.
 */
export function outgoingCode(
	request: CodeRequest,
	verification: Verification,
	keys: DerivedKeys,
	reportUrls: ReportUrls,
): { outgoing: Outgoing; item: IDataObject } {
	const code = codeOf(verification, verification.issue, verification.codeLength, keys);
	const row = request.toRow(code);
	const reportUrl = reportUrls.sign(row, randomUUID());
	const message = { ...row.message, ...(reportUrl !== undefined && { dlrUrl: reportUrl }) };
	const { serviceId, messageId, recipient } = message;
	const end = endOf(verification);
	const item: IDataObject = {
		accepted: true,
		verificationId: sealVerification(verification, keys),
		recipient,
		expiresAt: new Date(end * 1000).toISOString(),
		serviceId,
		messageId,
	};
	const outgoing: Outgoing = {
		message,
		keepsQuiet: false,
		secrets: [code],
		// A code has at least its whole time left when its last request leaves.
		until: (end - verification.validMinutes * 60) * 1000,
	};
	return { outgoing, item };
}

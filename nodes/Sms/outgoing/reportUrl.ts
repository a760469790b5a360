import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { Platform } from '../credential';
import { reportAddressWarnings } from '../dlrUrl';
import { signReportAddress } from '../reportAddress';
import type { Row } from './message';

/** The signed URL for the report of a row's message; undefined where the row asks for none. */
export function signedReportUrl({ dlrUrl, message: { serviceId } }: Row, reference: string, { keys }: Platform): string | undefined {
	if (dlrUrl === undefined) return undefined;
	return signReportAddress(dlrUrl, { serviceId, reference, mid: randomUUID() }, keys.current, Date.now() / 1000);
}

/** What speaks against the Delivery Report URLs of a run. */
export function reportUrlWarnings(context: IExecuteFunctions, dlrUrls: Iterable<string>, { sendUrl }: Platform): string[] {
	return [...dlrUrls].flatMap((url) => reportAddressWarnings(url, sendUrl, isProduction(context)));
}

/** Whether a run is one that counts, rather than somebody trying the workflow in the editor. */
export const isProduction = (context: IExecuteFunctions) => context.getMode() !== 'manual' || context.getWorkflow().active;

import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { Platform } from '../credential';
import { reportUrlWarnings } from '../dlrUrl';
import { signReportAddress } from '../reportAddress';
import type { Row } from './deliver';

/** The URLs for the delivery reports of a run. */
export interface ReportUrls {
	/** The signed URL for the report of a row's message; undefined where the row asks for none. */
	sign(row: Row, reference: string): string | undefined;
	/** A row that is only checked names its URL too. */
	note(row: Row): void;
	/** What speaks against the URLs of the run. */
	warnings(): string[];
}

export function openReportUrls(context: IExecuteFunctions, { keys, sendUrl }: Platform): ReportUrls {
	/** Delivery Report URLs that rows named, each with the length of the longest signed one. */
	const named = new Map<string, number>();
	const note = ({ dlrUrl }: Row, length = 0) => {
		if (dlrUrl !== undefined) named.set(dlrUrl, Math.max(named.get(dlrUrl) ?? 0, length));
	};
	return {
		sign(row, reference) {
			const { dlrUrl, message } = row;
			if (dlrUrl === undefined) return undefined;
			const url = signReportAddress(
				dlrUrl,
				{ serviceId: message.serviceId, reference, mid: randomUUID() },
				keys.current,
				Date.now() / 1000,
			);
			note(row, url.length);
			return url;
		},
		note: (row) => note(row),
		warnings: () =>
			[...named].flatMap(([dlrUrl, longest]) => reportUrlWarnings(dlrUrl, sendUrl, isProduction(context), longest)),
	};
}

/** Whether a run is one that counts, rather than somebody trying the workflow in the editor. */
export const isProduction = (context: IExecuteFunctions) =>
	context.getMode() !== 'manual' || context.getWorkflow().active;

import type { IExecuteFunctions } from 'n8n-workflow';

import type { Platform } from '../credential';
import { reportAddressWarnings } from '../dlrUrl';
import { sameMessageKey } from './alreadySent';
import type { AnsweredForward } from './answeredForward';
import { readRow, type Row } from './row';

/** The rows of a run, each read once: some are read ahead, to be claimed together with others. */
export interface Rows {
	/** @throws Problem where the row can't be read */
	at(itemIndex: number): Row;
	/** What a row claims in the memory of what was sent; undefined for one that is sent anyway, or can't be read. */
	claimOf(itemIndex: number): { key: string; isDry: boolean } | undefined;
	/** The row was dealt with. */
	drop(itemIndex: number): void;
	/** What speaks against the addresses for delivery reports of the rows that were read. */
	warnings(): string[];
}

/** @param answered the message that the run answers, for a reply */
export function openRows(context: IExecuteFunctions, platform: Platform, answered: AnsweredForward | undefined): Rows {
	const read = new Map<number, Row>();
	const addresses = new Set<string>();

	const at = (itemIndex: number): Row => {
		const row = read.get(itemIndex) ?? readRow(context, itemIndex, platform, answered);
		read.set(itemIndex, row);
		if (row.dlrUrl !== undefined) addresses.add(row.dlrUrl);
		return row;
	};
	return {
		at,
		claimOf(itemIndex) {
			try {
				const row = at(itemIndex);
				return row.ifAlreadySent === 'send' ? undefined : { key: sameMessageKey(row, platform), isDry: row.dryRun };
			} catch {
				return undefined; // The row's own turn names what is wrong with it.
			}
		},
		drop: (itemIndex) => void read.delete(itemIndex),
		warnings: () => [...addresses].flatMap((address) => reportAddressWarnings(address, platform.sendUrl, isProduction(context))),
	};
}

/** Whether a run is one that counts, rather than somebody trying the workflow in the editor. */
export const isProduction = (context: IExecuteFunctions) => context.getMode() !== 'manual' || context.getWorkflow().active;

import type { Problem } from '../../../../../lib/texts/problem';
import type { RowNumbers } from '../../../../../lib/texts/rowNumber';
import type { Results } from '../../../../../lib/n8n/workerPool';
import type { RememberFor } from '../../../../../lib/sentMessages/periods';
import { nameRows, reviewPage } from '../../../../../nodes/SmsSend/review/page';
import { reviewOf } from '../../../../../nodes/SmsSend/review/summary';
import type { ItemResult } from '../../../../../nodes/SmsSend/result';
import type { Language } from '../../../../../lib/texts/notice';

const about = (row: number) => ({
	recipient: `690000000${row % 10}`,
	serviceId: 's',
	messageId: 'm',
	reference: `r${row}`,
	text: `Βαθμός ${row}`,
	segments: row === 7 ? 3 : 1,
});

export const wouldSend = (row: number, more: object = {}): ItemResult & { kind: 'wouldSend' } => ({
	kind: 'wouldSend',
	about: { ...about(row), ...more },
	warnings: [],
	normal: about(row).recipient,
	isResent: false,
	content: 'the same',
});

export const skipped = (skipReason: 'sentBefore' | 'unknown' | 'doNotSend' | 'twice', row = 1): ItemResult => ({
	kind: 'skipped',
	about: about(row),
	skipReason,
});

/** Returns row numbers of a spreadsheet that has an empty row after its headings, or numbers from 1. */
export const numbered = (count: number, areOfSheet: boolean): RowNumbers => ({
	numbers: Array.from({ length: count }, (_, index) => index + (areOfSheet ? 3 : 1)),
	areOfSheet,
});

export const review = (results: Results<ItemResult>, language: Language = 'en', areOfSheet = false) =>
	reviewOf(results, numbered(results.length, areOfSheet), language, undefined, undefined);

/**
 * @param more the language, whether the row numbers are those of a spreadsheet, the first cells of the rows, the end of
 * quiet hours, and the choice of Remember For
 */
export function page(
	results: Array<ItemResult | Problem>,
	more: {
		language?: Language;
		areOfSheet?: boolean;
		firstCells?: string[];
		quietUntil?: string;
		rememberFor?: RememberFor;
	} = {},
): string {
	const { language = 'el', areOfSheet = false, firstCells = [], quietUntil, rememberFor } = more;
	const inputs = results.map((_, index) => ({ json: { a: firstCells[index] ?? '' } }));
	const rows = nameRows(results, inputs, numbered(results.length, areOfSheet));
	return reviewPage(review(results, language, areOfSheet), language, rows, quietUntil, rememberFor);
}

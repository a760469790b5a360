import type { QuietEnd } from './quietHours';
import { reviewPage, type Fault, type Review, type Sample } from './reviewPage';

/** What a dry run found of one row. `row` counts from 1. */
export type ReviewedRow = { row: number } & (
	| { kind: 'wouldSend'; recipient: string; text?: string; segments?: number }
	| { kind: 'alreadySent' | 'unknown' | 'doNotSend' }
	| { kind: 'faulty'; error: string }
);

/** How many messages, and rows of a fault, are shown for example. */
const SAMPLES = 5;
const EXAMPLES = 3;

/**
 * The one item of a review, with a page that shows it.
 *
 * @param rows in their order
 * @param quiet where it is quiet hours now
 */
export function reviewItem(rows: Iterable<ReviewedRow>, quiet?: QuietEnd): Review & { html: string } {
	const counts = { alreadySent: 0, unknown: 0, doNotSend: 0, faulty: 0 };
	const faults = new Map<string, Fault>();
	const samples: Sample[] = [];
	let [messages, known, segments] = [0, 0, 0];

	for (const found of rows) {
		if (found.kind !== 'wouldSend') counts[found.kind]++;
		if (found.kind === 'faulty') {
			const fault = faults.get(found.error) ?? { error: found.error, rows: 0, examples: [] };
			faults.set(found.error, fault);
			fault.rows++;
			if (fault.examples.length < EXAMPLES) fault.examples.push(found.row);
		}
		if (found.kind === 'wouldSend') {
			const { kind: _, ...sample } = found;
			messages++;
			if (samples.length < SAMPLES) samples.push(sample);
			if (sample.segments !== undefined) {
				known++;
				segments += sample.segments;
			}
		}
	}
	const review: Review = {
		messages,
		...((known > 0 || messages === 0) && { segments }),
		...counts,
		faults: [...faults.values()].sort((one, other) => other.rows - one.rows),
		samples,
		...(quiet !== undefined && { quietUntil: quiet.at }),
	};
	return { ...review, html: reviewPage(review, known < messages, quiet?.words) };
}

import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { followUp } from '../nodes/Sms/send/whoGotIt/followUp';
import { computer, median, writeResults } from './common';

/** `npm run bench -- followUp`: how long Who Got It takes for 20,000 items: messages of 20 lists, and their reports. */
const ITEMS = 20_000;
const LISTS = 20;
const ROUNDS = 5;
const TARGET = 2000;

const time = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** Two messages, and a report on each; every tenth is another attempt at the one before. */
function itemsOf(): IDataObject[] {
	const half = ITEMS / 2;
	const sent = Array.from(
		{ length: half },
		(_, index): IDataObject => ({
			id: index,
			createdAt: time(120),
			updatedAt: time(120),
			list: `List ${index % LISTS}`,
			row: JSON.stringify({
				ΑΜ: index,
				Επώνυμο: `Παπαδόπουλος ${index}`,
				Μάθημα: 'Φυσική',
				Βαθμός: 8,
				Κινητό: 6_900_000_000 + index,
			}),
			recipient: String(6_900_000_000 + index),
			serviceId: 'grades',
			messageId: 'result',
			text: 'Ο βαθμός σας στο μάθημα Φυσική είναι 8',
			segments: 1,
			reference: `reference-of-message-${index}`,
			state: 'onItsWay',
			sentAt: time(120),
			attempts: 1,
			againOf: index % 10 === 9 ? `reference-of-message-${index - LISTS}` : null,
		}),
	);
	const reports = sent.map(
		({ reference, recipient }, index): IDataObject => ({
			event: 'deliveryReport',
			serviceId: 'grades',
			recipient,
			status: index % 20 === 0 ? 'EXPIRED' : 'DELIVRD',
			delivered: index % 20 !== 0,
			final: true,
			reference,
			receivedAt: time(60),
		}),
	);
	// Neither comes in the order of the other.
	return [...reports.reverse(), ...sent];
}

/** What n8n gives to the node, as far as this operation asks. */
const contextOf = (items: IDataObject[], output: string) =>
	({
		getInputData: () => items.map((json) => ({ json })),
		getNodeParameter: (name: string, _: number, fallback: INodeProperties['default']) =>
			name === 'followUpOutput' ? output : fallback,
		getTimezone: () => 'Europe/Athens',
		continueOnFail: () => false,
		getNode: () => ({ name: 'SMS Send' }),
	}) as unknown as IExecuteFunctions;

const items = itemsOf();
const rows = ['messages', 'sheet', 'again', 'summary'].map((output) => {
	const times = Array.from({ length: ROUNDS }, () => {
		const start = performance.now();
		followUp(contextOf(items, output));
		return performance.now() - start;
	});
	return { output, milliseconds: median(times), first: times[0]! };
});
const slowest = Math.max(...rows.map(({ first }) => first));
writeResults(
	'followUp',
	`Made by \`npm run bench -- followUp\`, without n8n: ${computer}. ${ITEMS.toLocaleString('en')} items, half of them rows of a table
with ${LISTS} lists, half of them reports; medians of ${ROUNDS} rounds. The target is less than ${TARGET / 1000} s; the slowest first round took ${(slowest / 1000).toFixed(2)} s.

| output | ms |
|---|---|
${rows.map(({ output, milliseconds }) => `| \`${output}\` | ${milliseconds.toFixed(0)} |`).join('\n')}
`,
);

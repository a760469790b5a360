import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { whoGotIt } from '../nodes/SmsResults/whoGotIt/whoGotIt';
import { computer, median, writeResults } from './common';

/**
 * `npm run bench -- whoGotIt` measures the time of Who Got It for 20,000 items: messages of 20 lists with their delivery
 * reports, the same with answers, and items for which a wrong algorithm would need quadratic time.
 */
const ITEMS = 20_000;
const LISTS = 20;
const ROUNDS = 5;
const TARGET = 2000;

const time = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const many = (count: number, make: (index: number) => IDataObject) =>
	Array.from({ length: count }, (_, index) => make(index));
const mobile = (index: number) => String(6_900_000_000 + index);

/** Returns a row of the table of messages. Every tenth row is a second attempt to send an earlier message. */
const sent = (index: number, more: IDataObject = {}): IDataObject => ({
	id: index,
	createdAt: time(120),
	updatedAt: time(120),
	list: `List ${index % LISTS}`,
	row: JSON.stringify({
		ΑΜ: index,
		Επώνυμο: `Παπαδόπουλος ${index}`,
		Μάθημα: 'Φυσική',
		Βαθμός: 8,
		Κινητό: mobile(index),
	}),
	recipient: mobile(index),
	serviceId: 'grades',
	messageId: 'result',
	text: 'Ο βαθμός σας στο μάθημα Φυσική είναι 8',
	segments: 1,
	reference: `reference-of-message-${index}`,
	state: 'onItsWay',
	sentAt: time(120),
	attempts: 1,
	againOf: index % 10 === 9 ? `reference-of-message-${index - LISTS}` : null,
	...more,
});
const report = (index: number, more: IDataObject = {}): IDataObject => ({
	event: 'deliveryReport',
	serviceId: 'grades',
	recipient: mobile(index),
	status: index % 20 === 0 ? 'EXPIRED' : 'DELIVRD',
	delivered: index % 20 !== 0,
	final: true,
	reference: `reference-of-message-${index}`,
	receivedAt: time(60),
	...more,
});
const answer = (index: number, more: IDataObject = {}): IDataObject => ({
	event: 'smsForward',
	msisdn: `30${mobile(index)}`,
	mobile: mobile(index),
	keyword: 'ΑΠ',
	body: index % 3 === 0 ? 'ΑΠ όχι, δεν μπορώ' : 'ΑΠ ναι',
	words: JSON.stringify(['ΑΠ', index % 3 === 0 ? 'όχι,' : 'ναι']),
	smsForwardId: `forward-${index}`,
	receivedAt: time(90 - index / 1000),
	...more,
});
const faulty = (index: number, more: IDataObject = {}): IDataObject => ({
	error: 'x',
	message: 'y',
	details: { outcome: 'rejected', notice: 'Λείπει το κινητό.', row: index, input: { Επώνυμο: 'Παπαδόπουλος' } },
	...more,
});
const same = { reference: 'a', recipient: mobile(1), againOf: null };
const [half, third] = [ITEMS / 2, Math.floor(ITEMS / 3)];

/** The inputs. In the first two, the reports and answers are in another order than their messages. */
const INPUTS: Record<string, IDataObject[]> = {
	'half messages of 20 lists, half reports': [...many(half, report).reverse(), ...many(half, sent)],
	'half messages, half answers': [...many(half, answer).reverse(), ...many(half, sent)],
	'one message reference in all lists, one list for each item': many(ITEMS, (index) =>
		sent(index, { ...same, list: `${index}` }),
	),
	'the same reference; a third of the items are reports, a third are in no list': [
		...many(third, (index) => sent(index, { ...same, list: `${index}` })),
		...many(third, (index) => report(index, { reference: 'a' })),
		...many(third, (index) => sent(index, { ...same, list: null })),
	],
	'one list for each message': many(ITEMS, (index) => sent(index, { list: `${index}`, againOf: null })),
	'all items are the same message': many(ITEMS, () => sent(1)),
	'each message is a new attempt of the one before': many(ITEMS, (index) =>
		sent(index, { list: null, againOf: `reference-of-message-${index + 1}` }),
	),
	'rows with a fault, all with the same cells': many(ITEMS, faulty),
	'half messages to one phone, half answers from it': [
		...many(half, (index) => sent(index, { recipient: mobile(1), againOf: null })),
		...many(half, (index) => answer(index, { mobile: mobile(1) })),
	],
};

/** Returns the functions of n8n that this operation uses. */
const contextOf = (items: IDataObject[], output: string) =>
	({
		getInputData: () => items.map((json) => ({ json })),
		getNodeParameter: (name: string, _: number, fallback: INodeProperties['default']) =>
			({ whoGotItOutput: output, 'options.answers': 'ΝΑΙ, ΟΧΙ' })[name] ?? fallback,
		getTimezone: () => 'Europe/Athens',
		continueOnFail: () => false,
		getNode: () => ({ name: 'SMS Results' }),
		addExecutionHints: () => undefined,
	}) as unknown as IExecuteFunctions;

const OUTPUTS = ['messages', 'sheet', 'again', 'summary'];
let slowest = 0;
const rows = Object.entries(INPUTS).map(([name, items]) => {
	const cells = OUTPUTS.map((output) => {
		const times = Array.from({ length: ROUNDS }, () => {
			const start = performance.now();
			whoGotIt(contextOf(items, output));
			return performance.now() - start;
		});
		slowest = Math.max(slowest, ...times);
		return median(times).toFixed(0);
	});
	return `| ${name} | ${cells.join(' | ')} |`;
});
writeResults(
	'whoGotIt',
	`\`npm run bench -- whoGotIt\` has measured these figures without n8n: ${computer}. The node gets ${ITEMS.toLocaleString('en')} items: rows of the table of messages, delivery reports and answers. Its
option *Answers* is \`ΝΑΙ, ΟΧΙ\`. The times are in milliseconds, for each choice of *Output*, as medians of ${ROUNDS} rounds. From the third line on, the items are such that a wrong algorithm
would need quadratic time. The target is less than ${TARGET / 1000} s, and the slowest round of all took ${(slowest / 1000).toFixed(2)} s.

| items | ${OUTPUTS.map((output) => `\`${output}\``).join(' | ')} |
|---|---|---|---|---|
${rows.join('\n')}
`,
);

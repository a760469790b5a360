import { readFileSync } from 'node:fs';

import type { INode } from 'n8n-workflow';

import { runNode } from './harness/engine';
import { row, send } from './harness/send';

/* Tests that the example `desk/send-a-list.json` plans a list for the time that its page offered. */

const { nodes } = JSON.parse(readFileSync('examples/desk/send-a-list.json', 'utf8')) as { nodes: INode[] };
const assigned = (node: string, field: string) => {
	const { assignments } = nodes.find(({ name }) => name === node)!.parameters.assignments as {
		assignments: Array<{ name: string; value: string }>;
	};
	return assignments.find(({ name }) => name === field)!.value;
};
/** Evaluates an expression of the example in a single node, at this time, with one item. */
const evaluate = async (expression: string, now: string, fields: object) => {
	const alone = expression
		.replaceAll("$('Question').first()", "$('Start').first()")
		.replaceAll('$now', `DateTime.fromISO('${now}')`);
	const { json } = await runNode(send({ operation: 'review', reviewOutput: 'rows' }, { reference: alone }), [
		{ ...row(1), ...fields },
	]);
	return json[0]![0]!.reference;
};

it.each([
	['18:00 of the same day', '2026-01-20T11:00:00+02:00', 'Αποστολή σήμερα στις 18:00', '2026-01-20T18:00:00.000+02:00'],
	[
		'9:00 of the next day, chosen before midnight',
		'2026-01-20T23:30:00+02:00',
		'Αποστολή αύριο στις 9:00',
		'2026-01-21T09:00:00.000+02:00',
	],
	[
		'9:00 after the night in which summer time begins',
		'2026-03-28T16:00:00+02:00',
		'Αποστολή αύριο στις 9:00',
		'2026-03-29T09:00:00.000+03:00',
	],
	[
		'18:00 after the night in which winter time begins',
		'2026-10-24T16:00:00+03:00',
		'Αποστολή αύριο στις 18:00',
		'2026-10-25T18:00:00.000+02:00',
	],
])(
	'a list with a fixed time is planned for the day and hour that the page offered: %s',
	async (_, now, when, expected) => {
		const offered = await evaluate(assigned('Question', when), now, {});
		expect(offered).toBe(expected);
		expect(await evaluate(assigned('Planned time', 'at'), now, { when, [when]: offered })).toBe(expected);
	},
);

it('a list with a chosen day and hour is planned for that time', async () => {
	const fields = {
		when: 'Αποστολή την ημέρα και την ώρα που επιλέγω παρακάτω',
		day: 'Παρασκευή 01/01/2027',
		hour: '9:00',
	};
	expect(await evaluate(assigned('Planned time', 'at'), '2026-12-20T11:00:00+02:00', fields)).toBe(
		'2027-01-01T09:00:00.000+02:00',
	);
});

const [, past, quiet] = (
	nodes.find(({ name }) => name === 'What now?')!.parameters.rules as {
		values: Array<{ conditions: { conditions: [{ leftValue: string }] } }>;
	}
).values // `evaluate` uses each expression as a reference, so its value has to be text.
	.map(({ conditions }) => conditions.conditions[0].leftValue.replace(/^=\{\{(.*)\}\}$/, '={{ String($1) }}'));

it.each([
	['of yesterday', '2026-01-19T18:00:00.000+02:00', true],
	['in one minute', '2026-01-20T11:01:00.000+02:00', true],
	['in three minutes', '2026-01-20T11:03:00.000+02:00', false],
])('a planned time %s (%s) is refused as too early: %s', async (_, at, expected) => {
	expect(await evaluate(past!, '2026-01-20T11:00:00+02:00', { when: 'Αποστολή αύριο στις 9:00', at })).toBe(
		String(expected),
	);
});

it.each([
	['22:00', '08:00', '21:59', false],
	['22:00', '08:00', '22:00', true],
	['22:00', '08:00', '07:59', true],
	['22:00', '08:00', '08:00', false],
	['14:00', '17:00', '13:59', false],
	['14:00', '17:00', '16:00', true],
])('quiet hours from %s until %s hold back a list planned for %s: %s', async (from, until, time, expected) => {
	const fields = { quiet: { from, until, zone: 'Europe/Athens' }, at: `2026-01-20T${time}:00.000+02:00` };
	expect(await evaluate(quiet!, '2026-01-20T11:00:00+02:00', fields)).toBe(String(expected));
});

it('a list may be planned for 3:00 if the credential has no quiet hours', async () => {
	const fields = { quiet: {}, at: '2026-01-20T03:00:00.000+02:00' };
	expect(await evaluate(quiet!, '2026-01-20T11:00:00+02:00', fields)).toBe('false');
});

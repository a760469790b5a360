import { readFileSync } from 'node:fs';

import type { INode } from 'n8n-workflow';

import { runNode } from './harness/engine';
import { row, send } from './harness/send';

/* The hour for which a list is kept by `desk/send-a-list.json`: it is the one that was read on the page, in Athens. */

const { nodes } = JSON.parse(readFileSync('examples/desk/send-a-list.json', 'utf8')) as { nodes: INode[] };
const begin = nodes.find(({ name }) => name === 'Begin')!.parameters as { workflowInputs: { value: { at: string } } };
const at = begin.workflowInputs.value.at.replace(/\$\('(?:Upload|Send\?)'\)/g, "$('Start')");

it.each([
	['18:00 of the day', '2026-01-20T11:00:00+02:00', 'Αποστολή σήμερα στις 18:00', '2026-01-20T18:00:00'],
	['the page was read before midnight', '2026-01-20T23:30:00+02:00', 'Αποστολή αύριο στις 9:00', '2026-01-21T09:00:00'],
	['the clock goes on in that night', '2026-03-28T16:00:00+02:00', 'Αποστολή αύριο στις 9:00', '2026-03-29T09:00:00'],
	['the clock goes back', '2026-10-24T16:00:00+03:00', 'Αποστολή αύριο στις 18:00', '2026-10-25T18:00:00'],
	['now: an hour that is over', '2026-01-20T11:00:00+02:00', 'Αποστολή τώρα', '2026-01-20T00:00:00'],
])('%s', async (_, submittedAt, when, wanted) => {
	const node = send({ operation: 'review', reviewOutput: 'rows' }, { reference: at });
	const { json } = await runNode(node, [{ ...row(1), submittedAt, when }]);
	expect(json[0]![0]).toMatchObject({ reference: wanted });
});

it('offers the same day only if the page can not outlast it', () => {
	const page = nodes.find(({ name }) => name === 'Send or not')!.parameters;
	const { resumeAmount, resumeUnit } = page;
	const [, hour] = /submittedAt\.toDateTime\(\)\.hour < (\d+) \? 'σήμερα'/.exec(JSON.stringify(page))!;
	expect([Number(hour) + Number(resumeAmount), resumeUnit]).toEqual([18, 'hours']);
});

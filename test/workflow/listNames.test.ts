import type { IDataObject } from 'n8n-workflow';

import { runNode } from './harness/engine';

/* What becomes of a list's name, from the run that sent it to the page that offers it and the sheet of it. */

const sent = (reference: string): IDataObject => ({
	...{ accepted: true, recipient: '6900000001', serviceId: 's', messageId: 'm', reference, Όνομα: reference },
});
const followUp = async (followUpOutput: string, items: IDataObject[], list = '') =>
	(await runNode({ node: 'smsSend', parameters: { operation: 'followUp', followUpOutput, list } }, items)).json[0]!;
/** Two lists as a table keeps them. */
const kept = async (...names: string[]) =>
	(await Promise.all(names.map(async (name, index) => await followUp('messages', [sent(`r${index}`)], name)))).flat();

const named = (length: number, end: string) => `Βαθμοί Ιανουαρίου `.repeat(60).slice(0, length - end.length) + end;

it.each([20, 60, 300, 500])(
	'a name of %d characters is kept whole, and two that differ at their ends are two lists',
	async (length) => {
		const names = [named(length, 'α'), named(length, 'β')];
		const table = await kept(...names);
		expect(table.map(({ list }) => list)).toEqual(names);
		const [page] = await followUp('summary', table);
		expect([...(page!.lists as string[])].sort()).toEqual(names);
		for (const name of names) {
			expect(page!.formFields).toContain(`{"option":"${name}"}`);
			if (length <= 60) expect(String(page!.html).replaceAll('\u200b', '')).toContain(`<h3>${name}</h3>`);
			expect(await followUp('sheet', table, name)).toHaveLength(1);
		}
	},
);

it('a longer one is cut: what was sent is kept under it, and found by it', async () => {
	const name = named(700, '😀');
	const table = await kept(name);
	expect(table).toMatchObject([{ list: name.slice(0, 500), reference: 'r0' }]);
	expect(await followUp('sheet', table, name)).toMatchObject([{ Όνομα: 'r0' }]);
	const emoji = await kept('😀'.repeat(600));
	expect(emoji).toMatchObject([{ list: '😀'.repeat(500) }]);
});

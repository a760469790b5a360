import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowsOf } from '../e2e/desk';
import { useEditor } from './editor';

/** Builds a workflow that compares a sheet of members with the registry, with the mouse and the keyboard. */
const folder = mkdtempSync(join(tmpdir(), 'member-check-'));
const editor = useEditor({ N8N_RESTRICT_FILE_ACCESS_TO: folder });
beforeEach(() => {
	editor.actions = [];
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a user builds a workflow from an empty canvas that compares a sheet of members with the registry and returns a sheet, in seven actions', async () => {
	const path = join(folder, 'members.xlsx');
	copyFileSync('examples/desk/members.xlsx', path);
	await editor.openNew();

	await editor.add('read file', 'Read/Write Files from Disk', 'Read File(s) From Disk');
	await editor.type('fileSelector', path);
	await editor.closeNode();
	await editor.add('extract', 'Extract from File', 'Extract From XLSX', 'Read/Write Files from Disk');
	await editor.closeNode();
	await editor.add('σύγκριση', 'AMKA', 'Compare data with registry', 'Extract from File');
	await editor.choose('compareOutput', 'Sheet');
	await editor.window.picture('member check form');
	await editor.closeNode();
	await editor.fit();
	await editor.add('convert to file', 'Convert to File', 'Convert to XLSX', 'AMKA');
	await editor.execute();
	const button = editor.output.getByRole('button', { name: 'Download' });
	await button.waitFor();
	await editor.window.picture('member check ran');
	expect(editor.actions).toHaveLength(7);
	const download = editor.page.waitForEvent('download');
	await button.click();
	expect(rowsOf(readFileSync(await (await download).path()))[0]).toHaveProperty('Αποτέλεσμα');

	await editor.closeNode();
	await editor.openNode('AMKA');
	for (const result of ['συμφωνεί', 'διαφέρει']) await editor.output.getByText(result).first().waitFor();
});

import { mkdtempSync, copyFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useEditor } from './editor';

/** A sheet of members against the registry, from nothing but the mouse. */
const folder = mkdtempSync(join(tmpdir(), 'member-check-'));
const editor = useEditor({ N8N_RESTRICT_FILE_ACCESS_TO: folder });
beforeEach(() => {
	editor.actions = [];
});
afterAll(() => rmSync(folder, { recursive: true }));

test('from an empty canvas, a sheet of members is compared with the registry in ten actions', async () => {
	const path = join(folder, 'members.xlsx');
	copyFileSync('examples/members.xlsx', path);
	await editor.openNew();

	await editor.add('read file', 'Read/Write Files from Disk', 'Read File(s) From Disk');
	await editor.type('fileSelector', path);
	await editor.closeNode();
	await editor.add('extract', 'Extract from File', 'Extract From XLSX', 'Read/Write Files from Disk');
	await editor.execute();
	await editor.output.getByText('Δοκιμαστικού').first().waitFor();
	await editor.closeNode();

	await editor.add('σύγκριση', 'AMKA', 'Compare your data with the registry', 'Extract from File');
	await editor.dragColumn('ΑΜΚΑ', 'ssn');
	await editor.dragColumn('Ημ. γέννησης', 'birthDate');
	await editor.dragColumn('Επώνυμο', 'surname');
	await editor.window.picture('member check form');
	await editor.settle();
	// The last row's date can't be read: that row is an error, and the others are answered all the same.
	await editor.page
		.getByRole('tab', { name: 'Settings' })
		.or(editor.page.getByText('Settings', { exact: true }))
		.first()
		.click();
	await editor.choose('onError', 'Continue');
	await editor.execute();
	await editor.output.getByText('6 agree, 4 do not agree, 2 not matched, 1 failed').waitFor();
	await editor.window.picture('member check ran');

	expect(editor.actions).toHaveLength(10);
});

import { namesInOrder } from '../../../../lib/n8n/columns';
import { openResultSheet, splitResultColumns } from '../../../../lib/n8n/resultSheet';

describe('splitResultColumns', () => {
	const headings = {
		names: { el: ['Α', 'Β'], en: ['Result', 'Note'] },
		firstCells: new Set(['ναι', 'όχι', 'yes']),
		mark: 'SMS',
	};
	it.each<[object, string[], string[]]>([
		[{ x: 1, Α: 'ναι', Β: 'old' }, ['x'], ['Α', 'Β']],
		[{ Β: 'own', x: 1, Α: '' }, ['Β', 'x', 'Α'], ['Α (SMS)', 'Β (SMS)']],
		[{ Α: 'ναι ή όχι', x: 1, Β: 2 }, ['Α', 'x', 'Β'], ['Α (SMS)', 'Β (SMS)']],
		[{ Α: 'own', x: 1, 'Α (SMS)': 'όχι', Β: 'old' }, ['Α', 'x'], ['Α (SMS)', 'Β']],
		[{ Β: 'own', x: 1, Α: 'όχι', 'Β (SMS)': 'old' }, ['Β', 'x'], ['Α', 'Β (SMS)']],
		[{ x: 1, Result: 'yes', Note: 'old' }, ['x'], ['Α', 'Β']],
		[{ x: 1, Result: 'B', Note: 'own' }, ['x', 'Result', 'Note'], ['Α', 'Β']],
		[{ x: 1, Note: 'own' }, ['x', 'Note'], ['Α', 'Β']],
		[{}, [], ['Α', 'Β']],
	])("splits the columns of the row %j: the list's own are %j, and the result columns are %j", (row, own, ours) => {
		const rows = [{ ...row }, {}];
		expect(splitResultColumns(rows, namesInOrder(rows), headings, 'el')).toEqual({
			listColumns: own,
			resultColumns: ours,
		});
	});
});

describe('openResultSheet', () => {
	const rows = [{ Α: 'ναι', name: 'x', day: '2026-05-08' }, { name: 'y' }];
	const sheet = openResultSheet({
		rows,
		columns: ['Α', 'name', 'day'],
		headings: { names: { el: ['Α', 'Β'], en: ['A', 'B'] }, firstCells: new Set(['ναι']), mark: 'SMS' },
		language: 'el',
		timeZone: 'Europe/Athens',
		cellOf: (name, row) => (row[name] === 'x' ? 'X' : undefined),
	});

	it('replaces the result columns that an earlier run has added', () => {
		expect(sheet.listColumns).toEqual(['name', 'day']);
		expect(Object.keys(sheet.row(rows[0]!, ['όχι', 'why']))).toEqual(['name', 'day', 'Α', 'Β']);
	});

	it('writes every column in each row, and empty cells for unknown values', () => {
		expect(sheet.row(rows[0]!, ['όχι', 'why'])).toMatchObject({ name: 'X', Α: 'όχι', Β: 'why' });
		expect(sheet.row(rows[1]!, ['ναι'])).toEqual({ name: 'y', day: '', Α: 'ναι', Β: '' });
	});

	it('adds cells from other data if the item does not have them', () => {
		expect(sheet.row({}, ['ναι'], { name: 'z' })).toEqual({ name: 'z', day: '', Α: 'ναι', Β: '' });
	});
});

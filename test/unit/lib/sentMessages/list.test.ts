import { MOST_ENTRIES, openList } from '../../../../lib/sentMessages/list';
import { N8nList } from './n8nList';

const n8n = new N8nList();
beforeEach(() => {
	n8n.entries = [];
	n8n.writes.length = 0;
	n8n.fate = () => 'works';
});

/** Opens the list for a new execution. */
const open = () => openList(n8n.context());

describe("writes to n8n's list", () => {
	it('start immediately if no other write is running, and otherwise share the next write', async () => {
		const first = open().record(['a'], MOST_ENTRIES);
		const others = Array.from({ length: 100 }, (_, index) => open().record([`b${index}`], MOST_ENTRIES));
		expect([...(await first)]).toEqual(['a']);
		expect((await Promise.all(others)).map((fresh) => fresh.size)).toEqual(new Array(100).fill(1));
		expect(n8n.writes.map((entries) => entries.length)).toEqual([1, 101]);
	});

	it('return an entry that two executions add as new only to the first execution', async () => {
		void open().record(['x'], MOST_ENTRIES);
		const both = await Promise.all([
			open().record(['same', 'a'], MOST_ENTRIES),
			open().record(['b', 'same'], MOST_ENTRIES),
		]);
		expect(both.map((fresh) => [...fresh])).toEqual([['same', 'a'], ['b']]);
		expect(n8n.entries.filter((entry) => entry === 'same')).toHaveLength(1);
	});

	it('are done in order, so that an entry counts as new after it was removed', async () => {
		await open().record(['a'], MOST_ENTRIES);
		const busy = open().record(['busy'], MOST_ENTRIES);
		const [removed, added] = [open().remove(['a']), open().record(['b'], MOST_ENTRIES)];
		await Promise.all([busy, removed]);
		expect([...(await added), ...(await open().record(['a', 'b'], MOST_ENTRIES))]).toEqual(['b', 'a']);
		expect(await open().count()).toBe(3);
	});

	it('are combined if possible, and are never done before an earlier write of the same entry', async () => {
		await open().record(['n', 'm'], MOST_ENTRIES);
		const asked = [
			open().record(['a'], MOST_ENTRIES),
			open().remove(['n']),
			open().record(['n', 'b'], MOST_ENTRIES),
			open().record(['b'], MOST_ENTRIES),
			...Array.from({ length: 100 }, (_, index) => open().record([`c${index}`], MOST_ENTRIES)),
			open().remove(['m', 'c0']),
		];
		const answers = (await Promise.all(asked)).map((fresh) => [...(fresh ?? [])].join());
		expect(answers.slice(0, 5)).toEqual(['a', '', 'n,b', '', 'c0']);
		expect(n8n.entries).toEqual(['a', 'n', 'b', ...Array.from({ length: 99 }, (_, index) => `c${index + 1}`)]);
		expect(n8n.writes).toHaveLength(5);
	});

	it('drop only the entries above the highest limit of the executions that share the write', async () => {
		const [before, ...both] = [
			open().record(['a', 'b', 'c', 'd', 'e', 'f'], Infinity),
			open().record(['g'], 3),
			open().record(['h'], 4),
		];
		await Promise.all([before, ...both]);
		expect(n8n.entries).toEqual(['e', 'f', 'g', 'h']);
		expect([...(await open().query(['h', 'i']))]).toEqual(['i']);
		expect(n8n.entries).toHaveLength(5);
	});

	it('return a missing entry as new to each execution that expects it in the list', async () => {
		void open().record(['x', 'there'], Infinity);
		const both = ['a', 'b'].map((entry) => open().record([entry, 'lost', 'there'], Infinity, ['lost', 'there']));
		expect((await Promise.all(both)).map((fresh) => [...fresh])).toEqual([
			['a', 'lost'],
			['b', 'lost'],
		]);
	});

	it('fail for each execution that shares the failed write, and for no other execution', async () => {
		const first = open().record(['a'], MOST_ENTRIES);
		let fails = 1;
		n8n.fate = () => (fails-- > 0 ? 'fails' : 'works');
		const group = [open().record(['b'], MOST_ENTRIES), open().record(['c'], MOST_ENTRIES)].map((write) =>
			write.catch((error: Error) => error),
		);
		await first;
		for (const error of await Promise.all(group))
			expect(error).toMatchObject({
				message: expect.stringMatching(/can't be used: SQLITE_BUSY/),
				description: expect.stringMatching(/^Try again/),
				details: { outcome: 'rejected' },
			});
		expect([...(await open().record(['b'], MOST_ENTRIES))]).toEqual(['b']);
	});

	it('are retried if another process creates the list at the same moment', async () => {
		let begins = 1;
		n8n.fate = () => {
			if (begins-- <= 0) return 'works';
			throw new Error('SQLITE_CONSTRAINT: UNIQUE constraint failed');
		};
		expect([...(await open().record(['a'], MOST_ENTRIES))]).toEqual(['a']);
	});

	it('of an execution that has ended do not block the writes of other executions', async () => {
		const gone = n8n.context();
		void openList(gone).record(['a'], MOST_ENTRIES);
		Object.assign(gone.helpers, { checkProcessedAndRecord: () => Promise.reject(new Error('gone')) });
		await expect(openList(gone).record(['b'], MOST_ENTRIES)).rejects.toThrow(/gone/);
		expect((await open().record(['c'], MOST_ENTRIES)).size).toBe(1);
	});

	it('of different workflows are separate', async () => {
		const other = new N8nList();
		await Promise.all([
			open().record(['a'], MOST_ENTRIES),
			openList(other.context('other')).record(['a'], MOST_ENTRIES),
		]);
		expect([n8n.entries, other.entries]).toEqual([['a'], ['a']]);
	});

	it.each([
		['Deduplication data was originally saved with an incompatible setting of the Keep Items Where parameter', true],
		['Removing processed data is not possible in mode "latest"', true],
		['', false],
	])(
		'fail with advice about the Remove Duplicates node that makes the list unusable, if n8n answers: "%s"',
		async (words, throws) => {
			const context = n8n.context();
			const said = async () => (throws ? Promise.reject(new Error(words)) : { new: [], processed: [] });
			Object.assign(context.helpers, { checkProcessedAndRecord: said });
			const error = await openList(context)
				.record(['a'], MOST_ENTRIES)
				.catch((problem: Error & { description?: string }) => problem);
			expect(error).toMatchObject({
				message: expect.stringMatching(/^A Remove Duplicates node of this workflow has the scope Workflow/),
				description: expect.stringContaining('set that node back to its earlier operation, with the scope Node'),
				why: { reason: 'setting', about: { field_el: 'τη μνήμη των απεσταλμένων μηνυμάτων' } },
			});
		},
	);

	it('remove at most 200 entries at a time, and are retried after a failure', async () => {
		await open().record(
			Array.from({ length: 300 }, (_, index) => `e${index}`),
			MOST_ENTRIES,
		);
		let fails = 1;
		n8n.fate = () => (fails-- > 0 ? 'fails' : 'works');
		await open().remove([...n8n.entries]);
		expect(n8n.writes.map((entries) => entries.length)).toEqual([300, 100, 0]);
	});
});

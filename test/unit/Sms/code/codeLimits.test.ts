import {
	checkNumberLimits,
	countWithShared,
	firstCode,
	giveBackShared,
	numberCounters,
	presentOf,
	takeShared,
} from '../../../../nodes/Sms/code/limits';
import { countPlaces, givePlacesBack, takePlaces, type Notes } from '../../../../nodes/Sms/code/notes';

/** Notes as n8n's list has them: over `most`, the oldest make room. */
function openNotes(most = Infinity) {
	const there = new Set<string>();
	const notes: Notes = {
		of: `list ${Math.random()}`,
		tag: 0,
		isFull: async () => there.size >= most,
		look: async (names) => names.map((name) => there.has(name)),
		async put(names) {
			const isNew = names.map((name) => !there.has(name));
			for (const name of names) there.add(name);
			for (const oldest of there) {
				if (there.size <= most) break;
				there.delete(oldest);
			}
			return isNew;
		},
		remove: async (names) => names.forEach((name) => there.delete(name)),
	};
	return { notes, there };
}

const NOON = 1_800_000_000 - (1_800_000_000 % 43_200);

/** Asks for codes to numbers of their own, at a minute after noon. @returns how many may go out */
async function ask(notes: Notes, count: number, minute: number, maxPerHour: number): Promise<number> {
	let sent = 0;
	for (let index = 0; index < count; index++) {
		try {
			await countWithShared(notes, [], NOON + minute * 60);
			await notes.put(takeShared(notes, maxPerHour));
			sent++;
		} catch {
			// The limit is reached.
		}
	}
	return sent;
}

describe('the limit of codes in an hour', () => {
	it.each([
		[40, 20, '0: 20, 60: 20, 80: 20, 85: 0, 131: 20'],
		[500, 250, '0: 250, 60: 250, 70: 250, 80: 0, 140: 250'],
		[7, 9, '0: 7, 59: 0, 70: 7'],
	])(
		'of %d counts the last 60 to 70 minutes, where %d are asked for at a time: %s',
		async (maxPerHour, count, times) => {
			const { notes } = openNotes();
			for (const time of times.split(', ')) {
				const [minute, sent] = time.split(': ').map(Number);
				expect([minute, await ask(notes, count, minute!, maxPerHour)]).toEqual([minute, sent]);
			}
		},
	);

	it('is found again by a process that knows nothing, however many there are', async () => {
		const { notes } = openNotes();
		expect(await ask(notes, 130, 5, 200)).toBe(130);
		expect(await ask({ ...notes, of: 'after a restart' }, 100, 15, 200)).toBe(70);
	});
});

describe('places', () => {
	const counter = { noteOf: (place: number) => `place ${place}`, most: 50 };

	const fill = (there: Set<string>, taken: number) => {
		for (let place = 0; place < taken; place++) there.add(`place ${place}`);
	};

	it.each([0, 1, 2, 7, 49, 50])('%d of fifty are counted, whatever this process found before', async (taken) => {
		const { notes, there } = openNotes();
		for (const before of [taken, 0, 50, 25]) {
			for (const found of [before, taken]) {
				there.clear();
				fill(there, found);
				expect(await countPlaces(notes, [counter])).toEqual([found]);
			}
		}
	});

	it('are taken one after the other, also where another process has taken the next, and not after the last', async () => {
		const { notes, there } = openNotes();
		const other = { noteOf: (place: number) => `other ${place}`, most: 3 };
		fill(there, 4);
		expect(await takePlaces(notes, [counter, other], [2, 3], ['beside'])).toEqual([5, undefined]);
		expect([...there]).toEqual(['place 0', 'place 1', 'place 2', 'place 3', 'beside', 'place 4']);
		there.add('place 49');
		expect(await takePlaces(notes, [counter], [49])).toEqual([undefined]);
	});

	it('are given back from the last one on, so that no gap comes between', async () => {
		const { notes, there } = openNotes();
		fill(there, 5);
		await givePlacesBack(notes, [counter], () => ['another']);
		await givePlacesBack(notes, [counter], () => []);
		expect([...there]).toEqual(['place 0', 'place 1', 'place 2']);
		// Found with one look, as after any code that this process sent.
		const look = jest.spyOn(notes, 'look');
		expect([await countPlaces(notes, [counter]), look.mock.calls.length]).toEqual([[3], 1]);
	});

	it('of the hour that were given back are free again', async () => {
		const { notes, there } = openNotes();
		expect(await ask(notes, 3, 0, 3)).toBe(3);
		await notes.remove(giveBackShared(notes));
		expect([...there].filter((note) => note.startsWith('limit'))).toHaveLength(2);
		expect(await ask(notes, 2, 1, 3)).toBe(1);
		const given = Array.from({ length: 4 }, () => giveBackShared(notes).length);
		expect([...given, giveBackShared(openNotes().notes).length]).toEqual([1, 1, 1, 0, 0]);
	});
});

const tooMany = (when_el: string, when_en: string, advice: string) =>
	expect.objectContaining({
		why: { reason: 'tooManyCodes', about: { when_el, when_en } },
		description: expect.stringContaining(advice) as unknown,
	}) as Error;

it('of the hour and of a number say when the next code is possible', async () => {
	const { notes } = openNotes();
	await ask(notes, 2, 0, 2);
	expect(() => takeShared(notes, 2)).toThrow(tooMany('σε μία ώρα', 'in an hour', 'sent 2 codes'));
	const check = (...counts: number[]) => expect(() => checkNumberLimits(counts));
	check(4, 1, 5, 0, 0).toThrow(tooMany('σε δέκα ως είκοσι λεπτά', 'in ten to twenty minutes', 'Five codes'));
	check(0, 0, 7, 7, 6).toThrow(tooMany('σε 24 ως 36 ώρες', 'in 24 to 36 hours', 'Twenty codes'));
	check(3, 1, 7, 6, 6).not.toThrow();
});

describe('the limits of a number', () => {
	const HALF_DAY = 12 * 60;
	/** Asks for one code every so many minutes. @returns the minutes at which one went out */
	async function sentAt(minutes: number[]): Promise<number[]> {
		const { notes } = openNotes();
		const sent: number[] = [];
		for (const minute of minutes) {
			const counters = numberCounters('6900000001', NOON + minute * 60);
			const counts = await countPlaces(notes, counters);
			try {
				checkNumberLimits(counts);
			} catch {
				continue;
			}
			await takePlaces(notes, presentOf(counters), presentOf(counts));
			sent.push(minute);
		}
		return sent;
	}

	it('are twenty in a day: with the present half day the two before it count, and the third before it does not', async () => {
		const everyHalfHour = Array.from({ length: 80 }, (_, index) => HALF_DAY - 30 * 10 + 30 * index);
		const sent = await sentAt(everyHalfHour);
		// Ten in one half day and ten in the next, then none until the first of these counts no more.
		expect(sent.slice(0, 20)).toEqual(everyHalfHour.slice(0, 20));
		expect(sent[20]).toBe(3 * HALF_DAY);
	});
});

describe('what n8n can not remember any more', () => {
	it('keeps further codes from going out, until what counts is remembered again', async () => {
		const { notes } = openNotes(60);
		const at = async (minute: number) => {
			await countWithShared(notes, [], NOON + minute * 60);
			await notes.put([...takeShared(notes, 0), `code at ${minute} a`, `code at ${minute} b`]);
		};
		for (let minute = 0; minute < 15; minute++) await at(minute);
		await expect(
			(async () => {
				for (let minute = 15; minute < 60; minute++) await at(minute);
			})(),
		).rejects.toMatchObject({ description: expect.stringContaining('than n8n can remember') as unknown });
		await expect(at(61)).rejects.toMatchObject({ why: { reason: 'setting' } });
		// A day and a half later nothing of that counts.
		await at(3 * 12 * 60 + 1);
	});

	it.each([
		[10, 71, true],
		[10, 72, true],
		[7, 102, false],
		[7, 103, true],
	])(
		'is missed of a code, but where its period goes over noon: %d minutes, the %d-th',
		(validMinutes, index, isTaken) => {
			expect(firstCode({ mobile: '6900000001', purpose: '', validMinutes, index }).isTaken).toBe(isTaken);
		},
	);

	it('is missed where the first note of a half day is gone and one that came after it is there', async () => {
		const { notes, there } = openNotes();
		for (const of of ['one process', 'another']) expect(await ask({ ...notes, of }, 1, 0, 0)).toBe(1);
		there.delete([...there].find((note) => note.startsWith('begun'))!);
		expect(await ask({ ...notes, of: 'a third' }, 1, 0, 0)).toBe(0);
	});

	it('says nothing of parts of a day in which no code was asked for, and of a list that was cleared', async () => {
		const { notes, there } = openNotes();
		for (const hour of [0, 1, 13, 50, 51, 63]) await ask(notes, 1, hour * 60, 0);
		there.clear();
		expect(await ask(notes, 1, 63 * 60, 0)).toBe(1);
	});
});

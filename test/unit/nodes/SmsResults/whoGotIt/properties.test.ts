import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { messageItem, reportItem } from '../../../../../nodes/SmsResults/whoGotIt/tableItems';
import { ago, join, joinNow } from './items';

/* Tests that Who Got It returns the same messages for the same items in any order, with repetitions, or from a table. */

const time = fc.integer({ min: 0, max: 40 }).map((halves) => ago(halves / 2));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const reference = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const columns = fc.record({ Όνομα: fc.constantFrom('Νίκος', 'Ελένη', '7'), ΑΜ: maybe(fc.constantFrom(1, 2, null)) });
const list = maybe(fc.constantFrom('Χειμώνας', 'Άνοιξη'));
const names = fc.record({
	list,
	againOf: maybe(reference),
	recipient: maybe(fc.constantFrom('6900000001', '6900000002')),
	messageId: maybe(fc.constantFrom('m', 'n')),
	text: maybe(fc.constantFrom('Γεια', 'Χαίρετε')),
	segments: maybe(fc.integer({ min: 1, max: 3 })),
});

const accepted = fc
	.tuple(columns, names, fc.record({ reference, sentAt: maybe(time), createdAt: maybe(time) }))
	.map(([row, more, sent]): IDataObject => ({ ...row, ...more, ...sent, accepted: true }));
const skipped = fc
	.tuple(columns, names, fc.record({ reference, skipReason: fc.constantFrom('sentBefore', 'unknown', 'doNotSend') }))
	.map(([row, more, why]): IDataObject => ({ ...row, ...more, ...why, accepted: false, skipped: true }));
/** n8n's error output puts the columns of a row next to the error. The details may contain them, too. */
const beside = maybe(
	fc.record({ text: fc.constant('σχόλιο'), status: fc.constant('ενεργός'), segments: fc.constant(9) }),
);
const failed = fc
	.tuple(columns, names, maybe(reference), fc.constantFrom('rejected', 'unknown'), maybe(time), beside, fc.boolean())
	.map(([row, { list: of, againOf, recipient }, name, outcome, sentAt, own, isInDetails]): IDataObject => {
		const cells = { ...row, ...own, list: of, againOf };
		return {
			...(own !== undefined && cells),
			error: 'No',
			message: 'Do',
			details: {
				...{ outcome, recipient, reason: 'refused', notice: `Για ${outcome}` },
				...(outcome === 'unknown' ? { reference: name ?? 'a', sentAt } : { reference: name }),
				...((own === undefined || isInDetails) && { input: cells }),
			},
		};
	});
const reported = fc
	.record({
		reference: maybe(reference),
		status: fc.constantFrom('DELIVRD', 'ERROR', 'EXPIRED', 'SENT'),
		receivedAt: time,
		errorCode: maybe(fc.constantFrom('E-1', 'E-2')),
	})
	.map((said): IDataObject => {
		const known = { event: 'deliveryReport', serviceId: 's', recipient: '306900000001' };
		return { ...known, ...said, delivered: said.status === 'DELIVRD', final: said.status !== 'SENT' };
	});
const item = fc.oneof(
	{ arbitrary: accepted, weight: 3 },
	{ arbitrary: reported, weight: 3 },
	skipped,
	failed,
	columns.map((row): IDataObject => ({ ...row })),
);
const items = fc.array(item, { maxLength: 20 });

const whoGotIt = (all: IDataObject[]): IDataObject[] => {
	const { messages, otherReports } = join(all, 2);
	return [...messages.map((message) => messageItem(message, 'both')), ...otherReports.map(reportItem)];
};
const cell = ([name, value]: [string, unknown]) => [name, String(value)];

/** Returns the result in a form that does not depend on the order. */
function said(all: IDataObject[]): unknown[] {
	return whoGotIt(all)
		.map(({ row, ...more }) => ({
			...more,
			// A table may have turned numbers into text and changed the order of the columns.
			row:
				row === undefined
					? undefined
					: Object.entries(JSON.parse(row as string) as object)
							.map(cell)
							.sort(),
		}))
		.map((each) => JSON.stringify(each, Object.keys(each).sort()) + JSON.stringify(each.row))
		.sort();
}

/** Returns items as a data table returns them: a column for every field, nulls, and the table's own columns. */
function throughTable(all: IDataObject[], asText: boolean): IDataObject[] {
	const fields = [...new Set(all.flatMap(Object.keys))];
	const stored = (value: unknown) => (value === undefined ? null : asText && value !== null ? String(value) : value);
	return all.map((each, index) => ({
		...Object.fromEntries(fields.map((field) => [field, stored(each[field])])),
		id: index + 1,
		...{ createdAt: ago(0), updatedAt: ago(0) },
	})) as IDataObject[];
}

/** The fixed seed always gives the same inputs. Use other seeds to test a change of the code. */
const settings = { numRuns: 300, seed: 41 };

describe('the messages that Who Got It returns', () => {
	it('do not depend on the order and the repetition of items', () => {
		const size = (all: unknown[]) => ({ minLength: all.length * 2, maxLength: all.length * 2 });
		const mixed = items.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], size(all))));
		const holds = fc.property(mixed, ([all, shuffled]) => expect(said(shuffled)).toEqual(said(all)));
		fc.assert(holds, settings);
	});

	it('stay the same if the input is the earlier output, alone or together with the items', () => {
		fc.assert(
			fc.property(items, (all) => {
				const before = whoGotIt(all);
				expect(said(before)).toEqual(said(all));
				expect(said([...all, ...before])).toEqual(said(all));
				expect(said([...before, ...all])).toEqual(said(all));
			}),
			settings,
		);
	});

	it('stay the same if the input is a data table that has stored the output, even if the table stores all values as text', () => {
		fc.assert(
			fc.property(items, fc.boolean(), (all, asText) => {
				const before = whoGotIt(all);
				const rows = throughTable(before, asText);
				expect(said(rows)).toEqual(said(all));
				expect(said([...rows, ...all])).toEqual(said(all));
			}),
			settings,
		);
	});

	it('are computed even if attempts refer to each other in a circle', () => {
		const many = Array.from({ length: 20_000 }, (_, index) => ({
			accepted: true,
			reference: `r${index}`,
			againOf: `r${(index + 1) % 20_000}`,
		}));
		expect(joinNow(many)).toMatchObject([{ attempts: 20_000 }]);
	});

	it('have no field `error`, and only fields that are text, numbers or booleans, for any input', () => {
		const nothing = fc.constantFrom(null, [], {});
		const value = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), nothing);
		const fields =
			'accepted reference list error details input state status delivered attempts againOf row event sentAt createdAt';
		const name = fc.constantFrom(...fields.split(' '), '__proto__', 'x');
		fc.assert(
			fc.property(fc.array(fc.dictionary(name, value)), (all) => {
				for (const each of whoGotIt(all as IDataObject[])) {
					for (const field of Object.values(each)) expect(['string', 'number', 'boolean']).toContain(typeof field);
					expect(each).not.toHaveProperty('error');
				}
			}),
		);
	});
});

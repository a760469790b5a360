import type { IDataObject } from 'n8n-workflow';
import { againItem } from '../../../../../nodes/SmsResults/whoGotIt/tableItems';
import { ago, joinNow, messageItems, ofTable, sent, sheetOf } from './items';

/* Tests lists whose columns have the same names as fields of SMS Send and SMS Results, and items of other nodes. */

const OWN: IDataObject = {
	Όνομα: 'Άννα',
	...{ serviceId: 'Γραμματεία', messageId: 'Αίτηση 5', reference: 'Φ. 12/2026' },
	...{ id: 'α1', text: 'σχόλιο', list: 'Α΄', status: 'ενεργός', event: 'ορκωμοσία', row: '7α', accepted: 'όχι' },
	...{ state: 'Αττική', delivered: 'ναι', createdAt: ago(99), row2: '{}' },
};
/** The column `list` is always read as the name of the list. */
const { list, ...own } = OWN;
const failed = (input: IDataObject, details: IDataObject | string = {}): IDataObject => ({
	error: 'It failed',
	message: 'Do this',
	details:
		typeof details === 'string'
			? details
			: { outcome: 'rejected', reason: 'landline', notice: 'Είναι σταθερό.', row: 2, ...details, input },
});
describe('columns in a list that have the name of a field', () => {
	it('are kept in the sheet for a failed row, and only `list` is read as a field', () => {
		const [message, ...more] = joinNow([failed(OWN)]);
		expect(more).toEqual([]);
		expect(message).toMatchObject({ list: 'Α΄', state: 'notSent', columns: own });
		for (const name of ['reference', 'serviceId', 'messageId'] as const) expect(message![name]).toBeUndefined();
		expect(sheetOf([message!], { language: 'el', timeZone: 'Europe/Athens' })).toMatchObject([
			{ ...own, createdAt: expect.stringMatching(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/) as unknown },
		]);
	});

	it("are kept for a failed row with a reference, and do not change the message's fields", () => {
		const details = { outcome: 'unknown', reference: 'r1', recipient: '6900000001' };
		const [message] = joinNow([failed(OWN, details)]);
		expect(message).toMatchObject({ reference: 'r1', state: 'unknown', columns: own });
	});

	it("are kept if n8n's error output puts them next to the error, except `list` and `againOf`", () => {
		const known = { ...own, segments: 7, attempts: 9, sentAt: ago(3), recipient: 'Κοσμήτορας', notice: 'όπως πέρσι' };
		const beside = (columns: IDataObject, row: number): IDataObject => {
			const { details, ...words } = failed({}, { row });
			return { ...columns, ...words, details: { ...(details as IDataObject), input: undefined } };
		};
		const faults = [2, 3].map((row) => beside({ ...known, list }, row));
		for (const items of [faults, messageItems(faults), [...faults, ...messageItems(faults)]]) {
			const found = joinNow(items);
			const message = { list, state: 'notSent', attempts: 1, notice: 'Είναι σταθερό.', columns: known };
			expect(found).toMatchObject([message, message]);
			for (const name of ['reference', 'serviceId', 'messageId', 'text', 'segments', 'recipient', 'sentAt'] as const)
				expect(found.map((each) => each[name])).toEqual([undefined, undefined]);
		}
		// If the details also contain the columns, they count once. The columns that a data table adds are not columns of the
		// row.
		const both = faults.map((item) => ({ ...item, ...ofTable(1), ...failed({ Όνομα: 'Άννα' }) }));
		expect(joinNow(both).map(({ columns }) => columns)).toEqual([{ Όνομα: 'Άννα' }]);
		const again = { Όνομα: 'Άννα', text: 'σχόλιο', serviceId: 's', messageId: 'm', againOf: 'r1' };
		const [retried] = joinNow([beside({ ...again, ...ofTable(1) }, 2)]);
		expect(retried).toMatchObject({ reference: 'r1', serviceId: 's', messageId: 'm' });
		expect(retried!.text).toBeUndefined();
		expect(retried!.columns).toEqual({ Όνομα: 'Άννα', text: 'σχόλιο' });
	});

	it('are kept after the items were stored in a table several times', () => {
		let items = [failed(OWN), failed({ ...OWN, Όνομα: 'Βάσω' }, { row: 3 })];
		for (let time = 0; time < 3; time++) {
			expect(joinNow(items).map(({ columns }) => columns)).toEqual([own, { ...own, Όνομα: 'Βάσω' }]);
			items = messageItems(items).map((item) => ({ ...item, ...ofTable(1) }));
		}
	});

	it('are kept for a sent row if its item has no field of this name, even after it was stored in a table', () => {
		const { Όνομα, id, status, event, row, state, delivered, createdAt, row2 } = OWN;
		const own = { Όνομα, id, status, event, row, state, delivered, createdAt, row2 };
		const item = sent('r', { ...own, list: undefined });
		const [message] = joinNow([item, { ...item }]);
		expect(message).toMatchObject({ reference: 'r', serviceId: 'grades', columns: own, list: '' });
		expect(againItem(message!)).toEqual({ ...own, serviceId: 'grades', messageId: 'result', againOf: 'r' });
		expect(joinNow([{ ...messageItems([item])[0], ...ofTable(1) }])[0]!.columns).toEqual(own);
		// The columns that a data table adds (`createdAt` …) are not columns of the row. SMS Send writes `text` only together
		// with `segments`, so a `text` without `segments` is a column of the row.
		const others = joinNow([sent('a', { Όνομα, ...ofTable(1) }), sent('b', { Όνομα, segments: undefined })]);
		expect(others.map(({ columns }) => columns)).toEqual([{ Όνομα }, { Όνομα, text: 'Γεια' }]);
	});

	it('are kept if the name is a field of a report, an incoming SMS or the messages table', () => {
		const fields: IDataObject = { event: 'deliveryReport', status: 'DELIVRD', receivedAt: ago(1), state: 'delivered' };
		const [message, ...more] = joinNow([sent('r', { ...fields, waitId: 'w', row: '{"a":1}', attempts: 9 })]);
		expect(more).toEqual([]);
		expect(message).toMatchObject({ reference: 'r', state: 'onItsWay', attempts: 1 });
		expect(message!.columns).toEqual({ ...fields, waitId: 'w', row: '{"a":1}', attempts: 9 });
	});
});

describe('the error of another node', () => {
	it.each<[string, IDataObject]>([
		['an error text', { error: 'connect ECONNREFUSED' }],
		['an error text next to the columns of a row', { Κινητό: '6900000001', error: 'Bad request' }],
		['an error object', { error: { message: 'Bad request', httpCode: '400' }, json: {} }],
		['an error of AMKA', { error: 'Not reached', message: 'Later', details: { reason: 'couldNotAsk', row: 1 } }],
	])('is not counted as a message: %s', (_, item) => {
		expect(joinNow([item])).toEqual([]);
		expect(joinNow([item, failed({ Όνομα: 'Άννα' })])).toHaveLength(1);
	});
});

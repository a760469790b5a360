import type { IDataObject } from 'n8n-workflow';
import { againItem } from '../../../../../nodes/SmsResults/whoGotIt/tableItems';
import { ago, joinNow, messageItems, ofTable, sent, sheetOf } from './items';

/* Lists whose columns have the names of fields of the node, and items of other nodes. */

const OWN: IDataObject = {
	Όνομα: 'Άννα',
	...{ serviceId: 'Γραμματεία', messageId: 'Αίτηση 5', reference: 'Φ. 12/2026' },
	...{ id: 'α1', text: 'σχόλιο', list: 'Α΄', status: 'ενεργός', event: 'ορκωμοσία', row: '7α', accepted: 'όχι' },
	...{ state: 'Αττική', delivered: 'ναι', createdAt: ago(99), row2: '{}' },
};
/** Its column `list` is the name of the list, at any place in the item. */
const { list, ...own } = OWN;
const failed = (input: IDataObject, details: IDataObject | string = {}): IDataObject => ({
	error: 'It failed',
	message: 'Do this',
	details:
		typeof details === 'string'
			? details
			: { outcome: 'rejected', reason: 'landline', notice: 'Είναι σταθερό.', row: 2, ...details, input },
});
describe('columns of the list with the name of a field', () => {
	it('of a failed row return in the sheet, and do not identify a message', () => {
		const [message, ...more] = joinNow([failed(OWN)]);
		expect(more).toEqual([]);
		expect(message).toMatchObject({ list: 'Α΄', state: 'notSent', columns: own });
		for (const name of ['reference', 'serviceId', 'messageId'] as const) expect(message![name]).toBeUndefined();
		expect(sheetOf([message!], { language: 'el', timeZone: 'Europe/Athens' })).toMatchObject([
			{ ...own, createdAt: expect.stringMatching(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/) as unknown },
		]);
	});

	it('of a failed row that had a message keep their values, and so does the message', () => {
		const details = { outcome: 'unknown', reference: 'r1', recipient: '6900000001' };
		const [message] = joinNow([failed(OWN, details)]);
		expect(message).toMatchObject({ reference: 'r1', state: 'unknown', columns: own });
	});

	it("of a row beside n8n's error are read as columns, except the list and the attempt", () => {
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
		// Where the details have the columns too, they count once, and what the table adds is its own.
		const both = faults.map((item) => ({ ...item, ...ofTable(1), ...failed({ Όνομα: 'Άννα' }) }));
		expect(joinNow(both).map(({ columns }) => columns)).toEqual([{ Όνομα: 'Άννα' }]);
		const again = { Όνομα: 'Άννα', text: 'σχόλιο', serviceId: 's', messageId: 'm', againOf: 'r1' };
		const [retried] = joinNow([beside({ ...again, ...ofTable(1) }, 2)]);
		expect(retried).toMatchObject({ reference: 'r1', serviceId: 's', messageId: 'm' });
		expect(retried!.text).toBeUndefined();
		expect(retried!.columns).toEqual({ Όνομα: 'Άννα', text: 'σχόλιο' });
	});

	it('survive several rounds through a table', () => {
		let items = [failed(OWN), failed({ ...OWN, Όνομα: 'Βάσω' }, { row: 3 })];
		for (let time = 0; time < 3; time++) {
			expect(joinNow(items).map(({ columns }) => columns)).toEqual([own, { ...own, Όνομα: 'Βάσω' }]);
			items = messageItems(items).map((item) => ({ ...item, ...ofTable(1) }));
		}
	});

	it('of a sent row return if they are no field of its item, also after a table', () => {
		const { Όνομα, id, status, event, row, state, delivered, createdAt, row2 } = OWN;
		const own = { Όνομα, id, status, event, row, state, delivered, createdAt, row2 };
		const item = sent('r', { ...own, list: undefined });
		const [message] = joinNow([item, { ...item }]);
		expect(message).toMatchObject({ reference: 'r', serviceId: 'grades', columns: own, list: '' });
		expect(againItem(message!)).toEqual({ ...own, serviceId: 'grades', messageId: 'result', againOf: 'r' });
		expect(joinNow([{ ...messageItems([item])[0], ...ofTable(1) }])[0]!.columns).toEqual(own);
		// Columns that the table added are not the row's. If the text is unknown, the column of that name is the row's.
		const others = joinNow([sent('a', { Όνομα, ...ofTable(1) }), sent('b', { Όνομα, segments: undefined })]);
		expect(others.map(({ columns }) => columns)).toEqual([{ Όνομα }, { Όνομα, text: 'Γεια' }]);
	});

	it('of a report, of an incoming SMS and of the messages table return too', () => {
		const fields: IDataObject = { event: 'deliveryReport', status: 'DELIVRD', receivedAt: ago(1), state: 'delivered' };
		const [message, ...more] = joinNow([sent('r', { ...fields, waitId: 'w', row: '{"a":1}', attempts: 9 })]);
		expect(more).toEqual([]);
		expect(message).toMatchObject({ reference: 'r', state: 'onItsWay', attempts: 1 });
		expect(message!.columns).toEqual({ ...fields, waitId: 'w', row: '{"a":1}', attempts: 9 });
	});
});

describe('an error of another node', () => {
	it.each<[string, IDataObject]>([
		['a text', { error: 'connect ECONNREFUSED' }],
		['beside the columns of its row', { Κινητό: '6900000001', error: 'Bad request' }],
		['an object', { error: { message: 'Bad request', httpCode: '400' }, json: {} }],
		['of the registry', { error: 'Not reached', message: 'Later', details: { reason: 'couldNotAsk', row: 1 } }],
	])('is not assigned to a person: %s', (_, item) => {
		expect(joinNow([item])).toEqual([]);
		expect(joinNow([item, failed({ Όνομα: 'Άννα' })])).toHaveLength(1);
	});
});

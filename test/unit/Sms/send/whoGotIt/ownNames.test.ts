import type { IDataObject } from 'n8n-workflow';

import { joined } from '../../../../../nodes/Sms/send/whoGotIt/join';
import { againItem, messageItem, sheetRows } from '../../../../../nodes/Sms/send/whoGotIt/outputs';

/* Lists whose columns are called as fields of the node are, and what other nodes put out. */

const NOW = Date.parse('2026-01-20T12:00:00Z');
const joinNow = (items: IDataObject[]) => joined(items, NOW, 1).messages;

const OWN: IDataObject = {
	Όνομα: 'Άννα',
	...{ serviceId: 'Γραμματεία', messageId: 'Αίτηση 5', reference: 'Φ. 12/2026' },
	...{ id: 'α1', text: 'σχόλιο', list: 'Α΄', status: 'ενεργός', event: 'ορκωμοσία', row: '7α' },
};
const failed = (input: IDataObject, details: IDataObject | string = {}): IDataObject => ({
	error: 'It failed',
	message: 'Do this',
	details:
		typeof details === 'string'
			? details
			: { outcome: 'rejected', reason: 'landline', notice: 'Είναι σταθερό.', row: 2, ...details, input },
});
/** What a data table adds to a row that was kept, and that nothing in it is but texts. */
const throughTable = (item: IDataObject): IDataObject => ({
	...item,
	...{ id: 3, createdAt: '2026-01-20T11:59:00.000Z', updatedAt: '2026-01-20T11:59:00.000Z' },
});

describe("columns that are called as fields are the list's own", () => {
	it('of a row that failed: they come back in the sheet, and name no message', () => {
		const [message, ...more] = joinNow([failed(OWN)]);
		expect(more).toEqual([]);
		expect(message).toMatchObject({ list: '', state: 'notSent', columns: OWN });
		for (const name of ['reference', 'serviceId', 'messageId'] as const) expect(message![name]).toBeUndefined();
		expect(sheetRows([message!], false, 'el', 'Europe/Athens')).toMatchObject([OWN]);
	});

	it('of a row that failed after it had a message: both keep what is theirs', () => {
		const details = { outcome: 'unknown', reference: 'r1', recipient: '6900000001' };
		const [message] = joinNow([failed(OWN, details)]);
		expect(message).toMatchObject({ reference: 'r1', state: 'unknown', columns: OWN });
	});

	it('also after a table, again and again', () => {
		let items = [failed(OWN), failed({ ...OWN, Όνομα: 'Βάσω' }, { row: 3 })];
		for (let time = 0; time < 3; time++) {
			const messages = joinNow(items);
			expect(messages.map(({ columns }) => columns)).toEqual([OWN, { ...OWN, Όνομα: 'Βάσω' }]);
			items = messages.map((message) => throughTable(messageItem(message, 'el')));
		}
	});

	it('of a row that was sent: those that are no field of its item come back', () => {
		const { id, status, event, row } = OWN;
		const own = { Όνομα: 'Άννα', id, status, event, row };
		const item = { ...own, accepted: true, recipient: '6900000001', serviceId: 's', messageId: 'm', reference: 'r' };
		const [message] = joinNow([item, { ...item }]);
		expect(message).toMatchObject({ reference: 'r', serviceId: 's', columns: own, list: '' });
		expect(againItem(message!)).toEqual({ ...own, serviceId: 's', messageId: 'm', againOf: 'r' });
	});

	it('of a row as it is in the list, without any message', () => {
		const [message] = joinNow([{ ...OWN, list: undefined }]);
		expect(message).toMatchObject({ state: 'notSent' });
		expect(message!.columns).toMatchObject({ reference: 'Φ. 12/2026', serviceId: 'Γραμματεία', row: '7α' });
	});
});

describe('an error that is not of SMS Send', () => {
	it.each<[string, IDataObject]>([
		['a text', { error: 'connect ECONNREFUSED' }],
		['beside the columns of its row', { Κινητό: '6900000001', error: 'Bad request' }],
		['an object', { error: { message: 'Bad request', httpCode: '400' }, json: {} }],
		['of the registry', { error: 'Not reached', message: 'Later', details: { reason: 'couldNotAsk', row: 1 } }],
	])('is nobody: %s', (_, item) => {
		expect(joinNow([item])).toEqual([]);
		expect(joinNow([item, failed({ Όνομα: 'Άννα' })])).toHaveLength(1);
	});

	it('is not that of a row whose details a table has kept as text', () => {
		const details = { outcome: 'unknown', reference: 'r1', recipient: '6900000001', input: { Όνομα: 'Άννα' } };
		const [message] = joinNow([failed({}, JSON.stringify(details))]);
		expect(message).toMatchObject({ reference: 'r1', state: 'unknown', columns: { Όνομα: 'Άννα' } });
	});
});

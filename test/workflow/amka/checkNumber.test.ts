import type { IDataObject } from 'n8n-workflow';

import { runNode, type NodeUnderTest } from '../harness/engine';
import { continuing } from './fixtures';

describe('checkNumber', () => {
	const check = (more: Partial<NodeUnderTest> = {}): NodeUnderTest => ({
		node: 'amka',
		parameters: { operation: 'checkNumber', ssn: '={{ $json.ssn }}' },
		...more,
	});

	it.each<[unknown, IDataObject]>([
		['01013099997', { valid: true, birthDayAndMonth: '01/01', sex: 'male' }],
		['15039904568', { valid: true, birthDayAndMonth: '15/03', sex: 'female' }],
		['01013099999', { valid: false, reason: 'checkDigit' }],
	])('of %j', async (ssn, expected) => {
		const run = await runNode(check(), [{ ssn: ssn as string }]);
		const notice = expected.valid === false && { notice: expect.stringMatching(/ΑΜΚΑ.* \/ .*AMKA/) as unknown };
		expect(run.json).toEqual([[{ ssn, ...expected, ...notice }]]);
	});

	it('needs no credential and no network, and keeps the origin of each row', async () => {
		const rows = [{ ssn: '15039904568' }, { ssn: 'x' }];
		const run = await runNode(check(), rows);
		expect(run.decryptions).toEqual([]);
		expect(run.origins).toEqual([rows]);
	});

	it.each([[[]], [{ deep: { er: 1 } }], [true], [null], [undefined], ['9'.repeat(1024 * 1024)]])(
		'never calls hostile values valid (%#)',
		async (ssn) => {
			const run = await runNode(check(continuing), [{ ssn: ssn as never }, { ssn: '15039904568' }]);
			expect(run.json[0]).toHaveLength(2);
			expect(run.json[0]?.[0]?.valid).not.toBe(true);
			expect(run.json[0]?.[1]?.valid).toBe(true);
		},
	);

	it('sums up', async () => {
		const run = await runNode(check(continuing), [{ ssn: '15039904568' }, { ssn: 'x' }, { ssn: [] }]);
		const message = '1 valid, 1 not valid, 1 failed. The value in "AMKA" can\'t be read: 1 row (3rd row)';
		expect(run.hints).toMatchObject([{ message, type: 'warning' }]);
	});
});

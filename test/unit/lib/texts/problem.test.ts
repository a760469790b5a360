import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { errorItem } from '../../../../lib/n8n/items';
import { noticeOf } from '../../../../lib/texts/notice';
import { toProblem, invalidParameter, fault, nodeError, Problem } from '../../../../lib/texts/problem';

const node = { name: 'Node', type: 'x', id: '1', parameters: {} } as unknown as INode;

describe('the item of a failed row', () => {
	const problem = new Problem('Recipient: is empty', 'Fill the column', { outcome: 'rejected' });

	test('has an error object, by which n8n recognises an error, if the node has an error output; a copy of the item has none', () => {
		const item = errorItem(problem, 3, 'continueErrorOutput', 'en');

		const notice = 'Something is not set up correctly. Tell the admin to check: the step that failed.';
		const details = { outcome: 'rejected', reason: 'setting', notice };
		expect(item.error).toBeInstanceOf(Error);
		expect({ ...item }).toStrictEqual({
			json: { error: 'Recipient: is empty', message: 'Fill the column', details },
			pairedItem: { item: 3 },
		});
	});

	test('has no error object if the node has one output, because n8n would replace the item with the error', () => {
		expect(errorItem(problem, 3, 'continueRegularOutput', 'en').error).toBeUndefined();
	});
});

describe('a problem', () => {
	test('keeps its details when more are added', () => {
		const problem = invalidParameter('Recipient', 'is empty', 'Fill it').withDetails({
			outcome: 'unknown',
			reference: 'r-1',
		});
		expect([problem.message, problem.details]).toEqual([
			'Recipient is empty',
			{ outcome: 'rejected', reference: 'r-1' },
		]);
	});

	test("that wraps an error of n8n masks long numbers, because n8n's text may quote a row", () => {
		const problem = toProblem(Object.assign(new Error('Invalid 01013099997'), { description: 'in 6912345678' }));
		expect([problem.message, problem.description, problem.details]).toEqual([
			'Invalid •••97',
			'in •••78',
			{ outcome: 'rejected' },
		]);
	});

	test.each([['x'], [null], [undefined], [{}], [{ message: 7 }]])('can be made from any thrown value: %p', (thrown) => {
		const read = () => toProblem(thrown);
		expect(read().message).toBe('Unexpected error');
	});

	test('has at most 10,000 characters of an extremely long error text', () => {
		expect(toProblem(new Error('x'.repeat(1_000_000))).message).toHaveLength(10_000);
	});
});

test('the English error text advises the admin to act, and the notice for visitors advises to tell the admin', () => {
	const { description, why } = fault('expression', { field: 'X', value: '{{ 1 }}' }, 'Switch it to Expression');
	expect(description).toBe('Switch it to Expression');
	expect(noticeOf(why, 'en')).toMatch(/Tell the admin/);
	expect(fault('badDate', { date: '1' }, 'It is 1').description).toMatch(/^Write .*\. It is 1$/);
});

describe('the error that ends a run', () => {
	// The editor would show the index, which counts from 0, next to texts that count from 1.
	test('has the texts of the Problem, and the row number in its details, but no item index', () => {
		const error = nodeError(node, new Problem('ECONNREFUSED it said', 'Do this', { outcome: 'rejected' }), 3, 'en');
		expect(error).toBeInstanceOf(NodeOperationError);
		expect([error.message, error.description]).toEqual(['ECONNREFUSED it said', 'Do this']);
		expect(error.context).toMatchObject({ details: { row: 3 } });
		expect(error.context.itemIndex).toBeUndefined();
	});

	test('shows the HTTP status if a service answered', () => {
		const error = nodeError(node, new Problem('It answered', 'Ask', {}, '503'), 2, 'en') as NodeApiError;
		expect(error).toBeInstanceOf(NodeApiError);
		expect([error.message, error.httpCode]).toEqual(['It answered', '503']);
		expect(error.context).toMatchObject({ details: { row: 2 } });
		expect(error.context.itemIndex).toBeUndefined();
	});

	test("redacts the recipient, because n8n logs the error, and omits the row's columns", () => {
		const { context } = nodeError(
			node,
			new Problem('x', 'y', { recipient: '6912345678', input: { a: 1 }, reference: 'r' }),
			undefined,
			'el',
		);
		expect(context.details).toMatchObject({ recipient: '•••78', reference: 'r', reason: 'setting' });
		expect(context.details).toMatchObject({ notice: expect.not.stringMatching(/ \/ |[a-z]{3}/) as unknown });
		expect(context.details).not.toHaveProperty('input');
	});
});

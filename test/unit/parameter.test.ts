import type { IExecuteFunctions } from 'n8n-workflow';

import { getParameter } from '../../nodes/shared/parameter';

const context = (read: (path: string, itemIndex: number, fallback: unknown) => unknown) => ({ getNodeParameter: read }) as unknown as IExecuteFunctions;

test('a parameter is read by its path, for its row, with its fallback', () => {
	expect(getParameter(context((...asked) => asked), 'options.timeout', 'Timeout', 3, 30)).toEqual(['options.timeout', 3, 30]);
});

test('one whose expression fails is named, and shows no long number', () => {
	const failing = context(() => {
		throw Object.assign(new Error('Bad 01013099997'), { description: 'See 6912345678' });
	});
	expect(() => getParameter(failing, 'options.timeout', 'Timeout', 0)).toThrow(
		expect.objectContaining({ message: "Timeout can't be read: Bad •••97", description: 'See •••78', details: { outcome: 'rejected' } }),
	);
});

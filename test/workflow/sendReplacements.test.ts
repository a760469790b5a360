import type { INodeParameters } from 'n8n-workflow';

import { runNode } from './harness/engine';
import { bodyOf, continuing, expectErrorItem, OPERATION, ROW, row, send, TAKEN } from './harness/send';
import { serve } from './harness/wire';

describe('the replacements', () => {
	it.each<[string, INodeParameters, string[]]>([
		['no fields', { replacements: {} }, []],
		['fields in their order', { replacements: { values: [{ value: 'β' }, { value: 'α' }] } }, ['β', 'α']],
		[
			'numbers and booleans',
			{ replacements: { values: [{ value: '={{ 8.5 }}' }, { value: '={{ true }}' }] } },
			['8,5', 'true'],
		],
		['JSON text', { specifyReplacements: 'json', replacementsJson: '["Φυσική", 8]' }, ['Φυσική', '8']],
		[
			'a list from an expression',
			{ specifyReplacements: 'json', replacementsJson: '={{ [$json.course, $json.grade] }}' },
			['Φυσική', '8'],
		],
		[
			'JSON text from an expression',
			{ specifyReplacements: 'json', replacementsJson: '=["{{ $json.course }}"]' },
			['Φυσική'],
		],
		['an empty JSON list', { specifyReplacements: 'json', replacementsJson: '[]' }, []],
		['line breaks and braces', { replacements: { values: [{ value: 'α\nβ {x,1}' }] } }, ['α\nβ {x,1}']],
	])('are the values of %s', async (_, parameters, expected) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send(parameters), [ROW]);
		expect(run.error?.message).toBeUndefined();
		expect(bodyOf(sent[0]).replacements).toEqual(expected);
	});

	it.each<[string, INodeParameters]>([
		['a field', { replacements: { values: [{ value: 'α' }, { value: '={{ $json.empty }}' }] } }],
		['a JSON list', { specifyReplacements: 'json', replacementsJson: '={{ ["α", $json.empty] }}' }],
	])(
		'that are empty in %s are an error of their row that names the position, unless they are allowed',
		async (_, parameters) => {
			const rows = ['', ' \u200b'].map((empty, index) => ({ ...row(index), empty }));
			const sent = serve('POST', OPERATION, TAKEN);
			const run = await runNode(send(parameters, {}, continuing), [...rows, { ...row(3), empty: 'β' }]);
			for (const json of run.json[0]!.slice(0, 2))
				expectErrorItem(json, /^"replacement 2" is empty/, { outcome: 'rejected' });
			expect(run.json[0]?.[0]?.message).toMatch(/^Fill it in/);
			expect(run.json[0]?.[2]).toMatchObject({ accepted: true });

			const allowed = await runNode(send(parameters, { allowEmptyValues: true }, continuing), rows);
			expect(allowed.json[0]).toMatchObject([{ accepted: true }, { accepted: true }]);
			expect(sent.map((each) => bodyOf(each).replacements)).toEqual(
				expect.arrayContaining([
					['α', 'β'],
					['α', ''],
					['α', ' \u200b'],
				]),
			);
		},
	);
});

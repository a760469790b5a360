import { runNode } from './harness/engine';
import { bodyOf, continuing, expectErrorItem, OPERATION, ROW, row, send, TAKEN } from './harness/send';
import { serve } from './harness/wire';

describe('the option Replacements', () => {
	it.each<[string, string, string[]]>([
		['JSON text', '["Φυσική", 8]', ['Φυσική', '8']],
		['a list from an expression', '={{ [$json.course, 8.5, true] }}', ['Φυσική', '8,5', 'true']],
		['JSON text from an expression', '=["{{ $json.course }}"]', ['Φυσική']],
		['an empty list, which is no value', '[]', []],
		['line breaks and braces', '["α\\nβ {x,1}"]', ['α\nβ {x,1}']],
	])('takes %s', async (_, replacements, expected) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({}, { replacements }), [ROW]);
		expect(run.error?.message).toBeUndefined();
		expect(bodyOf(sent[0]).replacements).toEqual(expected);
	});

	it('makes an empty value an error of its row that names the position, unless it is allowed', async () => {
		const replacements = '={{ ["α", $json.empty] }}';
		const rows = ['', ' \u200b'].map((empty, index) => ({ ...row(index), empty }));
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({}, { replacements }, continuing), [...rows, { ...row(3), empty: 'β' }]);
		for (const json of run.json[0]!.slice(0, 2))
			expectErrorItem(json, /^"replacement 2" is empty/, { outcome: 'rejected' });
		expect(run.json[0]?.[0]?.message).toMatch(/^Fill it in/);
		expect(run.json[0]?.[2]).toMatchObject({ accepted: true });

		const allowed = await runNode(send({}, { replacements, allowEmptyValues: true }, continuing), rows);
		expect(allowed.json[0]).toMatchObject([{ accepted: true }, { accepted: true }]);
		const values = sent.map((each) => bodyOf(each).replacements);
		expect(values).toEqual(
			expect.arrayContaining([
				['α', 'β'],
				['α', ''],
				['α', ' \u200b'],
			]),
		);
	});
});

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type NodeUnderTest, runNode } from './harness/engine';
import {
	accepted,
	bodyOf,
	continuing,
	expectErrorItem,
	expectNoKey,
	KEY,
	OPERATION,
	platform,
	ROW,
	row,
	send,
	withCredential,
} from './harness/send';

const credential = withCredential({
	messages: [
		'grades/result: Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}',
		'grades/plain: Καλή αρχή!\\nΗ Γραμματεία',
	].join('\n'),
});
const byName = (placeholders: IDataObject, options: INodeParameters = {}, parameters: INodeParameters = {}) => {
	const all = { placeholders: placeholders as never, ...parameters };
	return send(all, { replacements: '', ...options }, { ...credential, ...continuing });
};
const fields = (value: IDataObject | null) => ({ mappingMode: 'defineBelow', value });
const columns = { mappingMode: 'autoMapInputData', value: null };
const BOTH = fields({ Μάθημα: '={{ $json.course }}', Βαθμός: '={{ $json.grade }}' });

/** Sends one item. Returns the replacements in the request to the platform, and the item of the output. */
async function sendOne(node: NodeUnderTest, one: IDataObject = row(1)) {
	const sent = platform();
	const run = await runNode(node, [one]);
	return { replacements: bodyOf(sent[0])?.replacements, item: run.json[0]![0]!, run };
}

describe('the values for the placeholders of a message', () => {
	it('are found by label and sent in the order of their positions, and the output has the text of the SMS', async () => {
		const value = { Βαθμός: '={{ $json.grade }}', Μάθημα: '={{ $json.course }}' };
		const item = accepted('6912345671', { text: 'Ο βαθμός σας στο μάθημα Φυσική είναι 8', segments: 1 });
		expect(await sendOne(byName(fields(value)))).toMatchObject({ replacements: ['Φυσική', '8'], item });
	});

	it.each([fields(null), fields({}), columns, {}])(
		'are an empty list if the text has no placeholder: %j',
		async (given) => {
			const item = { text: 'Καλή αρχή!\nΗ Γραμματεία', segments: 1 };
			expect(await sendOne(byName(given, {}, { messageId: 'plain' }))).toMatchObject({ replacements: [], item });
		},
	);

	it('are those of the current text, even if the form has stored fields of another text', async () => {
		const known = { required: true, type: 'string', display: true, defaultMatch: false, canBeUsedToMatch: false };
		const schema = [{ id: 'Παλιό', displayName: 'Παλιό', ...known }];
		const stale = { ...fields({ Παλιό: 'x', Μάθημα: 'Φυσική', Βαθμός: 8 }), schema, attemptToConvertTypes: false };
		expect(await sendOne(byName(stale))).toMatchObject({ replacements: ['Φυσική', '8'] });
		const { item } = await sendOne(byName({ ...fields({ Παλιό: 'x' }), schema }));
		expectErrorItem(item, /^"Μάθημα" has no value/, { outcome: 'rejected' });
		expect(item.message).toMatch(/Placeholders has no field for this value: press "Add placeholder to send"$/);
	});

	// The editor stores an empty field as null.
	it.each<[IDataObject, IDataObject]>([
		[fields({ Μάθημα: '', Βαθμός: 8 }), {}],
		[fields({ Μάθημα: null, Βαθμός: 8 }), {}],
		[columns, { Μάθημα: null, Βαθμός: 8 }],
	])('may be empty if Allow Empty Values is on: %j of the row %j', async (placeholders, more) => {
		const { replacements } = await sendOne(byName(placeholders, { allowEmptyValues: true }), { ...row(1), ...more });
		expect(replacements).toEqual(['', '8']);
	});

	it('from an expression that fails on numbers are found after the advised correction', async () => {
		const sent = platform();
		const run = async (text: string) => {
			const value = { ...BOTH.value, Βαθμός: `={{ $json.grade${text}.replace('.', ',') }}` };
			const half = { ...row(1), grade: 7.5 };
			return (await runNode(byName(fields(value), { allowEmptyValues: true }), [half])).json[0]![0]!;
		};
		const refused = await run('');
		expectErrorItem(refused, /^"Βαθμός" has no value/, { outcome: 'rejected' });
		expect(refused.message).toMatch(/correct the expression\. .*\.toString\(\) before \.trim\(\) or \.replace\(\)/);
		expect(await run('.toString()')).toMatchObject({ accepted: true });
		expect(bodyOf(sent[0])?.replacements).toEqual(['Φυσική', '7,5']);
	});

	it('can be typed into the form if there is no list of people whose columns could be mapped, as the error advises', async () => {
		const { run } = await sendOne(byName(columns, {}, { recipient: '6912345678' }), {});
		expect(run.json[0]![0]!.message).toMatch(
			/If you have no list, fill in the fields of this node\. If the node has Mapping Column Mode, first set it to Map Each Column Manually/,
		);
		const typed = byName(fields({ Μάθημα: 'Φυσική', Βαθμός: '8' }), {}, { recipient: '6912345678' });
		expect(await sendOne(typed, {})).toMatchObject({ item: { accepted: true } });
	});

	it('are an error if the text of the message is unknown, and the error advises where to add the text', async () => {
		const { item } = await sendOne(byName(BOTH, {}, { messageId: 'unknown' }));
		expectErrorItem(item, /^The text of the message is not known/, { outcome: 'rejected' });
		expect(item.message).toMatch(
			/Check Service and Message\. The credential has .* of the service: .*Messages in the credential.*option Replacements/,
		);
	});

	it('are overridden by the option Replacements, and the output still has the text and the number of SMS', async () => {
		const item = { text: 'Ο βαθμός σας στο μάθημα Άλγεβρα είναι 9', segments: 1 };
		const node = byName(BOTH, { replacements: '["Άλγεβρα", 9]' });
		expect(await sendOne(node)).toMatchObject({ replacements: ['Άλγεβρα', '9'], item });
	});

	it('are read from the columns if the form has no fields because the text had no placeholder before', async () => {
		const messageId = { __rl: true, mode: 'list', value: 'result', cachedResultName: 'Ο βαθμός σας' };
		const { placeholders: _, ...parameters } = byName({}, {}, { messageId } as never).parameters!;
		// The headings differ from the names of the placeholders in case and signs.
		const given = { mobile: '6912345671', 'ΜΑ_ΘΗ-ΜΑ ': 'Φυσική', βαθμος: 8 };
		expect(await sendOne({ ...byName({}), parameters }, given)).toMatchObject({ replacements: ['Φυσική', '8'] });
	});
});

describe('the option Replacements', () => {
	it.each<[string, string, string[]]>([
		['JSON text', '["Φυσική", 8]', ['Φυσική', '8']],
		['a list from an expression', '={{ [$json.course, 8.5, true] }}', ['Φυσική', '8,5', 'TRUE']],
		['JSON text from an expression', '=["{{ $json.course }}"]', ['Φυσική']],
		['an empty list', '[]', []],
		['line breaks and braces', '["α\\nβ {x,1}"]', ['α\nβ {x,1}']],
	])('accepts %s', async (_, replacements, expected) => {
		const sent = platform();
		const run = await runNode(send({}, { replacements }), [ROW]);
		expect(run.error?.message).toBeUndefined();
		expect(bodyOf(sent[0]).replacements).toEqual(expected);
	});

	it('causes an error that names the position of an empty value, unless Allow Empty Values is on', async () => {
		const replacements = '={{ ["α", $json.empty] }}';
		const rows = ['', ' \u200b'].map((empty, index) => ({ ...row(index), empty }));
		const sent = platform();
		const run = await runNode(send({}, { replacements }, continuing), [...rows, { ...row(3), empty: 'β' }]);
		for (const json of run.json[0]!.slice(0, 2))
			expectErrorItem(json, /^"replacement 2" has no value/, { outcome: 'rejected' });
		expect(run.json[0]?.[0]?.message).toMatch(/^Fill it in/);
		expect(run.json[0]?.[2]).toMatchObject({ accepted: true });

		const allowed = await runNode(send({}, { replacements, allowEmptyValues: true }, continuing), rows);
		expect(allowed.json[0]).toMatchObject([{ accepted: true }, { accepted: true }]);
		const values = sent.map((each) => (bodyOf(each).replacements as string[])[1]);
		expect(values.sort()).toEqual(['', ' \u200b', 'β']);
	});
});

describe('the request of SMS Send', () => {
	it('contains exactly the documented fields', async () => {
		const sent = platform();
		const run = await runNode(send(), [ROW]);
		const json = expect.stringContaining('application/json') as unknown;
		const headers = { 'content-type': json, accept: json };
		expect(sent).toMatchObject([{ method: 'POST', url: OPERATION, query: {}, headers }]);
		expect(bodyOf(sent[0])).toEqual({
			serviceId: 'grades',
			messageId: 'result',
			replacements: ['Φυσική', '8'],
			recipient: '6912345678',
			institution: 'example-university',
			'pre-shared key': KEY,
		});
		expect(run.json).toEqual([[accepted('6912345678')]]);
		expectNoKey(run);
	});

	const locator = (mode: string, value: string) => ({ __rl: true, mode, value });
	it.each([
		['from the list', locator('list', 'grades'), { ...locator('list', 'result'), cachedResultName: 'Ο βαθμός' }],
		['by ID', locator('id', 'grades'), locator('id', '=res{{ "ult" }}')],
		['as plain text', 'grades', 'result'],
		['by an expression', '={{ "grades" }}', '={{ "result" }}'],
	])('contains service and message that were chosen %s', async (_, serviceId, messageId) => {
		const sent = platform();
		await runNode(send({ serviceId, messageId }), [ROW]);
		expect(bodyOf(sent[0])).toMatchObject({ serviceId: 'grades', messageId: 'result' });
	});
});

import { createHmac } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { outputs, taskOf, type Execution } from './n8n';
import { gradesIn, items } from './sending';
import { keysStaySecret, useWorld } from './world';

const world = useWorld();
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** What the node makes where the user names none. */
const reference = /^[\w-]{22}$/;
const week = 7 * 24 * 60 * 60;

const { recipient, row, send, bodies } = gradesIn(world);

describe('what goes over the wire and comes out', () => {
	test('one message for each row, replacements from fields in their order', async () => {
		const execution = await send([row(), row({ recipient: '6987654321', course: 'Φυσική', grade: '10' })]);

		expect(items(execution)).toEqual([
			{
				recipient,
				text: 'Ο βαθμός σας στο μάθημα Άλγεβρα είναι 8',
				segments: 1,
				accepted: true,
				serviceId: '101',
				messageId: '1',
				reference: expect.stringMatching(reference),
				sentAt: expect.any(String),
			},
			{
				recipient: '6987654321',
				text: 'Ο βαθμός σας στο μάθημα Φυσική είναι 10',
				segments: 1,
				accepted: true,
				serviceId: '101',
				messageId: '1',
				reference: expect.stringMatching(reference),
				sentAt: expect.any(String),
			},
		]);
		expect(items(execution).map((item) => Object.keys(item))[0]).toEqual([
			'recipient',
			'text',
			'segments',
			'accepted',
			'serviceId',
			'messageId',
			'reference',
			'sentAt',
		]);
		expect(outputs(execution, 'smsSend')[0]!.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(bodies()).toHaveLength(2);
		expect(bodies()).toContainEqual({
			serviceId: '101',
			messageId: '1',
			replacements: ['Άλγεβρα', '8'],
			recipient,
			institution: 'example-university',
			'pre-shared key': '***',
		});
		expect(world.sandbox.messages.map(({ text }) => text).sort()).toEqual([
			'Ο βαθμός σας στο μάθημα Άλγεβρα είναι 8',
			'Ο βαθμός σας στο μάθημα Φυσική είναι 10',
		]);
	});

	test('replacements from JSON, and an answer to a forwarded message', async () => {
		await send([row()], {
			specifyReplacements: 'json',
			replacementsJson: '=["{{ $json.course }}", "{{ $json.grade }}"]',
			options: { smsForwardId: 'forward-1' },
		});

		expect(bodies()).toEqual([
			expect.objectContaining({ replacements: ['Άλγεβρα', '8'], 'sms-forward-id': 'forward-1' }),
		]);
	});

	test.each([
		['+30 691 234 5678', '6912345678'],
		['00306912345678', '6912345678'],
		[6912345678, '6912345678'],
		['3０ 691.234-5678', '6912345678'],
		['dokimastikos', 'dokimastikos'],
	])('recipient %s is sent as %s', async (typed, sent) => {
		const execution = await send([row({ recipient: typed })]);

		expect(items(execution)).toEqual([expect.objectContaining({ accepted: true, recipient: sent })]);
		expect(world.sandbox.accepted(sent)).toBe(1);
	});

	test('with the message text: the final text and its segments', async () => {
		const execution = await send([row()], {
			options: { messageText: 'Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}' },
		});

		expect(items(execution)).toEqual([
			{
				accepted: true,
				serviceId: '101',
				messageId: '1',
				recipient,
				text: 'Ο βαθμός σας στο μάθημα Άλγεβρα είναι 8',
				segments: 1,
				reference: expect.stringMatching(reference),
				sentAt: expect.any(String),
			},
		]);
	});
});

describe('messages by name, from the credential', () => {
	const text = 'Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}';
	const chosen = (value: string) => ({ __rl: true, mode: 'list', value, cachedResultName: 'whatever the list showed' });
	const byName = async (rows: IDataObject[], parameters: INodeParameters, fields: object = {}): Promise<Execution> => {
		const credential = await world.n8n.addCredential('smsPlatformApi', {
			...world.smsPlatformApi(),
			messages: `# from the operator\n101/1: ${text}\n\n101/2: Οι βαθμοί της εξεταστικής ανακοινώθηκαν.`,
			...fields,
		});
		return await send(
			rows,
			{ serviceId: chosen('101'), messageId: chosen('1'), specifyReplacements: 'placeholders', ...parameters },
			{ credentials: { smsPlatformApi: credential }, onError: 'continueErrorOutput' },
		);
	};

	test('each placeholder has its field, whatever their order', async () => {
		// A schema of an older text, as the editor may have stored it: the text decides.
		const schema = [
			{ id: 'Παλιό', displayName: 'Παλιό', required: true, type: 'string', display: true, defaultMatch: false },
		];
		const value = { Παλιό: 'x', Βαθμός: '={{ $json.grade }}', Μάθημα: '={{ $json.course }}' };
		const execution = await byName([row()], { placeholders: { mappingMode: 'defineBelow', value, schema } as never });

		expect(items(execution, 1)).toEqual([]);
		expect(bodies()).toEqual([
			expect.objectContaining({ serviceId: '101', messageId: '1', replacements: ['Άλγεβρα', '8'] }),
		]);
		expect(items(execution)).toEqual([
			{
				recipient,
				text: 'Ο βαθμός σας στο μάθημα Άλγεβρα είναι 8',
				segments: 1,
				accepted: true,
				serviceId: '101',
				messageId: '1',
				reference: expect.stringMatching(reference),
				sentAt: expect.any(String),
			},
		]);
		expect(Object.keys(items(execution)[0]!)).toEqual([
			'recipient',
			'text',
			'segments',
			'accepted',
			'serviceId',
			'messageId',
			'reference',
			'sentAt',
		]);
	});

	test('Map Automatically takes the columns of the same name; a row that lacks one is named, and the others go out', async () => {
		const execution = await byName(
			[
				{ recipient, ' ΜΑΘΗΜΑ': 'Άλγεβρα', βαθμος: 8 },
				{ recipient: '6987654321', ' ΜΑΘΗΜΑ': 'Φυσική' },
			],
			{ placeholders: { mappingMode: 'autoMapInputData', value: null } },
		);

		expect(items(execution)).toEqual([
			expect.objectContaining({ recipient, text: 'Ο βαθμός σας στο μάθημα Άλγεβρα είναι 8' }),
		]);
		expect(items(execution, 1)).toEqual([
			expect.objectContaining({
				details: expect.objectContaining({ reason: 'emptyValue', recipient: '6987654321' }),
			}),
		]);
		expect(bodies()).toHaveLength(1);
	});

	test('without placeholders nothing is asked for; with fields in their order the text has to fit', async () => {
		await byName([row()], { messageId: chosen('2') });
		const execution = await byName([row()], {
			specifyReplacements: 'fields',
			replacements: { values: [{ value: '8' }] },
		});

		expect(bodies()).toEqual([expect.objectContaining({ messageId: '2', replacements: [] })]);
		expect(items(execution, 1)).toEqual([
			expect.objectContaining({ error: expect.stringMatching(/another number of values: 2/) }),
		]);
	});

	test('mobile numbers in the form that the credential names, and its Delivery Report URL where the node has none', async () => {
		const fields = { mobileFormat: 'international', dlrUrl: 'https://n8n.example.gr/webhook/abc/dlr' };
		const placeholders = { mappingMode: 'defineBelow', value: { Μάθημα: 'Άλγεβρα', Βαθμός: '8' } };
		const execution = await byName([row({ recipient: '691 234 5678' })], { placeholders }, fields);
		await byName([row()], { placeholders, dlrUrl: 'https://other.example.gr/dlr' }, fields);
		await byName([row()], { placeholders, options: { noReport: true }, ifAlreadySent: 'send' }, fields);

		const asked = bodies() as Array<Record<string, string>>;
		expect(asked.map((body) => body.recipient)).toEqual(['306912345678', '306912345678', '306912345678']);
		expect(asked.map((body) => body['dlr-url']?.split('?')[0])).toEqual([
			fields.dlrUrl,
			'https://other.example.gr/dlr',
			undefined,
		]);
		expect(items(execution)).toEqual([
			expect.objectContaining({ recipient: '306912345678', reference: expect.stringMatching(reference) }),
		]);
	});
});

test('Include Input Fields: the row and what became of it stand in one item', async () => {
	const rows = [row({ name: 'Α', accepted: 'yes', error: 'a column' }), row({ name: 'Β', recipient: 'nobody' })];
	const execution = await send(rows, { options: { includeInputFields: true } }, { onError: 'continueErrorOutput' });

	expect(items(execution)).toEqual([
		{
			name: 'Α',
			recipient,
			course: 'Άλγεβρα',
			grade: 8,
			text: 'Ο βαθμός σας στο μάθημα Άλγεβρα είναι 8',
			segments: 1,
			accepted: true,
			serviceId: '101',
			messageId: '1',
			reference: expect.stringMatching(reference),
			sentAt: expect.any(String),
		},
	]);
	expect(items(execution, 1)).toEqual([
		expect.objectContaining({ details: expect.objectContaining({ outcome: 'rejected', input: rows[1] }) }),
	]);
});

test('what is wrong is grouped by reason, each with its own reason and words', async () => {
	const bad = [
		{ recipient: '2101234567' },
		{ recipient: '691234567' },
		{ recipient: '6912345678, 6987654321' },
		{ recipient: 'Μαρία' },
		{ grade: '' },
	];
	const rows = [row(), ...bad.map(row), row({ recipient: '2101234568' })];
	const execution = await send(rows, {}, { onError: 'continueRegularOutput' });

	expect(items(execution).map(({ accepted, details }) => accepted ?? (details as IDataObject).reason)).toEqual([
		true,
		...['landline', 'notMobile', 'twoNumbers', 'notMobile', 'emptyValue', 'landline'],
	]);
	expect(taskOf(execution, 'smsSend').hints?.map(({ message }) => message)).toEqual([
		expect.stringMatching(
			/^1 accepted, 6 rejected.*210…567, 210…568 is a landline[^;]*: 2 rows \(2nd row \(…567\), 7th row \(…568\)\)/,
		),
	]);
	expect(bodies()).toHaveLength(1);
});

describe('a delivery report is asked for', () => {
	const signedAddress = (): URLSearchParams => {
		const { 'dlr-url': dlrUrl } = bodies()[0] as Record<string, string>;
		return new URL(dlrUrl!).searchParams;
	};

	test('with a new reference and a signature that anyone with the key can verify', async () => {
		const before = Math.floor(Date.now() / 1000);
		const execution = await send([row()], { dlrUrl: 'https://n8n.example.gr/webhook/abc/dlr?campus=a' });
		const query = signedAddress();
		const exp = Number(query.get('exp'));
		const sig = createHmac('sha256', world.sandbox.settings.preSharedKey)
			.update(`dlr.v1\n101\n${query.get('ref')}\n${query.get('mid')}\n${exp}`)
			.digest('base64url');

		expect(Object.fromEntries(query)).toEqual({
			campus: 'a',
			ref: expect.stringMatching(reference),
			mid: expect.stringMatching(uuid),
			exp: String(exp),
			sig,
		});
		expect(query.get('mid')).not.toBe(query.get('ref'));
		expect(exp - before).toBeGreaterThanOrEqual(week);
		expect(exp - before).toBeLessThan(week + 60);
		expect(items(execution)).toEqual([
			expect.objectContaining({
				accepted: true,
				reference: query.get('ref'),
				dlrUrl: (bodies()[0] as IDataObject)['dlr-url'],
			}),
		]);
	});

	test("with the user's own reference, Greek letters and signs included", async () => {
		const execution = await send([row()], {
			dlrUrl: 'https://n8n.example.gr/webhook/abc/dlr',
			options: { reference: 'αίτηση 12/β&γ=δ+ε' },
		});

		expect(signedAddress().get('ref')).toBe(`~${Buffer.from('αίτηση 12/β&γ=δ+ε').toString('base64url')}`);
		expect(items(execution)).toEqual([expect.objectContaining({ reference: 'αίτηση 12/β&γ=δ+ε' })]);
	});

	test('without one, the request has no dlr-url; the message has its name all the same', async () => {
		const execution = await send([row()], { dlrUrl: '' });

		expect(bodies()[0]).not.toHaveProperty('dlr-url');
		expect(items(execution)[0]).toMatchObject({ reference: expect.stringMatching(reference) });
		expect(items(execution)[0]).not.toHaveProperty('dlrUrl');
	});
});

keysStaySecret(world);

import { listSearchOf, resourceMappingOf } from './harness/engine';
import { CREDENTIAL } from './harness/send';

const messages = [
	'# of the winter term',
	'grades/result: Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}',
	'library/late: Το βιβλίο {Τίτλος,1} έχει λήξει',
	'a line that nobody can read',
	'grades/day: Η εξέταση\\nγίνεται στις {Ημέρα,1}',
	'grades/twice: {Πεδίο,1} και {Πεδίο,2}',
	'grades/plain: Καλή αρχή!',
	`grades/long: ${'μ'.repeat(200)}`,
].join('\n');
const credentials = { smsPlatformApi: { ...CREDENTIAL, messages } };
const services = async (filter?: string) =>
	(await listSearchOf('smsSend', 'searchServices', filter, credentials)).results;
const ofService = async (serviceId: unknown, filter?: string) =>
	(await listSearchOf('smsSend', 'searchMessages', filter, credentials, { serviceId: serviceId as never })).results;

describe('the list of services', () => {
	it('has those of the credential in their order, once', async () => {
		expect((await services()).map(({ value }) => value)).toEqual(['grades', 'library']);
	});

	it.each([
		['ΒΙΒΛΙΟ', ['library'], []],
		['βαθμος', ['grades'], ['result']],
		['GRAD', ['grades'], []],
		['', ['grades', 'library'], ['result', 'day', 'twice', 'plain', 'long']],
		['κάτι άλλο', [], []],
	])(
		'is searched for "%s" without case and accents, in the texts too; so is that of messages',
		async (filter, ...found) => {
			const lists = [await services(filter), await ofService('grades', filter)];
			expect(lists.map((list) => list.map(({ value }) => value))).toEqual(found);
		},
	);

	it.each(['', undefined, 42])('says what to do where the credential contains %j', async (nothing) => {
		const none = { smsPlatformApi: { ...CREDENTIAL, messages: nothing as never } };
		for (const list of ['searchServices', 'searchMessages']) {
			const { results } = await listSearchOf('smsSend', list, undefined, none, { serviceId: 'grades' });
			expect(results).toEqual([
				{ name: expect.stringMatching(/fill in Messages in the credential/) as unknown, value: '' },
			]);
		}
	});
});

describe('the list of messages', () => {
	it('has those of the service in their order, known by their text', async () => {
		const results = await ofService({ __rl: true, mode: 'list', value: 'grades' });
		expect(results.map(({ value }) => value)).toEqual(['result', 'day', 'twice', 'plain', 'long']);
		expect(results[0]?.name).toBe('Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}');
		expect(results[1]?.name).toBe('Η εξέταση γίνεται στις {Ημέρα,1}');
		expect(results[4]?.name).toBe(`${'μ'.repeat(119)}…`);
	});

	it('knows a service that was typed', async () => {
		expect((await ofService('library')).map(({ value }) => value)).toEqual(['late']);
		expect(await ofService('grade')).toEqual([
			{ name: 'The credential has messages of these services alone: grades, library', value: '' },
		]);
	});
});

describe('without a service', () => {
	it('the list has the messages of all, each with its service', async () => {
		const results = await ofService({ __rl: true, mode: 'list', value: '' });
		expect(results.map(({ value }) => value)).toEqual([
			...['grades/result', 'library/late', 'grades/day', 'grades/twice', 'grades/plain', 'grades/long'],
		]);
		expect(results[1]?.name).toBe('Το βιβλίο {Τίτλος,1} έχει λήξει (library)');
		expect((await ofService('', 'LIBR')).map(({ value }) => value)).toEqual(['library/late']);
	});

	it.each(['smsSend', 'smsCode'] as const)('a message has its fields: %s', async (node) => {
		const chosen = { serviceId: { __rl: true, mode: 'list', value: '' }, messageId: 'grades/result' };
		const { fields } = await resourceMappingOf(node, 'mapPlaceholders', credentials, chosen);
		expect(fields.map(({ id }) => id)).toEqual(node === 'smsSend' ? ['Μάθημα', 'Βαθμός'] : ['Βαθμός']);
	});
});

describe('the fields of a message', () => {
	const fieldsOf = async (messageId: string) =>
		await resourceMappingOf('smsSend', 'mapPlaceholders', credentials, {
			serviceId: { __rl: true, mode: 'list', value: 'grades' },
			messageId: { __rl: true, mode: 'list', value: messageId },
		});

	it('are its placeholders, by label, each required', async () => {
		const { fields } = await fieldsOf('result');
		expect(fields).toMatchObject(
			['Μάθημα', 'Βαθμός'].map((id) => ({ id, displayName: id, required: true, display: true })),
		);
	});

	it('of one label are two', async () => {
		expect((await fieldsOf('twice')).fields.map(({ id }) => id)).toEqual(['Πεδίο', 'Πεδίο (2)']);
	});

	it('are none where there is nothing to fill in, or no text, and the form says which', async () => {
		const none = (says: string) => ({ fields: [], emptyFieldsNotice: expect.stringContaining(says) as unknown });
		const others = 'has these messages of the service: result, day, twice, plain, long';
		expect(await fieldsOf('plain')).toMatchObject(none('no placeholders'));
		expect(await fieldsOf('unknown')).toMatchObject(none(others));
	});
});

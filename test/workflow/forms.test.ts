import { NOTHING_TO_FILL_IN } from '../../lib/smsPlatform/formLists';
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

describe('the list of services in the form', () => {
	it('has each service of the credential once, in the order of Messages', async () => {
		expect((await services()).map(({ value }) => value)).toEqual(['grades', 'library']);
	});

	it.each([
		['ΒΙΒΛΙΟ', ['library'], []],
		['βαθμος', ['grades'], ['result']],
		['GRAD', ['grades'], []],
		['κάτι άλλο', [], []],
	])(
		'and the list of messages are searched for "%s" in IDs and texts, whatever its case and accents',
		async (filter, ...found) => {
			const lists = [await services(filter), await ofService('grades', filter)];
			expect(lists.map((list) => list.map(({ value }) => value))).toEqual(found);
		},
	);

	it.each([
		['', /fill in Messages in the credential/],
		[
			'# none\ngradeService result Καλή αρχή',
			/^In the credential, line 2 of Messages does not have the form serviceId/,
		],
	])('and the list of messages advise what to do if the credential has no messages: %j', async (messages, words) => {
		const name = expect.stringMatching(words) as unknown;
		const none = { smsPlatformApi: { ...CREDENTIAL, messages } };
		for (const list of ['searchServices', 'searchMessages']) {
			const { results } = await listSearchOf('smsSend', list, undefined, none, { serviceId: 'grades' });
			expect(results).toEqual([{ name, value: '' }]);
		}
	});
});

describe('the list of messages in the form', () => {
	it('shows the texts of the messages of the service, in the order of Messages', async () => {
		const results = await ofService({ __rl: true, mode: 'list', value: 'grades' });
		expect(results.map(({ value }) => value)).toEqual(['result', 'day', 'twice', 'plain', 'long']);
		const [result, day, , , long] = results.map(({ name }) => name);
		expect(result).toBe('Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}');
		expect([day, long]).toEqual(['Η εξέταση γίνεται στις {Ημέρα,1}', `${'μ'.repeat(119)}…${NOTHING_TO_FILL_IN}`]);
	});

	it('has the messages of a service whose ID was typed, and names the known services if the ID is unknown', async () => {
		expect((await ofService('library')).map(({ value }) => value)).toEqual(['late']);
		const unread = 'In the credential, line 4 of Messages does not have the form serviceId/messageId: text';
		const name = `The credential has only messages of these services: grades, library. ${unread}`;
		expect(await ofService('grade')).toEqual([{ name, value: '' }]);
	});

	it('has the messages of all services, with the service of each, if no service is chosen', async () => {
		const results = await ofService({ __rl: true, mode: 'list', value: '' });
		const all = 'grades/result library/late grades/day grades/twice grades/plain grades/long';
		expect(results.map(({ value }) => value).join(' ')).toBe(all);
		expect(results[1]?.name).toBe('Το βιβλίο {Τίτλος,1} έχει λήξει (library)');
		expect((await ofService('', 'LIBR')).map(({ value }) => value)).toEqual(['library/late']);
	});
});

describe('the text of the chosen message in the form', () => {
	const textOf = async (messageId: string, node: 'smsSend' | 'smsCode' = 'smsSend') =>
		await resourceMappingOf(node, 'showMessageText', credentials, {
			serviceId: { __rl: true, mode: 'list', value: '' },
			messageId: { __rl: true, mode: 'list', value: messageId },
		});

	it('is shown completely, with its line breaks, in SMS Send and SMS Code', async () => {
		const text = 'Η εξέταση<br>γίνεται στις {Ημέρα,1}';
		for (const node of ['smsSend', 'smsCode'] as const)
			expect(await textOf('grades/day', node)).toEqual({ fields: [], emptyFieldsNotice: text });
		expect(await textOf('grades/long')).toEqual({ fields: [], emptyFieldsNotice: 'μ'.repeat(200) });
	});

	it('is escaped, so that it is not read as HTML', async () => {
		const html = { smsPlatformApi: { ...CREDENTIAL, messages: 'a/b: <b>&amp;' } };
		const chosen = { serviceId: 'a', messageId: 'b' };
		const { emptyFieldsNotice } = await resourceMappingOf('smsSend', 'showMessageText', html, chosen);
		expect(emptyFieldsNotice).toBe('&lt;b>&amp;amp;');
	});

	it('is replaced by a hint if the credential no longer has the message', async () => {
		expect((await textOf('grades/gone')).emptyFieldsNotice).toMatch(/no longer has the text/);
	});
});

describe('the fields for the placeholders of a message', () => {
	const fieldsOf = async (messageId: string, service = 'grades', node: 'smsSend' | 'smsCode' = 'smsSend') =>
		await resourceMappingOf(node, 'mapPlaceholders', credentials, {
			serviceId: { __rl: true, mode: 'list', value: service },
			messageId: { __rl: true, mode: 'list', value: messageId },
		});

	it('are required, and two placeholders with the same label have two fields', async () => {
		const field = (id: string) => ({ id, displayName: id, required: true, display: true });
		expect((await fieldsOf('result')).fields).toMatchObject(['Μάθημα', 'Βαθμός'].map(field));
		expect((await fieldsOf('twice')).fields).toMatchObject(['Πεδίο', 'Πεδίο (2)'].map(field));
	});

	it('are found even if no service is chosen, in SMS Send and SMS Code', async () => {
		const idsOf = async (node: 'smsSend' | 'smsCode') =>
			(await fieldsOf('grades/result', '', node)).fields.map(({ id }) => id);
		expect([await idsOf('smsSend'), await idsOf('smsCode')]).toEqual([['Μάθημα', 'Βαθμός'], ['Βαθμός']]);
	});

	it('are missing for a text without placeholders and for an unknown message, with a hint about the cause', async () => {
		const none = (says: string) => ({ fields: [], emptyFieldsNotice: expect.stringContaining(says) as unknown });
		const others = 'has these messages of the service: result, day, twice, plain, long';
		expect(await fieldsOf('plain')).toMatchObject(none('no placeholders'));
		expect(await fieldsOf('unknown')).toMatchObject(none(others));
	});
});

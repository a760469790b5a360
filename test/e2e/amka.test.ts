import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { people } from '../../sandbox/people';
import { outputs, taskOf, type Execution } from './n8n';
import { packageNode, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

const world = useWorld();
const NOTICE = expect.any(String) as unknown;

/** A person whose code letters are Latin ones. */
const person = people.find(({ amka_in }) => amka_in === '21068302674')!;
const matching = { ssn: '21068302674', birthDate: '1983-06-21', surname: 'Δοκιμαστικός' };

const validate = async (
	rows: IDataObject[],
	parameters: INodeParameters = {},
	node: Partial<INode> = {},
): Promise<Execution> =>
	await world.n8n.execute(
		withRows(rows, {
			...world.node('amka', {
				operation: 'validate',
				ssn: '={{ $json.ssn }}',
				birthDate: '={{ $json.birthDate }}',
				surname: '={{ $json.surname }}',
				...parameters,
			}),
			...node,
		}),
	);

const items = (execution: Execution, branch = 0): unknown[] =>
	outputs(execution, 'amka')[branch]?.map(({ json }) => json) ?? [];

/** What the service was asked, in order. */
const questions = (): unknown[] =>
	world.sandbox.traffic.calls.map(({ url }) => Object.fromEntries(new URL(url, 'http://sandbox').searchParams));

describe('a person who matches', () => {
	test('is asked about once, with the surname in capitals, a date as the service reads it, and the key in its header', async () => {
		await validate([{ ...matching, birthDate: '21/6/1983' }]);

		expect(questions()).toEqual([{ ssn: '21068302674', birthdate: '1983-06-21', surname: 'ΔΟΚΙΜΑΣΤΙΚΟΣ' }]);
		expect(world.sandbox.traffic.calls[0]).toMatchObject({
			method: 'GET',
			headers: { authorization: 'Token ***', accept: expect.stringContaining('application/json') },
			status: 200,
		});
	});

	test('simplified: English names, ISO dates, decoded codes, and nothing for what is absent', async () => {
		const execution = await validate([matching], { output: 'simplified' });

		expect(items(execution)).toEqual([
			{
				matched: true,
				ssn: '21068302674',
				currentSsn: '21068302674',
				ssnChanged: false,
				givenName: 'ΠΑΡΑΔΕΙΓΜΑΣ',
				givenNameLatin: 'PARADEIGMAS',
				surname: 'ΔΟΚΙΜΑΣΤΙΚΟΣ',
				surnameLatin: 'DOKIMASTIKOS',
				birthSurname: 'ΔΟΚΙΜΑΣΤΙΚΟΣ',
				birthSurnameLatin: 'DOKIMASTIKOS',
				fatherName: 'ΥΠΟΘΕΤΙΚΟΣ',
				fatherNameLatin: 'YPOTHETIKOS',
				motherName: 'ΥΠΟΘΕΤΙΚΗ',
				motherNameLatin: 'YPOTHETIKI',
				sex: 'male',
				birthDate: '1983-06-21',
				birthDateIsFictitious: false,
				birthCountry: 'ΕΛΛΑΔΑ',
				birthMunicipality: 'ΔΗΜΟΣ ΔΟΚΙΜΩΝ',
				citizenship: 'ΕΛΛΑΔΑ',
				deceased: false,
				idDocument: { type: expect.stringMatching(/police/i), number: 'ΔΔ000000', year: '2010' },
				taxId: '000000000',
				phones: ['2100000000'],
				address: {
					street: 'ΟΔΟΣ ΔΟΚΙΜΗΣ 1',
					town: 'ΔΟΚΙΜΟΥΠΟΛΗ',
					prefecture: 'ΔΟΚΙ',
					postalCode: '00000',
					country: 'ΕΛΛΑΔΑ',
				},
				lastModified: '2024-02-01',
			},
		]);
	});

	test('the verdict is what comes by default: nothing about the person reaches the stored execution', async () => {
		const execution = await validate([matching]);

		expect(items(execution)).toEqual([{ matched: true, ssn: '21068302674' }]);
		expect(JSON.stringify(execution)).not.toContain('ΠΑΡΑΔΕΙΓΜΑΣ');
	});

	test('record: exactly as received', async () => {
		const execution = await validate([matching], { output: 'record' });

		expect(items(execution)).toEqual([{ matched: true, match: 'true', ssn: '21068302674', ...person }]);
	});

	test('selected: the chosen fields under their own names', async () => {
		const execution = await validate([matching], { output: 'selected', fields: ['tid', 'name_gr'] });

		expect(items(execution)).toEqual([{ matched: true, ssn: '21068302674', tid: '000000000', name_gr: 'ΠΑΡΑΔΕΙΓΜΑΣ' }]);
	});
});

test('a replaced number, a reported death and an almost empty record are told as such', async () => {
	const execution = await validate(
		[
			{ ssn: '31018501234', birthDate: '31/01/1985', surname: 'ΔΟΚΙΜΑΣΤΙΚΟΣ' },
			{ ssn: '01013099997', birthDate: '1930-01-01', surname: 'ΔΟΚΙΜΑΣΤΙΚΟΣ' },
			{ ssn: '29020000013', birthDate: '29-2-2000', surname: 'ΔΟΚΙΜΑΣΤΙΚΟΣ' },
		],
		{ output: 'simplified' },
	);

	expect(items(execution)).toEqual([
		expect.objectContaining({ ssnChanged: true, currentSsn: '31018599998' }),
		expect.objectContaining({ deceased: true, deathDate: '2020-03-05', birthDateIsFictitious: true }),
		expect.objectContaining({ matched: true, givenName: 'ΚΕΝΟΣ', birthDate: '2000-02-29' }),
	]);
	expect(items(execution)[2]).not.toHaveProperty('sex');
	expect(items(execution)[2]).not.toHaveProperty('taxId');
});

test('who does not match is no error, and a date that differs from the number is a warning', async () => {
	const execution = await validate([{ ...matching, birthDate: '1983-06-22' }]);

	expect(items(execution)).toEqual([
		{ matched: false, ssn: '21068302674', warning: expect.any(String), notice: NOTICE },
	]);
	expect(questions()).toHaveLength(1);
});

test('matched, not matched and could not ask leave on an output each, with their own rows', async () => {
	const execution = await validate(
		[
			{ ...matching, ssn: '21068302673' },
			matching,
			{ ...matching, birthDate: '06/21/1983' },
			{ ...matching, surname: 'Άλλος' },
		],
		{ splitByResult: true },
		{ onError: 'continueErrorOutput' },
	);

	expect(items(execution)).toEqual([{ matched: true, ssn: '21068302674' }]);
	expect(items(execution, 1)).toEqual([
		{ matched: false, ssn: '21068302673', reason: 'checkDigit', notice: NOTICE },
		{ matched: false, ssn: '21068302674', notice: NOTICE },
	]);
	expect(items(execution, 2)).toEqual([expect.objectContaining({ error: expect.stringMatching(/read as a date/) })]);
	expect(outputs(execution, 'amka').map((branch) => branch.map(({ pairedItem }) => pairedItem))).toEqual([
		[{ item: 1 }],
		[{ item: 0 }, { item: 3 }],
		[{ item: 2 }],
	]);
	expect(questions()).toHaveLength(2);
});

test('a number that lost its zero is asked with it, a Latin surname is asked as it is, and the item says so', async () => {
	const execution = await validate([{ ssn: 1013099997, birthDate: '1/1/1930', surname: 'Dokimastikos' }]);

	expect(items(execution)).toEqual([
		{ matched: false, ssn: '01013099997', warning: expect.stringMatching(/zero.*no Greek letter/s), notice: NOTICE },
	]);
	expect(questions()).toEqual([{ ssn: '01013099997', birthdate: '1930-01-01', surname: 'DOKIMASTIKOS' }]);
});

test("with Retry On Fail, and the node's own retries, nobody who was answered is asked about again", async () => {
	const other = { ssn: '15039904568', birthDate: '15/03/1999', surname: 'Δοκιμαστικού' };
	Object.assign(world.sandbox.trouble, { answer: '500', times: 3 });
	const execution = await validate(
		[matching, other, matching],
		{ options: { concurrency: 1, retries: 1 } },
		{ retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
	);

	expect(items(execution)).toEqual([
		{ matched: true, ssn: '21068302674' },
		{ matched: true, ssn: '15039904568' },
		{ matched: true, ssn: '21068302674' },
	]);
	// Twice in the first try, twice in the second, where the other one and the equal row come after it.
	expect(questions().map((question) => (question as { ssn: string }).ssn)).toEqual([
		...Array(4).fill('21068302674'),
		'15039904568',
	]);
});

describe('could not ask is an error, never "no match"', () => {
	test.each([
		['refuse', /rejected the key, or a proxy before it refused the request \(HTTP 403\)/],
		['500', /500/],
		['503', /503/],
		['cutBefore', /AMKA/],
		['html', /AMKA/],
		['array', /AMKA/],
		['missingFields', /AMKA/],
		['echo', /400/],
	] as const)('%s', async (answer, message) => {
		Object.assign(world.sandbox.trouble, { answer });
		const execution = await validate([matching], { options: { retries: 0 } });

		expect(execution.status).toBe('error');
		expect(execution.result.error?.message).toMatch(message);
		expect(JSON.stringify(execution)).not.toContain('"matched":false');
	});

	test('a time-out', async () => {
		Object.assign(world.sandbox.trouble, { delayMs: 5000 });
		const execution = await validate([matching], { options: { timeout: 1, retries: 0 } });

		expect(execution.result.error?.message).toMatch(/time/i);
	});

	test('an answer that drips is cut off when the time-out is over', async () => {
		let cutOff!: () => void;
		const isCutOff = new Promise<void>((resolve) => (cutOff = resolve));
		const server = createServer((_, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			const dripping = setInterval(() => response.write(' '), 100);
			response.on('close', () => {
				clearInterval(dripping);
				cutOff();
			});
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		try {
			const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
			const amkaApi = await world.n8n.addCredential('amkaApi', { ...world.amkaApi(), baseUrl });
			const execution = await validate(
				[matching],
				{ options: { timeout: 1, retries: 0 } },
				{ credentials: { amkaApi } },
			);

			expect(execution.result.error?.message).toContain('in time');
			await isCutOff;
		} finally {
			server.closeAllConnections();
			server.close();
		}
	});

	test('a redirect is not followed: the key stays with the host of the credential', async () => {
		Object.assign(world.sandbox.trouble, {
			answer: 'redirect',
			redirectTo: world.sandbox.url.replace('127.0.0.1', 'localhost'),
		});
		const execution = await validate([matching]);

		expect(execution.status).toBe('error');
		expect(world.sandbox.traffic.calls.map(({ status }) => status)).toEqual([307]);
	});

	test('unless the user says that this status means "no match"', async () => {
		Object.assign(world.sandbox.trouble, { answer: 'echo' });
		const execution = await validate([matching], { output: 'verdict', options: { noMatchStatusCodes: '404, 400' } });

		expect(items(execution)).toEqual([{ matched: false, ssn: '21068302674', notice: NOTICE }]);
	});
});

test('Check Number needs neither credential nor network', async () => {
	const node = packageNode('amka', { operation: 'checkNumber', ssn: '={{ $json.ssn }}' });
	const execution = await world.n8n.execute(
		withRows([{ ssn: '15039904568' }, { ssn: '1013099997' }, { ssn: '01013099999' }, { ssn: '31029900011' }], node),
	);

	expect(taskOf(execution, 'amka').error).toBeUndefined();
	expect(items(execution)).toEqual([
		{ ssn: '15039904568', valid: true, birthDayAndMonth: expect.any(String), sex: 'female' },
		expect.objectContaining({ valid: false, reason: 'leadingZero' }),
		expect.objectContaining({ valid: false, reason: 'checkDigit' }),
		expect.objectContaining({ valid: false, reason: 'date' }),
	]);
	expect(world.sandbox.traffic.calls).toEqual([]);
});

keysStaySecret(world);

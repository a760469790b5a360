import { text } from 'node:stream/consumers';
import { FormPage, importExample, rowsOfTable, save, secretary, type Imported } from './examples';
import { until } from './n8n';
import { listen, type Listening } from './server';
import { keysStaySecret, useWorld } from './world';

/* Checks the report of the example "First day", with services that behave otherwise than their documentation says. */

const world = useWorld();
const keys = { apiKey: 'first-day-amka-key-71c2', preSharedKey: 'first-day-sms-key-9e40' };
const institution = 'example-university';
const [mobile, amka, birthDate, surname] = ['6900000001', '15039904568', '1999-03-15', 'Δοκιμαστικού'];

/** Simulates both services on one server, and stores the report URL of each accepted message. */
class OtherServices {
	readonly reportUrls: string[] = [];
	private server!: Listening;
	get url(): string {
		return this.server.url;
	}

	async start(): Promise<void> {
		this.server = await listen((request, response) => {
			void text(request).then((body) => {
				const [status, answer] = request.method === 'GET' ? this.lookUp(request.url!) : this.send(body);
				response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
			});
		});
	}

	async close(): Promise<void> {
		await this.server.close();
	}

	private lookUp(url: string): [number, object] {
		const asked = new URL(url, this.url).searchParams.get('surname')!;
		if (asked.endsWith('ΧΧ')) return [404, { title: `No ${asked}`, code: 'none', message: `No person ${asked}` }];
		return [200, { match: 'true', ssn: amka, fullName: `${asked} ΑΝΝΑ`, phone: mobile }];
	}

	private send(body: string): [number, object] {
		const { serviceId, 'dlr-url': url } = JSON.parse(body) as Record<string, string>;
		const error = `${institution} has no service ${serviceId} (${mobile}, ${keys.preSharedKey})`;
		if (serviceId === 'no-such-service') return [422, { errorCode: 'SVC-7', error }];
		this.reportUrls.push(url!);
		return [200, { serviceId, errorCode: '', error: '', messageReference: mobile }];
	}
}

const services = new OtherServices();
let firstDay: Imported;

beforeAll(async () => {
	await services.start();
	firstDay = await importExample(world, 'more/first-day.json');
	const { n8n } = world;
	const own = {
		amkaApi: await n8n.addCredential('amkaApi', { ...world.amkaApi(), baseUrl: services.url, apiKey: keys.apiKey }),
		smsPlatformApi: await n8n.addCredential('smsPlatformApi', {
			...world.smsPlatformApi(),
			...{ baseUrl: services.url, institution, preSharedKey: keys.preSharedKey, trialRecipients: mobile },
		}),
	};
	for (const node of firstDay.workflow.nodes)
		for (const [type, credential] of Object.entries(own))
			if (node.credentials?.[type] !== undefined) node.credentials = { [type]: credential };
	await save(n8n, firstDay);
	await n8n.publish(firstDay.id);
}, 120_000);
afterAll(async () => await services.close());

const open = async (form: string) => await FormPage.open(firstDay.url(form), secretary);
const rows = async () => await rowsOfTable(world.n8n, firstDay.table('amka-sms-first-day'));
const untilKept = async (count: number) =>
	await until(`${count} rows are kept`, async () => (await rows()).length === count);

/** Opens the page of the report. @returns its lines, which the user copies, and the page */
async function reportOfTheDay(): Promise<{ lines: string[]; page: FormPage }> {
	const page = await (await open('First day report')).submit();
	const [, report] = /<pre>([^]*?)<\/pre>/.exec(page.html)!;
	return { lines: report!.split('\n'), page };
}

test('the report of the example more/first-day.json answers each question with "unknown" before any form was used', async () => {
	const { lines, page } = await reportOfTheDay();
	const answers = lines.filter((line) => line.startsWith('- '));

	expect(answers).toHaveLength(14);
	expect(answers.filter((line) => !line.includes('unknown'))).toEqual([]);
	expect(page.links).toEqual(['https://github.com/n8n-nodes-amka-sms/n8n-nodes-amka-sms/issues/new']);
});

test('the report of the example more/first-day.json describes how the services differ from their documentation', async () => {
	// The report on the first SMS comes by PUT, with a status that no document names.
	const first = (await open('First SMS')).submit(mobile);
	await until('the first SMS is sent', () => services.reportUrls.length === 1);
	const headers = { 'content-type': 'application/json' };
	const body = JSON.stringify({ serviceId: '101', recipient: `30${mobile}`, status: 'HANDSET OK' });
	const reported = async () => (await fetch(services.reportUrls[0]!, { method: 'PUT', headers, body })).status === 200;
	await until('n8n waits for the report', reported);
	expect((await first).text).toMatch(/HANDSET OK .* Refusal HTTP 422, code SVC-7, rejected/);
	await untilKept(1);

	await (await open('First look-up')).submit(amka, birthDate, surname);
	await untilKept(2);

	// The platform reports twice on one message: as form data with other field names, and by GET with the field `state`.
	await (await open('Long SMS')).send(mobile);
	await until('the long SMS is sent', () => services.reportUrls.length === 2);
	const [, long] = services.reportUrls;
	const fields = { service: '105', destination: mobile, operator: 'ΕΤΑΙΡΕΙΑ' };
	const asForm = new URLSearchParams({ ...fields, status: `ΠΑΡΑΔΟΘΗΚΕ ${mobile}`, [mobile]: 'x' });
	expect(await (await fetch(long!, { method: 'POST', body: asForm })).json()).toMatchObject({ result: '0' });
	const inQuery = new URL(long!);
	for (const [name, value] of Object.entries({ ...fields, state: 'OK' })) inQuery.searchParams.set(name, value);
	await fetch(inQuery);
	await untilKept(5);

	// An incoming SMS arrives by GET, with an additional field.
	const message = new URL(firstDay.url('Messages', '/forward'));
	const query = {
		MSISDN: `30${mobile}`,
		keyword: 'ΒΑ',
		body: surname,
		'pre-shared key': keys.preSharedKey,
		shortCode: '5',
	};
	for (const [name, value] of Object.entries(query)) message.searchParams.set(name, value);
	expect((await fetch(message)).status).toBe(200);
	await untilKept(6);

	const { lines, page } = await reportOfTheDay();
	const answer = (question: string) => lines[lines.findIndex((line) => line.startsWith(question)) + 1];
	expect(answer('Which error codes')).toMatch(/: HTTP 422, code SVC-7, rejected$/);
	expect(answer('How does a reply show')).toMatch(
		/ GET without content type: MSISDN, keyword, body, pre-shared key, shortCode; an MSISDN of 12 characters$/,
	);
	expect(answer('Which statuses')).toMatch(/ HANDSET OK after \d+ s; ΠΑΡΑΔΟΘΗΚΕ … after \d+ s; \? after \d+ s$/);
	expect(answer('How many reports')).toMatch(/: 2 for 1\. SMS in each message: 2$/);
	expect(answer('How long may a report URL')).toMatch(
		/ POST application\/x-www-form-urlencoded\S*: ref, mid, exp, sig, service, destination, operator, status; sig: 43 of 43 characters; GET : ref, mid, exp, sig, service, destination, operator, state; sig: 43 of 43 characters$/,
	);
	expect(answer('How many requests')).toMatch(/ One request took \d+(\.\d+)? s$/);
	const match = /^- (.*); error status: none$/.exec(answer('Which fields does a match have')!)![1]!;
	expect(match.split(', ').sort()).toEqual(['fullName', 'match', 'matched', 'phone', 'ssn']);
	expect(answer('What do the coded fields')).toMatch(/ httpStatus, .*title, code, message.*; error status: 404$/);
	expect(answer('How long does a look-up')).toMatch(/ \d+(\.\d)? s$/);

	const personal = [
		...[mobile, amka, birthDate, surname, surname.toUpperCase(), 'ΔΟΚΙΜΑΣΤΙΚΟΥ', 'ΑΝΝΑ', 'ΕΤΑΙΡΕΙΑ'],
		...[institution, keys.apiKey, keys.preSharedKey, '127.0.0.1', 'localhost', new URL(world.n8n.url).port],
		...services.reportUrls.map((url) => new URL(url).searchParams.get('sig') ?? url),
	];
	for (const kept of [page.text, JSON.stringify(await rows())])
		expect(personal.filter((each) => kept.includes(each))).toEqual([]);
});

keysStaySecret(world, keys.apiKey, keys.preSharedKey);

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { sampleRows } from '../../scripts/sampleRows';
import { until, type N8n, type WorkflowFile } from './n8n';
import type { World } from './world';

/** The node types that get a new URL from n8n's editor when a file is imported. */
const withAddress = ['n8n-nodes-base.formTrigger', 'n8n-nodes-amka-sms.smsTrigger'];

/**
 * Matches the paths of forms, which two copies of an example in one n8n must not share. A path that begins like the name of a
 * data table is left to `TABLES`.
 */
const FORMS = /(?<=\.\.\/form\/|"path": ")(?!amka-sms-)[a-z-]+/g;

/** Matches the names of data tables, which two copies of an example may share. */
const TABLES = /\bamka-sms-[a-z]+(-[a-z]+)*/g;

/** Each request uses a new connection, because a busy n8n may close an old connection while the next request is being sent. */
const ALONE = { connection: 'close' };

/**
 * Reads a file of the folder `examples`, or the file of an absolute path.
 * @param copy a suffix for the paths of forms
 * @param tables a suffix for the names of data tables; if both are empty, the file is used unchanged
 */
export const readExample = (file: string, copy = '', tables = copy): WorkflowFile =>
	JSON.parse(
		readFileSync(resolve('examples', file), 'utf8')
			.replace(FORMS, (name) => name + copy)
			.replace(TABLES, (name) => name + tables),
	) as WorkflowFile;

/** An imported example, and the values that its nodes show to a user. */
export interface Imported {
	id: string;
	workflow: WorkflowFile;
	/** The Production URL that the panel of this trigger shows. */
	url(node: string, ending?: string): string;
	/** Returns the name of one of its data tables in this copy. */
	table(name: string): string;
}

/**
 * Imports an example as a user does: imports the file in the editor, chooses the credential in each node that asks for one, and
 * saves.
 *
 * @param copy the suffix for `readExample`; each copy in a shared n8n needs its own
 * @param called the workflow that the example calls
 * @param tables the suffix for the names of its data tables
 */
export async function importExample(
	world: World,
	file: string,
	copy = `-${randomUUID().slice(0, 8)}`,
	called?: Imported,
	tables = copy,
): Promise<Imported> {
	const workflow = readExample(file, copy, tables);
	for (const node of workflow.nodes) {
		const chosen = node.parameters.workflowId as { value: string; cachedResultName?: string } | undefined;
		if (called && chosen?.cachedResultName === called.workflow.name) chosen.value = called.id;
		const own = /^n8n-nodes-amka-sms\.(amka|smsSend|smsResults|smsCode|smsTrigger)$/.exec(node.type)?.[1] as
			| 'amka'
			| undefined;
		if (own) node.credentials = world.node(own, {}).credentials;
		if (withAddress.includes(node.type)) node.webhookId = randomUUID();
		if (node.parameters.authentication === 'basicAuth') node.credentials = { httpBasicAuth: await loginOf(world) };
	}
	// The editor does not import the settings of a file.
	workflow.settings = { executionOrder: 'v1' };
	const id = await world.n8n.addWorkflow(workflow);
	return {
		id,
		workflow,
		url: (name, ending = '') => {
			const { type, webhookId, parameters } = workflow.nodes.find((node) => node.name === name)!;
			const kind = type === 'n8n-nodes-base.formTrigger' ? 'form' : 'webhook';
			const { path = webhookId } = (parameters.options ?? {}) as { path?: string };
			return `${world.n8n.url}/${kind}/${path}${ending}`;
		},
		table: (name) => name + tables,
	};
}

/** The login of the forms. */
export const secretary = { user: 'secretary', password: 'Forms-Only-1' };
const logins = new WeakMap<World, Promise<{ id: string; name: string }>>();

async function loginOf(world: World): Promise<{ id: string; name: string }> {
	const login = logins.get(world) ?? world.n8n.addCredential('httpBasicAuth', secretary, 'Forms');
	logins.set(world, login);
	return await login;
}

/** A user of n8n for forms that ask for an account. */
export const chatUser = {
	email: 'office@example.gr',
	firstName: 'Δοκιμαστική',
	lastName: 'Γραμματέας',
	password: 'Forms-Only-1',
};

/** Adds a user to n8n. @returns the id of the user */
export async function addUser(n8n: N8n, { email, ...person }: typeof chatUser, role: string): Promise<string> {
	const [invited] = await n8n.rest<Array<{ user: { id: string; inviteAcceptUrl: string } }>>('POST', '/invitations', [
		{ email, role },
	]);
	const token = new URL(invited!.user.inviteAcceptUrl).searchParams.get('token');
	await n8n.rest('POST', '/invitations/accept', { ...person, token });
	return invited!.user.id;
}

/** Adds `chatUser` to n8n, without access to workflows. */
export async function addChatUser(n8n: N8n): Promise<void> {
	await addUser(n8n, chatUser, 'global:chatUser');
}

/** Sets the authentication of a form to *n8n User Auth*, and publishes its workflow. */
export async function publishForUsers(n8n: N8n, example: Imported, name: string): Promise<void> {
	const form = example.workflow.nodes.find((node) => node.name === name)!;
	form.parameters.authentication = 'n8nUserAuth';
	delete form.credentials;
	await save(n8n, example);
	await n8n.publish(example.id);
}

/** Saves a changed workflow, as the editor does. */
export async function save(n8n: N8n, { id, workflow }: Imported): Promise<void> {
	const { nodes, connections, settings } = workflow;
	const { versionId } = await n8n.rest<{ versionId: string }>('GET', `/workflows/${id}`);
	await n8n.rest('PATCH', `/workflows/${id}`, { nodes, connections, settings, versionId });
}

/** Imports an example, creates its data table with the sample rows that `npm start` uses, and publishes it. */
export async function publishWithTable(world: World, file: string): Promise<Imported> {
	const example = await importExample(world, file);
	const { id: project } = await world.n8n.rest<{ id: string }>('GET', '/projects/personal');
	const { tableName, columns } = example.workflow.nodes.find(({ parameters }) => parameters.resource === 'table')!
		.parameters as { tableName: string; columns: { column: object[] } };
	const tables = `/projects/${project}/data-tables`;
	const { id } = await world.n8n.rest<{ id: string }>('POST', tables, { name: tableName, columns: columns.column });
	const [rows] = Object.entries(sampleRows).flatMap(([name, of]) => (tableName.startsWith(name) ? [of] : []));
	await world.n8n.rest('POST', `${tables}/${id}/insert`, { data: rows });
	await world.n8n.publish(example.id);
	return example;
}

/** Returns the path of a data table in n8n's own API. Undefined: there is no such table. */
export async function pathOfTable(n8n: N8n, name: string): Promise<string | undefined> {
	const [table] = await n8n.query<{ id: string; projectId: string }>(
		'SELECT id, "projectId" FROM data_table WHERE name = ?',
		name,
	);
	return table && `/projects/${table.projectId}/data-tables/${table.id}`;
}

/** Returns the rows of a data table, the oldest first. */
export async function rowsOfTable(n8n: N8n, name: string): Promise<Array<Record<string, unknown>>> {
	const path = await pathOfTable(n8n, name);
	if (!path) return [];
	return (await n8n.rest<{ data: Array<Record<string, unknown>> }>('GET', `${path}/rows`)).data;
}

type Filled = string | File | string[] | undefined;

/** Simulates a browser that has a form of n8n open. It does only what the scripts of n8n's pages do. */
export class FormPage {
	private constructor(
		private readonly address: string,
		/** The HTML of the page. */
		readonly html: string,
	) {}

	/** Opens a form. @param login for a form that asks for a login; the further pages of a form ask for none */
	static async open(address: string, login?: { user: string; password: string }): Promise<FormPage> {
		const response = await fetch(address, {
			headers: {
				...ALONE,
				...(login && { authorization: `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}` }),
			},
		});
		const html = await response.text();
		if (!response.ok) throw new Error(`${address}: ${response.status} ${html.slice(0, 500)}`);
		const page = new FormPage(address, html);
		// The last page of a form has no fields. In a browser, its script sends this POST, and only then does the workflow
		// continue. So the test sends it too.
		if (!html.includes("id='n8n-form'")) await fetch(address, { method: 'POST', headers: ALONE });
		return page;
	}

	/** Loads the page again after the execution has ended. Shortly before its end, n8n does not answer. */
	async again(): Promise<FormPage> {
		await until('the run has ended', async () => (await statusAt(this.address)) === 'success');
		return await FormPage.open(this.address);
	}

	/** The title of the page. */
	get title(): string {
		return unescape(/<h1[^>]*>([^]*?)<\/h1>/.exec(this.html)?.[1] ?? '').trim();
	}

	/** The text under the title. */
	get message(): string {
		return unescape(/<h1[^>]*>[^]*?<\/h1>\s*<p[^>]*>([^]*?)<\/p>/.exec(this.html)?.[1] ?? '').trim();
	}

	/** The targets of the links on the page. */
	get links(): string[] {
		return [...this.html.matchAll(/<a href="([^"]*)"/g)].map(([, to]) => new URL(unescape(to!), this.address).href);
	}

	/** The visible text of the page, without scripts and styles. */
	get text(): string {
		const body = this.html.replace(/^[^]*<body[^>]*>/, '').replace(/<(script|style)[^]*?<\/\1>/g, '');
		return unescape(body.replace(/<[^>]*>/g, ' '))
			.replace(/\s+/g, ' ')
			.trim();
	}

	/** The files that the page downloads automatically. */
	get downloads(): Array<{ fileName: string; content: Buffer }> {
		const encoded = /JSON\.parse\(decodeURIComponent\("([^"]*)"\)\)/.exec(this.html)?.[1] ?? '%5B%5D';
		const files = JSON.parse(decodeURIComponent(encoded)) as Array<{ fileName: string; data: { data: number[] } }>;
		return files.map(({ fileName, data }) => ({ fileName, content: Buffer.from(data.data) }));
	}

	/**
	 * Fills in the fields in their order and submits them. A list contains the ticked choices. Undefined stands for an element
	 * that is not a field.
	 * @returns the URL of the next page, and a function that asks n8n for the status of the execution, as the page does
	 */
	async send(...values: Filled[]): Promise<{ next: string; status(): Promise<string> }> {
		const form = new FormData();
		for (const [index, value] of values.entries()) {
			if (value !== undefined) form.append(`field-${index}`, Array.isArray(value) ? JSON.stringify(value) : value);
		}
		for (const [, name, value] of this.html.matchAll(
			/<input type="hidden" id="[^"]*" name="(field-\d+)" value="([^"]*)"/g,
		)) {
			if (!form.has(name!)) form.append(name!, unescape(value!));
		}
		const token = /const authToken = '([^']*)'/.exec(this.html)?.[1];
		const response = await fetch(this.address, {
			method: 'POST',
			body: form,
			headers: { ...ALONE, ...(token && { 'x-auth-token': token }) },
		});
		const { formWaitingUrl: next } = (await response.json()) as { formWaitingUrl: string };
		// If no page follows, n8n's answer has no `formWaitingUrl`. Then `next` is undefined, and `status` must not be called.
		return { next, status: async () => await statusAt(next) };
	}

	/** Fills in the fields in their order, submits, and waits for the next page. */
	async submit(...values: Filled[]): Promise<FormPage> {
		const { next, status } = await this.send(...values);
		await until(
			'n8n has the next page',
			async () => {
				const now = await status();
				if (!['form-waiting', 'waiting', 'running', 'new'].includes(now)) throw new Error(`The run ended: ${now}`);
				return now === 'form-waiting';
			},
			90_000,
		);
		return await FormPage.open(next);
	}
}

/** Returns the status of the execution of a page. */
async function statusAt(page: string): Promise<string> {
	const address = new URL(page);
	address.pathname += '/n8n-execution-status';
	return await (await fetch(address, { headers: ALONE })).text();
}

const unescape = (html: string): string =>
	html
		.replace(/&#(x?)([0-9a-f]+);/gi, (_, hex: string, code: string) =>
			String.fromCodePoint(parseInt(code, hex ? 16 : 10)),
		)
		.replace(/&(lt|gt|quot|amp);/g, (_, name: 'lt') => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name]);

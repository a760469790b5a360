/** Creates credentials in n8n, and imports the workflows of `examples/`. Each is imported only once: changes of the user stay. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { sampleRows } from '../sampleRows.js';
import { root } from '../setup.mjs';

/** The beginning of the types of this package's nodes. */
const own = 'n8n-nodes-amka-sms.';
const credentialOf = (type) => (type === `${own}amka` ? 'amkaApi' : type.startsWith(own) ? 'smsPlatformApi' : undefined);
const formTrigger = 'n8n-nodes-base.formTrigger';

/** The login for forms that show people's mobile numbers. n8n stores it in a Basic Auth credential. */
export const formLogin = { user: 'secretary', password: 'Forms-Only-1' };

/**
 * Creates the two credentials of this package, with the URL and keys of the sandbox, and the login of the forms. If the sandbox
 * has another port than at the last start, this function updates the URL in the two credentials.
 */
export async function createCredentials(editor, state, { url, settings, messages }) {
	const { apiKey, institution, preSharedKey } = settings;
	const wanted = {
		amkaApi: { name: 'AMKA (sandbox)', data: { baseUrl: url, apiKey, allowUnauthorizedCerts: false } },
		smsPlatformApi: {
			name: 'SMS Platform (sandbox)',
			data: { baseUrl: url, institution, preSharedKey, messages, allowUnauthorizedCerts: false },
		},
		httpBasicAuth: { name: 'Login of the forms', data: formLogin },
	};
	const credentials = { ...state.credentials };
	for (const [type, { name, data }] of Object.entries(wanted)) {
		const known = credentials[type];
		if (!known) {
			const { id } = await editor.rest('POST', '/credentials', { name, type, data });
			credentials[type] = { id, name, url };
			state.save({ credentials });
		} else if (data.baseUrl && known.url !== url) {
			const stored = await editor.rest('GET', `/credentials/${known.id}?includeData=true`).catch(() => undefined);
			// A credential with another URL is not updated, because the user has changed it.
			if (stored?.data?.baseUrl === known.url) {
				await editor.rest('PATCH', `/credentials/${known.id}`, { name: stored.name, type, data: { ...stored.data, baseUrl: url } });
			}
			credentials[type] = { ...known, url };
		}
	}
	state.save({ credentials });
}

/** Returns the paths of all examples in `examples/`. Those outside its subfolders come first. */
function exampleFiles() {
	const files = readdirSync(join(root, 'examples'), { recursive: true }).filter((name) => name.endsWith('.json'));
	const depth = (file) => file.split(sep).length;
	return files.sort((one, other) => depth(one) - depth(other) || (one < other ? -1 : 1));
}

const readExample = (file) => readFileSync(join(root, 'examples', file), 'utf8');

/**
 * Returns the paths of all examples in the order of their import. Workflows that another workflow calls come first. The examples
 * outside the subfolders come last, because n8n lists the newest workflow first.
 */
function filesToImport() {
	const files = exampleFiles().reverse();
	const isCalled = (file) => readExample(file).includes('.executeWorkflowTrigger');
	return [...files.filter(isCalled), ...files.filter((file) => !isCalled(file))];
}

/** Returns the imported examples in the order of `exampleFiles`. */
export const importedExamples = (state) => exampleFiles().flatMap((file) => state.examples?.[file] ?? []);

/**
 * Imports the examples that are new, and does the steps that their sticky notes describe. It activates each workflow that
 * has a URL or that another workflow calls.
 * @returns a text for each example that failed. The next start tries again
 */
export async function importExamples(editor, state, n8nUrl) {
	const problems = [];
	const examples = { ...state.examples };
	for (const file of filesToImport()) {
		const known = examples[file];
		if (known && !known.isHalfDone) continue;
		let workflow = prepare(JSON.parse(readExample(file)), state.credentials, n8nUrl);
		chooseCalled(workflow, Object.values(examples));
		try {
			// If an earlier start was interrupted, the workflow has been created already.
			if (known) workflow = await editor.rest('GET', `/workflows/${known.id}`);
			const { id } = known ?? (await editor.rest('POST', '/workflows', workflow));
			const example = { id, name: workflow.name, ...urlPathsOf(workflow) };
			examples[file] = { ...example, isHalfDone: true };
			state.save({ examples });
			await createTables(editor, workflow);
			if (mustBeActive(workflow)) await editor.activate(id);
			examples[file] = example;
			state.save({ examples });
		} catch (error) {
			problems.push(`${workflow.name}: ${error.message}`);
		}
	}
	return problems;
}

/**
 * Does the steps of a user after an import: it chooses the credentials, and enters the workflow's own report URL in the nodes
 * that send.
 */
function prepare(workflow, credentials, n8nUrl) {
	for (const node of workflow.nodes) {
		const type = node.parameters.authentication === 'basicAuth' ? 'httpBasicAuth' : credentialOf(node.type);
		if (type) node.credentials = { [type]: { id: credentials[type].id, name: credentials[type].name } };
		// n8n's editor gives each node with a URL a new webhookId during an import.
		if (node.type === formTrigger || node.type === `${own}smsTrigger`) node.webhookId = randomUUID();
	}
	const { dlr } = urlPathsOf(workflow);
	for (const { parameters } of workflow.nodes) if (parameters.options?.dlrUrl === '') parameters.options.dlrUrl = n8nUrl + dlr;
	return workflow;
}

/** Sets the id of the workflow that an example calls. That workflow was imported before the example. */
function chooseCalled({ nodes }, imported) {
	for (const { parameters } of nodes) {
		const called = imported.find(({ name }) => name === parameters.workflowId?.cachedResultName);
		if (called) parameters.workflowId.value = called.id;
	}
}

/** Creates the data tables that an example creates at its first run. Some get sample rows (sampleRows.js). */
async function createTables(editor, { nodes }) {
	const { id } = await editor.rest('GET', '/projects/personal');
	const tables = `/projects/${id}/data-tables`;
	for (const { parameters } of nodes.filter(({ parameters: { resource, operation } }) => resource === 'table' && operation === 'create')) {
		const { tableName: name, columns } = parameters;
		const { data } = await editor.rest('GET', tables);
		if (data.some((table) => table.name === name)) continue;
		const { id: table } = await editor.rest('POST', tables, { name, columns: columns.column });
		if (sampleRows[name]) await editor.rest('POST', `${tables}/${table}/insert`, { data: sampleRows[name] });
	}
}

const listensTo = ({ type, parameters }, event) =>
	type === `${own}smsTrigger` && (parameters.events?.includes(event) ?? true);
const mustBeActive = ({ nodes }) => nodes.some(({ webhookId, type }) => webhookId || type.endsWith('.executeWorkflowTrigger'));

/** Returns the URL paths of a workflow: its forms, the webhooks that the platform calls, and the keywords of its SMS Trigger. */
function urlPathsOf({ nodes }) {
	const forms = nodes.filter(({ type }) => type === formTrigger);
	const forward = nodes.find((node) => listensTo(node, 'smsForward'));
	const dlr = nodes.find((node) => listensTo(node, 'deliveryReport'));
	return {
		forms: forms.map(({ name, webhookId, parameters }) => ({
			name,
			path: `/form/${parameters.options?.path ?? webhookId}`,
			login: parameters.authentication === 'basicAuth',
		})),
		forward: forward && `/webhook/${forward.webhookId}/forward`,
		dlr: dlr && `/webhook/${dlr.webhookId}/dlr`,
		keywords: forward && (forward.parameters.keywords ?? '').split(',').map((keyword) => keyword.trim()).filter(Boolean),
	};
}

/**
 * Enters the report URL of the example who-got-it.json in the credential, as the example's sticky note describes. If n8n has
 * another port than at the last start, it updates the URL. A URL that the user has entered stays.
 */
export async function setReportUrl(editor, state, n8nUrl) {
	const { dlr } = state.examples?.['desk/who-got-it.json'] ?? {};
	const credential = state.credentials?.smsPlatformApi;
	if (!dlr || !credential || state.dlrUrl === n8nUrl + dlr) return;
	const stored = await editor.rest('GET', `/credentials/${credential.id}?includeData=true`).catch(() => undefined);
	if (!stored?.data || (stored.data.dlrUrl || undefined) !== state.dlrUrl) return;
	const dlrUrl = n8nUrl + dlr;
	await editor.rest('PATCH', `/credentials/${credential.id}`, { name: stored.name, type: 'smsPlatformApi', data: { ...stored.data, dlrUrl } });
	state.save({ dlrUrl });
}

/**
 * Registers the forward URL of each example at the sandbox for the keywords of that example, as the platform's operator would do.
 * A keyword for which the user has registered another URL is not changed.
 */
export async function registerForwardUrls(state, n8nUrl, sandboxUrl) {
	const { settings } = await (await fetch(`${sandboxUrl}/control/state?latest=0`)).json();
	const registered = state.registered ?? {};
	const wanted = {};
	for (const { forward, keywords } of importedExamples(state)) {
		for (const keyword of forward ? keywords : []) {
			const current = settings.keywordUrls[keyword];
			if (!current || current === registered[keyword]) wanted[keyword] = n8nUrl + forward;
		}
	}
	const response = await fetch(`${sandboxUrl}/control/settings`, {
		method: 'PATCH',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ keywordUrls: wanted }),
	});
	if (!response.ok) throw new Error(`The sandbox did not register the URLs: ${await response.text()}`);
	state.save({ registered: { ...registered, ...wanted } });
}

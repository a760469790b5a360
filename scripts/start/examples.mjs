/** Brings credentials and the workflows of `examples/` into n8n, once. Later changes of the user stay. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { sampleRows } from '../sampleRows.js';
import { root } from '../setup.mjs';

const own = 'n8n-nodes-amka-sms.';
const credentialOf = (type) => (type === `${own}amka` ? 'amkaApi' : type.startsWith(own) ? 'smsPlatformApi' : undefined);
const formTrigger = 'n8n-nodes-base.formTrigger';

/** The login of the forms that show people's mobiles. It is in n8n's own Basic Auth credential. */
export const formLogin = { user: 'secretary', password: 'Forms-Only-1' };

/**
 * Brings both credentials with the URL of the sandbox, and the login of the forms. If the sandbox has another port, it
 * updates them.
 */
export async function bringCredentials(editor, state, { url, settings, messages }) {
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
			state.keep({ credentials });
		} else if (data.baseUrl && known.url !== url) {
			const stored = await editor.rest('GET', `/credentials/${known.id}?includeData=true`).catch(() => undefined);
			// If it has another URL by now, the user has changed it.
			if (stored?.data?.baseUrl === known.url) {
				await editor.rest('PATCH', `/credentials/${known.id}`, { name: stored.name, type, data: { ...stored.data, baseUrl: url } });
			}
			credentials[type] = { ...known, url };
		}
	}
	state.keep({ credentials });
}

/** Returns the paths of all examples below `examples/`. The three at its top come first. */
function exampleFiles() {
	const files = readdirSync(join(root, 'examples'), { recursive: true }).filter((name) => name.endsWith('.json'));
	const depth = (file) => file.split(sep).length;
	return files.sort((one, other) => depth(one) - depth(other) || (one < other ? -1 : 1));
}

const readExample = (file) => readFileSync(join(root, 'examples', file), 'utf8');

/**
 * Returns the paths in the order of their import: workflows that another one calls, then the others. The three first examples
 * come last, because n8n's list begins with the workflow that was made last.
 */
function filesToImport() {
	const files = exampleFiles().reverse();
	const isCalled = (file) => readExample(file).includes('.executeWorkflowTrigger');
	return [...files.filter(isCalled), ...files.filter((file) => !isCalled(file))];
}

/** Returns the examples that are in n8n, the first ones first. */
export const importedExamples = (state) => exampleFiles().flatMap((file) => state.examples?.[file] ?? []);

/**
 * Imports the files that were never imported, does the steps that their notes tell a user to do, and activates them.
 * @returns a line for each file that failed. The next start tries these again
 */
export async function bringExamples(editor, state, n8nUrl) {
	const problems = [];
	const examples = { ...state.examples };
	for (const file of filesToImport()) {
		const known = examples[file];
		if (known && !known.isHalfDone) continue;
		let workflow = prepare(JSON.parse(readExample(file)), state.credentials, n8nUrl);
		chooseCalled(workflow, Object.values(examples));
		try {
			// After an interrupted start the workflow is in n8n already.
			if (known) workflow = await editor.rest('GET', `/workflows/${known.id}`);
			const { id } = known ?? (await editor.rest('POST', '/workflows', workflow));
			const example = { id, name: workflow.name, ...addressesOf(workflow) };
			examples[file] = { ...example, isHalfDone: true };
			state.keep({ examples });
			await makeTables(editor, workflow);
			if (waitsForCalls(workflow)) await editor.activate(id);
			examples[file] = example;
			state.keep({ examples });
		} catch (error) {
			problems.push(`${workflow.name}: ${error.message}`);
		}
	}
	return problems;
}

/**
 * Does what a user does after the import: picks credentials, and enters the URL for reports of the workflow into its sending
 * nodes.
 */
function prepare(workflow, credentials, n8nUrl) {
	for (const node of workflow.nodes) {
		const type = node.parameters.authentication === 'basicAuth' ? 'httpBasicAuth' : credentialOf(node.type);
		if (type) node.credentials = { [type]: { id: credentials[type].id, name: credentials[type].name } };
		// The editor gives each node with addresses an id of its own.
		if (node.type === formTrigger || node.type === `${own}smsTrigger`) node.webhookId = randomUUID();
	}
	const { dlr } = addressesOf(workflow);
	for (const { parameters } of workflow.nodes) if (parameters.options?.dlrUrl === '') parameters.options.dlrUrl = n8nUrl + dlr;
	return workflow;
}

/** Chooses the workflow that an example calls. It is in n8n already. */
function chooseCalled({ nodes }, imported) {
	for (const { parameters } of nodes) {
		const called = imported.find(({ name }) => name === parameters.workflowId?.cachedResultName);
		if (called) parameters.workflowId.value = called.id;
	}
}

/** Creates the data tables that an example would create when it is first used, some of them with sample rows. */
async function makeTables(editor, { nodes }) {
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
const waitsForCalls = ({ nodes }) => nodes.some(({ webhookId, type }) => webhookId || type.endsWith('.executeWorkflowTrigger'));

/** Returns the paths under n8n's URL that the platform calls, and the keywords for which it calls. */
function addressesOf({ nodes }) {
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
 * Puts the report URL of an example into the credential, as its note tells a user to do. If n8n has another port, it updates
 * the URL. A URL that the user entered stays.
 */
export async function bringReportAddress(editor, state, n8nUrl) {
	const { dlr } = state.examples?.['desk/who-got-it.json'] ?? {};
	const credential = state.credentials?.smsPlatformApi;
	if (!dlr || !credential || state.dlrUrl === n8nUrl + dlr) return;
	const stored = await editor.rest('GET', `/credentials/${credential.id}?includeData=true`).catch(() => undefined);
	if (!stored?.data || (stored.data.dlrUrl || undefined) !== state.dlrUrl) return;
	const dlrUrl = n8nUrl + dlr;
	await editor.rest('PATCH', `/credentials/${credential.id}`, { name: stored.name, type: 'smsPlatformApi', data: { ...stored.data, dlrUrl } });
	state.keep({ dlrUrl });
}

/**
 * Does the operator's part: registers the forward URL of each example with the platform, for its own keywords. Keywords with
 * another registered URL are not changed.
 */
export async function registerForwardAddresses(state, n8nUrl, sandboxUrl) {
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
	if (!response.ok) throw new Error(`The sandbox did not register the addresses: ${await response.text()}`);
	state.keep({ registered: { ...registered, ...wanted } });
}

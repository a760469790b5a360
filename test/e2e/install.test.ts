import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../sandbox/server';
import { N8n } from './n8n';
import { expectedZod } from './versions';
import { chain, packageNode } from './workflows';

/**
 * Does what an admin does on the command line: installs the packed file, imports credentials and workflows, publishes, and
 * starts n8n.
 */
const n8n = new N8n();
let sandbox: Sandbox;
const probe = mkdtempSync(join(tmpdir(), 'n8n-nodes-probe-'));

jest.setTimeout(60_000);
beforeAll(async () => {
	sandbox = await startSandbox();
	writeProbe();
	await n8n.install(probe);
}, 120_000);
afterAll(async () => {
	await sandbox.close();
	await n8n.remove();
	rmSync(probe, { recursive: true });
}, 60_000);

/** Writes another community package. The name of its node contains the zod version that n8n gives to the package. */
function writeProbe(): void {
	const manifest = {
		name: 'n8n-nodes-probe',
		version: '1.0.0',
		n8n: { n8nNodesApiVersion: 1, nodes: ['Probe.node.js'] },
	};
	writeFileSync(join(probe, 'package.json'), JSON.stringify(manifest));
	writeFileSync(
		join(probe, 'Probe.node.js'),
		`exports.Probe = class { description = { displayName: require('zod/package.json').version, name: 'probe', version: 1,
			group: ['input'], description: '', defaults: {}, inputs: [], outputs: [], properties: [] }; };`,
	);
}

test('a workflow with SMS Trigger answers calls after it was imported and published on the command line', async () => {
	const { url: baseUrl, settings } = sandbox;
	const { institution, preSharedKey } = settings;
	const webhookId = randomUUID();
	const credential = { id: 'smsPlatform00001', name: 'SMS Platform' };
	const trigger = { ...packageNode('smsTrigger', {}), webhookId, credentials: { smsPlatformApi: credential } };

	await n8n.importFile('credentials', [
		{
			...credential,
			type: 'smsPlatformApi',
			data: { baseUrl, institution, preSharedKey, allowUnauthorizedCerts: false },
		},
	]);
	await n8n.importFile('workflow', [{ id: 'importedWorkflow1', active: false, ...chain('imported', trigger) }]);
	await n8n.publishStopped('importedWorkflow1');
	await n8n.start();
	settings.forwardUrl = `${n8n.url}/webhook/${webhookId}/forward`;

	expect(await sandbox.forward('6912345678', 'ΒΑ ΗΛΕΚΤΡΟΝΙΚΗ')).toEqual({
		status: 200,
		answer: { result: '0', errorCode: '', error: '' },
	});
	await n8n.executionsWhenEnded('importedWorkflow1', 1);
}, 120_000);

test('n8n gives a community package one of the zod versions with which the schemas of this package are tested', async () => {
	const [description] = await n8n.rest<INodeTypeDescription[]>('POST', '/node-types', {
		nodeInfos: [{ name: 'n8n-nodes-probe.probe', version: 1 }],
	});

	expect(description!.displayName).toMatch(expectedZod);
});

test('a published workflow answers calls again after its package was lost from the disk and installed again', async () => {
	const call = async () => await sandbox.forward('6912345678', 'ΒΑ ΗΛΕΚΤΡΟΝΙΚΗ');
	await n8n.stop();
	rmSync(join(n8n.data, 'nodes'), { recursive: true });
	await n8n.start();
	const { answer } = (await call())!;
	expect(answer).toMatchObject({ message: expect.stringContaining('Unrecognized node type') as string });

	await n8n.stop();
	await n8n.install(probe);
	await n8n.start();
	expect(await call()).toEqual({ status: 200, answer: { result: '0', errorCode: '', error: '' } });
	await n8n.executionsWhenEnded('importedWorkflow1', 2);
}, 120_000);

test("no key is in n8n's database or logs after these tests", async () => {
	await n8n.stop();
	expect(await n8n.leaks([sandbox.settings.preSharedKey])).toEqual([]);
});

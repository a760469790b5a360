import { readFileSync } from 'node:fs';
import type { WorkflowFile } from './n8n';
import { items, outcome, waitingIn } from './waiting';
import { keysStaySecret, useWorld } from './world';

const world = useWorld();
const { waitNode, press, finished } = waitingIn(world);

describe('examples/send-and-wait.json', () => {
	/** Imports the file as a user does, and chooses the credential. */
	const imported = (): WorkflowFile => {
		const workflow = JSON.parse(readFileSync('examples/send-and-wait.json', 'utf8')) as WorkflowFile;
		const { credentials } = waitNode();
		return {
			...workflow,
			nodes: workflow.nodes.map((node) => (node.name === 'SMS Send' ? { ...node, credentials } : node)),
		};
	};

	test('carries no address, no credential and no stored data of its author', () => {
		const file = readFileSync('examples/send-and-wait.json', 'utf8');

		expect(file).not.toMatch(/"(webhookId|credentials|pinData|staticData|meta|versionId|active)"/);
		expect(JSON.parse(file)).not.toHaveProperty('id');
	});

	test('delivered: confirmed', async () => {
		const execution = await finished(await press(imported()));

		expect(execution.status).toBe('success');
		expect(items(execution, 0, 'SMS Send')).toEqual([outcome()]);
		expect(items(execution, 0, 'Confirmed')).toEqual([{ application: '17', confirmed: true }]);
		expect(execution.result.runData).not.toHaveProperty('Write an e-mail instead');
	});

	test('not delivered: an e-mail instead', async () => {
		Object.assign(world.sandbox.trouble, { reportError: '27' });
		const execution = await finished(await press(imported()));

		expect(execution.status).toBe('success');
		expect(items(execution, 0, 'Write an e-mail instead')).toEqual([
			{ to: 'student@example.gr', subject: 'Η αίτηση 17 εγκρίθηκε', why: 'ERROR 27' },
		]);
		expect(execution.result.runData).not.toHaveProperty('Confirmed');
	});
});

keysStaySecret(world);

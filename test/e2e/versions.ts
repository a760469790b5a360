import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * The n8n that the tests run, and what differs in its own API and files from one version to the next. A project in
 * jest.config.js names a folder below `host`; without one it is the n8n of `host` itself.
 */

const {
	n8nHost = '',
	zodVersion,
	queueMode,
} = globalThis as { n8nHost?: string; zodVersion?: number; queueMode?: boolean };

/** A name for all that differs between one project and another. */
export const surrounding = `n8n ${n8nHost}, zod ${zodVersion ?? ''}, ${queueMode ? 'queue' : 'regular'} mode`;

/** npm runs scripts in the package's folder, so the path does not depend on where this file is compiled to. */
const root = process.cwd();
const folder = join(root, 'host', n8nHost, 'node_modules', 'n8n');

/** Dependencies of another community package: n8n installs all of them in one folder. */
export const installedBeside: string[] = zodVersion === 4 ? [join(root, 'node_modules', 'zod4')] : [];

/** The zod that our code should get. */
export const expectedZod = zodVersion === 4 ? /^4\./ : /^3\.25\./;

/** The script that n8n is started with. */
export const bin = join(folder, 'bin/n8n');

const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
const [major, minor] = version.split('.').map(Number) as [number, number];

/** Whether this n8n is at least of a version, such as "2.20". */
function isAtLeast(other: string): boolean {
	const [otherMajor, otherMinor] = other.split('.').map(Number) as [number, number];
	return major > otherMajor || (major === otherMajor && minor >= otherMinor);
}

/**
 * Older versions report that they are ready before their API works. All versions print that the editor is accessible only
 * afterwards.
 */
export const isReadyWithApi = isAtLeast('2.41');

/** Only newer versions note a publication first and carry it out later. */
export const publishesLater = isAtLeast('2.41');

/** Older versions test only what is saved: their editor saves a new credential before its first test. */
export const testsUnsavedCredentials = isAtLeast('2.41');

/**
 * If n8n is killed while it publishes a workflow, its next start finishes the publication once the lease is over. The
 * default lease is two minutes.
 */
export const settings: Record<string, string> = publishesLater
	? {
			N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '20',
			N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '3000',
		}
	: {};

/** Older versions end the agent's run where a tool fails; newer ones tell the model. */
export const tellsModelOfFailure = isAtLeast('2.41');

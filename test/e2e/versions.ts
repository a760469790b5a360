import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * The version of n8n that the tests run, and the differences in its API and files between versions. A project in
 * jest.config.js names a folder below `host`. If it names none, the tests run the n8n of `host` itself.
 */

const {
	n8nHost = '',
	zodVersion,
	queueMode,
} = globalThis as { n8nHost?: string; zodVersion?: number; queueMode?: boolean };

/** A text that identifies the versions and the mode of this project. */
export const surrounding = `n8n ${n8nHost}, zod ${zodVersion ?? ''}, ${queueMode ? 'queue' : 'regular'} mode`;

/**
 * The root of the repository: npm runs scripts there. The path of this file is not used, because it may be compiled to another
 * folder.
 */
const root = process.cwd();
const folder = join(root, 'host', n8nHost, 'node_modules', 'n8n');

/** Folders of dependencies that another community package may have: n8n installs all packages in one folder. */
export const installedBeside: string[] = zodVersion === 4 ? [join(root, 'node_modules', 'zod4')] : [];

/** The version of zod that this package should get. */
export const expectedZod = zodVersion === 4 ? /^4\./ : /^3\.25\./;

/** The script that starts n8n. */
export const bin = join(folder, 'bin/n8n');

const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
const [major, minor] = version.split('.').map(Number) as [number, number];

/** Whether this n8n has at least a version, such as "2.20". */
function isAtLeast(other: string): boolean {
	const [otherMajor, otherMinor] = other.split('.').map(Number) as [number, number];
	return major > otherMajor || (major === otherMajor && minor >= otherMinor);
}

/**
 * Whether n8n's API works as soon as n8n reports that it is ready. In older versions the API works only when n8n has printed that
 * the editor is accessible.
 */
export const isReadyWithApi = isAtLeast('2.41');

/** Newer versions only record a request to publish a workflow, and publish it later. */
export const publishesLater = isAtLeast('2.41');

/** Older versions test only a saved credential, so their editor saves a new credential before its first test. */
export const testsUnsavedCredentials = isAtLeast('2.41');

/**
 * Shortens a wait. If n8n is killed while it publishes a workflow, it finishes the publication after its next start, but only
 * when the lease (reservation) of the killed process has expired. By default, a lease lasts two minutes.
 */
export const settings: Record<string, string> = publishesLater
	? {
			N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '20',
			N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '3000',
		}
	: {};

/** Newer versions return the failure of a tool to the model. Older versions end the agent's execution. */
export const tellsModelOfFailure = isAtLeast('2.41');

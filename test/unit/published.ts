import { basename, join } from 'node:path';

import type { ICredentialType, INodeTypeDescription } from 'n8n-workflow';

import { manifest, ROOT } from './pages';

/*
 * Loads the sources of the published nodes and credentials. As n8n requires, each class has the name of its file, without the
 * extensions.
 */

function load<T extends object>(built: string): T & { file: string } {
	const file = built.replace(/^dist\//, '').replace(/\.js$/, '');
	const types = require(join(ROOT, file)) as Record<string, new () => T>;
	return Object.assign(new types[basename(file).replace(/\.\w+$/, '')]!(), { file });
}

export const credentials = (manifest.n8n.credentials as string[]).map((path) => load<ICredentialType>(path));
export const nodes = (manifest.n8n.nodes as string[]).map((path) => {
	const { description, file } = load<{ description: INodeTypeDescription }>(path);
	return { ...description, file };
});

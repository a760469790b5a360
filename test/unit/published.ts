import { basename, join } from 'node:path';

import type { ICredentialType, INodeTypeDescription } from 'n8n-workflow';

import { manifest, ROOT } from './pages';

/* Loads the published nodes and credentials as n8n does. Each one has the name of its file, without the extension. */

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

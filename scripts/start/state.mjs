/** What `npm start` remembers between two starts: a JSON file in its folder, written at every change. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';

export class State {
	#file;

	constructor(folder) {
		mkdirSync(folder, { recursive: true });
		this.#file = join(folder, 'state.json');
		try {
			Object.assign(this, JSON.parse(readFileSync(this.#file, 'utf8')));
		} catch {
			// The first start, or a file that a power failure has cut: what it named is made again.
		}
	}

	keep(changes) {
		Object.assign(this, changes);
		writeFileSync(this.#file, `${JSON.stringify(this, null, '\t')}\n`);
	}
}

/**
 * @param paths files and folders of the repository
 * @returns one short text that differs when any of them does
 */
export function fingerprint(...paths) {
	const files = paths.flatMap((path) =>
		statSync(join(root, path)).isDirectory()
			? readdirSync(join(root, path), { recursive: true, withFileTypes: true })
					.filter((entry) => entry.isFile())
					.map((entry) => join(entry.parentPath, entry.name))
			: [join(root, path)],
	);
	const hash = createHash('sha256');
	for (const file of files.sort()) hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file)).update('\0');
	return hash.digest('hex').slice(0, 16);
}

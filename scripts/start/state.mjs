/** The data that `npm start` needs at its next start. It is in the JSON file `state.json`, which every change rewrites. */
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
			// There is no file yet, or it is incomplete after a power failure. Then everything is created again.
		}
	}

	/** Changes some fields and writes the file. */
	save(changes) {
		Object.assign(this, changes);
		writeFileSync(this.#file, `${JSON.stringify(this, null, '\t')}\n`);
	}
}

/**
 * Returns a hash of the contents of files.
 * @param paths files and folders of the repository
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

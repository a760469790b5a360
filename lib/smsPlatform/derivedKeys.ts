import { createHash, hkdfSync, scrypt } from 'node:crypto';

/** The keys that are derived from a pre-shared key. Each has 32 bytes and is used for one purpose. */
export type DerivedKeys = Awaited<ReturnType<typeof derive>>;

/**
 * The cost of scrypt (RFC 7914). Each guess of a key takes 64 MB and more than 0.1 s. Strangers can see verification ids and
 * references. With a cheap derivation they could use these to test guessed keys quickly.
 */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 };

const derived = new Map<string, Promise<DerivedKeys>>();

/**
 * Derives the keys from a pre-shared key. A process derives them once, unless this fails. It does not block the event loop. The
 * salt is a constant, because another n8n with the same pre-shared key has to derive the same keys.
 */
export async function deriveKeys(preSharedKey: string): Promise<DerivedKeys> {
	const name = createHash('sha256').update(preSharedKey).digest('base64');
	const keys = derived.get(name) ?? derive(preSharedKey);
	derived.set(name, keys);
	return await keys.catch((error: unknown) => {
		derived.delete(name);
		throw error;
	});
}

async function derive(preSharedKey: string) {
	const root = await new Promise<Buffer>((resolve, reject) => {
		scrypt(preSharedKey.normalize('NFC'), 'n8n-nodes-amka-sms keys.v1', 32, COST, (error, key) =>
			error === null ? resolve(key) : reject(error),
		);
	});
	// One key is for verification ids and one for references. Neither key reveals the other (RFC 5869).
	const forUse = (use: string): Buffer => Buffer.from(hkdfSync('sha256', root, '', `n8n-nodes-amka-sms ${use}`, 32));
	return { seal: forUse('seal'), reference: forUse('reference') };
}

/** The shortest recommended length of a pre-shared key, in characters. An attacker may guess a shorter key. */
export const SHORT = 16;

/**
 * Returns a warning if a pre-shared key is too short. A person who sees a signed URL of a delivery report can test guessed keys
 * with its signature, hundreds of thousands in a second on one thread. The warning contains no part of the key.
 */
export function weakKeyWarning(key: string): string | undefined {
	const length = [...key].length;
	if (length >= SHORT) return undefined;
	const characters = length === 1 ? 'character' : 'characters';
	return `The Pre-Shared Key is short: it has ${length} ${characters}, but should have ${SHORT} or more. Ask the operator of the SMS platform for a longer, random key.`;
}

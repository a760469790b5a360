import { createHash, hkdfSync, scrypt } from 'node:crypto';

/** The keys that come from a pre-shared key, each for one use, 32 bytes each. */
export interface DerivedKeys {
	/** Derives one-time codes. */
	code: Buffer;
	/** Seals verification ids. */
	seal: Buffer;
	/** Makes the entries under which n8n remembers codes, so that its list contains no number. */
	memory: Buffer;
	/** Makes references. */
	reference: Buffer;
}

/**
 * scrypt's cost (RFC 7914): 64 MB and more than a tenth of a second a guess, so that a verification id or a reference, which
 * strangers see, is no quick test of a guessed key.
 */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 };

/** Keys of so many credentials are kept. */
const KEPT = 50;

const derived = new Map<string, Promise<DerivedKeys>>();

/**
 * Derives the keys from a pre-shared key, without holding up n8n's other work: once for each key in a process, and from
 * then on out of its memory. The salt is the same everywhere, because another n8n with the same key has to derive the same.
 */
export async function deriveKeys(preSharedKey: string): Promise<DerivedKeys> {
	const name = createHash('sha256').update(preSharedKey).digest('base64');
	let keys = derived.get(name);
	if (keys === undefined) {
		keys = derive(preSharedKey);
		derived.set(name, keys);
		for (const oldest of derived.keys()) {
			if (derived.size <= KEPT) break;
			derived.delete(oldest);
		}
		keys.catch(() => derived.delete(name));
	}
	return await keys;
}

async function derive(preSharedKey: string): Promise<DerivedKeys> {
	const root = await new Promise<Buffer>((resolve, reject) => {
		scrypt(preSharedKey.normalize('NFC'), 'n8n-nodes-amka-sms keys.v1', 32, COST, (error, key) =>
			error === null ? resolve(key) : reject(error),
		);
	});
	// One use's key says nothing about another's (RFC 5869).
	const forUse = (use: string) => Buffer.from(hkdfSync('sha256', root, '', `n8n-nodes-amka-sms ${use}`, 32));
	return { code: forUse('code'), seal: forUse('seal'), memory: forUse('memory'), reference: forUse('reference') };
}

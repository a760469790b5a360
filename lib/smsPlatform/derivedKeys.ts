import { createHash, hkdfSync, scrypt } from 'node:crypto';

/** The keys that come from a pre-shared key, each for one use, 32 bytes each. */
export type DerivedKeys = Awaited<ReturnType<typeof derive>>;

/**
 * scrypt's cost (RFC 7914): 64 MB and more than a tenth of a second a guess, so that a verification id or a reference, which
 * strangers see, is no quick test of a guessed key.
 */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 };

const derived = new Map<string, Promise<DerivedKeys>>();

/**
 * Derives the keys from a pre-shared key, without holding up n8n's other work, once in a process. The salt is the same
 * everywhere, because another n8n with the same key has to derive the same.
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
	// For verification ids and for references: one use's key says nothing about another's (RFC 5869).
	const forUse = (use: string): Buffer => Buffer.from(hkdfSync('sha256', root, '', `n8n-nodes-amka-sms ${use}`, 32));
	return { seal: forUse('seal'), reference: forUse('reference') };
}

/** Fewer characters than these can be tried one by one, whatever they are. */
export const SHORT = 16;

/**
 * What speaks against a pre-shared key: whoever sees one signed URL of a delivery report can try keys against it, tens of
 * thousands a second on one thread.
 * @returns a sentence with what to do, without anything of the key; undefined where nothing speaks against it
 */
export function weakKeyWarning(key: string): string | undefined {
	const length = [...key].length;
	if (length >= SHORT) return undefined;
	const characters = length === 1 ? 'character' : 'characters';
	return `The Pre-Shared Key is short: it has ${length} ${characters}, and should have ${SHORT} or more. Ask the operator of the SMS platform for a random one.`;
}

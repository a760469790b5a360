import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/*
 * How a credential knows a request of this package from one of another node: n8n gives it nothing but the credential's data
 * and the request, and a user of another node can write anything into a request. So it is the data that is known again, as
 * an object: n8n hands on the very object that our nodes gave it, and makes a new one for every other node. Nothing that
 * is typed, stored or copied can be in this set.
 */
const own = new WeakSet<object>();

/** A copy of a credential's data that stands for a request of this package. */
export function asOwn(data: ICredentialDataDecryptedObject): ICredentialDataDecryptedObject {
	const copy = { ...data };
	own.add(copy);
	return copy;
}

/** Whether the data came from `asOwn`. */
export const isOwn = (data: ICredentialDataDecryptedObject): boolean => own.has(data);

import type { IExecuteFunctions } from 'n8n-workflow';

import type { Credential } from './request';

/**
 * Reads a credential the first time and hands out the same one after it: every read is a database query and a
 * decryption. It is read inside the rows' own error handling, so that a missing credential is an error of the rows.
 *
 * @param understand makes what the node works with of the credential; throws where the credential can't be used
 */
export function credentialOnce<T>(
	context: IExecuteFunctions,
	type: string,
	understand: (credential: Credential) => T,
): () => Promise<T> {
	let reading: Promise<T> | undefined;
	return async () => {
		reading ??= context.getCredentials(type).then((data) => understand({ type, data }));
		return await reading;
	};
}

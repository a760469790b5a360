import type { IExecuteFunctions } from 'n8n-workflow';

import type { Credential } from './request';

/**
 * Reads a credential at the first call and hands out the same one after it: every read is a database query and a
 * decryption. It is read inside the rows' own error handling, so that a missing credential is an error of the rows.
 *
 * @param check throws where the credential can't be used
 */
export function credentialOnce(
	context: IExecuteFunctions,
	type: string,
	check: (credential: Credential) => void = () => {},
): () => Promise<Credential> {
	let reading: Promise<Credential> | undefined;
	return async () => {
		reading ??= context.getCredentials(type).then((data) => {
			check({ type, data });
			return { type, data };
		});
		return await reading;
	};
}

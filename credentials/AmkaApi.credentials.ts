import type { IAuthenticate, Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

import { authorization, NO_MATCH_CODES } from '../nodes/Amka/registryRecord';
import { allowUnauthorizedCerts, boundToCredential } from '../lib/http/boundRequest';

export class AmkaApi implements ICredentialType {
	name = 'amkaApi';

	displayName = 'AMKA API';

	icon: Icon = { light: 'file:../icons/amka.svg', dark: 'file:../icons/amka.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-amka-sms/n8n-nodes-amka-sms/blob/main/docs/credentials.md';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://amka.example.gr',
			description: 'The URL of the AMKA service. The path /api/rest/v1/ssn_validation at the end is optional.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The secret key that was issued to your institution',
			hint: 'The connection test may detect a wrong key, but only a real query proves that the key is right',
		},
		NO_MATCH_CODES,
		allowUnauthorizedCerts,
	];

	/**
	 * Adds the key to a request ("Authentication", 1 in the operator's document). It is a function and no template, so that n8n
	 * evaluates no expression.
	 */
	authenticate: IAuthenticate = async (credentials, requestOptions) => ({
		...boundToCredential(requestOptions, credentials, this.displayName),
		headers: { ...requestOptions.headers, Authorization: authorization(credentials.apiKey) },
	});
}

import type {
	IAuthenticate,
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { withInstitution } from '../nodes/Sms/wire';
import { allowUnauthorizedCerts } from '../nodes/shared/allowUnauthorizedCerts';
import { withDeadline } from '../nodes/shared/withDeadline';

const preSharedKey: INodeProperties = {
	displayName: 'Pre-Shared Key',
	name: 'preSharedKey',
	type: 'string',
	typeOptions: { password: true },
	required: true,
	default: '',
	description:
		'The secret that your institution and the platform share. It goes out with every message, must come in with every forwarded message, and signs the addresses of delivery reports.',
	hint: 'The connection test sends no SMS: it passes where the platform answers and rejects neither institution nor key. Only a real message confirms them.',
};

const previousPreSharedKey: INodeProperties = {
	displayName: 'Previous Pre-Shared Key',
	name: 'previousPreSharedKey',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	description:
		'Only after a change of key: the key before it. Delivery reports of messages that were sent with it are let in until they are a week old. Leave it empty if that key became known to others: their reports are refused then.',
	hint: 'Leave it empty, but for the week after a change of key',
};

const keyChangedOn: INodeProperties = {
	displayName: 'Key Changed On',
	name: 'keyChangedOn',
	type: 'dateTime',
	default: '',
	displayOptions: { hide: { previousPreSharedKey: [''] } },
	description: 'The day on which the key was changed. Eight days later the previous key opens nothing any more.',
};

export class SmsPlatformApi implements ICredentialType {
	name = 'smsPlatformApi';

	displayName = 'SMS Platform API';

	icon: Icon = { light: 'file:../icons/sms.svg', dark: 'file:../icons/sms.dark.svg' };

	documentationUrl =
		'https://github.com/n8n-nodes-amka-sms/n8n-nodes-amka-sms/blob/main/README.md#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'https://sms.example.gr:9999',
			description:
				'Address of the SMS platform with its port, without the path of the operation. A pasted operation address is understood too.',
		},
		{
			displayName: 'Institution',
			name: 'institution',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'example-university',
			description: 'The identifier of your institution on the platform',
		},
		preSharedKey,
		previousPreSharedKey,
		keyChangedOn,
		allowUnauthorizedCerts,
	];

	/** Authentication 1: institution and key are fields of the request's body. */
	authenticate: IAuthenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => ({
		...withDeadline(requestOptions),
		body: withInstitution(
			requestOptions.body,
			String(credentials.institution),
			String(credentials.preSharedKey),
		),
		skipSslCertificateValidation: credentials.allowUnauthorizedCerts === true,
	});
}

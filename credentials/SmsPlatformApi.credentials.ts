import type { IAuthenticate, Icon, ICredentialType, IHttpRequestOptions, INodeProperties } from 'n8n-workflow';

import { withInstitution } from '../lib/smsPlatform/api';
import { allowUnauthorizedCerts, boundToCredential, isInternal } from '../lib/http/boundRequest';
import { isBlank } from '../lib/n8n/parameters';
import { cleanKey } from '../lib/values/text';

const properties: INodeProperties[] = [
	{
		displayName: 'Base URL',
		name: 'baseUrl',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://sms.example.gr:9999',
		description: 'The URL of the SMS platform with its port. A pasted URL of the operation is understood too.',
	},
	{
		displayName: 'Institution',
		name: 'institution',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. example-university',
		description: 'The identifier of your institution on the platform',
	},
	{
		displayName: 'Pre-Shared Key',
		name: 'preSharedKey',
		type: 'string',
		typeOptions: { password: true },
		required: true,
		default: '',
		description:
			'The secret that you share with the platform: 16 random characters or more. It protects report URLs and codes.',
		hint: "The connection test may find a wrong institution or key, but it can't prove right ones: only a real message does.",
	},
	{
		displayName: 'Messages',
		name: 'messages',
		type: 'string',
		typeOptions: { rows: 6 },
		default: '',
		placeholder: 'e.g. gradeService/testMessage: Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}',
		description:
			'The texts of the operator, letter for letter, which the nodes offer. \\n is a line break, # begins a note.',
		hint: 'One message a line, as serviceId/messageId: text',
	},
	{
		displayName: 'Delivery Report URL',
		name: 'dlrUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://n8n.example.gr/webhook/…/dlr',
		description:
			'The Production URL of an SMS Trigger that ends in /dlr, for all nodes. Empty: no reports are asked for.',
	},
	{
		displayName: 'Mobile Format',
		name: 'mobileFormat',
		type: 'options',
		default: 'national',
		description:
			'How Greek mobile numbers go to the platform. If messages to correct numbers are refused, ask the operator.',
		options: [
			{ name: '69XXXXXXXX', value: 'national', description: 'Ten digits' },
			{ name: '3069XXXXXXXX', value: 'international', description: 'E.164 without the plus' },
		],
	},
	{
		displayName: 'User Names',
		name: 'userNames',
		type: 'boolean',
		default: false,
		description:
			'Whether a user name of the institution may stand in place of a number. Off: only numbers are accepted.',
	},
	{
		displayName: 'Trial Recipients',
		name: 'trialRecipients',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. 690 000 0001, 690 000 0002',
		description:
			'The only people who get messages, replies and codes while this is filled. Separate them with commas or line breaks.',
		hint: 'Empty it to end the trial',
	},
	{
		displayName: 'Max Messages per Run',
		name: 'maxMessagesPerRun',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 0,
		description:
			'How many items a run may have. A run with more sends nothing. 0 is no limit. Each batch of Loop Over Items is a run.',
		hint: 'All calls of an AI agent in one execution are one run',
	},
	{
		displayName: 'Quiet Hours',
		name: 'quietHours',
		type: 'string',
		default: '',
		placeholder: 'e.g. 22:00-08:00 Europe/Athens',
		description:
			"Hours in which no list goes out; replies and codes do. Send the rest afterwards. Without a time zone, the workflow's applies.",
	},
	{
		displayName: 'Forward Key',
		name: 'forwardKey',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description:
			'The key of incoming messages, if it differs from the pre-shared key. Then only this key is accepted for them.',
	},
	{
		displayName: 'Previous Pre-Shared Key',
		name: 'previousPreSharedKey',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description:
			'The key before a change. Reports and codes of messages sent with it stay valid. Leave it empty if others know that key.',
		hint: 'Only for the eight days after a change of key',
	},
	{
		displayName: 'Key Changed On',
		name: 'keyChangedOn',
		type: 'dateTime',
		default: '',
		description:
			'The day on which the key was changed, if a previous key is filled in. Eight days later that key is no longer accepted.',
	},
	allowUnauthorizedCerts,
];

export class SmsPlatformApi implements ICredentialType {
	name = 'smsPlatformApi';

	displayName = 'SMS Platform API';

	icon: Icon = { light: 'file:../icons/sms.svg', dark: 'file:../icons/sms.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-amka-sms/n8n-nodes-amka-sms/blob/main/docs/credentials.md';

	properties = properties;

	/**
	 * Adds institution and key to the request's body ("Authentication", 1 in the operator's document). While Trial Recipients
	 * is filled in, only nodes of this package may use the credential, because other nodes could send messages to any
	 * recipient.
	 */
	authenticate: IAuthenticate = async (credentials, requestOptions) => {
		if (!isBlank(credentials.trialRecipients) && !isInternal(credentials)) {
			throw new Error(
				'The SMS Platform API credential is on trial: while its Trial Recipients are filled, only SMS Send and SMS Code can use it. Use one of these, or empty the field',
			);
		}
		const { institution, preSharedKey } = credentials;
		const body = withInstitution(requestOptions.body, cleanKey(institution), cleanKey(preSharedKey));
		return {
			...boundToCredential(requestOptions, credentials, this.displayName),
			body: body as IHttpRequestOptions['body'],
		};
	};
}

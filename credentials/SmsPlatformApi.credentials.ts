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
		description: 'The URL of the SMS platform, with its port. The path /sendSMS at the end is optional.',
	},
	{
		displayName: 'Institution',
		name: 'institution',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. example-university',
		description: "Your institution's identifier on the platform",
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
		hint: 'The connection test may detect a wrong institution or key, but only a real message proves that both are right',
	},
	{
		displayName: 'Messages',
		name: 'messages',
		type: 'string',
		typeOptions: { rows: 6 },
		default: '',
		placeholder: 'e.g. gradeService/testMessage: Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}',
		description:
			'The texts of your messages, copied letter for letter from the operator. You choose one of these messages in a node. \\n is a line break. A line that begins with # is a note.',
		hint: 'One message per line, written as serviceId/messageId: text',
	},
	{
		displayName: 'Delivery Report URL',
		name: 'dlrUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://n8n.example.gr/webhook/…/dlr',
		description:
			'The Production URL that ends in /dlr, copied from an SMS Trigger. The platform sends the delivery reports to this URL, unless a node has its own URL in its options. If this field and the option are both empty, the platform does not send any reports. Send and Wait does not need this field: its messages have their own URL.',
	},
	{
		displayName: 'Mobile Format',
		name: 'mobileFormat',
		type: 'options',
		default: 'national',
		description:
			'How Greek mobile numbers are written in requests to the platform. If messages to correct numbers are refused, ask the operator for the right format.',
		options: [
			{ name: '69XXXXXXXX', value: 'national', description: 'Ten digits' },
			{ name: '3069XXXXXXXX', value: 'international', description: 'The country code and ten digits, without a plus' },
		],
	},
	{
		displayName: 'User Names',
		name: 'userNames',
		type: 'boolean',
		default: false,
		description:
			'Whether a recipient may be a user name of your institution instead of a number. If this is off, only numbers are accepted.',
	},
	{
		displayName: 'Trial Recipients',
		name: 'trialRecipients',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. 690 000 0001, 690 000 0002',
		description:
			'While this field is filled in, only the recipients in it get messages, replies and codes. Separate recipients with commas or line breaks.',
		hint: 'Empty this field to end the trial',
	},
	{
		displayName: 'Max Messages per Run',
		name: 'maxMessagesPerRun',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 0,
		description:
			'How many items a node may get in one run. If it gets more, it sends nothing. 0 means no limit. Each batch of Loop Over Items is a separate run.',
		hint: 'All calls of an AI agent in one execution count as one run',
	},
	{
		displayName: 'Quiet Hours',
		name: 'quietHours',
		type: 'string',
		default: '',
		placeholder: 'e.g. 22:00-08:00 Europe/Athens',
		description:
			"Hours in which no list is sent. Replies and codes are still sent. If rows of a list were not sent because of these hours, send the list again afterwards. If you do not enter a time zone, the workflow's time zone applies.",
	},
	{
		displayName: 'Forward Key',
		name: 'forwardKey',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description:
			'The key of incoming messages, if it differs from the pre-shared key. If you fill this in, incoming messages need this key.',
	},
	{
		displayName: 'Previous Pre-Shared Key',
		name: 'previousPreSharedKey',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description:
			'The pre-shared key that you had before the last change. If you enter it here, reports and codes of messages that were sent with it stay valid. If the old key has leaked, leave this field empty.',
		hint: 'Needed only for the first eight days after the key is changed',
	},
	{
		displayName: 'Key Changed On',
		name: 'keyChangedOn',
		type: 'dateTime',
		default: '',
		description:
			'The date on which the key was changed. Enter this date together with the previous key. Eight days after this date, the previous key is no longer accepted.',
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
				'The SMS Platform API credential is in trial mode: while Trial Recipients is filled in, only SMS Send and SMS Code can use it. Use one of these nodes, or empty Trial Recipients',
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

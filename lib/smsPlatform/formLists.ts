import type { ILoadOptionsFunctions, INodeListSearchResult, ResourceMapperFields } from 'n8n-workflow';

import { clip } from '../texts/notice';
import { toText } from '../values/text';
import {
	findMessage,
	idsOf,
	matchesSearch,
	readMessages,
	describeKnownMessages,
	type PredefinedMessage,
} from './predefinedMessages';

/*
 * Makes the lists of services and messages in a node's form, and a form field for each placeholder. They come from the field
 * Messages in the credential. No request is sent.
 */

const LONGEST_NAME = 120;

/**
 * An invisible character (U+2060, word joiner) at the end of the listed name of a message without placeholders to fill in. n8n
 * stores the name. So a display condition of the form can recognise the character and hide the field Placeholders. A condition
 * with a regular expression would need no such mark. But n8n stops a regular expression after 250 ms, and then a busy n8n can't
 * load the workflow.
 */
export const NOTHING_TO_FILL_IN = '\u2060';

/**
 * Lists the services in the credential's Messages, in their order. Each service is shown with the text of its first message that
 * matches the search.
 */
export async function searchServices(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	const { messages, faults } = await readOwnMessages(this);
	const shown = new Map<string, string>();
	for (const { serviceId, text } of messages)
		if (!shown.has(serviceId) && matchesSearch(`${serviceId}\n${text}`, filter)) shown.set(serviceId, text);
	const results = [...shown].map(([value, text]) => ({ name: shortened(`${value}, e.g. ${text}`), value }));
	return { results: messages.length === 0 ? noMessages(faults) : results };
}

/**
 * Lists the messages of the chosen service by their texts. If no service is chosen, it lists the messages of all services, with
 * both ids as the value.
 */
export async function searchMessages(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	return await listMessages(this, filter, ({ placeholders }) => placeholders.length === 0);
}

/** Lists messages for one-time codes. Messages with one placeholder come first, because the code is usually the only value. */
export async function searchCodeMessages(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	const isForCode = ({ placeholders }: PredefinedMessage) => placeholders.length === 1;
	return await listMessages(this, filter, isForCode, (messages) => [
		...messages.filter(isForCode),
		...messages.filter((message) => !isForCode(message)),
	]);
}

/**
 * Lists messages for a node's form.
 * @param isComplete returns whether a message has no placeholders that the user fills in
 */
async function listMessages(
	context: ILoadOptionsFunctions,
	filter: string | undefined,
	isComplete: (message: PredefinedMessage) => boolean,
	sort = (messages: PredefinedMessage[]) => messages,
): Promise<INodeListSearchResult> {
	const serviceId = chosenId(context, 'serviceId');
	const { messages: unsorted, faults } = await readOwnMessages(context);
	const messages = sort(unsorted);
	if (messages.length === 0) return { results: noMessages(faults) };
	const shown = messages.filter((message) => serviceId === '' || message.serviceId === serviceId);
	if (shown.length === 0) return { results: [entry(describeKnownMessages(messages, faults, serviceId))] };
	const results = shown.flatMap((message) => {
		const { serviceId: service, messageId, text } = message;
		const value = serviceId === '' ? `${service}/${messageId}` : messageId;
		if (!matchesSearch(`${value}\n${text}`, filter)) return [];
		const name = serviceId === '' ? `${shortened(text)} (${service})` : shortened(text);
		return { name: isComplete(message) ? name + NOTHING_TO_FILL_IN : name, value };
	});
	return { results };
}

/**
 * Makes an entry that explains why a list is empty. The editor has no other place for such a text. The value of the entry is
 * empty.
 */
const entry = (name: string) => ({ name, value: '' });
const noMessages = (faults: Awaited<ReturnType<typeof readOwnMessages>>['faults']) => [
	entry(
		faults.length > 0
			? describeKnownMessages([], faults, '')
			: 'No messages: fill in Messages in the credential, or choose By ID',
	),
];

const shortened = (text: string) => clip(text, LONGEST_NAME);

/** Returns no fields, and a notice with the whole text of the chosen message, or a notice that the text is missing. */
export async function showMessageText(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const { messages } = await readOwnMessages(this);
	const message = findMessage(messages, ...idsOf(chosenId(this, 'serviceId'), chosenId(this, 'messageId')));
	if (message === undefined) return noFields('The credential no longer has the text of this message.');
	return noFields(forHtml(message.text).replaceAll('\n', '<br>'));
}

/** Returns a field for each placeholder of the chosen message. Without fields, a notice says why. */
export async function mapPlaceholders(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const { messages, faults } = await readOwnMessages(this);
	const [serviceId, messageId] = idsOf(chosenId(this, 'serviceId'), chosenId(this, 'messageId'));
	const message = findMessage(messages, serviceId, messageId);
	if (message === undefined)
		return noFields(
			`The text of this message is not known, so its placeholders are not known either. ${forHtml(describeKnownMessages(messages, faults, serviceId))}. Add the message to <b>Messages</b> in the credential, as serviceId/messageId: text, or enter the values in the option <b>Replacements</b>.`,
		);
	if (message.placeholders.length === 0)
		return noFields('This message has no placeholders: there is nothing to fill in.');
	return withNotice(message.placeholders.map((id) => ({ id, displayName: id, ...FIELD })));
}

const noFields = (emptyFieldsNotice: string): ResourceMapperFields => ({ fields: [], emptyFieldsNotice });

const FIELD = { required: true, defaultMatch: false, canBeUsedToMatch: false, display: true, type: 'string' } as const;

/**
 * Adds a notice to the fields. With Map Automatically, the editor shows the notice and hides the fields. Without a new notice,
 * the editor would still show the notice of the message that was chosen before.
 */
const withNotice = (fields: ResourceMapperFields['fields']): ResourceMapperFields => ({
	fields,
	emptyFieldsNotice: `Placeholders are filled from the columns with these names: ${forHtml(fields.map(({ id }) => id).join(', '))}.`,
});

/** Returns a field for each placeholder of the chosen message, except that of the code, which the node fills in. */
export async function mapOtherPlaceholders(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const mapped = await mapPlaceholders.call(this);
	if (mapped.fields.length === 0) return mapped;
	// The fields are in the order of their positions, which count from 1 without gaps.
	const { codePosition: position = 1 } = (this.getCurrentNodeParameter('options') ?? {}) as { codePosition?: unknown };
	const fields = mapped.fields.filter((_, index) => index !== Number(position) - 1);
	// Next to this notice, the editor's text about Map Automatically says that columns must have the names of the placeholders.
	// So the notice says that no column is needed.
	const onlyTheCode = 'The code is the only placeholder of this message, so no column is needed.';
	return fields.length > 0 ? withNotice(fields) : { fields, emptyFieldsNotice: onlyTheCode };
}

const chosenId = (context: ILoadOptionsFunctions, name: string) =>
	toText(context.getCurrentNodeParameter(name, { extractValue: true }));

/** Escapes a text for a notice, because the editor reads notices as HTML and ids can contain any character. */
const forHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const readOwnMessages = async (context: ILoadOptionsFunctions) =>
	readMessages((await context.getCredentials('smsPlatformApi')).messages);

import { NodeHelpers, type INodeParameters, type INodeType } from 'n8n-workflow';

import { SmsCode } from '../../../../nodes/Sms/SmsCode.node';
import { SmsSend } from '../../../../nodes/Sms/SmsSend.node';

/** Whether a form shows the mapper of placeholders, by n8n's own rule, where such a message is chosen. */
function isShown({ description }: INodeType, operation: string, messageId: INodeParameters): boolean {
	const mapper = description.properties.find(({ name }) => name === 'placeholders')!;
	const values = { operation, messageId: { __rl: true, ...messageId } };
	return NodeHelpers.displayParameter(values as INodeParameters, mapper, null, description, values as INodeParameters);
}

const ofList = (cachedResultName: string) => ({ mode: 'list', value: '1', cachedResultName });

it.each([
	[ofList('Καλή αρχή!'), false, false],
	[ofList('Ο κωδικός σας είναι {Κωδικός,1}. Γράψτε τον {Κωδικός, 1}'), true, false],
	[ofList('Ο κωδικός {Κωδικός,1} του μαθήματος {Μάθημα,2}'), true, true],
	// What is cut off may have placeholders.
	[ofList(`${'μ'.repeat(119)}…`), true, true],
	[ofList(`{Κωδικός,1} ${'μ'.repeat(107)}…`), true, true],
	// By its ID the form knows no text.
	[{ mode: 'id', value: '1' }, true, true],
	[{ mode: 'list', value: '' }, false, false],
])('for %j the form asks for placeholders: Send %j, Send Code %j', (messageId, send, sendCode) => {
	expect([isShown(new SmsSend(), 'send', messageId), isShown(new SmsCode(), 'sendCode', messageId)]).toEqual([
		send,
		sendCode,
	]);
});

/** The fields, without notices, that a form shows for an operation with what is chosen by default. */
function shown({ description }: INodeType, values: INodeParameters, properties = description.properties): string[] {
	const visible = properties.filter(
		(each) => each.type !== 'notice' && NodeHelpers.displayParameter(values, each, null, description, values),
	);
	return visible.map(({ displayName }) => displayName);
}

it('the form of Send has seven fields beside Options, and twelve options', () => {
	const node = new SmsSend();
	const values = { operation: 'send', ifAlreadySent: 'skip', serviceId: 's', messageId: 'm' };
	const fields = shown(node, values);
	expect(fields.join()).toBe('Operation,Service,Message,Recipient,Placeholders,If Already Sent,Remember For,Options');
	expect(shown(node, { ...values, ifAlreadySent: 'send' })).not.toContain('Remember For');
	const options = node.description.properties.find(
		(each) => each.name === 'options' && NodeHelpers.displayParameter(values, each, null, node.description, values),
	)!;
	expect(shown(node, values, options.options as typeof node.description.properties)).toHaveLength(12);
});

import { z } from 'zod';
import { services, type Settings } from './agreed';
import { isPhone, phoneOf, unwilling } from './phones';
import type { Message } from './state';

/**
 * The reasons why the platform rejects a message. Only E-002 is in the interface document. The other codes are invented for the
 * sandbox. Their descriptions are reasons that existing clients of the platform know.
 */
export const sendErrors = {
	'E-002': 'Unknown Service',
	'X-001': 'Invalid Request',
	'X-002': 'Unknown Institution',
	'X-003': 'Invalid Pre-Shared Key',
	'X-004': 'Unknown Message',
	'X-005': 'Wrong Replacements',
	'X-006': 'Unknown Recipient',
	'X-007': 'User Not Opted In',
	'X-008': 'User Deactivated Service',
	'X-999': 'General Error',
} as const;

/** A send request. Optional fields may be missing, or null, as existing clients send them. */
const request = z.object({
	institution: z.string(),
	'pre-shared key': z.string(),
	serviceId: z.string(),
	messageId: z.string(),
	recipient: z.string(),
	replacements: z.array(z.string()).nullish(),
	'dlr-url': z.string().nullish(),
	'sms-forward-id': z.string().nullish(),
});

/** The message that a request contains. */
export type RequestedMessage = Pick<
	Message,
	'serviceId' | 'messageId' | 'recipient' | 'text' | 'dlrUrl' | 'smsForwardId'
>;

/** Reads `serviceId`, which each answer repeats, and `recipient`, for the switch `recipient`. Empty if they are not text. */
export const namesOf = z
	.object({ serviceId: z.string().catch(''), recipient: z.string().catch('') })
	.catch({ serviceId: '', recipient: '' });

/** Reads one send request. @returns the message, or the code of the reason (`sendErrors`) why it is rejected */
export function readSendRequest(
	body: unknown,
	{ institution, preSharedKey }: Settings,
): RequestedMessage | keyof typeof sendErrors {
	const parsed = request.safeParse(body);
	if (!parsed.success) return 'X-001';
	const { serviceId, messageId, recipient } = parsed.data;
	if (parsed.data.institution !== institution) return 'X-002';
	if (parsed.data['pre-shared key'] !== preSharedKey) return 'X-003';

	const service = Object.hasOwn(services, serviceId) ? services[serviceId] : undefined;
	if (!service) return 'E-002';
	const template = Object.hasOwn(service.messages, messageId) ? service.messages[messageId] : undefined;
	if (template === undefined) return 'X-004';
	const text = fill(template, parsed.data.replacements ?? []);
	if (text === undefined) return 'X-005';

	const phone = phoneOf(recipient);
	if (!isPhone(phone)) return 'X-006';
	if (Object.hasOwn(unwilling, phone)) return unwilling[phone] === 'notOptedIn' ? 'X-007' : 'X-008';
	return {
		serviceId,
		messageId,
		recipient,
		text,
		dlrUrl: parsed.data['dlr-url'] ?? '',
		smsForwardId: parsed.data['sms-forward-id'] ?? '',
	};
}

/** Returns the final text. Undefined if the number of replacements differs from the highest position of a placeholder. */
function fill(template: string, replacements: string[]): string | undefined {
	let highest = 0;
	const text = template.replace(/\{[^{},]*,(\d+)\}/g, (_, position: string) => {
		highest = Math.max(highest, Number(position));
		return replacements[Number(position) - 1] ?? '';
	});
	return replacements.length === highest ? text : undefined;
}

import type { Sandbox } from '../../sandbox/server';

/* Calls for the tests of the sandbox itself. */

/** Sends a command to the sandbox as its page does. */
export const control = async (sandbox: Sandbox, method: string, path: string, body?: object): Promise<Response> =>
	await fetch(`${sandbox.url}/control/${path}`, {
		method,
		headers: body ? { 'content-type': 'application/json' } : {},
		body: body && JSON.stringify(body),
	});

/** Calls the send operation of the SMS platform, by default with a valid message. */
export const send = async (sandbox: Sandbox, changes: object = {}): Promise<Response> =>
	await fetch(`${sandbox.url}/sendSMS`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({
			serviceId: '102',
			messageId: '1',
			replacements: ['17'],
			recipient: '6900000001',
			institution: sandbox.settings.institution,
			'pre-shared key': sandbox.settings.preSharedKey,
			...changes,
		}),
	});

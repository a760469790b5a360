import type { Sandbox } from '../../sandbox/server';

/* The calls of the sandbox's own tests. */

/** The page's commands. */
export const control = async (sandbox: Sandbox, method: string, path: string, body?: object): Promise<Response> =>
	await fetch(`${sandbox.url}/control/${path}`, {
		method,
		headers: body ? { 'content-type': 'application/json' } : {},
		body: body && JSON.stringify(body),
	});

/** The platform's send operation, with a message that it accepts. */
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

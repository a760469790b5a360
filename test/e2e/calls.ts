import { createHmac, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { World } from './world';

/* Sends requests to SMS Trigger and to waiting executions, as the platform does. */

export const success = { result: '0', errorCode: '', error: '' };
export const refused = (errorCode: string) => ({
	result: '1',
	errorCode,
	error: expect.stringMatching(/./) as unknown,
});

interface How {
	method?: string;
	contentType?: string;
	headers?: Record<string, string>;
}

/**
 * Sends a request as the platform does.
 * @param body a text or a buffer is sent unchanged, any other value as JSON
 * @returns the HTTP status, and the body: parsed if it is JSON, and otherwise as text
 */
export async function call(
	url: string,
	body: unknown,
	{ method = 'POST', contentType = 'application/json', headers = {} }: How = {},
): Promise<[number, unknown]> {
	const bytes =
		typeof body === 'string' || Buffer.isBuffer(body) ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
	const options = {
		method,
		// Uses a new connection, because n8n closes idle connections after a while.
		agent: false as const,
		headers: { ...(contentType && { 'content-type': contentType }), 'content-length': bytes.length, ...headers },
	};
	// fetch is not used, because it sends no body with GET.
	const [status, answer] = await new Promise<[number, string]>((resolve, reject) => {
		const sent = request(url, options, (response) => {
			let text = '';
			response
				.setEncoding('utf8')
				.on('data', (part: string) => (text += part))
				.on('end', () => resolve([response.statusCode!, text]));
		});
		sent.on('error', reject).end(bytes);
	});
	try {
		return [status, JSON.parse(answer)];
	} catch {
		return [status, answer];
	}
}

/** Returns an incoming SMS, by default with the right key and its own ID. */
export const forward = (world: World, changes: object = {}): Record<string, unknown> => ({
	MSISDN: '306912345678',
	keyword: 'ΒΑ',
	body: 'ΦΥΣΙΚΗ',
	'pre-shared key': world.sandbox.settings.preSharedKey,
	'sms-forward-id': randomUUID(),
	...changes,
});

/** Returns a delivery report on a message of service 102. */
export const report = (changes: object = {}): Record<string, unknown> => ({
	serviceId: '102',
	recipient: '6912345678',
	status: 'DELIVRD',
	...changes,
});

/** Returns a signed URL as SMS Send makes it. It is computed from the documentation, not with the package's code. */
export function signed(
	dlrUrl: string,
	key: string,
	changes: { ref?: string; mid?: string; exp?: number } = {},
): string {
	const { ref = randomUUID(), mid = randomUUID(), exp = Math.floor(Date.now() / 1000) + 3600 } = changes;
	const sig = createHmac('sha256', key).update(`dlr.v1\n102\n${ref}\n${mid}\n${exp}`).digest('base64url');
	return `${dlrUrl}?${new URLSearchParams({ ref, mid, exp: String(exp), sig }).toString()}`;
}

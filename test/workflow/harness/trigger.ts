import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createHmac, randomUUID } from 'node:crypto';

import { logLines, type NodeUnderTest } from './engine';
import { CREDENTIAL, KEY } from './send';
import { TestTrigger, type Answer, type Call } from './webhook';

export { KEY };

/* Calls an SMS Trigger in n8n's own engine, and checks the responses. */

export const SUCCESS = '{"result":"0","errorCode":"","error":""}';
export const credentials = (preSharedKey: string = KEY, more: IDataObject = {}) => ({
	smsPlatformApi: { ...CREDENTIAL, preSharedKey, ...more } as never,
});

export const trigger = (
	parameters: INodeParameters = {},
	options: INodeParameters = {},
	more: Partial<NodeUnderTest> = {},
): TestTrigger => new TestTrigger({ parameters: { ...parameters, options }, credentials: credentials(), ...more });

/** Returns a call with an incoming SMS that has a new id. */
export const forward = (changes: IDataObject = {}): Call => ({
	path: 'forward',
	body: {
		MSISDN: '6912345678',
		keyword: 'ΒΑ',
		body: 'ΗΛΕΚΤΡΟΝΙΚΗ',
		'pre-shared key': KEY,
		'sms-forward-id': randomUUID(),
		...changes,
	},
});

/** Returns the query of a signed report URL, calculated only from its description in SECURITY.md. */
export function signed(
	serviceId: string,
	ref: string,
	changes: { mid?: string; exp?: number | string; key?: string } = {},
) {
	const { mid = randomUUID(), exp = Math.floor(Date.now() / 1000) + 60, key = KEY } = changes;
	const sig = createHmac('sha256', key).update(`dlr.v1\n${serviceId}\n${ref}\n${mid}\n${exp}`).digest('base64url');
	return { ref, mid, exp: String(exp), sig };
}

/** Returns a call with the delivery report of a message that has a new reference. */
export const report = (changes: IDataObject = {}, query: Call['query'] = signed('grades', randomUUID())): Call => ({
	path: 'dlr',
	body: { serviceId: 'grades', recipient: '6912345678', status: 'DELIVRD', ...changes },
	query,
});

export function expectRefusal(answer: Answer, status: number, errorCode: string) {
	expect(answer.status).toBe(status);
	expect(answer.json).toEqual({ result: '1', errorCode, error: expect.any(String) as unknown });
	expect((answer.json as IDataObject).error).not.toBe('');
	expect(answer.headers['content-type']).toMatch(/^application\/json/);
	expect(answer.text.length).toBeLessThan(300);
	expect(answer.started).toBeUndefined();
	expect(answer.thrown).toBeUndefined();
	for (const text of [answer.text, logLines.join('\n')]) expect(text).not.toContain(KEY);
}

/**
 * Checks that the workflow was started, and that n8n answered, not the node. n8n answers only after it has recorded the
 * execution.
 */
export function expectStarted(answer: Answer) {
	expect(answer.thrown).toBeUndefined();
	expect([answer.status, answer.text]).toEqual([200, SUCCESS]);
	expect(answer.started).toBeDefined();
	expect(answer.returned?.noWebhookResponse).toBeFalsy();
	expect(answer.execution?.status).toBe('success');
}

/** Checks that the response is a success and that the workflow was not started. */
export function expectIgnored(answer: Answer) {
	expect([answer.status, answer.text]).toEqual([200, SUCCESS]);
	expect(answer.started).toBeUndefined();
}

export const items = (answer: Answer) => answer.started?.map((output) => output.map(({ json }) => json));

export const now = () => {
	const before = Date.now();
	return {
		asymmetricMatch: (value: unknown) =>
			typeof value === 'string' &&
			/Z$/.test(value) &&
			Date.parse(value) >= before - 5 &&
			Date.parse(value) <= Date.now(),
	};
};

export const long = 'Α'.repeat(1024 * 1024);
export const deep = JSON.parse('{"a":'.repeat(200) + '1' + '}'.repeat(200)) as IDataObject;

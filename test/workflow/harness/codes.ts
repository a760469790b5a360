import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode, type NodeUnderTest } from './engine';
import { bodyOf, withCredential } from './send';
import type { Reply, Sent } from './httpServer';

/* Common parts of the tests of SMS Code. The tests read a code from the message that the platform got, not from a phone. */

export const MOBILE = '6912345678';
export const TAKEN: Reply = { body: { serviceId: 'verify', errorCode: '', error: '' } };

/** Returns a node that sends a code to the item's mobile. By default its output has no input fields. */
export const sendCode = (
	options: INodeParameters = {},
	more: Partial<NodeUnderTest> = {},
	parameters: INodeParameters = {},
): NodeUnderTest => ({
	node: 'smsCode',
	parameters: {
		serviceId: 'verify',
		messageId: 'OTP_SEND',
		recipient: '={{ $json.mobile }}',
		options: { includeInputFields: false, ...options },
		...parameters,
	},
	...withCredential({}),
	...more,
});

/** Returns a node that checks the id and the code of the row. */
export const checkCode = (options: INodeParameters = {}, more: Partial<NodeUnderTest> = {}): NodeUnderTest => ({
	node: 'smsCode',
	parameters: { operation: 'checkCode', verificationId: '={{ $json.id }}', code: '={{ $json.typed }}', options },
	...withCredential({}),
	...more,
});

export const codesIn = (sent: Sent[]) => sent.map((each) => (bodyOf(each).replacements as string[])[0]!);

/** Checks a typed code. @returns the items at the two outputs, Verified and Not Verified */
export const typeCode = async (id: unknown, typed: unknown, options: INodeParameters = {}) =>
	(await runNode(checkCode(options), [{ id, typed } as IDataObject])).json as [IDataObject[], IDataObject[]];

/** The simulated time in Unix seconds. */
export const clock = { now: 1_795_000_000 };

/** Simulates the clock, and advances it by days before each test, so that the counts of earlier tests have expired. */
export const withClock = () => {
	beforeEach(() => {
		clock.now += 3 * 86_400;
		jest.spyOn(Date, 'now').mockImplementation(() => clock.now * 1000);
	});
	afterEach(() => jest.restoreAllMocks());
};

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { findSecrets } from '../../spellings';
import { logLines, TestWorkflow, type NodeUnderTest, type Result } from './engine';
import { serve, type Reply, type Sent } from './httpServer';

/* Common parts of the tests of SMS Send: the node, items for it, a simulated platform, and checks. */

/** A key with characters that JSON and URLs escape, so that a test notices the key in an escaped text, too. */
export const KEY = 'psk"7&Ω-91';
export const BASE = 'https://sms.example.gr:9999';
export const OPERATION = `${BASE}/sendSMS`;
export const DLR = 'https://n8n.example.gr/webhook/abc/dlr';
export const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

export const TAKEN: Reply = { body: { serviceId: 'grades', errorCode: '', error: '' } };
export const REFUSED: Reply = { body: { serviceId: 'grades', errorCode: 'E-002', error: 'Unknown Service' } };
export const LOST: Reply = { cut: 'ECONNRESET' };

/**
 * Simulates the platform until the test ends. By default it accepts every message. @returns the requests to it
 */
export const platform = (reply: Parameters<typeof serve>[2] = TAKEN): Sent[] => serve('POST', OPERATION, reply);

export const CREDENTIAL = { baseUrl: BASE, institution: 'example-university', preSharedKey: KEY };

/** Returns the credential with additional fields, such as predefined messages. */
export const withCredential = (more: IDataObject) => ({
	credentials: { smsPlatformApi: { ...CREDENTIAL, ...more } as never },
});

export const ROW: IDataObject = { mobile: '6912345678', course: 'Φυσική', grade: 8 };

/** Returns a row whose mobile number ends with this digit. */
export const row = (last: number): IDataObject => ({ ...ROW, mobile: `691234567${last}` });

/** Returns rows with consecutive mobile numbers from 6900000000 on. */
export const rowsUpTo = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ ...ROW, mobile: String(6_900_000_000 + index) }));

/**
 * Returns a node that sends a grade to the item's mobile. By default its output has no input fields, so that tests see only
 * its own fields.
 */
export const send = (
	parameters: INodeParameters = {},
	options: INodeParameters = {},
	more: Partial<NodeUnderTest> = {},
): NodeUnderTest => ({
	node: 'smsSend',
	parameters: {
		serviceId: 'grades',
		messageId: 'result',
		recipient: '={{ $json.mobile }}',
		...parameters,
		options: { includeInputFields: false, replacements: '={{ [$json.course, $json.grade] }}', ...options },
	},
	credentials: { smsPlatformApi: CREDENTIAL },
	...more,
});

/** A workflow in which every run is a separate execution, as if a person had started it again. */
export class Workflow extends TestWorkflow {
	override async run(rows: IDataObject[]): Promise<Result> {
		Object.assign(TestWorkflow, { EXECUTION_ID: String(Number(TestWorkflow.EXECUTION_ID) + 1) });
		return await super.run(rows);
	}
	set(parameters: INodeParameters, options: INodeParameters = {}): void {
		const before = this.spec.parameters!;
		const all = { ...before, ...parameters, options: { ...(before.options as INodeParameters), ...options } };
		this.spec.parameters = all;
	}
}

/**
 * Removes the delay before a repeated request. The delay depends on a random value. These tests set this value so low that
 * a node does not wait, unless the service asks for more than a second.
 */
export const withoutWaits = () => {
	beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(-2));
	afterEach(() => jest.restoreAllMocks());
};

export const continuing = { onError: 'continueRegularOutput' } as const;
export const splitting = { onError: 'continueErrorOutput' } as const;
/** Settings for Retry On Fail. The wait is 1 ms, because for 0 n8n uses its default of a second. */
export const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** Returns the expected item of an accepted message. */
export const accepted = (recipient: unknown, more: IDataObject = {}) => ({
	...{ recipient, accepted: true, serviceId: 'grades', messageId: 'result', ...more },
	...{ reference: expect.any(String) as unknown, sentAt: expect.any(String) as unknown },
});

export const bodyOf = (sent: Sent | undefined) => JSON.parse(sent?.body ?? 'null') as IDataObject;
export const recipients = (sent: Sent[]) => sent.map((each) => bodyOf(each).recipient);

/** Returns the index of a message's row in `rowsUpTo`. */
export const indexOf = (sent: Sent) => Number(bodyOf(sent).recipient) - 6_900_000_000;

/** Returns how many requests the platform got for each row of `rowsUpTo(of)`, in the order of the rows. */
export const counts = (sent: Sent[], of: number) =>
	Array.from({ length: of }, (_, index) => sent.filter((each) => indexOf(each) === index).length);

/** Returns the hints that the user sees above the output. */
export const hintsOf = (run: Result) => run.hints.map(({ type, message }) => `${type}: ${message}`);

/** Checks that the key is in no place where a user, an admin or a backup could find it, in no spelling. */
export function expectNoKey(run: Result, key = KEY) {
	for (const text of [run.stored, logLines.join('\n'), JSON.stringify(run.hints)]) {
		expect(findSecrets(text, [key])).toEqual([]);
	}
}

/**
 * Checks that a failed item has only the fields of an error, so that a later node cannot take the item for a sent message.
 */
export function expectErrorItem(json: IDataObject | undefined, text: RegExp, details: IDataObject) {
	expect(Object.keys(json ?? {}).sort()).toEqual(['details', 'error', 'message']);
	expect(json?.error).toMatch(text);
	expect(json?.details).toMatchObject(details);
	expect(`${String(json?.error)}${String(json?.message)}`.length).toBeLessThan(800);
}

import type { IWebhookFunctions } from 'n8n-workflow';

import { logRejection } from '../../../../lib/smsPlatform/rejectionLog';
import { strict } from '../../../strict';

const refused = { status: 401, code: 'INVALID_KEY', reason: 'The pre-shared key is missing or wrong' } as const;
const MINUTE = 60_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function trigger(id: string) {
	const lines: string[] = [];
	const context = strict('context', {
		getNode: () => ({ id, name: 'Incoming' }),
		getWorkflow: () => ({ id: 'w1' }),
		logger: strict('logger', { warn: (line: string) => lines.push(line) }),
	}) as unknown as IWebhookFunctions;
	return { context, lines };
}

test('the first rejected request is logged immediately, and the next log line, after a minute, counts the requests in between', () => {
	const { context, lines } = trigger('minute');
	for (let i = 0; i < 4; i++) logRejection(context, 'SMS Trigger', refused);
	jest.advanceTimersByTime(MINUTE - 1);
	logRejection(context, 'SMS Trigger', refused);
	const first =
		'Incoming (SMS Trigger, workflow w1) refused a request with INVALID_KEY, HTTP 401: The pre-shared key is missing or wrong';
	expect(lines).toEqual([first]);
	jest.advanceTimersByTime(1);
	logRejection(context, 'SMS Trigger', refused);
	expect(lines).toEqual([first, `${first}; 4 more such requests since the last log line`]);
	jest.advanceTimersByTime(MINUTE);
	logRejection(context, 'SMS Trigger', refused);
	expect(lines[2]).toBe(first);
});

test('each trigger and each error code has its own log line about rejected requests', () => {
	const [one, two] = [trigger('one'), trigger('two')];
	for (const { context } of [one, two, one]) {
		logRejection(context, 'SMS Trigger', refused);
		logRejection(context, 'SMS Trigger', { ...refused, code: 'INVALID_REQUEST' });
	}
	expect([one.lines.length, two.lines.length]).toEqual([2, 2]);
});

test('the log line has the cause of the rejection instead of the text for the caller', () => {
	const { context, lines } = trigger('cause');
	logRejection(context, 'SMS Trigger', { ...refused, cause: 'The expression of IP Allowlist gives nothing' });
	expect(lines).toEqual([expect.stringMatching(/401: The expression of IP Allowlist gives nothing$/)]);
});

import { readFileSync } from 'node:fs';

import * as advice from '../../../../lib/texts/advice';
import { OTHER_TODO, OTHER_WHAT, REASONS } from '../../../../lib/texts/reasons';
import { OF_ADMINS, OF_REASONS } from '../../../advice';

describe('test/advice.ts names a test that follows the advice', () => {
	it('of each function in lib/texts/advice.ts', () => {
		const functions = Object.entries(advice).flatMap(([name, one]) => (typeof one === 'function' ? [name] : []));
		expect(Object.keys(OF_ADMINS).sort()).toEqual(functions.sort());
	});

	it('of each reason in lib/texts/reasons.ts', () => {
		expect(Object.keys(OF_REASONS).sort()).toEqual(
			[...Object.keys(REASONS), ...Object.keys(OTHER_WHAT), ...Object.keys(OTHER_TODO)].sort(),
		);
	});

	it.each(Object.entries({ ...OF_ADMINS, ...OF_REASONS }))('of %s, and that test exists', (_, [file, test]) => {
		expect(readFileSync(file, 'utf8')).toContain(test);
	});
});

describe('advice for an admin', () => {
	const all = (rememberFor: advice.Remembers) => [
		...[
			advice.skippedBefore(1),
			advice.skippedUnknown(2),
			advice.unknownNow(1, rememberFor),
			advice.doNotSend(2),
			advice.onTrial(1),
		],
		...[advice.notTried(3, rememberFor), advice.serviceDown(1, rememberFor), advice.stoppedAtEnd(1, 2, rememberFor)],
		...[
			advice.stoppedAtEnd(0, 2, rememberFor),
			advice.stoppedByFaults({ faulty: 1, rows: 2, which: 'A', mayBeSent: false }).description,
		],
	];

	it.each(['day', 'week', 'code', undefined] as const)(
		'consists of whole sentences, if the node remembers sent messages for: %s (code: until the code is used; undefined: not at all)',
		(rememberFor) => {
			for (const text of all(rememberFor)) {
				expect(text).toMatch(/^[A-Z\d].*\.$/);
				expect(text).not.toMatch(/undefined|\.\.|,,| {2}|\b1 (rows|messages)\b|\b[023] (row|message)\b/);
			}
		},
	);

	it('suggests running the whole list again only while the sent messages are recorded', () => {
		const again = /run the node again/i;
		expect(advice.notTried(1, 'day')).toMatch(/To continue, run the node again within 10 hours/);
		expect(advice.serviceDown(1, 'week')).toMatch(
			/When the platform answers again, run the node again within seven days of the first run\./,
		);
		expect(advice.stoppedAtEnd(1, 0, 'code')).toMatch(
			/^1 message went out\. To stop individual rows from making the whole run fail, set On Error .*\.$/,
		);
		expect(advice.stoppedAtEnd(1, 2, 'week')).toMatch(
			/Run the node again within seven days of the first run: it tries only the refused rows/,
		);
		for (const text of all(undefined)) expect(text).not.toMatch(again);
	});

	it('does not suggest sending the other rows if every row has a fault', () => {
		const { message, description } = advice.stoppedByFaults({
			faulty: 2,
			rows: 2,
			which: 'A: 2 rows',
			mayBeSent: false,
		});
		expect([message, description]).toEqual([
			'Nothing was sent: all 2 rows contain errors',
			'A: 2 rows. Correct these rows.',
		]);
	});
});

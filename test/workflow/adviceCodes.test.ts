import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { sentence } from '../advice';
import { OTHER_WORDS, REASONS } from '../../nodes/shared/reasons';
import { codesIn, MOBILE, sendCode, TAKEN, typeCode } from './harness/codes';
import { runNode } from './harness/engine';
import { continuing, LOST, platform, REFUSED } from './harness/send';
import type { Reply, Sent } from './harness/wire';

/* What Send Code and Check Code tell the person is done here to the letter, and has to work (test/advice.ts); codes.test.ts has the rest. */

let sent: Sent[];
let answer: Reply;
beforeEach(() => {
	answer = TAKEN;
	sent = platform(() => answer);
});
/** The code of the latest SMS. */
const code = () => codesIn(sent).at(-1)!;
/** A code that nobody got. */
const another = () => (code() === '000000' ? '111111' : '000000');

const ask = async (mobile: string, options: INodeParameters = {}) =>
	(await runNode(sendCode(options, continuing), [{ mobile }])).json[0]![0] as IDataObject & { details: IDataObject };
const type = async (id: unknown, typed: unknown) => (await typeCode(id, typed)).flat()[0]!;
const VERIFIED = { verified: true, recipient: MOBILE };

it('a number abroad gets none, and a Greek one does', async () => {
	const { details } = await ask('+44 7700 900123');
	expect(details.notice).toMatch(sentence('codeAbroad'));
	expect(sent).toEqual([]);
	expect(await ask(MOBILE)).toMatchObject({ accepted: true });
});

it('a number that is none, or two, gets none, and a Greek one does', async () => {
	for (const typed of ['99123456', '6912345678, 6912345679']) {
		const { details, message } = await ask(typed);
		expect(details.notice).toMatch(sentence('codeAbroad'));
		// To the admin too, whom a number abroad, or a second row, would lead to the next error.
		expect(message).toBe('Write a number that begins with 69');
	}
	expect(sent).toEqual([]);
	expect(await ask('6912345671')).toMatchObject({ accepted: true });
});

it('a refused code comes once the mobile is corrected, or the service takes it, and each says which', async () => {
	const ofMobile: Reply = { body: { serviceId: 'codes', errorCode: 'E-3', error: 'Unknown Recipient' } };
	for (const [reply, advice] of [
		[ofMobile, OTHER_WORDS.checkMobile.el],
		[REFUSED, REASONS.couldNotAsk.todo.el],
		[{ cut: 'ECONNREFUSED' }, REASONS.couldNotAsk.todo.el],
	] as Array<[Reply, string]>) {
		answer = reply;
		expect((await ask('6912345670')).details.notice).toContain(advice);
		answer = TAKEN;
		expect(await ask('6912345672')).toMatchObject({ accepted: true });
	}
});

it('the code is verified once it is typed as it says, with the attempts that it says', async () => {
	await ask(MOBILE, { maxAttempts: 3 });
	// The latest SMS is another request's.
	const { verificationId } = await ask(MOBILE, { maxAttempts: 3 });
	const { notice } = await type(verificationId, another());
	expect(notice).toMatch(sentence('wrong'));
	expect(notice).toContain('Σας μένουν 2 προσπάθειες');
	expect((await type(verificationId, another())).notice).toMatch(sentence('lastTry'));
	expect(await type(verificationId, code())).toEqual(VERIFIED);
});

it('of an SMS of which nobody knows, the code is typed as it says, or another SMS has the same', async () => {
	answer = LOST;
	const { message, details } = await ask('6912345679');
	expect(message).toMatch(/If it came, type its code; otherwise ask for another SMS/);
	const { notice, verificationId } = details;
	expect(notice).toMatch(sentence('codeMayCome'));
	const first = code();
	await ask('6912345679');
	expect(code()).toBe(first);
	expect(await type(verificationId, first)).toMatchObject({ verified: true });
});

it('whoever begins again is verified', async () => {
	expect((await type('not an id', '123456')).notice).toMatch(sentence('invalid'));
	const { verificationId } = await ask(MOBILE);
	expect(await type(verificationId, code())).toEqual(VERIFIED);
});

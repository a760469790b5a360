import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { sentence } from '../advice';
import { OTHER_TODO } from '../../lib/texts/reasons';
import { checkCode, codesIn, MOBILE, sendCode, TAKEN, typeCode } from './harness/codes';
import { runNode } from './harness/engine';
import { bodyOf, continuing, LOST, platform, REFUSED, withCredential, withoutWaits } from './harness/send';
import type { Reply, Sent } from './harness/httpServer';

/*
 * Follows the texts of Send Code and Check Code for people literally, and tests that they work (see test/advice.ts).
 * codes.test.ts has the other tests of these operations.
 */

let sent: Sent[];
let answer: Reply;
withoutWaits();
beforeEach(() => {
	answer = TAKEN;
	sent = platform(() => answer);
});
/** Returns the code of the latest SMS. */
const code = () => codesIn(sent).at(-1)!;
/** Returns a wrong code. */
const another = () => (code() === '000000' ? '111111' : '000000');

const ask = async (mobile: string, options: INodeParameters = {}) =>
	(await runNode(sendCode(options, continuing), [{ mobile }])).json[0]![0] as IDataObject & { details: IDataObject };
const type = async (id: unknown, typed: unknown) => (await typeCode(id, typed)).flat()[0]!;
const VERIFIED = { verified: true, recipient: MOBILE };

it('a foreign number gets no code, and a Greek number does', async () => {
	const { details } = await ask('+44 7700 900123');
	expect(details.notice).toMatch(sentence('codeAbroad'));
	expect(sent).toEqual([]);
	expect(await ask(MOBILE)).toMatchObject({ accepted: true });
});

it('an invalid number, or a cell with two numbers, gets no code, and a Greek number does', async () => {
	for (const typed of ['99123456', '6912345678, 6912345679']) {
		const { details, message } = await ask(typed);
		expect(details.notice).toMatch(sentence('codeAbroad'));
		// The error gives the admin the same advice, because a person who requests a code has no sheet to correct.
		expect(message).toBe('Write a number that begins with 69');
	}
	expect(sent).toEqual([]);
	expect(await ask('6912345671')).toMatchObject({ accepted: true });
});

it('a code that was not sent is sent after the mobile or the service is corrected, as each notice advises', async () => {
	const ofMobile: Reply = { body: { serviceId: 'codes', errorCode: 'E-3', error: 'Unknown Recipient' } };
	for (const [reply, advice] of [
		[ofMobile, OTHER_TODO.checkMobile.el],
		[REFUSED, OTHER_TODO.askOffice.el],
		[{ cut: 'ECONNREFUSED' }, OTHER_TODO.askOffice.el],
		[{ status: 401 }, OTHER_TODO.askOffice.el],
		[{ status: 407 }, OTHER_TODO.askOffice.el],
	] as Array<[Reply, string]>) {
		answer = reply;
		expect((await ask('6912345670')).details.notice).toContain(advice);
		answer = TAKEN;
		expect(await ask('6912345672')).toMatchObject({ accepted: true });
	}
});

it.each<[string, IDataObject]>([
	['a trial with other recipients', { trialRecipients: '6900000000' }],
	['an invalid Base URL', { baseUrl: 'no url' }],
	['a message whose placeholder has no position', { messages: 'verify/OTP_SEND: {Κωδικός}' }],
	['a message with another placeholder', { messages: 'verify/OTP_SEND: {Όνομα,1} {Κωδικός,2}' }],
])(
	'a visitor who gets no code because of %s is referred to the office, and is verified after the correction',
	async (_, wrong) => {
		const mobile = '6912345675';
		const nodes = (data: IDataObject) => ({ ...continuing, ...withCredential(data) });
		const asked = await runNode(sendCode({}, nodes(wrong)), [{ mobile }]);
		expect((asked.json[0]![0]!.details as IDataObject).notice).toMatch(sentence('askOffice'));
		const { verificationId: id } = await ask(mobile);
		const row = { id, typed: code() } as IDataObject;
		if ('baseUrl' in wrong) {
			const checked = await runNode(checkCode({}, nodes(wrong)), [row]);
			expect((checked.json[1]![0]!.details as IDataObject).notice).toMatch(sentence('askOffice'));
		}
		expect((await runNode(checkCode(), [row])).json[0]).toMatchObject([{ verified: true }]);
	},
);

it('a wrong code can be corrected as often as the notice states, and the code of the latest SMS is verified', async () => {
	await ask(MOBILE, { maxAttempts: 3 });
	// This second request sends the latest SMS.
	const { verificationId } = await ask(MOBILE, { maxAttempts: 3 });
	const { notice } = await type(verificationId, another());
	expect(notice).toMatch(sentence('wrong'));
	expect(notice).toContain('Έχετε ακόμη 2 προσπάθειες');
	expect((await type(verificationId, another())).notice).toMatch(sentence('lastTry'));
	expect(await type(verificationId, code())).toEqual(VERIFIED);
});

it('after an SMS of unknown outcome the code is verified if it arrived, and a second SMS has the same code', async () => {
	answer = LOST;
	const { message, details } = await ask('6912345679');
	expect(message).toMatch(/If you got the SMS, type its code. Otherwise ask for another SMS/);
	const { notice, verificationId } = details;
	expect(notice).toMatch(sentence('codeMayCome'));
	const first = code();
	await ask('6912345679');
	expect(code()).toBe(first);
	expect(await type(verificationId, first)).toMatchObject({ verified: true });
});

it('a person with an invalid verification ID is verified after a new request for a code', async () => {
	expect((await type('not an id', '123456')).notice).toMatch(sentence('invalid'));
	const { verificationId } = await ask(MOBILE);
	expect(await type(verificationId, code())).toEqual(VERIFIED);
});

describe('a message that contains more than the code', () => {
	const messages = 'verify/OTP_SEND: {Όνομα,1}, κωδικός {Κωδικός,2}';
	const node = (options: INodeParameters, placeholders: INodeParameters = { mappingMode: 'autoMapInputData' }) =>
		sendCode(options, { ...continuing, ...withCredential({ messages }) }, { placeholders });
	let people = 6_900_000_000;
	const run = async (options: INodeParameters, row: IDataObject, placeholders?: INodeParameters) =>
		(await runNode(node(options, placeholders), [{ mobile: `${people++}`, ...row }])).json[0]![0] as IDataObject;
	const values = () => (bodyOf(sent.at(-1)!).replacements as string[]).map((value) => value.replace(/\d{6}/, 'CODE'));

	it.each<[string, INodeParameters | undefined]>([
		['a missing column', undefined],
		['an empty field', { mappingMode: 'defineBelow', value: { Κωδικός: '' } }],
	])('is sent after Code Position is set, as the error about %s advises', async (_, placeholders) => {
		const { message, details } = await run({}, { Όνομα: 'Άννα' }, placeholders);
		expect(message).toMatch(/If this placeholder is for the code, set the option Code Position to 2$/);
		expect(message).not.toContain('Allow Empty Values');
		if (placeholders === undefined) {
			expect(message).toMatch(/^Set Mapping Column Mode to Map Each Column Manually, and fill/);
			expect((details as IDataObject).notice).toMatch(sentence('askOffice'));
		}
		// A visitor of a form reads the notice, and has no list.
		expect((details as IDataObject).notice).not.toMatch(/στήλη|γραμμή|λίστα|column|\brow|list/);
		expect(sent).toEqual([]);
		expect(await run({ codePosition: 2 }, { Όνομα: 'Άννα' })).toMatchObject({ accepted: true });
		expect(values()).toEqual(['Άννα', 'CODE']);
	});

	it('fails with advice about Service and Message if the credential does not have the message', async () => {
		const other = sendCode({ codePosition: 2 }, { ...continuing, ...withCredential({ messages }) }, { messageId: 'x' });
		const [item] = (await runNode(other, [{ mobile: '6900000000', Όνομα: 'Άννα' }])).json[0]!;
		expect(item).toMatchObject({
			error: 'Code Position is 2, but the number of values for the other placeholders is 0',
			message: expect.stringMatching(
				/^Check Service and Message: the field Messages in the credential does not have/,
			) as unknown,
		});
	});

	it('is sent after the code is removed from the option Replacements, as the error advises', async () => {
		const { message, error } = await run({ codePosition: 2, replacements: '["Άννα", "x"]' }, {});
		expect(error).toBe('The number of values is 2, but the message needs 1');
		expect(message).toBe(
			'The code is not counted here. Enter one value for each of the other placeholders: the node inserts the code itself, at Code Position',
		);
		expect(await run({ codePosition: 2, replacements: '["Άννα"]' }, {})).toMatchObject({ accepted: true });
		expect(values()).toEqual(['Άννα', 'CODE']);
	});
});

it('a message with no placeholder other than the code is sent after the option Replacements is removed, as the error advises', async () => {
	const codeWith = async (options: INodeParameters) =>
		(
			await runNode(
				sendCode(options, { ...continuing, ...withCredential({ messages: 'verify/OTP_SEND: Κωδικός {Κωδικός,1}' }) }),
				[{ mobile: '6912345675' }],
			)
		).json[0]![0]!;
	const { error, message } = await codeWith({ replacements: '["x"]' });
	expect(error).toBe('The number of values is 1, but the message needs 0');
	expect(message).toBe('The message has no placeholder other than the code: remove the option Replacements');
	expect(await codeWith({})).toMatchObject({ accepted: true });
});

it('a code is sent after the placeholder of the message gets a position, as the error advises', async () => {
	const codeOf = async (text: string) => {
		const credential = withCredential({ messages: `verify/OTP_SEND: ${text}` });
		return (await runNode(sendCode({}, { ...continuing, ...credential }), [{ mobile: '6912345676' }])).json[0]![0]!;
	};
	const { error, message } = await codeOf('Κωδικός {Κωδικός}');
	expect(error).toMatch(
		/^Messages in the credential contains \{Κωδικός\} without a position: add it, as in \{Κωδικός,1\}/,
	);
	expect(message).toBe('Correct the line for this message');
	expect(await codeOf('Κωδικός {Κωδικός,1}')).toMatchObject({ accepted: true });
});

it.each<[string, Reply, RegExp]>([
	['another server', { body: '<html>' }, /Before the next run: Check the Base URL/],
	[
		'a redirect',
		{ status: 302, headers: { location: '/x' } },
		/Before the next run: Set the Base URL in the credential to the final URL/,
	],
])(
	'after an answer of %s, the admin gets advice about the Base URL, and the person is advised to type the code if it came',
	async (_, reply, advice) => {
		answer = reply;
		const { message, details } = await ask('6912345674');
		expect(message).toMatch(advice);
		expect(details.notice).toMatch(sentence('codeMayCome'));
	},
);

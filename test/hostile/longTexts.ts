import { Readable } from 'node:stream';

import type { IExecuteFunctions } from 'n8n-workflow';

import { checkAmkaNumber } from '../../lib/greek/amkaNumber';
import { readBirthDate } from '../../nodes/Amka/birthDate';
import { toNumberText } from '../../nodes/Amka/parsePerson';
import { toProblem, fault } from '../../lib/texts/problem';
import { greekMobile } from '../../lib/greek/mobile';
import { redactSecretsInData } from '../../lib/texts/redact';
import { isAllowedAddress } from '../../nodes/SmsTrigger/ipAllowlist';
import { baseUrlFault } from '../../lib/http/baseUrl';
import { readText } from '../../lib/n8n/parameters';
import { request } from '../../lib/http/request';
import { fillPlaceholders } from '../../lib/smsPlatform/placeholders';
import { outcomeOf, sendProblem } from '../../lib/smsPlatform/outcome';
import { nameRows, reviewPage } from '../../nodes/SmsSend/review/page';
import { reviewOf } from '../../nodes/SmsSend/review/summary';
import { numberRows } from '../../lib/texts/rowNumber';
import { sendSmsResponse, type Message } from '../../lib/smsPlatform/api';
import { KEY, signature, TriggerUnderTest, type Request, type Settings } from './trigger';

/*
 * Long texts that unauthenticated callers can send, and all functions of this package that read such a text. The unit tests
 * check that patterns search only a part of limited length. The bench measures the time.
 */

/** The characters that the patterns of this package repeat, and those that Unicode normalisation makes longer or reorders. */
export const UNITS = [
	...['a', '7', '7 ', ' ', '\n', '\u200b', '\u0301', '\u0301\u0323', 'ά', '{', '{,', '{a,1}', ',', ':', '.', '/'],
	...['%41', '\\', '&#', 'a+b%20&lt;\\"', '７', '\ufdfa', '\ud800', '😀'],
];

/**
 * Repeats a unit to a text that is one piece in memory, like a received text.
 * @param length in characters
 */
export function longText(unit: string, length: number): string {
	const encoding = unit.charCodeAt(0) < 128 ? 'latin1' : 'utf16le';
	return Buffer.from(unit.repeat(Math.ceil(length / unit.length)).slice(0, length), encoding).toString(encoding);
}

/** Functions that read a received text, by the kind of the text. Each prepares the call, and returns the part that is measured. */
type Consumers = Record<string, (text: string) => () => unknown>;

const settings: Settings = {
	events: ['smsForward', 'deliveryReport'],
	keywords: 'ΒΑ, ΒΑΘΜΟΣ',
	acceptUnsignedReports: true,
	options: { ipAllowlist: '192.0.2.0/24, ::/0' },
};
const forward = { MSISDN: '6912345678', keyword: 'ΒΑ', body: 'x', 'pre-shared key': KEY, 'sms-forward-id': 'f-1' };
const report = { serviceId: 'grades', recipient: '6912345678', status: 'DELIVRD', error: '' };
const exp = String(Math.floor(Date.now() / 1000) + 3600);
const signed = { ref: 'r-1', mid: 'm-1', exp, sig: signature('grades', 'r-1', 'm-1', exp) };
const post = { method: 'POST', ip: '192.0.2.1', how: 'json', contentType: 'application/json', query: {} } as const;

/** Returns a call to SMS Trigger that throws an error if the status of the response is 500 or higher. */
const call = (request: Request) => async () => {
	const { status } = await new TriggerUnderTest().call(settings, request);
	if (status >= 500) throw new Error(`Answered with ${status}`);
};
export const toForward = (changes: object, more: Partial<Request> = {}) =>
	call({ ...post, event: 'smsForward', body: { ...forward, ...changes }, ...more });
const toReport = (changes: object, query: object) =>
	call({ ...post, event: 'deliveryReport', body: { ...report, ...changes }, query });
const inEach = (fields: object, how: string, work: (name: string, text: string) => () => unknown): Consumers =>
	Object.fromEntries(Object.keys(fields).map((name) => [`${name} ${how}`, (text) => work(name, text)]));

const credential = {
	type: 'smsPlatformApi',
	data: { baseUrl: 'https://sms.example.gr:9999', institution: 'uni', preSharedKey: KEY },
};
const message: Message = { serviceId: 'a', messageId: 'b', recipient: '6912345678', replacements: [] };

export function refusedWith(text: string): () => Promise<void> {
	const body = Buffer.from(JSON.stringify({ errorCode: text, error: text }));
	const answer = () => ({ statusCode: 400, headers: {}, body: Readable.from([body]) });
	const helpers = { httpRequestWithAuthentication: async () => answer() };
	const context = { helpers, getExecutionCancelSignal: () => undefined } as unknown as IExecuteFunctions;
	return async () => {
		const answer = await request(
			context,
			credential,
			{ method: 'POST', url: 'https://sms.example.gr/', timeout: 1 },
			sendSmsResponse,
			(status) => status < 300,
		);
		const outcome = outcomeOf(answer, 'a');
		if (outcome.outcome === 'accepted') throw new Error('It was refused');
		sendProblem(outcome, message, [KEY]);
	};
}

function answerOrRefusal(answer: () => unknown): void {
	try {
		answer();
	} catch (error) {
		toProblem(error);
	}
}

export const refusedParameter = (text: string) => answerOrRefusal(() => readText(text, 'Surname', 200));

/** All functions that accept a text of any length. */
export const takingAny: Consumers = {
	...inEach(forward, 'of a forward', (name, text) => toForward({ [name]: text })),
	...inEach(forward, 'of a forward without the key', (name, text) =>
		toForward({ 'pre-shared key': 'wrong', [name]: text }),
	),
	...inEach(report, 'of a report', (name, text) => toReport({ [name]: text }, signed)),
	...inEach(report, 'of an unsigned report', (name, text) => toReport({ [name]: text }, {})),
	...inEach(report, 'of a report with a wrong signature', (name, text) =>
		toReport({ [name]: text }, { ...signed, sig: 'A' }),
	),
	...inEach(signed, 'in the address of a report', (name, text) => toReport({}, { ...signed, [name]: text })),
	'an unknown field': (text) => toForward({ other: text }),
	'the name of a field': (text) => toForward({ [text]: 1 }),
	'the IP address of the client': (text) => toForward({}, { ip: text }),
	'a body that is text': (text) => toForward({}, { body: text }),
	'a body that n8n did not parse': (text) =>
		toForward({}, { how: 'raw', contentType: undefined, body: Buffer.from(text) }),
	'an AMKA to check': (text) => () => answerOrRefusal(() => checkAmkaNumber(toNumberText(text))),
	'a birth date': (text) => () => readBirthDate(text, 'UTC'),
	'a parameter': (text) => () => refusedParameter(text),
	'a mobile number': (text) => () => greekMobile(text),
	'a Base URL': (text) => () => baseUrlFault(`https://sms.example.gr/${text}`),
	'a client on a list': (text) => () => isAllowedAddress('192.0.2.0/24', text),
	'a replacement': (text) => () => fillPlaceholders({ text: '{a,1}'.repeat(2000), placeholders: ['a'] }, [text]),
	'a review': (text) => () => {
		const about = { recipient: text, text, segments: 1, serviceId: 's', messageId: 'm', reference: 'r' };
		const wouldSend = {
			kind: 'wouldSend' as const,
			about,
			warnings: [{ kind: 'looksLikeDate' as const, field_el: text, field_en: text, value: text }],
			normal: text,
			isResent: false,
			content: text,
		};
		const rows = [wouldSend, fault('notMobile', { value: text })];
		const inputs = rows.map(() => ({ json: { a: text } }));
		const list = numberRows(inputs);
		const review = reviewOf(rows, list, 'both', undefined, undefined);
		return reviewPage(review, 'both', nameRows(rows, inputs, list));
	},
	'an error of n8n': (text) => () => toProblem(new Error(text)),
	'an answer that may contain the key': (text) => {
		const parts = text.match(/.{1,1000}/gsu);
		return () => redactSecretsInData({ text, parts }, ['a7 '.repeat(30), KEY]);
	},
	'an error of the platform': refusedWith,
};

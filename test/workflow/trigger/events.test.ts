import { type IDataObject, type INodeParameters, NodeHelpers } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';

import { findSecrets } from '../../spellings';
import { logLines } from '../harness/engine';
import type { Call } from '../harness/webhook';
import {
	credentials,
	deep,
	expectRefusal,
	expectStarted,
	forward,
	items,
	KEY,
	long,
	now,
	report,
	signed,
	trigger,
} from '../harness/trigger';

describe('an incoming SMS', () => {
	it('starts the workflow with the documented item, and gets the answer that the platform expects', async () => {
		const receivedAt = now();
		const answer = await trigger().call(forward({ 'sms-forward-id': 'f-1', body: '  ηλεκτρονική\n8 ' }));
		expectStarted(answer);
		expect(items(answer)).toEqual([
			[
				{
					event: 'smsForward',
					msisdn: '6912345678',
					mobile: '6912345678',
					keyword: 'ΒΑ',
					body: '  ηλεκτρονική\n8 ',
					words: ['ηλεκτρονική', '8'],
					smsForwardId: 'f-1',
					receivedAt,
					received: {
						method: 'POST',
						contentType: 'application/json',
						fields: ['MSISDN', 'keyword', 'body', 'pre-shared key', 'sms-forward-id'],
					},
				},
			],
			[],
		]);
		expect(answer.execution?.stored).not.toContain(KEY);
		expect(answer.execution?.outputs[0]).toHaveLength(1);
	});

	it.each(['MSISDN', 'keyword', 'body', 'sms-forward-id'])(
		'that contains the key in %s is stored without the key',
		async (field) => {
			const answer = await trigger().call(forward({ [field]: `ΒΑ ${KEY}` }));
			expectStarted(answer);
			expect(findSecrets(answer.execution!.stored, [KEY])).toEqual([]);
			expect(JSON.stringify(items(answer))).toContain('ΒΑ •••');
		},
	);

	it.each<[string, IDataObject, IDataObject]>([
		['a number with a country code', { MSISDN: '306912345678' }, { msisdn: '306912345678', mobile: '6912345678' }],
		['a number of another country', { MSISDN: '4915112345678' }, { msisdn: '4915112345678' }],
		['numbers in JSON', { MSISDN: 6912345678, 'sms-forward-id': 4711 }, { msisdn: '6912345678', smsForwardId: '4711' }],
		['more fields than documented', { error: 'x', operator: { deep: [1] } }, { keyword: 'ΒΑ' }],
		['no body', { body: undefined }, { body: '', words: [] }],
		['the longest body', { body: 'λέξη '.repeat(8000) }, { words: Array(8000).fill('λέξη') }],
		['small Latin letters', { body: 'Stop. Thank you it21234' }, { words: ['Stop.', 'Thank', 'you', 'it21234'] }],
		['words whose letters of both alphabets are Greek', { body: 'SΤΟΡ ΒΑΘΜΟΣ' }, { words: ['STOP', 'ΒΑΘΜΟΣ'] }],
	])('is accepted with %s', async (_, changes, expected) => {
		const answer = await trigger().call(forward(changes));
		expectStarted(answer);
		const item = items(answer)?.[0]?.[0];
		expect(item).toMatchObject(expected);
		if (expected.msisdn === '4915112345678') expect(item).not.toHaveProperty('mobile');
	});

	it.each<[string, unknown]>([
		['no key', undefined],
		['null', null],
		['an empty key', ''],
		['a wrong key', 'wrong'],
		['the beginning of the key', KEY.slice(0, -1)],
		['the key and another letter', `${KEY}x`],
		['the key in capitals', KEY.toUpperCase()],
		['the key in a list', [KEY]],
		['the key in an object', { toString: KEY }],
		['a key of a megabyte', long],
	])('with %s is rejected with HTTP 401 and always the same text', async (_, key) => {
		const node = trigger({ keywords: 'ΒΑ' });
		const known = forward({ 'sms-forward-id': 'known' });
		await node.call(known);
		const texts = new Set<string>();
		for (const changes of [{}, { keyword: 'ΑΛΛΟ' }, { MSISDN: '' }, { keyword: [] }, { 'sms-forward-id': 'known' }]) {
			const answer = await node.call(forward({ ...changes, 'pre-shared key': key as never }));
			expectRefusal(answer, 401, 'INVALID_KEY');
			texts.add(answer.text);
		}
		expect(texts.size).toBe(1);
	});

	it('that has the key in `__proto__` is rejected', async () => {
		const body = `{"__proto__":${JSON.stringify(forward().body)}}`;
		expectRefusal(await trigger().call({ path: 'forward', body }), 401, 'INVALID_KEY');
	});

	const before = { previousPreSharedKey: KEY, keyChangedOn: '2026-11-20' };

	it('is rejected with the previous key', async () => {
		const node = trigger({}, {}, { credentials: credentials('new', before) });
		expectRefusal(await node.call(forward()), 401, 'INVALID_KEY');
		expectStarted(await node.call(forward({ 'pre-shared key': 'new' })));
	});

	it('is accepted if the key was pasted into the credential with spaces or invisible characters', async () => {
		expectStarted(await trigger({}, {}, { credentials: credentials(`\u200b ${KEY}\r\n`) }).call(forward()));
	});

	it('is accepted only with the Forward Key, if the credential has one', async () => {
		const more = { ...before, previousPreSharedKey: 'before', forwardKey: ` ${KEY}\n` };
		const node = trigger({}, {}, { credentials: credentials('of sends', more) });
		const answer = await node.call(forward({ body: `of sends ${KEY}` }));
		expectStarted(answer);
		expect(findSecrets(answer.execution!.stored, [KEY, 'of sends'])).toEqual([]);
		for (const key of ['of sends', 'before', ''])
			expectRefusal(await node.call(forward({ 'pre-shared key': key })), 401, 'INVALID_KEY');
	});

	it('is rejected if the credential has no key', async () => {
		const node = trigger({}, {}, { credentials: credentials('') });
		for (const key of ['', undefined, null])
			expectRefusal(await node.call(forward({ 'pre-shared key': key as never })), 401, 'INVALID_KEY');
	});

	it.each<[string, IDataObject]>([
		['no MSISDN', { MSISDN: undefined }],
		['an object as MSISDN', { MSISDN: deep }],
		['an empty keyword', { keyword: '' }],
		['a megabyte of keyword', { keyword: long }],
		['a list as body', { body: [] }],
		['an object as ID', { 'sms-forward-id': {} }],
		// PostgreSQL cannot store NUL in text. A workflow that stores the message would fail after the platform got its answer.
		...['MSISDN', 'keyword', 'body', 'sms-forward-id'].map((field): [string, IDataObject] => [
			`a NUL in ${field}`,
			{ [field]: '6\0' },
		]),
	])('with %s is rejected with HTTP 400, even if the keyword is unknown', async (_, changes) => {
		for (const keywords of ['', 'ΑΛΛΟ']) {
			const answer = await trigger({ keywords }).call(forward(changes));
			expectRefusal(answer, 400, 'INVALID_REQUEST');
			expect(answer.text).toContain(Object.keys(changes)[0]);
		}
	});
});

describe('a delivery report', () => {
	it('starts the workflow on the second output with the documented item', async () => {
		const receivedAt = now();
		const answer = await trigger().call(report({}, signed('grades', 'αίτηση 17&x=1')));
		expectStarted(answer);
		expect(items(answer)).toEqual([
			[],
			[
				{
					event: 'deliveryReport',
					serviceId: 'grades',
					recipient: '6912345678',
					mobile: '6912345678',
					status: 'DELIVRD',
					delivered: true,
					final: true,
					reference: 'αίτηση 17&x=1',
					receivedAt,
					received: {
						method: 'POST',
						contentType: 'application/json',
						fields: ['serviceId', 'recipient', 'status'],
					},
				},
			],
		]);
	});

	const said = (status: string, delivered: boolean, final: boolean): [IDataObject, IDataObject] => [
		{ status },
		{ status, delivered, final },
	];
	it.each<[IDataObject, IDataObject]>([
		...[27, 0].map((error): [IDataObject, IDataObject] => [{ status: 'ERROR', error }, { errorCode: String(error) }]),
		...['PENDING', 'SENT', 'SUBMITTED', 'ACCEPTD', 'ENROUTE', ' sent '].map((status) => said(status, false, false)),
		...['ACCEPTED', 'QUEUED', 'SENDING', 'BUFFERED', 'SCHEDULED', 'queued'].map((status) => said(status, false, false)),
		...['ERROR', 'EXPIRED', 'UNDELIV', 'REJECTD', 'READ', 'NEVER HEARD OF'].map((status) => said(status, false, true)),
		...['delivrd', ' DELIVRD\u200b ', 'DELIVERED', ' delivered '].map((status) => said(status, true, true)),
		[{ serviceId: ' grades\n' }, { serviceId: 'grades' }],
		[{ recipient: '+30 691 234 5678' }, { recipient: '+30 691 234 5678', mobile: '6912345678' }],
		[{ status: 'DELIVRD', error: null }, { delivered: true }],
		[{ recipient: 'e.papadopoulou', extra: { deep: 1 } }, { recipient: 'e.papadopoulou' }],
	])('is accepted with %j', async (changes, expected) => {
		const answer = await trigger().call(report(changes));
		expectStarted(answer);
		const item = items(answer)?.[1]?.[0];
		expect(item).toMatchObject(expected);
		expect(item).not.toHaveProperty('error');
		if (item?.recipient === 'e.papadopoulou') expect(item).not.toHaveProperty('mobile');
		if (!('errorCode' in expected)) expect(item).not.toHaveProperty('errorCode');
	});

	const good = signed('grades', 'r');
	const seconds = Math.floor(Date.now() / 1000);
	/* test/unit/lib/smsPlatform/reportSignature.test.ts tests more invalid signatures. */
	it.each<[string, Call['query']]>([
		['no signature', {}],
		['only a reference', { ref: 'r' }],
		['a wrong signature', { ...good, sig: good.sig.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')) }],
		['another reference', { ...good, ref: 'q' }],
		['an expiry in the past', signed('grades', 'r', { exp: seconds - 1 })],
		['the signature of another service', signed('exams', 'r')],
		['the signature of another key', signed('grades', 'r', { key: 'other' })],
	])(
		'with %s is rejected with HTTP 401 and always the same text; Accept Unsigned Reports changes this only for a report without any part of a signature',
		async (_, query) => {
			const unsigned = Object.keys(query ?? {}).length === 0;
			const texts = new Set<string>();
			for (const acceptUnsignedReports of unsigned ? [false] : [false, true]) {
				for (const changes of [{}, { status: '' }, { recipient: [] }]) {
					const answer = await trigger({ acceptUnsignedReports }).call(report(changes, query));
					expectRefusal(answer, 401, 'INVALID_SIGNATURE');
					texts.add(answer.text);
				}
			}
			expect(texts.size).toBe(1);
		},
	);

	it('is rejected if its body does not name the service for which its URL was signed', async () => {
		expectRefusal(await trigger().call(report({ serviceId: 'exams' })), 401, 'INVALID_SIGNATURE');
		expectRefusal(await trigger().call(report({ serviceId: undefined })), 401, 'INVALID_SIGNATURE');
	});

	it('is accepted only if it is signed with the Pre-Shared Key, not with the Forward Key', async () => {
		const node = trigger({}, {}, { credentials: credentials('of sends', { forwardKey: KEY }) });
		expectStarted(await node.call(report({}, signed('grades', 'r', { key: 'of sends' }))));
		expectRefusal(await node.call(report({}, signed('grades', 'r'))), 401, 'INVALID_SIGNATURE');
	});

	it('is rejected with any signature if the credential has no key', async () => {
		const node = trigger({}, {}, { credentials: credentials('') });
		expectRefusal(await node.call(report({}, signed('grades', 'r', { key: '' }))), 401, 'INVALID_SIGNATURE');
	});

	it.each<[string, IDataObject]>([
		['no recipient', { recipient: undefined }],
		['an object as recipient', { recipient: deep }],
		['an empty status', { status: '' }],
		['a megabyte of status', { status: long }],
		['an object as error', { error: {} }],
		...['recipient', 'status', 'error'].map((field): [string, IDataObject] => [
			`a NUL in ${field}`,
			{ [field]: '6\0' },
		]),
	])('with %s is rejected with HTTP 400', async (_, changes) => {
		const answer = await trigger().call(report(changes));
		expectRefusal(answer, 400, 'INVALID_REQUEST');
		expect(answer.text).toContain(Object.keys(changes)[0]);
	});

	it('without a signature is accepted with Accept Unsigned Reports, and its item has no reference', async () => {
		const answer = await trigger({ acceptUnsignedReports: true }).call(report({}, {}));
		expectStarted(answer);
		expect(items(answer)?.[1]?.[0]).not.toHaveProperty('reference');
	});
});

/** Returns the outputs that the editor shows. */
async function shown(parameters: INodeParameters) {
	const workflow = trigger(parameters).load();
	await workflow.expression.acquireIsolate();
	try {
		const node = workflow.getNode('Node')!;
		const { description } = workflow.nodeTypes.getByName(node.type)!;
		return NodeHelpers.getNodeOutputs(workflow, node, description as never).map((output) =>
			typeof output === 'string' ? output : [output.type, output.displayName].join(': '),
		);
	} finally {
		await workflow.expression.releaseIsolate();
	}
}

const both = ['smsForward', 'deliveryReport'];

describe('the outputs of SMS Trigger', () => {
	it.each<[string[], string, number]>([
		[both, 'forward', 0],
		[both, 'dlr', 1],
		[['deliveryReport', 'smsForward'], 'dlr', 1],
		[['smsForward'], 'forward', 0],
		[['deliveryReport'], 'dlr', 1],
	])('for the events %j: a request to /%s starts the workflow at the output %d', async (events, path, expected) => {
		const node = trigger({ events });
		const answer = await node.call(path === 'dlr' ? report() : forward());
		expectStarted(answer);
		const outputs = events.includes('deliveryReport') ? [0, 1] : [0];
		expect(answer.started?.map(({ length }) => length)).toEqual(outputs.map((output) => (output === expected ? 1 : 0)));
		expect(answer.execution?.outputs[expected]).toHaveLength(1);
	});

	const ONE = ['main: Message'];
	const TWO = ['main: Message', 'main: Report'];
	it.each<[string, INodeParameters, string[]]>([
		['both events', { events: both }, TWO],
		['both events in the other order', { events: [...both].reverse() }, TWO],
		['only reports', { events: ['deliveryReport'] }, ['main: Not Selected', 'main: Report']],
		['only messages', { keywordOutputs: false }, ONE],
		['no events', { events: [] }, ONE],
		['keywords', { keywords: 'ΒΑ, ΣΙΤΙΣΗ' }, ['main: ΒΑ', 'main: ΣΙΤΙΣΗ']],
		['keywords on separate lines', { keywords: ' ΒΑ\n\u200bΣΙΤΙΣΗ,,' }, ['main: ΒΑ', 'main: ΣΙΤΙΣΗ']],
		['no keyword', { keywords: ' ,' }, ONE],
		['an expression that fails', { keywords: "={{ $('Nowhere').item.json.x }}" }, ONE],
		['keywords and reports', { keywords: 'ΒΑ', events: both }, TWO],
		['keywords, but Output for Each Keyword off', { keywords: 'ΒΑ', keywordOutputs: false }, ONE],
	])('for %s (%j) are labelled %j in the editor', async (_, parameters, expected) => {
		expect(await shown({ events: ['smsForward'], keywordOutputs: true, ...parameters })).toEqual(expected);
	});
});

describe('the Keywords of SMS Trigger', () => {
	it.each([
		...['ΒΑ', 'βα', 'Βά', 'BA', 'bα', ' ΒΑ '].map((keyword) => [keyword, 'βα']),
		...['ΒΑΘΜΟΣ', 'βαθμός', 'βαθμοσ', 'ΒAΘΜΟΣ'].map((keyword) => [keyword, 'Βαθμός']),
		...['ΜΑΪΟΣ', 'μάιος', 'Μαι\u0308ος'].map((keyword) => [keyword, 'ΜΑΙΟΣ']),
	])('accept %j as the keyword %j', async (keyword, matchedKeyword) => {
		const answer = await trigger({ keywords: 'βα, Βαθμός,ΜΑΙΟΣ' }).call(forward({ keyword }));
		expectStarted(answer);
		expect(items(answer)![0]).toEqual([expect.objectContaining({ keyword, matchedKeyword })]);
	});

	it.each([
		...[
			'ΣΤΟΠ!',
			'«στοπ»',
			'"Στοπ"',
			'ΣΤΟΠ.',
			'(ΣΤΟΠ)',
			'…στοπ…',
			'ΣΤΟΠ 👍🏼',
			'\u{1f6d1} ΣΤΟΠ',
			'-ΣΤΟΠ-',
			'ΣΤΟΠ;',
			"'ΣΤΟΠ'",
		].map((keyword) => [keyword, 'ΣΤΟΠ']),
		...['ΒΑ', '«βα»!', 'Βά.'].map((keyword) => [keyword, '«ΒΑ»']),
		...['C', 'c '].map((keyword) => [keyword, 'C']),
		...['C++', 'c++'].map((keyword) => [keyword, 'C++']),
		...['?', ' ?'].map((keyword) => [keyword, '?']),
		...['24/7', '24/7!'].map((keyword) => [keyword, '24/7']),
	])(
		'accept %j as the keyword %j: punctuation around a word is ignored, unless it is the whole keyword or distinguishes two keywords',
		async (keyword, matchedKeyword) => {
			const answer = await trigger({ keywords: 'ΣΤΟΠ, «ΒΑ», C, C++, ?, 24/7' }).call(forward({ keyword }));
			expectStarted(answer);
			expect(items(answer)![0]).toEqual([expect.objectContaining({ keyword, matchedKeyword })]);
		},
	);

	it.each(['ΣΤ-ΟΠ', 'C+', 'C!', '!', '??', '247', '👍'])(
		'do not accept the word %j: punctuation counts if it stands inside a word, if it is the whole word, or if it distinguishes two keywords (C and C++)',
		async (keyword) => {
			const node = trigger({ keywords: 'ΣΤΟΠ, «ΒΑ», C, C++, ?, 24/7' });
			expectRefusal(await node.call(forward({ keyword })), 200, 'UNKNOWN_KEYWORD');
		},
	);

	it.each(['ΒΑΘ', 'Β', 'ΒΑ ΒΑ', 'ΒΑ,Βαθμός', 'BAR', '.*', 'Γ'])(
		'do not accept %j, which is none of the keywords',
		async (keyword) => {
			expectRefusal(await trigger({ keywords: 'βα, Βαθμός' }).call(forward({ keyword })), 200, 'UNKNOWN_KEYWORD');
		},
	);

	it.each<[string, string, string, string]>([
		['a list', "={{ ['βα', 'Βαθμός'] }}", 'ΒΑ', 'βα'],
		['a text', '={{ "βα, " + "Βαθμός" }}', 'ΒΑ', 'βα'],
		['a number', '={{ 17 }}', '17', '17'],
	])('may come from an expression as %s', async (_, keywords, keyword, matchedKeyword) => {
		const answer = await trigger({ keywords }).call(forward({ keyword }));
		expectStarted(answer);
		expect(items(answer)![0]).toEqual([expect.objectContaining({ matchedKeyword })]);
		expectRefusal(await trigger({ keywords }).call(forward({ keyword: 'ΑΛΛΟ' })), 200, 'UNKNOWN_KEYWORD');
	});

	it.each([
		...['={{ null }}', '={{ undefined }}', '={{ $vars.missing }}', '={{ "" }}', '={{ " , " }}', '={{ [] }}'],
		...['={{ [null, ""] }}', '={{ { a: 1 } }}', '={{ true }}'],
	])('reject every SMS if the expression %s returns no keyword, and the log explains it', async (keywords) => {
		for (const keyword of ['ΒΑ', 'NULL', 'undefined'])
			expectRefusal(await trigger({ keywords }).call(forward({ keyword })), 500, 'INTERNAL_ERROR');
		const line =
			/^warn Node \(SMS Trigger, workflow workflow1[\w-]*\) refused a request with INTERNAL_ERROR, HTTP 500: Keywords /;
		const warnings = logLines.filter((each) => each.startsWith('warn'));
		expect(warnings).toEqual(Array(3).fill(expect.stringMatching(line)));
	});

	it.each(['', '  ', ' , ,'])('accept every SMS if the field contains %j', async (keywords) => {
		const answer = await trigger({ keywords }).call(forward({ keyword: 'ΟΤΙΔΗΠΟΤΕ' }));
		expectStarted(answer);
		expect(items(answer)![0]![0]).not.toHaveProperty('matchedKeyword');
	});
});

describe('Output for Each Keyword', () => {
	const byKeyword = (keywords: string, events = ['smsForward']) => trigger({ events, keywordOutputs: true, keywords });

	it.each([
		['ΒΑ', 0],
		['βαθμός', 1],
		['SITISI', 2],
	])('sends the keyword %s to its own output %d, and rejects another keyword', async (keyword, output) => {
		const node = byKeyword('ΒΑ; Βαθμός,\nSITISI,');
		const answer = await node.call(forward({ keyword }));
		expectStarted(answer);
		expect(answer.started?.map(({ length }) => length)).toEqual([0, 1, 2].map((each) => (each === output ? 1 : 0)));
		expect(answer.execution?.outputs[output]).toHaveLength(1);
		expectRefusal(await node.call(forward({ keyword: 'ΑΛΛΟ' })), 200, 'UNKNOWN_KEYWORD');
	});

	/* doors.test.ts tests that a workflow with such keywords cannot be published. */
	it('is an error if the keywords come from an expression', async () => {
		expectRefusal(await byKeyword('={{ "ΒΑ, Βαθμός" }}').call(forward()), 500, 'INTERNAL_ERROR');
		expect(logLines).toContainEqual(expect.stringMatching(/^warn .*: Keywords is an expression/));
	});

	it('has no effect if the trigger also receives reports, because each event has its own output', async () => {
		const answer = await byKeyword('ΒΑ, ba, Βαθμός', ['smsForward', 'deliveryReport']).call(forward());
		expectStarted(answer);
		expect(answer.started?.map(({ length }) => length)).toEqual([1, 0]);
	});
});

/* Tests the charset of a body, because the documentation of the platform does not name a charset. */

/** The fields of an incoming SMS. */
const fields = { MSISDN: '6912345678', keyword: 'ΒΑ', body: 'Ηλεκτρονική ώ΄', 'pre-shared key': KEY };
const json = (changes: object = {}) => JSON.stringify({ ...fields, 'sms-forward-id': randomUUID(), ...changes });
const types = [
	...[null, 'application/json', 'text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream'],
	...['text/plain; charset=utf-8', 'application/json; charset=UTF-8'],
];

/** Encodes Greek as windows-1253, with one byte for each letter. ISO 8859-7 has the same bytes for these letters. */
const windows1253 = (text: string) =>
	Buffer.from(
		[...text].flatMap((letter) => {
			const code = letter.codePointAt(0)!;
			if (letter === '΄') return [0xb4];
			if (letter === 'Ά') return [0xa2];
			return code < 0x80 ? [code] : [code - 0x380 + 0xb0];
		}),
	);

it.each(types)(
	'a JSON body with the content type %s is read, with or without a byte order mark',
	async (contentType) => {
		for (const mark of ['', '\ufeff']) {
			const answer = await trigger().call({ path: 'forward', contentType, body: Buffer.from(`${mark}${json()}`) });
			expectStarted(answer);
			expect(items(answer)?.[0]?.[0]).toMatchObject({ keyword: 'ΒΑ', body: fields.body });
		}
	},
);

it('a form body is read as a form: without a key it is refused for the key (401), not for its format', async () => {
	const contentType = 'application/x-www-form-urlencoded';
	expectRefusal(await trigger().call({ path: 'forward', contentType, body: 'keyword=ΒΑ' }), 401, 'INVALID_KEY');
});

const ASCII_KEY = 'psk-of-ascii-letters-91';
const ascii = { credentials: credentials(ASCII_KEY) };

it.each([null, 'application/json', 'text/plain', 'text/plain; charset=windows-1253'])(
	'a body in windows-1253 is decoded if the content type %s names no other charset',
	async (contentType) => {
		const node = trigger({ keywords: 'ΒΑ' }, {}, ascii);
		const answer = await node.call({
			path: 'forward',
			contentType,
			body: windows1253(json({ 'pre-shared key': ASCII_KEY })),
		});
		expectStarted(answer);
		expect(items(answer)?.[0]?.[0]).toMatchObject({ keyword: 'ΒΑ', matchedKeyword: 'ΒΑ', body: fields.body });
	},
);

it('a delivery report in windows-1253 is decoded', async () => {
	const body = windows1253(JSON.stringify({ serviceId: 'βαθμοί', recipient: '6912345678', status: 'DELIVRD' }));
	const query = signed('βαθμοί', 'r', { key: ASCII_KEY });
	expectStarted(await trigger({}, {}, ascii).call({ path: 'dlr', contentType: 'text/plain', query, body }));
});

describe('a request that cannot be decoded', () => {
	const withBytes = (text: string) => {
		const [before, after] = text.split('?');
		return Buffer.concat([Buffer.from(before!), Buffer.from([0xce, 0xff, 0xd2]), Buffer.from(after!)]);
	};
	const broken = (key: string) => withBytes(json({ 'pre-shared key': key, body: '?' }));

	it.each([null, 'application/json', 'text/plain', 'text/plain; charset=utf-8', 'application/json; charset=utf-8'])(
		'is rejected with HTTP 400 if its body is neither UTF-8 nor windows-1253, with the content type %s',
		async (contentType) => {
			const answer = await trigger().call({ path: 'forward', contentType, body: broken(KEY) });
			expectRefusal(answer, 400, 'INVALID_REQUEST');
			expect(answer.text).toMatch(/UTF-8/);
		},
	);

	it('is rejected because of its key if the key is also wrong', async () => {
		expectRefusal(await trigger().call({ path: 'forward', body: broken('wrong') }), 401, 'INVALID_KEY');
	});

	it('is rejected after its signature was checked if it is a report', async () => {
		const body = withBytes('{"serviceId":"grades","recipient":"6912345678","status":"ERROR","error":"?"}');
		expectRefusal(await trigger().call({ path: 'dlr', query: signed('grades', 'r'), body }), 400, 'INVALID_REQUEST');
		expectRefusal(await trigger().call({ path: 'dlr', query: { ref: 'r' }, body }), 401, 'INVALID_SIGNATURE');
	});

	it.each([
		['is too long to be parsed a second time', 'application/json', { padding: 'x'.repeat(210_000) }],
		['is declared as UTF-8', 'application/json; charset=utf-8', {}],
	])('is rejected if its body is in windows-1253 and %s', async (_, contentType, more) => {
		const body = windows1253(json({ 'pre-shared key': ASCII_KEY, ...more }));
		expectRefusal(await trigger({}, {}, ascii).call({ path: 'forward', contentType, body }), 400, 'INVALID_REQUEST');
	});

	it('is rejected if it is a query in which n8n has already replaced the unreadable bytes with �', async () => {
		const query = { MSISDN: '6912345678', keyword: '\ufffd\ufffd', 'pre-shared key': KEY };
		expectRefusal(
			await trigger({}, { httpMethod: 'GET' }).call({ path: 'forward', method: 'GET', query }),
			400,
			'INVALID_REQUEST',
		);
	});
});

it('an SMS in which the sender has typed the letter � is accepted', async () => {
	const answer = await trigger().call({ path: 'forward', body: json({ body: 'a \ufffd b' }) });
	expectStarted(answer);
	expect(items(answer)?.[0]?.[0]).toMatchObject({ body: 'a \ufffd b' });
});

describe('the field `received` of an item', () => {
	const receivedBy = async (call: Call) => {
		const answer = await trigger({}, { httpMethod: 'GET,POST,PUT' }).call(call);
		expectStarted(answer);
		return items(answer)!.flat()[0]!.received;
	};
	const asForm = (fields: object) => new URLSearchParams(fields as Record<string, string>).toString();

	it.each<[string, Partial<Call>, IDataObject]>([
		[
			'a form',
			{ contentType: 'application/x-www-form-urlencoded' },
			{ contentType: 'application/x-www-form-urlencoded' },
		],
		[
			'a form in another charset, with a further parameter',
			{ contentType: 'application/x-www-form-urlencoded; charset=ISO-8859-7; boundary=6912345678' },
			{ contentType: 'application/x-www-form-urlencoded; charset=ISO-8859-7' },
		],
		['PUT', { method: 'PUT', contentType: 'application/x-www-form-urlencoded' }, { method: 'PUT' }],
	])('has the method, the content type and the names of the fields of %s', async (_, how, expected) => {
		const { body } = report({ operator: 'EXAMPLE' });
		expect(await receivedBy({ ...report(), ...how, body: asForm(body as object) })).toMatchObject({
			...expected,
			fields: ['serviceId', 'recipient', 'status', 'operator'],
		});
	});

	it('has the field names of a GET query, and no content type', async () => {
		const query = { ...(forward().body as Record<string, string>), operator: 'EXAMPLE' };
		expect(await receivedBy({ path: 'forward', method: 'GET', query, contentType: null })).toEqual({
			method: 'GET',
			fields: ['MSISDN', 'keyword', 'body', 'pre-shared key', 'sms-forward-id', 'operator'],
		});
	});

	it('redacts a field name that may be a value: a key, a number, a whole body or a long text', async () => {
		const odd = { [KEY]: '', '306912345678': '', '{"MSISDN":"1"}': '', ['x'.repeat(41)]: '', 'from-number': '1' };
		const { fields } = (await receivedBy(forward(odd))) as { fields: string[] };
		expect(fields.toSorted()).toEqual(
			[
				'MSISDN',
				'keyword',
				'body',
				'pre-shared key',
				'sms-forward-id',
				'from-number',
				'•••',
				'•••',
				'•••',
				'•••',
			].sort(),
		);
	});

	it('has at most 30 field names', async () => {
		const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field${index}`, '']));
		expect(await receivedBy(forward(many))).toMatchObject({ fields: { length: 30 } });
	});
});

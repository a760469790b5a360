import type { IDataObject } from 'n8n-workflow';

import type { Call } from '../harness/webhook';
import {
	credentials,
	deep,
	expectRefusal,
	expectStarted,
	items,
	KEY,
	long,
	now,
	report,
	signed,
	trigger,
} from './calls';

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
				},
			],
		]);
	});

	it.each<[IDataObject, IDataObject]>([
		...['27', 27, 0].map((error): [IDataObject, IDataObject] => [
			{ status: 'ERROR', error },
			{ status: 'ERROR', delivered: false, errorCode: String(error) },
		]),
		...['PENDING', 'SENT', 'SUBMITTED', 'ACCEPTD', 'ENROUTE', ' sent '].map((status): [IDataObject, IDataObject] => [
			{ status },
			{ status, delivered: false, final: false },
		]),
		...['ERROR', 'EXPIRED', 'UNDELIV', 'REJECTD', 'READ', 'NEVER HEARD OF'].map(
			(status): [IDataObject, IDataObject] => [{ status }, { status, delivered: false, final: true }],
		),
		...['delivrd', ' DELIVRD\u200b ', 'DELIVERED', ' delivered '].map((status): [IDataObject, IDataObject] => [
			{ status },
			{ status, delivered: true, final: true },
		]),
		[{ serviceId: ' grades\n' }, { serviceId: 'grades' }],
		[{ recipient: '+30 691 234 5678' }, { recipient: '+30 691 234 5678', mobile: '6912345678' }],
		[{ status: 'DELIVRD', error: '' }, { delivered: true }],
		[{ status: 'DELIVRD', error: null }, { delivered: true }],
		[{ recipient: 6912345678 }, { recipient: '6912345678' }],
		[{ recipient: 'e.papadopoulou', extra: { deep: 1 } }, { recipient: 'e.papadopoulou' }],
	])('takes %j', async (changes, expected) => {
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
	/* What else is no signature: test/unit/signedUrl.test.ts. */
	it.each<[string, Call['query']]>([
		['no signature', {}],
		['a reference alone', { ref: 'r' }],
		['no message id', { ...good, mid: undefined as never }],
		['a wrong sig', { ...good, sig: good.sig.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')) }],
		['another reference', { ...good, ref: 'q' }],
		['an expiry in the past', signed('grades', 'r', { exp: seconds - 1 })],
		['the signature of another service', signed('exams', 'r')],
		['the signature of another key', signed('grades', 'r', { key: 'other' })],
		['two signatures', { ...good, sig: [good.sig, good.sig] }],
		['a megabyte of signature', { ...good, sig: long }],
	])('with %s is refused, signed reports wanted or not, and learns nothing but that', async (_, query) => {
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
	});

	it('is refused where its body names another service than its address', async () => {
		expectRefusal(await trigger().call(report({ serviceId: 'exams' })), 401, 'INVALID_SIGNATURE');
		expectRefusal(await trigger().call(report({ serviceId: undefined })), 401, 'INVALID_SIGNATURE');
	});

	it('is signed with the key of sends, where forwards have one of their own', async () => {
		const node = trigger({}, {}, { credentials: credentials('of sends', { forwardKey: KEY }) });
		expectStarted(await node.call(report({}, signed('grades', 'r', { key: 'of sends' }))));
		expectRefusal(await node.call(report({}, signed('grades', 'r'))), 401, 'INVALID_SIGNATURE');
	});

	it('is refused where the credential has no key, however it is signed', async () => {
		const node = trigger({}, {}, { credentials: credentials('') });
		expectRefusal(await node.call(report({}, signed('grades', 'r', { key: '' }))), 401, 'INVALID_SIGNATURE');
	});

	it.each<[string, IDataObject]>([
		['no recipient', { recipient: undefined }],
		['an object as recipient', { recipient: deep }],
		['a megabyte of recipient', { recipient: long }],
		['no status', { status: undefined }],
		['an empty status', { status: '' }],
		['a list as status', { status: ['DELIVRD'] }],
		['a megabyte of status', { status: long }],
		['an object as error', { error: {} }],
		...['recipient', 'status', 'error'].map((field): [string, IDataObject] => [
			`a NUL in ${field}`,
			{ [field]: '6\0' },
		]),
	])('with %s is malformed', async (_, changes) => {
		const answer = await trigger().call(report(changes));
		expectRefusal(answer, 400, 'INVALID_REQUEST');
		expect(answer.text).toContain(Object.keys(changes)[0]);
	});

	it('without a signature is taken where the user wants that, without a reference', async () => {
		const answer = await trigger({ acceptUnsignedReports: true }).call(report({}, {}));
		expectStarted(answer);
		expect(items(answer)?.[1]?.[0]).not.toHaveProperty('reference');
	});
});

import type { INodeParameters } from 'n8n-workflow';

import { runNode } from './harness/engine';
import { accepted, bodyOf, continuing, expectErrorItem, platform, ROW, send, withCredential } from './harness/send';

/* Tests messages that were chosen from the list without choosing the service first. */

const NONE = { __rl: true, mode: 'list', value: '' };
const chosen = (value: string, mode = 'list') => ({ __rl: true, mode, value });
const messages = 'grades/result: Ο βαθμός σας στο μάθημα {course,1} είναι {grade,2}\nothers/a/b: Καλή αρχή!';
const own = withCredential({ messages });
const nothing: INodeParameters = { replacements: '' };
const byColumns: INodeParameters = { placeholders: { mappingMode: 'autoMapInputData', value: null } };

it.each(['list', 'id'])(
	'a message that was chosen without its service is sent with the service ID and the message ID (mode %s)',
	async (mode) => {
		const posts = platform();
		const message = { serviceId: NONE, messageId: chosen('grades/result', mode) };
		const run = await runNode(send({ ...message, ...byColumns }, nothing, own), [ROW]);
		expect(run.json[0]).toMatchObject([accepted('6912345678', { text: 'Ο βαθμός σας στο μάθημα Φυσική είναι 8' })]);
		expect(bodyOf(posts[0])).toMatchObject({ serviceId: 'grades', messageId: 'result', replacements: ['Φυσική', '8'] });
	},
);

it.each<[string, INodeParameters, [string, string]]>([
	[
		'the service ID before the first slash if no service is set',
		{ serviceId: NONE, messageId: 'others/a/b' },
		['others', 'a/b'],
	],
	['the whole text as message ID if a service is set', { serviceId: 'others', messageId: 'a/b' }, ['others', 'a/b']],
	['both IDs from expressions', { serviceId: '={{ "" }}', messageId: '={{ "others/a/b" }}' }, ['others', 'a/b']],
])('a message is sent with %s', async (_, message, [serviceId, messageId]) => {
	const posts = platform(() => ({ body: { serviceId, errorCode: '', error: '' } }));
	const run = await runNode(send({ ...message, ...byColumns }, nothing, own), [ROW]);
	expect(run.json[0]).toMatchObject([{ accepted: true, serviceId, messageId, text: 'Καλή αρχή!' }]);
	expect(bodyOf(posts[0])).toMatchObject({ serviceId, messageId });
});

it('a message is recognised as the same message whether or not its service was chosen, and is sent once', async () => {
	const posts = platform();
	const rows = [ROW, { ...ROW, service: 'grades', message: 'result' }];
	const message = { serviceId: '={{ $json.service }}', messageId: '={{ $json.message ?? "grades/result" }}' };
	const run = await runNode(send({ ...message, ...byColumns, ifAlreadySent: 'skip' }, nothing, own), rows);
	expect(posts).toHaveLength(1);
	expect(run.json[0]).toMatchObject([{ accepted: true }, { skipped: true }]);
});

it.each(['result', '/result', 'grades/'])(
	'the message ID "%s" without a service is an error that advises to choose the service',
	async (id) => {
		const run = await runNode(send({ serviceId: NONE, messageId: chosen(id) }, {}, continuing), [ROW]);
		expectErrorItem(run.json[0]![0], /^Service is empty/, { outcome: 'rejected' });
		expect(run.json[0]![0]!.message).toMatch(/^Choose a service, or set Message to From List and choose a message/);
	},
);

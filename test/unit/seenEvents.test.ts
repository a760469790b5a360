import { EventEmitter } from 'node:events';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { rememberEvent } from '../../nodes/Sms/seenEvents';

/** One call to a trigger: its own copy of the static data, as n8n loads it, and a response that ends with a status. */
function call(node: string, staticData: IDataObject = {}, mode = 'webhook', respond = 'onReceived') {
	const response = Object.assign(new EventEmitter(), { statusCode: 200 });
	const context = {
		getMode: () => mode,
		getWorkflow: () => ({ id: 'workflow' }),
		getNode: () => ({ id: node }),
		getNodeParameter: () => respond,
		getWorkflowStaticData: () => staticData,
		getResponseObject: () => response,
	} as unknown as IWebhookFunctions;
	const end = (status: number) => {
		response.statusCode = status;
		response.emit('finish');
		response.emit('close');
	};
	/** The caller hangs up before the answer: Node says no `finish` then, whatever is answered later. */
	const hangUp = () => response.emit('close');
	return { context, staticData, end, hangUp };
}

describe('rememberEvent', () => {
	it('stops the same event at the same moment, before anything is stored', () => {
		const [one, two] = [call('at once'), call('at once')];
		expect(rememberEvent(one.context, 'forward 1')).toBeDefined();
		expect(rememberEvent(two.context, 'forward 1')).toBeUndefined();
		expect(rememberEvent(two.context, 'forward 2')).toBeDefined();
	});

	it('lets an event through again when its call ended badly', () => {
		const first = call('failed');
		rememberEvent(first.context, 'forward 1');
		first.end(500);
		expect(rememberEvent(call('failed').context, 'forward 1')).toBeDefined();
	});

	it('lets an event through again when its caller left before n8n had recorded it', () => {
		const first = call('left');
		rememberEvent(first.context, 'forward 1');
		first.hangUp();
		expect(rememberEvent(call('left').context, 'forward 1')).toBeDefined();
	});

	it('knows an event that was recorded before or after its caller left', () => {
		const [one, two] = [call('recorded'), call('recorded')];
		const [first, second] = [rememberEvent(one.context, 'forward 1')!, rememberEvent(two.context, 'forward 2')!];
		first.store();
		one.hangUp();
		two.hangUp();
		second.store();
		for (const key of ['forward 1', 'forward 2']) expect(rememberEvent(call('recorded').context, key)).toBeUndefined();
	});

	it('knows an event whose workflow is still at work when its caller leaves', () => {
		const first = call('at work', {}, 'webhook', 'lastNode');
		rememberEvent(first.context, 'forward 1');
		first.hangUp();
		expect(rememberEvent(call('at work', {}, 'webhook', 'lastNode').context, 'forward 1')).toBeUndefined();
	});

	it('knows another process\'s or an earlier process\'s events by the static data alone', () => {
		const first = call('stored');
		rememberEvent(first.context, 'forward 1')!.store();
		expect(rememberEvent(call('another node', first.staticData).context, 'forward 1')).toBeUndefined();
	});

	it('stores what other calls have answered meanwhile, so that none overwrites the other', () => {
		const [one, two] = [call('merged'), call('merged')];
		const first = rememberEvent(one.context, 'forward 1')!;
		const second = rememberEvent(two.context, 'forward 2')!;
		first.store();
		one.end(200);
		second.store();
		for (const key of ['forward 1', 'forward 2']) {
			expect(rememberEvent(call('merged elsewhere', two.staticData).context, key)).toBeUndefined();
		}
	});

	it('stores the last 500 events, as hashes', () => {
		let staticData: IDataObject = {};
		for (let i = 0; i < 600; i++) {
			const each = call('bounded', structuredClone(staticData));
			rememberEvent(each.context, `forward secret-${i}`)!.store();
			each.end(200);
			({ staticData } = each);
		}
		expect(staticData.seen).toHaveLength(500);
		expect(JSON.stringify(staticData)).not.toContain('secret');
		const elsewhere = (key: string) => rememberEvent(call(`bounded ${key}`, structuredClone(staticData)).context, key);
		expect(elsewhere('forward secret-599')).toBeUndefined();
		expect(elsewhere('forward secret-0')).toBeDefined();
	});

	it('is bounded in memory too', () => {
		for (let i = 0; i < 10_001; i++) rememberEvent(call('crowded').context, `forward ${i}`);
		expect(rememberEvent(call('crowded').context, 'forward 10000')).toBeUndefined();
		expect(rememberEvent(call('crowded').context, 'forward 0')).toBeDefined();
	});

	it('remembers nothing while somebody tests in the editor', () => {
		const staticData = {};
		rememberEvent(call('manual', staticData, 'manual').context, 'forward 1')!.store();
		expect(rememberEvent(call('manual', staticData, 'manual').context, 'forward 1')).toBeDefined();
		expect(staticData).toEqual({});
	});
});

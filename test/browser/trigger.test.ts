import { eventually } from './browser';
import { named, useEditor } from './editor';

/** Tests the panel of SMS Trigger: its URLs, and a message that arrives while it listens. */
const editor = useEditor();

const open = async (events: string[]) => {
	const node = {
		...named('SMS Trigger', editor.world.node('smsTrigger', { events })),
		webhookId: `panel-${events.join('-')}`,
	};
	await editor.open({ name: 'addresses', nodes: [node], connections: {}, settings: {} });
	await editor.openNode('SMS Trigger');
	await editor.openAddresses();
};
const address = (ending: string) => editor.page.getByText(new RegExp(`^http.*/${ending}$`)).filter({ visible: true });
const addressOf = async (ending: string) => (await address(ending).innerText()).trim();

test('the panel of SMS Trigger shows both Production URLs with their purpose', async () => {
	await open(['smsForward', 'deliveryReport']);
	await editor.page.getByText('Production URL', { exact: true }).click();

	const path = `${editor.world.n8n.url}/webhook/panel-smsForward-deliveryReport`;
	expect(await addressOf('forward')).toBe(`${path}/forward`);
	expect(await addressOf('dlr')).toBe(`${path}/dlr`);
	await editor.page.getByText(/ends in \/forward\. Give this URL and your keywords to the operator/).waitFor();
	await editor.page.getByText(/is empty, copy the Production URL that ends in \/dlr into that field/).waitFor();
});

test.each([
	['smsForward', 'forward', 'dlr'],
	['deliveryReport', 'dlr', 'forward'],
])('the panel of SMS Trigger shows with only the event %s only the URL of this event', async (event, shown, hidden) => {
	await open([event]);
	// The panel of the previous workflow may be visible for a moment.
	await address(`panel-${event}/${shown}`).waitFor();
	await eventually(async () => expect(await address(hidden).count()).toBe(0));
});

test('SMS Trigger listens at its Test URL in the editor, and shows the received message', async () => {
	await open(['smsForward']);
	// The sandbox has the Production URL, and derives the Test URL for a test message.
	editor.world.sandbox.settings.forwardUrl = (await addressOf('forward')).replace('/webhook-test/', '/webhook/');
	await editor.page.getByText(/^To try this trigger, press Execute step/).waitFor();
	await editor.window.picture('trigger form');
	await editor.execute();
	await editor.page.getByText('Listening for test event').waitFor();
	// The node's text about the expected event is on the canvas behind the panel. The panel shows only a general text of n8n.
	await editor.page
		.getByText(/to the Test URL/)
		.first()
		.waitFor();
	await editor.window.picture('trigger listens');
	const answer = await editor.world.sandbox.forward('6900000004', 'ΒΑ Φυσική', true);

	expect(answer).toMatchObject({ status: 200, answer: { result: '0' } });
	await editor.output.getByText('6900000004').first().waitFor();
	await editor.output.getByText('Φυσική').first().waitFor();
});

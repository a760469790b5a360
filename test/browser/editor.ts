import type { INode } from 'n8n-workflow';
import type { Locator, Page } from 'playwright-core';
import { owner, type WorkflowFile } from '../e2e/n8n';
import { withRows } from '../e2e/workflows';
import { useWorld, type World } from '../e2e/world';
import { eventually, useWindow, type Window } from './browser';

/** The first words of the nodes' descriptions, which the panel shows. */
const descriptions = {
	AMKA: 'Check an AMKA',
	'SMS Send': 'Send a predefined SMS',
	'SMS Results': 'See who got your messages',
	'SMS Code': 'Confirm that a person has access to a mobile number',
	'SMS Trigger': 'Starts the workflow when someone texts',
} as const;
export type NodeName = keyof typeof descriptions;

/** Uses the editor of a real n8n as a person does: it reads, clicks, drags and types. */
export class Editor {
	/**
	 * The actions that built and ran a workflow, as texts. These are actions: importing a file, adding a node or a field, choosing,
	 * typing or pasting a value, using a switch, saving a credential, running and publishing. Changing between the canvas and a form
	 * is not counted.
	 */
	actions: string[] = [];
	/** The name of the node that was opened last. */
	private opened = '';
	private isAtSaved = false;

	constructor(
		readonly world: World,
		readonly window: Window,
	) {}

	get page(): Page {
		return this.window.page;
	}

	/** The actions on nodes of this package: adding a node, filling in its form, and pressing its button. */
	get ownActions(): string[] {
		return this.actions.filter((action) => Object.keys(descriptions).some((node) => action.startsWith(node)));
	}

	/** Records an action on the node that was opened last. */
	private record(action: string): void {
		this.actions.push(`${this.opened}: ${action}`);
	}

	/** Finds an element by n8n's test ID. */
	part(id: string, within: Page | Locator = this.page): Locator {
		return within.locator(`[data-test-id="${id}"]`);
	}

	async signIn(): Promise<void> {
		await this.page.goto(`${this.world.n8n.url}/signin`);
		await this.page.locator('input[name="emailOrLdapLoginId"]').fill(owner.email);
		await this.page.locator('input[type="password"]').fill(owner.password);
		await this.page.getByRole('button', { name: 'Sign in' }).click();
		await this.page.waitForURL((url) => !url.pathname.includes('signin'));
	}

	// Canvas

	async openNew(): Promise<void> {
		this.isAtSaved = false;
		await this.page.goto(`${this.world.n8n.url}/workflow/new`);
		await this.part('canvas-plus-button').waitFor();
	}

	/**
	 * Saves a workflow and opens it. If possible, the editor stays loaded between workflows, because loading it again takes ten
	 * times as long. Sometimes the editor returns to the previous workflow, because it updates its address late. Then it is loaded
	 * again.
	 * @returns the ID of the workflow
	 */
	async open(workflow: WorkflowFile): Promise<string> {
		const id = await this.world.n8n.addWorkflow(workflow);
		const node = this.page.locator(`.vue-flow__node[data-id="${workflow.nodes[0]!.id}"]`);
		const load = async () => await this.page.goto(`${this.world.n8n.url}/workflow/${id}`);
		if (this.isAtSaved && (await this.isIdle())) {
			await this.leave();
			// The response shows that the new workflow is open: an example that is opened again has nodes with the same IDs.
			const isIt = (response: { url(): string }) => response.url().includes(`/workflows/${id}`);
			const loaded = this.page.waitForResponse(isIt, { timeout: 5000 }).catch(() => undefined);
			await this.goTo(`/workflow/${id}`);
			await loaded;
			await node.waitFor({ timeout: 5000 }).catch(load);
		} else await load();
		this.isAtSaved = true;
		await node.waitFor();
		return id;
	}

	/**
	 * Returns whether no node is open, or the button of the open node is ready, so that its run has ended. The editor would show the
	 * end of a run in the workflow that is opened next.
	 */
	private async isIdle(): Promise<boolean> {
		if (!(await this.part('ndv').isVisible())) return true;
		const button = this.part('node-execute-button').first();
		return await button.click({ trial: true, timeout: 5000 }).then(
			() => true,
			() => false,
		);
	}

	/**
	 * Goes to the list of credentials, which loads faster than the list of workflows. Changes are not saved. An open node is closed
	 * first, because the editor would keep its ID in the address.
	 */
	private async leave(): Promise<void> {
		if (await this.part('ndv').isVisible()) {
			await this.closeNode();
			await this.settle();
		}
		const list = this.page.getByRole('button', { name: 'Create credential' }).first();
		const unsaved = this.page.getByRole('button', { name: 'Leave without saving' });
		await this.goTo('/home/credentials');
		await list.or(unsaved).first().waitFor();
		if (await unsaved.isVisible()) await unsaved.click();
		await list.waitFor();
	}

	/** Goes to a path without loading the page, like the browser's Back and Forward. */
	private async goTo(path: string): Promise<void> {
		await this.page.evaluate(
			`history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate', { state: null }))`,
		);
	}

	/** Opens a workflow with these rows and one node, and then opens the node. */
	async openRowsInto(rows: Parameters<typeof withRows>[0], node: INode): Promise<void> {
		await this.open(withRows(rows, { ...node, position: [250, 0] }));
		await this.openNode(node.name);
	}

	/** Imports a file of `examples/` with the menu Import → From file. */
	async importExample(file: string): Promise<void> {
		this.actions.push(`import ${file}`);
		await this.openNew();
		await this.part('workflow-menu').click();
		await this.page.getByRole('menuitem', { name: 'Import', exact: true }).hover();
		const [chooser] = await Promise.all([
			this.page.waitForEvent('filechooser'),
			this.page.getByRole('menuitem', { name: 'From file' }).click(),
		]);
		await chooser.setFiles(`examples/${file}`);
		await this.part('canvas-node').first().waitFor();
	}

	async fit(): Promise<void> {
		await this.part('zoom-to-fit').click();
	}

	node(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	/** Opens a node by a double click on its box, because a double click on the label does not open it. */
	async openNode(name: string): Promise<void> {
		this.opened = name;
		const box = this.node(name).locator('[data-test-id="canvas-default-node"], [data-test-id="canvas-trigger-node"]');
		await this.clickUntilShown(this.part('ndv'), async (options) => await box.dblclick(options));
	}

	/**
	 * Clicks until the expected element is visible, because a new element may ignore the first click. On a busy machine the expected
	 * element may appear only after the check. Then it covers the target of the click, and the next check finds it.
	 */
	private async clickUntilShown(shown: Locator, click: (options: { timeout: number }) => Promise<void>): Promise<void> {
		await eventually(async () => {
			if (!(await shown.isVisible())) await click({ timeout: 2000 });
			await shown.waitFor({ timeout: 5000 });
		});
	}

	async closeNode(): Promise<void> {
		await this.settle();
		await this.part('ndv-close-button').click();
		await this.part('ndv').waitFor({ state: 'hidden' });
	}

	// The panel that adds nodes

	/**
	 * Adds a node: presses the plus, types a word, chooses the node and its operation. If a node of a package has no operations, n8n
	 * first shows its details, with a button to add it.
	 * @param after the node whose plus is pressed; by default the plus of the canvas
	 * @param output the output of that node, counted from 0
	 */
	async add(typed: string, node: string, operation?: string, after?: string, output = 0): Promise<void> {
		this.opened = node;
		this.record(`add${operation ? ` ${operation}` : ''}`);
		if (after === undefined) await this.openNodePanel();
		else await this.part('canvas-handle-plus', this.node(after)).nth(output).click();
		await this.search(typed);
		await this.part('item-iterator-item')
			.filter({ has: this.page.getByText(node, { exact: true }) })
			.first()
			.click();
		await (
			operation === undefined ? this.page.getByRole('button', { name: 'Add to workflow' }) : this.action(operation)
		).click();
		await this.part('ndv').waitFor();
	}

	/**
	 * Makes sure that the open node has a credential. n8n gives a new node the only credential of its type, but not while it
	 * reads the credentials, which it also does when it saves a new workflow.
	 */
	async ensureCredential(name: string): Promise<void> {
		const connect = this.part('ndv').getByRole('button', { name: /^Connect to / });
		await connect.or(this.part('node-credentials-select')).first().waitFor();
		if (!(await connect.isVisible())) return;
		const node = this.opened;
		await this.closeNode();
		await this.openNode(node);
		const item = this.page.locator('.el-select-dropdown__item').filter({ visible: true, hasText: name });
		await this.clickUntilShown(item, async (options) => await this.part('node-credentials-select').click(options));
		await item.click();
	}

	async openNodePanel(): Promise<void> {
		await this.part('canvas-plus-button').or(this.part('node-creator-plus-button')).first().click();
		await this.part('node-creator-search-bar').first().waitFor();
	}

	async search(typed: string): Promise<void> {
		await this.part('node-creator-search-bar').first().fill(typed);
	}

	/** Finds a node in the results of the search. */
	found(node: NodeName): Locator {
		return this.part('item-iterator-item').filter({ hasText: descriptions[node] }).first();
	}

	/** Finds an operation or event that the panel offers for a chosen node. */
	action(name: string): Locator {
		const literal = name.replace(/[()]/g, '\\$&');
		return this.part('item-iterator-item').filter({ hasText: new RegExp(`^\\s*${literal}\\s*$`, 'i') });
	}

	// A node's form

	/** Returns the labels of all visible fields, from top to bottom. */
	async labels(): Promise<string[]> {
		const labels = this.part('input-label', this.part('node-parameters')).filter({ visible: true });
		return (await labels.allInnerTexts()).map((text) => text.split('\n')[0]!.trim());
	}

	input(parameter: string): Locator {
		return this.part(`parameter-input-${parameter}`);
	}

	/**
	 * Replaces the text of a field of the open node or of another form. The last character is typed with a key, because date
	 * fields need that.
	 */
	async type(parameter: string, text: string, form: Page | Locator = this.page): Promise<void> {
		this.record(`type ${parameter}`);
		const field = this.part(`parameter-input-${parameter}`, form).locator('input, textarea').first();
		await field.fill(text.slice(0, -1));
		await field.press('End');
		await field.pressSequentially(text.slice(-1));
	}

	/** Replaces the content of a field with a text, inserted at once, as pasting does. n8n recognises an expression in it. */
	async paste(parameter: string, text: string): Promise<void> {
		this.record(`paste ${parameter}`);
		await this.input(parameter).locator('input, textarea, .cm-content').first().click();
		await this.page.keyboard.press('ControlOrMeta+A');
		await this.page.keyboard.insertText(text);
	}

	/** Uses the switch next to the label of a field. The switch is visible while the mouse is over the field. */
	async switchToExpression(label: string): Promise<void> {
		this.record(`switch ${label} to Expression`);
		const row = this.part('input-label').filter({ visible: true, has: this.page.getByText(label, { exact: true }) });
		await row.hover();
		await row.locator('[data-test-id="radio-button-expression"]').click();
	}

	/** Chooses an entry of an open list, which closes the list. */
	async pick(option: string): Promise<void> {
		const item = this.page.locator('.el-select-dropdown__item').filter({ visible: true });
		await item.filter({ has: this.page.getByText(option, { exact: true }) }).click();
	}

	async choose(parameter: string, option: string): Promise<void> {
		this.record(`choose ${parameter}`);
		await this.input(parameter).click();
		await this.pick(option);
	}

	/** Chooses a service or a message in the list that the node fills, by a part of its text. */
	async chooseFound(parameter: string, text: string): Promise<void> {
		this.record(`choose ${parameter}`);
		const item = this.part('rlc-item').filter({ hasText: text }).first();
		await this.clickUntilShown(item, async (options) => await this.input(parameter).click(options));
		await item.click();
		await this.part('rlc-item').first().waitFor({ state: 'hidden' });
	}

	/** Chooses the open node's credential by its name. */
	async chooseCredential(name: string): Promise<void> {
		this.record(`choose the credential ${name}`);
		const item = this.page.locator('.el-select-dropdown__item').filter({ visible: true, hasText: name });
		await this.clickUntilShown(item, async (options) => await this.part('node-credentials-select').click(options));
		await item.click();
	}

	/** Opens the form of a new credential from the open node, if n8n has no credential of that type yet. @returns the form */
	async beginCredential(): Promise<Locator> {
		await this.part('ndv')
			.getByRole('button', { name: /^Connect to / })
			.click();
		const form = this.part('credential-edit-dialog');
		await form.waitFor();
		return form;
	}

	/** Saves the open form of a credential, and closes it. The form of a new credential closes automatically. */
	async saveCredential(): Promise<void> {
		this.actions.push('save a credential');
		await this.settle();
		await this.page.getByRole('button', { name: 'Save' }).click();
		const form = this.part('credential-edit-dialog');
		await eventually(async () => {
			const close = this.page
				.locator('.el-dialog__headerbtn, [data-test-id^="dialog-close"]')
				.filter({ visible: true });
			if (await this.page.getByText('Saved', { exact: true }).isVisible()) await close.last().click({ timeout: 2000 });
			await form.waitFor({ state: 'hidden', timeout: 2000 });
		});
	}

	/** Chooses how the placeholders are filled in. */
	async chooseMapping(way: 'Map Each Column Manually' | 'Map Automatically'): Promise<void> {
		this.record('choose how placeholders are filled in');
		await this.part('mapping-mode-select').click();
		await this.page.locator('.el-select-dropdown__item').filter({ visible: true, hasText: way }).click();
	}

	async flip(parameter: string): Promise<void> {
		this.record(`flip ${parameter}`);
		await this.input(parameter).locator('.el-switch').click();
	}

	/** Drags from one place to another in small steps, like a hand. */
	async drag(from: Place, to: Place): Promise<void> {
		const { mouse } = this.page;
		await mouse.move(...from);
		await mouse.down();
		await mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 5 });
		await mouse.move(...to, { steps: 5 });
		await mouse.up();
	}

	/** Returns the entries of an open list. */
	async choices(): Promise<string[]> {
		const items = this.page.locator('.el-select-dropdown__item').filter({ visible: true });
		await items.first().waitFor();
		return (await items.allInnerTexts()).map((text) => text.trim());
	}

	async openOptions(): Promise<void> {
		// An earlier list closes with an animation. Its entries must not be read.
		await this.page.locator('.el-select-dropdown__item').filter({ visible: true }).first().waitFor({ state: 'hidden' });
		await this.part('collection-parameter-add').click();
	}

	async addOption(option: string): Promise<void> {
		await this.openOptions();
		await this.pick(option);
	}

	/** Moves the mouse to the question mark next to a label, and waits for its tooltip. */
	async seeHint(label: string, text: RegExp): Promise<void> {
		const row = this.part('input-label').filter({ visible: true, has: this.page.getByText(label, { exact: true }) });
		await row.locator('label').hover({ position: { x: 5, y: 5 } });
		await row.locator('svg[data-icon="circle-help"]').hover();
		await this.page
			.locator('.n8n-tooltip, [role="tooltip"]')
			.filter({ visible: true, hasText: text })
			.first()
			.waitFor();
	}

	/**
	 * Waits until the editor has read a field, which it does with a timer up to 200 ms after the last key. A later timer of the
	 * same page always ends after that timer, even on a slow machine.
	 */
	async settle(): Promise<void> {
		await this.page.evaluate('new Promise((rung) => setTimeout(rung, 300))');
	}

	/** Opens the section of a trigger's panel that shows its URLs. */
	async openAddresses(): Promise<void> {
		await this.part('node-parameters').getByText('Webhook URLs', { exact: true }).click();
	}

	/** Adds a field to the form of the open node, which is a form node of n8n. */
	async addFormElement(): Promise<void> {
		this.record('add form element');
		await this.page.getByText('Add Form Element').first().click();
	}

	/** Adds a field for text, with this label, to the form of the open node. */
	async addFormField(label: string): Promise<void> {
		const labels = this.part('parameter-input-fieldLabel');
		const count = await labels.count();
		await this.addFormElement();
		this.record('type fieldLabel');
		await labels.nth(count).locator('input').fill(label);
		await this.settle();
	}

	/** Sets On Error of the open node, and goes back to its form. */
	async setOnError(choice: string): Promise<void> {
		await this.part('ndv').getByText('Settings', { exact: true }).first().click();
		await this.choose('onError', choice);
		await this.part('ndv').getByText('Parameters', { exact: true }).first().click();
	}

	/** Presses the button of the open node that runs it. */
	async execute(): Promise<void> {
		this.record('execute step');
		await this.settle();
		await this.part('node-execute-button').first().click();
	}

	/** Publishes the open workflow, and waits for n8n's confirmation. */
	async publish(): Promise<void> {
		this.actions.push('publish');
		await this.page.getByRole('button', { name: 'Publish', exact: true }).first().click();
		await this.part('workflow-publish-button', this.part('workflowPublish-modal')).click();
		await this.page.getByText('Workflow published').waitFor();
		await this.page.getByRole('button', { name: 'Got it' }).click();
	}

	/** The panel of the open node that shows the items, hints and error of its run. */
	get output(): Locator {
		return this.part('output-panel');
	}

	/** Closes the notifications in the corner, because they cover other elements. */
	async closeMessages(): Promise<void> {
		const close = this.page.locator('.el-notification__closeBtn');
		while ((await close.count()) > 0) {
			await close.first().click();
			await this.page
				.locator('.el-notification')
				.first()
				.waitFor({ state: 'hidden' })
				.catch(() => undefined);
		}
	}
}

/**
 * Declares for a test file a real n8n with the package, the sandbox, and the editor in a browser in which the owner is logged in.
 * A test that changes the theme or the width sets it back. Open forms must be closed before the next workflow is opened.
 */
export function useEditor(settings?: Record<string, string>, scale?: number): Editor {
	const window = useWindow(undefined, undefined, scale);
	const editor = new Editor(useWorld(settings), window);
	beforeAll(async () => await editor.signIn(), 60_000);
	return editor;
}

type Place = [number, number];

/** Returns the centre of an element. */
export async function middle(part: Locator): Promise<Place> {
	const { x, y, width, height } = (await part.boundingBox())!;
	return [x + width / 2, y + height / 2];
}

/** Returns a node with this name. */
export const named = (name: string, node: INode): INode => ({ ...node, name });

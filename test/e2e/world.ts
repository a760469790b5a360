import { randomUUID } from 'node:crypto';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { Certificate } from '../../sandbox/certificate';
import { messageLines } from '../../sandbox/agreed';
import { startSandbox, type Sandbox } from '../../sandbox/server';
import { N8n, sharedHome } from './n8n';
import { chain, packageNode, type PackageNode } from './workflows';

/**
 * This setting makes a start of n8n a third shorter, and changes nothing else. host/environment.json makes the expression
 * engine start only when it is needed.
 */
const quickEngine = { N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true' };

/**
 * The settings of an n8n without the setting that docs/admin.md requires: such an n8n starts its expression engine for every
 * call.
 */
export const defaultEngine = {
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'false',
	N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'false',
};

/** A published workflow that begins with SMS Trigger, with the trigger's two URLs. */
export interface Published {
	id: string;
	forwardUrl: string;
	dlrUrl: string;
}

/** A real n8n with the packed package, the sandbox for both services, and a credential for each service. */
export class World {
	readonly n8n: N8n;
	sandbox!: Sandbox;
	private readonly others: Sandbox[] = [];
	private credentials!: Record<'amkaApi' | 'smsPlatformApi', { id: string; name: string }>;

	/**
	 * @param settings additional environment variables, such as `defaultEngine`; a file with settings has its own n8n, and files
	 * without settings share one n8n
	 */
	constructor(settings?: Record<string, string>) {
		const isShared = settings === undefined && sharedHome !== undefined;
		this.n8n = new N8n({ ...quickEngine, ...settings }, isShared);
	}

	async start(): Promise<void> {
		this.sandbox = await startSandbox();
		await this.n8n.installAsFirst();
		await this.n8n.start();
		this.credentials = {
			amkaApi: await this.n8n.addCredential('amkaApi', this.amkaApi(), 'AMKA (sandbox)'),
			smsPlatformApi: await this.n8n.addCredential('smsPlatformApi', this.smsPlatformApi(), 'SMS Platform (sandbox)'),
		};
	}

	/** Starts a second sandbox with its own URL for one test. */
	async anotherSandbox(certificate?: Certificate): Promise<Sandbox> {
		const sandbox = await startSandbox(0, certificate);
		this.others.push(sandbox);
		return sandbox;
	}

	async closeOthers(): Promise<void> {
		await Promise.all(this.others.splice(0).map(async (sandbox) => await sandbox.close()));
	}

	/** Returns the values of the AMKA credential. */
	amkaApi(): Record<string, string | boolean> {
		const { url, settings } = this.sandbox;
		return { baseUrl: url, apiKey: settings.apiKey, allowUnauthorizedCerts: false };
	}

	/** Returns the values of the SMS platform's credential. */
	smsPlatformApi(): Record<string, string | boolean> {
		const { url, settings } = this.sandbox;
		const { institution, preSharedKey } = settings;
		return {
			baseUrl: url,
			institution,
			preSharedKey,
			messages: messageLines().join('\n'),
			allowUnauthorizedCerts: false,
		};
	}

	/** Changes the SMS platform's credential, as its form does in the editor. */
	async changeSmsPlatform(data: Record<string, string | boolean>): Promise<void> {
		const { id, name } = this.credentials.smsPlatformApi;
		await this.n8n.rest('PATCH', `/credentials/${id}`, {
			name,
			type: 'smsPlatformApi',
			data: { ...this.smsPlatformApi(), ...data },
		});
	}

	/** Returns a node of this package with its credential. */
	node(type: PackageNode, parameters: INodeParameters): INode {
		const credential = type === 'amka' ? 'amkaApi' : 'smsPlatformApi';
		return { ...packageNode(type, parameters), credentials: { [credential]: this.credentials[credential] } };
	}

	/**
	 * Publishes a workflow that begins with SMS Trigger.
	 * @param following the nodes after its first output
	 */
	async publishTrigger(parameters: INodeParameters = {}, ...following: INode[]): Promise<Published> {
		const trigger: INode = { ...this.node('smsTrigger', parameters), webhookId: randomUUID() };
		const id = await this.n8n.addWorkflow(chain('trigger', trigger, ...following));
		await this.n8n.publish(id);
		const url = `${this.n8n.url}/webhook/${trigger.webhookId}`;
		return { id, forwardUrl: `${url}/forward`, dlrUrl: `${url}/dlr` };
	}
}

/**
 * Starts a world before the tests of a file, resets its sandbox before each test, and ends the world after the tests. Call
 * this function before the first test is declared. Call `keysStaySecret` after all tests, because its test searches
 * everything that n8n has written.
 */
export function useWorld(settings?: Record<string, string>): World {
	const world = new World(settings);
	jest.setTimeout(60_000);
	beforeAll(async () => await world.start(), 400_000);
	beforeEach(() => world.sandbox.reset());
	afterEach(async () => await world.closeOthers());
	afterAll(async () => {
		await world.sandbox?.close();
		await world.n8n.remove();
	}, 60_000);
	return world;
}

/**
 * Declares the test that no key is in n8n's database or logs. The test stops n8n, unless other test files use the same n8n.
 * @param more keys in addition to those of the sandbox
 */
export function keysStaySecret(world: World, ...more: string[]): void {
	test("no key is in n8n's database or logs after these tests", async () => {
		const { apiKey, preSharedKey } = world.sandbox.settings;
		const keys = [apiKey, preSharedKey, ...more];
		expect(await world.n8n.leaks(keys)).toEqual([]);
		if (world.n8n.isShared) return;
		await world.n8n.stop();
		expect(await world.n8n.leaks(keys)).toEqual([]);
	});
}

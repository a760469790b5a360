import { DataDeduplicationService } from 'n8n-core';
import {
	ICredentialsHelper,
	isExpression,
	NodeHelpers,
	type DeduplicationItemTypes,
	type DeduplicationScope,
	type ICheckProcessedContextData,
	type ICheckProcessedOptions,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IDataDeduplicator,
	type IHttpRequestOptions,
	type INodeParameters,
	type INodeProperties,
} from 'n8n-workflow';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { notProvided } from '../../strict';

/* Simulates the parts of n8n's database that nodes use, processed keys and credentials, in the same way as n8n's own code. */

/**
 * Stores processed keys as n8n does, but in a map instead of the database. Depending on the scope, each workflow or each
 * node has its own list of hashes. The keys of a call are not compared with each other. If a list has more than
 * `maxEntries` entries, the oldest are deleted.
 */
class ProcessedKeys implements IDataDeduplicator {
	private readonly lists = new Map<string, string[]>();

	/** The number of calls that read or write a list. For each of them n8n may write the whole list again. */
	calls = 0;

	/** The number of entries in all lists together. */
	get entries(): number {
		return [...this.lists.values()].reduce((sum, list) => sum + list.length, 0);
	}

	clear() {
		this.lists.clear();
		this.calls = 0;
	}

	private open(scope: DeduplicationScope, context: ICheckProcessedContextData, options: ICheckProcessedOptions) {
		if (options.mode !== 'entries') notProvided(`deduplication mode "${options.mode}"`);
		if (scope === 'node' && !context.node) throw new Error('Scope "node" without a node');
		this.calls++;
		return `${context.workflow.id}|${scope === 'node' ? `n:${context.node?.id}` : ''}`;
	}

	/** Returns a copy. As in n8n, entries that other calls write before the copy is written back are lost. */
	private async read(key: string): Promise<string[] | undefined> {
		const list = this.lists.get(key)?.slice();
		await sleep(2);
		return list;
	}

	private static hash(value: DeduplicationItemTypes) {
		return createHash('md5').update(value.toString()).digest('base64');
	}

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		options: ICheckProcessedOptions,
	) {
		const key = this.open(scope, context, options);
		const hashes = items.map(ProcessedKeys.hash);
		const list = await this.read(key);
		const drop = (all: string[]) => (options.maxEntries ? all.splice(0, all.length - options.maxEntries) : []);
		if (!list) {
			if (this.lists.has(key)) throw new Error('SQLITE_CONSTRAINT: UNIQUE constraint failed: processed_data.context');
			drop(hashes);
			this.lists.set(key, hashes);
			return { new: items, processed: [] };
		}
		const known = new Set(list);
		const isNew = hashes.map((hash) => !known.has(hash));
		list.push(...hashes.filter((_, index) => isNew[index]));
		drop(list);
		this.lists.set(key, list);
		return {
			new: items.filter((_, index) => isNew[index]),
			processed: items.filter((_, index) => !isNew[index]),
		};
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		options: ICheckProcessedOptions,
	) {
		const key = this.open(scope, context, options);
		const list = await this.read(key);
		if (!list) return;
		// If a key is stored twice, because one call recorded it twice, only one of the two is removed.
		for (const item of items) {
			const index = list.indexOf(ProcessedKeys.hash(item));
			if (index !== -1) list.splice(index, 1);
		}
		this.lists.set(key, list);
	}

	async clearAllProcessedItems(): Promise<void> {
		notProvided('clearAllProcessedItems');
	}

	async getProcessedDataCount(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		options: ICheckProcessedOptions,
	) {
		return this.lists.get(this.open(scope, context, options))?.length ?? 0;
	}
}
export const processed = new ProcessedKeys();

beforeAll(async () => {
	// The test files of a jest worker share n8n, but each has its own processed keys.
	Object.assign(DataDeduplicationService, { instance: undefined });
	await DataDeduplicationService.init(processed);
});
beforeEach(() => processed.clear());

/** Each source file is loaded at its first use, so that a broken file fails only its own tests. */
const credentialSources: Record<string, () => ICredentialType> = {
	amkaApi: () => new (require('../../../credentials/AmkaApi.credentials').AmkaApi)(),
	smsPlatformApi: () => new (require('../../../credentials/SmsPlatformApi.credentials').SmsPlatformApi)(),
};

/** The decrypted values of each credential type. If there is an Error instead of values, reading the credential throws it. */
export type CredentialValues = Record<string, ICredentialDataDecryptedObject | Error>;

/** n8n's credentials helper, with values of the test instead of the database. */
export class Credentials extends ICredentialsHelper {
	/** The type of the credential of each decryption. */
	readonly decryptions: string[] = [];

	constructor(private readonly values: CredentialValues) {
		super();
	}

	private type(name: string): ICredentialType {
		const type = (credentialSources[name] ?? (() => notProvided(`the credential type "${name}"`)))();
		if (type.extends || type.preAuthentication) notProvided('credential types that extend others or ask for tokens');
		return type;
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode() {
		return true;
	}

	getCredentialsProperties(name: string): INodeProperties[] {
		return this.type(name).properties;
	}

	async getDecrypted(
		...[, nodeCredentials, type]: Parameters<ICredentialsHelper['getDecrypted']>
	): Promise<ICredentialDataDecryptedObject> {
		this.decryptions.push(type);
		const values = this.values[type];
		if (values === undefined) notProvided(`values for the credential "${type}"`);
		if (values instanceof Error) throw values;
		if (nodeCredentials.id !== type) throw new Error(`Wrong credential id ${nodeCredentials.id}`);
		if (Object.values(values).some(isExpression)) notProvided('expressions in credentials');
		const properties = this.getCredentialsProperties(type);
		const typed = values as INodeParameters;
		const filled = NodeHelpers.getNodeParameters(properties, typed, true, false, null, null);
		return filled as ICredentialDataDecryptedObject;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.type(typeName);
		if (typeof authenticate !== 'function') return notProvided('authentication by an object');
		return await authenticate(credentials, requestOptions);
	}

	// n8n needs preAuthentication and runPreAuthentication only for tokens that expire. But because they exist, n8n-core
	// repeats a request after a 401.
	async preAuthentication() {
		return undefined;
	}

	async runPreAuthentication() {
		return undefined;
	}

	readonly getCredentials = async () => notProvided('credentialsHelper.getCredentials');
	readonly updateCredentials = async () => notProvided('credentialsHelper.updateCredentials');
	readonly updateCredentialsOauthTokenData = async () =>
		notProvided('credentialsHelper.updateCredentialsOauthTokenData');
}

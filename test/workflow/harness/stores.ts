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

/* Simulates n8n's database for nodes: processed keys and credentials. Modelled on n8n's own code. */

/**
 * n8n's memory of processed keys, in a map instead of its database: one list of hashes per workflow and node,
 * keys inside one call not compared with each other when the list is new, the oldest dropped over `maxEntries`.
 */
class ProcessedKeys implements IDataDeduplicator {
	private readonly lists = new Map<string, string[]>();

	/** How often the list was read or written: each costs n8n a rewrite of the whole list. */
	calls = 0;

	/** How many entries all lists have. */
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

	/** Returns a copy. As in n8n, it does not contain what others write before it is written back. */
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
		// A key that is stored twice, because one call recorded it twice, loses one of the two.
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
	// The test files of a worker share n8n, and each has its own memory.
	Object.assign(DataDeduplicationService, { instance: undefined });
	await DataDeduplicationService.init(processed);
});
beforeEach(() => processed.clear());

/** Sources are read when first used, so that one broken file fails its own tests only. */
const credentialSources: Record<string, () => ICredentialType> = {
	amkaApi: () => new (require('../../../credentials/AmkaApi.credentials').AmkaApi)(),
	smsPlatformApi: () => new (require('../../../credentials/SmsPlatformApi.credentials').SmsPlatformApi)(),
};

/** Decrypted values per credential type; an Error in place of values is what the store throws when it is read. */
export type CredentialValues = Record<string, ICredentialDataDecryptedObject | Error>;

/** n8n's credentials helper, with the values of the test in place of its database. */
export class Credentials extends ICredentialsHelper {
	/** Names of the types, one entry for every decryption. */
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

	// n8n has these for expiring tokens only, but because they are there, a 401 makes n8n-core send the request again.
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

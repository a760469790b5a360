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
	type INode,
	type INodeParameters,
	type INodeProperties,
	type Workflow,
} from 'n8n-workflow';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { notProvided } from '../../strict';

/* What n8n keeps in its database for nodes: processed keys and credentials. Played after n8n's own code. */

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

	/** A copy, as n8n has it until it writes it back: what others write meanwhile is not in it. */
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
		// A key that stands there twice, because one call brought it twice, loses one of the two.
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

beforeAll(async () => await DataDeduplicationService.init(processed));
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

	constructor(
		private readonly values: CredentialValues,
		private readonly types: ICredentialType[],
	) {
		super();
	}

	private type(name: string): ICredentialType {
		const own = this.types.find((type) => type.name === name);
		return own ?? (credentialSources[name] ?? (() => notProvided(`the credential type "${name}"`)))();
	}

	getParentTypes(name: string): string[] {
		return this.type(name).extends ?? [];
	}

	isCredentialUsableByNode() {
		return true;
	}

	getCredentialsProperties(name: string): INodeProperties[] {
		const { properties, extends: parents } = this.type(name);
		if (parents?.length) notProvided('credential types that extend others');
		return properties;
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
		return NodeHelpers.getNodeParameters(
			this.getCredentialsProperties(type),
			values as INodeParameters,
			true,
			false,
			null,
			null,
		) as ICredentialDataDecryptedObject;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions,
		workflow?: Workflow,
		node?: INode,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.type(typeName);
		if (authenticate === undefined) return requestOptions;
		if (typeof authenticate === 'function') return await authenticate(credentials, requestOptions);
		if (!workflow || !node) throw new Error('Workflow and node are required');
		const resolve = (text: string) => {
			if (!isExpression(text)) return text;
			const value = workflow.expression.getSimpleParameterValue(
				node,
				text,
				'internal',
				{ $credentials: credentials } as never,
				undefined,
				'',
			);
			return value ? value.toString() : '';
		};
		const options = requestOptions as unknown as Record<string, Record<string, unknown>>;
		options.headers ??= {};
		for (const [part, entries] of Object.entries(authenticate.properties)) {
			for (const [key, value] of Object.entries(entries as Record<string, string>)) {
				(options[part] ??= {})[resolve(key)] = resolve(value);
			}
		}
		return requestOptions;
	}

	// n8n has this for expiring tokens only, but because it is there, a 401 makes n8n-core send the request again.
	async preAuthentication(...[, , typeName]: Parameters<ICredentialsHelper['preAuthentication']>) {
		if (this.type(typeName).preAuthentication) notProvided('preAuthentication');
		return undefined;
	}

	async runPreAuthentication(...[, , typeName]: Parameters<ICredentialsHelper['runPreAuthentication']>) {
		if (this.type(typeName).preAuthentication) notProvided('preAuthentication');
		return undefined;
	}

	async getCredentials(): Promise<never> {
		return notProvided('credentialsHelper.getCredentials');
	}

	async updateCredentials(): Promise<never> {
		return notProvided('credentialsHelper.updateCredentials');
	}

	async updateCredentialsOauthTokenData(): Promise<never> {
		return notProvided('credentialsHelper.updateCredentialsOauthTokenData');
	}
}

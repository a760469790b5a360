import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { credentialOnce } from '../shared/credentialOnce';
import { nodeError } from '../shared/errors';
import { readWholeNumber, runRows } from '../shared/runRows';
import { checkNumber } from './checkNumber';
import { amkaApiTest } from './credentialTest';
import { properties } from './descriptions';
import { validate } from './validate';

export class Amka implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'AMKA',
		name: 'amka',
		icon: { light: 'file:../../icons/amka.svg', dark: 'file:../../icons/amka.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] === "checkNumber" ? "check number offline" : "validate against the registry" }}',
		description: 'Check an AMKA (Greek social security number) and the person it belongs to',
		defaults: { name: 'AMKA' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'amkaApi',
				required: true,
				testedBy: 'amkaApiTest',
				displayOptions: { show: { operation: ['validate'] } },
			},
		],
		properties,
	};

	methods = { credentialTest: { amkaApiTest } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const credential = credentialOnce(this, 'amkaApi');
		const operation = this.getNodeParameter('operation', 0) as string;

		const { items, failures } = await runRows(
			this,
			() => {
				const { concurrency } = this.getNodeParameter('options', 0, {}) as { concurrency?: unknown };
				return readWholeNumber(concurrency, 'Concurrency', 5, 1, 50);
			},
			async (itemIndex) =>
				operation === 'checkNumber' ? checkNumber(this, itemIndex) : await validate(this, itemIndex, credential),
		);
		const [failure] = failures;
		if (failure !== undefined) throw nodeError(this.getNode(), failure.problem, failure.itemIndex);
		return [items];
	}
}

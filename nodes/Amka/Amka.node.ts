import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { runNode } from '../../lib/n8n/node';
import { checkItems } from './checkItems';
import { mapComparedFields } from './comparedFields';
import { amkaApiTest } from './credentialTest';
import { asksRegistry, properties } from './properties';

export class Amka implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'AMKA',
		name: 'amka',
		icon: { light: 'file:../../icons/amka.svg', dark: 'file:../../icons/amka.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle:
			'={{ ({ checkNumber: "check number offline", compare: "compare with the registry" })[$parameter["operation"]] ?? "validate against the registry" }}',
		description: 'Check an AMKA (Greek social security number) and the person it belongs to',
		defaults: { name: 'AMKA' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: `={{ String($parameter["splitByResult"]) !== "true" || ($parameter["operation"] === "compare" && $parameter["compareOutput"] === "sheet")
			? ["${NodeConnectionTypes.Main}"]
			: ({ checkNumber: ["Valid", "Not Valid"], compare: ["Agrees", "Does Not Agree"] }[$parameter["operation"]] ?? ["Matched", "Not Matched"])
				.map((displayName) => ({ type: "${NodeConnectionTypes.Main}", displayName })) }}`,
		credentials: [{ name: 'amkaApi', required: true, testedBy: 'amkaApiTest', displayOptions: asksRegistry }],
		properties,
	};

	methods = { credentialTest: { amkaApiTest }, resourceMapping: { mapComparedFields } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runNode(this, async () => await checkItems(this));
	}
}

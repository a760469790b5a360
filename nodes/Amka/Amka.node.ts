import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { failuresOf, runRows } from '../shared/pool';
import { nodeError } from '../shared/problem';
import { openProgress } from '../shared/progress';
import { checkNumber } from './checkNumber';
import { amkaApiTest } from './credentialTest';
import { splitByResult } from './outputs';
import { properties } from './parameters';
import { readRunSettings } from './runSettings';
import { addSummary, withSummary } from './summary';
import { openLookup, validate } from './validate';

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
		outputs: `={{ String($parameter["splitByResult"]) !== "true"
			? ["${NodeConnectionTypes.Main}"]
			: ($parameter["operation"] === "checkNumber" ? ["Valid", "Not Valid"] : ["Matched", "Not Matched"])
				.map((displayName) => ({ type: "${NodeConnectionTypes.Main}", displayName })) }}`,
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
		const settings = readRunSettings(this);
		const lookup = openLookup(this);
		const progress = openProgress(this, 'AMKA');
		const run = await runRows(this, () => {
			if (settings.problem !== undefined) throw settings.problem;
			return {
				places: settings.concurrency,
				work: async (itemIndex) => {
					try {
						return settings.operation === 'checkNumber' ? checkNumber(this, itemIndex) : await validate(this, itemIndex, lookup);
					} finally {
						progress();
					}
				},
			};
		});

		const [failure] = failuresOf(run);
		if (failure !== undefined && !this.continueOnFail()) {
			throw nodeError(this.getNode(), withSummary(failure[1], run, settings.operation), failure[0]);
		}
		if (failure === undefined) lookup.ledger?.close();
		addSummary(this, run, settings.operation);
		return splitByResult(this, run, settings);
	}
}

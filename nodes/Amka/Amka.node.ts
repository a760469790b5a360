import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { failuresOf, runRows } from '../shared/pool';
import { asProblem, nodeError } from '../shared/problem';
import { openProgress } from '../shared/progress';
import { openAhead } from './ahead';
import { checkNumber } from './checkNumber';
import { compare } from './compare';
import { amkaApiTest } from './credentialTest';
import { openLookup, type Question } from './lookup';
import { mapComparedFields } from './mapping';
import { amkaProblem, splitByResult } from './outputs';
import { properties } from './parameters';
import { readRunSettings } from './runSettings';
import { addSummary, withSummary } from './summary';
import { validate } from './validate';

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
		outputs: `={{ String($parameter["splitByResult"]) !== "true"
			? ["${NodeConnectionTypes.Main}"]
			: ({ checkNumber: ["Valid", "Not Valid"], compare: ["Agrees", "Does Not Agree"] }[$parameter["operation"]] ?? ["Matched", "Not Matched"])
				.map((displayName) => ({ type: "${NodeConnectionTypes.Main}", displayName })) }}`,
		credentials: [
			{
				name: 'amkaApi',
				required: true,
				testedBy: 'amkaApiTest',
				displayOptions: { show: { operation: ['validate', 'compare'] } },
			},
		],
		properties,
	};

	methods = { credentialTest: { amkaApiTest }, resourceMapping: { mapComparedFields } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const settings = readRunSettings(this);
		const lookup = openLookup(this);
		const progress = openProgress(this, 'AMKA');
		const run = await runRows(this, () => {
			if (settings.problem !== undefined) throw amkaProblem(settings.problem);
			const questionAt = openAhead(this.getInputData().length, settings.concurrency, (itemIndex): Question => {
				switch (settings.operation) {
					case 'validate':
						return validate(this, itemIndex, lookup);
					case 'compare':
						return compare(this, itemIndex, lookup);
					case 'checkNumber': {
						const item = checkNumber(this, itemIndex);
						return async () => item;
					}
				}
			});
			return {
				places: settings.concurrency,
				work: async (itemIndex) => {
					try {
						return await questionAt(itemIndex)();
					} catch (error) {
						throw amkaProblem(asProblem(error));
					} finally {
						progress();
					}
				},
			};
		});

		const [failure] = failuresOf(run);
		if (failure !== undefined && !this.continueOnFail()) {
			throw nodeError(this.getNode(), withSummary(this, failure[1], run, settings.operation), failure[0]);
		}
		if (failure === undefined) lookup.ledger?.close();
		addSummary(this, run, settings.operation);
		return splitByResult(this, run, settings);
	}
}

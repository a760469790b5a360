import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { failuresOf, runRows, openProgress } from '../shared/pool';
import { asProblem, nodeError, Problem } from '../shared/problem';
import { checkAmkaNumber } from './amkaNumber';
import { compare } from './compare';
import { amkaApiTest } from './credentialTest';
import { openLookup, type Lookup } from './lookup';
import { mapComparedFields } from './mapping';
import { amkaProblem, itemsOf } from './outputs';
import { properties } from './parameters';
import { readNumber } from './person';
import { readRunSettings, type Operation } from './runSettings';
import { addSummary, withSummary } from './summary';
import { validate } from './validate';
import type { Said } from './verdict';

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
		const run = await runRows<Said>(this, () => {
			if (settings.problem !== undefined) throw amkaProblem(settings.problem);
			return {
				places: settings.concurrency,
				work: async (itemIndex) => {
					try {
						return await sayOf(this, itemIndex, settings.operation, lookup);
					} catch (error) {
						const problem = amkaProblem(asProblem(error));
						// In a sheet it is a row like the others.
						if (settings.isSheet) return problem;
						throw problem;
					} finally {
						progress();
					}
				},
			};
		});

		const [failure] = failuresOf(run);
		const isAsked = settings.isSheet && run.some((said) => said !== undefined && !(said instanceof Problem));
		if (failure !== undefined && !isAsked && !this.continueOnFail()) {
			throw nodeError(this.getNode(), withSummary(this, failure[1], run, settings.operation), failure[0]);
		}
		if (failure === undefined) lookup.ledger?.close();
		addSummary(this, run, settings.operation);
		return itemsOf(this, run, isAsked ? settings : { ...settings, isSheet: false });
	}
}

/** What is said of one row. @throws Problem where the row has a fault, or the registry could not be asked */
async function sayOf(
	context: IExecuteFunctions,
	itemIndex: number,
	operation: Operation,
	lookup: Lookup,
): Promise<Said> {
	switch (operation) {
		case 'validate':
			return await validate(context, itemIndex, lookup)();
		case 'compare':
			return (await compare(context, itemIndex, lookup)()) as Said<object> as Said;
		case 'checkNumber': {
			// An empty value is an answer here, not an error: a sheet with gaps is what this operation is used on.
			const check = checkAmkaNumber(readNumber(context, itemIndex));
			if (check.valid) return { item: { ...check }, isYes: true, isMatched: false };
			const reason = check.ssn === '' ? 'emptyNumber' : check.reason;
			return { item: { ...check }, isYes: false, isMatched: false, why: { reason, about: { value: check.ssn } } };
		}
	}
}

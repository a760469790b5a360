import { NodeOperationError } from 'n8n-workflow';
import type { IHookFunctions, INodeOutputConfiguration, INodeParameters } from 'n8n-workflow';

import { foldForComparison, withoutPunctuation } from '../../lib/greek/letters';
import { invalidParameter, Problem, toResult } from '../../lib/texts/problem';
import { readList } from '../../lib/n8n/parameters';
import { readGuardingList, type Context } from './properties';

/**
 * Reads the keywords as they were typed. Without keywords all messages start the workflow.
 * @returns `outputOf`: the output for a message with a keyword of the list, and the number of outputs
 * @throws Problem if an expression gives no keyword, or if the keywords can't have outputs
 */
export function readKeywords(context: Context) {
	if (haveOutputs(context)) {
		const list = readFixedKeywords(context);
		return { list, outputs: list.length, outputOf: (index: number) => index };
	}
	const { entries, fault } = readGuardingList(context, 'keywords', 'Keywords');
	if (fault !== undefined) {
		const rule = 'has an expression that evaluates to empty';
		throw invalidParameter('Keywords', rule, 'Correct the expression, or leave the field empty for all');
	}
	const hasReports = (context.getNodeParameter('events', []) as string[]).includes('deliveryReport');
	return { list: entries, outputs: hasReports ? 2 : 1, outputOf: () => 0 };
}

/** Returns whether each keyword has an output of its own. Together with delivery reports it can't have one. */
function haveOutputs(context: Context): boolean {
	const events = context.getNodeParameter('events', []) as string[];
	return !events.includes('deliveryReport') && context.getNodeParameter('keywordOutputs', false) === true;
}

/** Reads the typed keywords, which become the outputs. @throws Problem if they can't become outputs */
function readFixedKeywords(context: Context): string[] {
	const typed: unknown = context.getNodeParameter('keywords', '', { rawExpressions: true });
	if (typeof typed === 'string' && typed.startsWith('=')) {
		const rule = "is an expression, and the outputs can't be known from one";
		throw invalidParameter('Keywords', rule, 'Type the keywords, or switch off Output for Each Keyword');
	}
	const list = readList(typed, 'Keywords');
	if (list.length === 0) {
		const todo = 'Type at least one keyword, or switch off Output for Each Keyword';
		throw invalidParameter('Keywords', 'is empty, so there is no output', todo);
	}
	const twice = list.find((keyword, i) => i !== indexOfKeyword(list, keyword));
	if (twice !== undefined) {
		const rule = `has "${twice}" twice: case, accents and look-alike letters make no difference`;
		throw invalidParameter('Keywords', rule, 'Remove one of the two');
	}
	return list;
}

/**
 * Returns the index of the keyword that is the same as this one, or -1. Case, accents and look-alike letters make no
 * difference, nor does punctuation around the word, unless the word consists of nothing else, or two keywords of the list
 * differ only in it.
 */
export function indexOfKeyword(list: string[], keyword: string): number {
	const folded = list.map(foldForComparison);
	const wanted = foldForComparison(keyword);
	const index = folded.indexOf(wanted);
	const word = withoutPunctuation(wanted);
	if (index !== -1 || word === '') return index;
	const [only, ...others] = new Set(folded.filter((each) => withoutPunctuation(each) === word));
	return only === undefined || others.length > 0 ? -1 : folded.indexOf(only);
}

/**
 * Returns the outputs of a trigger with these parameters. Its source text becomes an expression that the editor evaluates, so
 * it uses only its own names.
 *
 * Without reports there is one output, or one for each keyword. With reports there are two: the first is for messages, even
 * if they are not selected. So selecting an event never connects another event to an existing node.
 */
export const triggerOutputs = (parameters: INodeParameters): INodeOutputConfiguration[] => {
	let names: string[] = [];
	try {
		const events = parameters.events as string[];
		if (events.includes('deliveryReport')) {
			names = [events.includes('smsForward') ? 'Message' : 'Not Selected', 'Report'];
		} else if (parameters.keywordOutputs === true) {
			names = (parameters.keywords as string)
				.split(/[,;\n]/)
				.map((keyword) => keyword.replace(/\p{Cf}/gu, '').trim())
				.filter((keyword) => keyword !== '');
		}
	} catch {
		// Keywords that are an expression may fail. A node without outputs could not be connected at all.
	}
	return (names.length > 0 ? names : ['Message']).map((displayName) => ({ type: 'main', displayName }));
};

const nothingToDo = async () => true;

/** Checks the keywords when n8n publishes or tests a workflow, so that a fault is shown before any request. */
export const keywordChecks = {
	default: { checkExists: checkKeywords, create: nothingToDo, delete: nothingToDo },
	setup: { checkExists: nothingToDo, create: nothingToDo, delete: nothingToDo },
};

async function checkKeywords(this: IHookFunctions): Promise<boolean> {
	const read = toResult(() => haveOutputs(this) && readFixedKeywords(this));
	if (!(read instanceof Problem)) return true;
	throw new NodeOperationError(this.getNode(), read.message, { description: read.description });
}

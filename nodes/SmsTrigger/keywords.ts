import { NodeOperationError } from 'n8n-workflow';
import type { IHookFunctions, INodeOutputConfiguration, INodeParameters } from 'n8n-workflow';

import { foldForComparison, withoutPunctuation } from '../../lib/greek/letters';
import { invalidParameter, Problem, toResult } from '../../lib/texts/problem';
import { readList } from '../../lib/n8n/parameters';
import { readGuardingList, REPORT_WEBHOOK, type Context } from './properties';

/**
 * Reads the keywords.
 * @returns `list`: the keywords, or an empty list if all messages start the workflow; `outputs`: the number of outputs;
 * `outputOf`: returns the output for the keyword at an index of `list`
 * @throws Problem if an expression gives no keyword, or if the keywords can't have outputs
 */
export function readKeywords(context: Context) {
	if (haveOutputs(context)) {
		const list = readFixedKeywords(context);
		return { list, outputs: list.length, outputOf: (index: number) => index };
	}
	const { entries, fault } = readGuardingList(context, 'keywords', 'Keywords');
	if (fault !== undefined) {
		const rule = 'has an expression that returns no value';
		throw invalidParameter('Keywords', rule, 'Correct the expression, or leave the field empty to accept all keywords');
	}
	const hasReports = (context.getNodeParameter('events', []) as string[]).includes('deliveryReport');
	return { list: entries, outputs: hasReports ? 2 : 1, outputOf: () => 0 };
}

/** Returns whether each keyword has its own output. This is not possible if the trigger also starts on delivery reports. */
function haveOutputs(context: Context): boolean {
	const events = context.getNodeParameter('events', []) as string[];
	return !events.includes('deliveryReport') && context.getNodeParameter('keywordOutputs', false) === true;
}

/** Reads the typed keywords. Each has its own output. @throws Problem if they can't have outputs */
function readFixedKeywords(context: Context): string[] {
	const typed: unknown = context.getNodeParameter('keywords', '', { rawExpressions: true });
	if (typeof typed === 'string' && typed.startsWith('=')) {
		const rule = "is an expression, so the outputs can't be known in advance";
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
 * Returns the index of the keyword in the list that is the same as this one, or -1. Case, accents and look-alike letters make no
 * difference. Punctuation around the word makes no difference either, with two exceptions: the word consists only of
 * punctuation, or two keywords in the list differ only in punctuation.
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
 * Returns the outputs of a trigger with these parameters. The source text of this function becomes an expression that the editor
 * evaluates. So the function must not use any name from outside.
 *
 * Without reports there is one output, or one for each keyword. With reports there are two outputs. The first one is for
 * messages, even if messages are not selected. So if a user selects another event, existing connections keep their event.
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
		// Keywords that are an expression may fail. Then there is one output, because a node without outputs can't be connected.
	}
	return (names.length > 0 ? names : ['Message']).map((displayName) => ({ type: 'main', displayName }));
};

const nothingToDo = async () => true;

/**
 * The functions that n8n calls when it publishes, unpublishes or tests a workflow. One of them checks the keywords, so that n8n
 * shows a fault before any request.
 */
export const keywordChecks = {
	default: { checkExists: checkKeywords, create: nothingToDo, delete: nothingToDo },
	[REPORT_WEBHOOK]: { checkExists: nothingToDo, create: nothingToDo, delete: nothingToDo },
};

async function checkKeywords(this: IHookFunctions): Promise<boolean> {
	const read = toResult(() => haveOutputs(this) && readFixedKeywords(this));
	if (!(read instanceof Problem)) return true;
	throw new NodeOperationError(this.getNode(), read.message, { description: read.description });
}

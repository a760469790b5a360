import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failEveryRow } from '../../../lib/n8n/items';
import { addWarnings, readLanguage } from '../../../lib/n8n/node';
import { getParameter, readChoice } from '../../../lib/n8n/parameters';
import type { Language } from '../../../lib/texts/notice';
import { toProblem } from '../../../lib/texts/problem';
import { ignoredHint, readItems } from '../items/readItems';
import { joinAttempts } from '../messages/join';
import { addUp, monthReader, usageItem, usageOf } from './countUsage';
import { usagePage } from './page';
import { readUsageRow } from './usageRow';

/* The operation Usage counts messages and their SMS by month and service. It sends no request. */

export function usage(context: IExecuteFunctions): INodeExecutionData[] {
	let language: Language = 'el';
	try {
		language = readLanguage(context);
		return makeItems(context, language);
	} catch (error) {
		return failEveryRow(context, toProblem(error), language)[0] ?? [];
	}
}

function makeItems(context: IExecuteFunctions, language: Language): INodeExecutionData[] {
	const output = readChoice(getParameter(context, 'usageOutput', 'Output', 0, 'items'), 'Output', ['items', 'page']);
	const inputs = context.getInputData().map(({ json }) => json);
	const counted = inputs.map((json, index) => readUsageRow(json, index));
	const facts = readItems(inputs.map((json, index) => (counted[index] === undefined ? json : {})));
	addWarnings(context, [ignoredHint(facts.ignored)]);

	// `lateAfterHours` makes no difference, because `late` and `onItsWay` are counted in the same way.
	const lateness = { now: Date.now(), lateAfterHours: 0 };
	const attempts = joinAttempts(facts.messages, facts.reports, lateness);
	const monthOf = monthReader(context.getTimezone());
	const all = addUp([
		...counted.flatMap((each) => each ?? []),
		...attempts.flatMap((attempt) => usageOf(attempt, monthOf) ?? []),
	]);
	if (output === 'items')
		return all.map((each) => ({ json: usageItem(each), pairedItem: each.items.map((item) => ({ item })) }));
	return [{ json: { html: usagePage(all, language) }, pairedItem: inputs.map((_, item) => ({ item })) }];
}

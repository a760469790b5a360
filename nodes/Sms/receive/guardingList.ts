import type { IWebhookFunctions } from 'n8n-workflow';

import { readList } from '../../shared/read';

/**
 * A list that keeps callers out, such as the IP Allowlist. Left empty it lets everybody in; an expression that gives
 * nothing must not, because then a column or a variable is missing.
 *
 * @param parameter its name in the workflow
 * @param label its name as the editor shows it
 * @returns the entries, and in words what is wrong with the parameter, where something is
 * @throws Problem where the value is no list
 */
export function readGuardingList(
	context: Pick<IWebhookFunctions, 'getNodeParameter'>,
	parameter: string,
	label: string,
): { entries: string[]; fault?: string } {
	const typed: unknown = context.getNodeParameter(parameter, '', { rawExpressions: true });
	const isExpression = typeof typed === 'string' && typed.startsWith('=');
	const entries = readList(isExpression ? context.getNodeParameter(parameter, '') : typed, label);
	const fault = isExpression && entries.length === 0 ? `The expression of ${label} gives nothing` : undefined;
	return { entries, fault };
}

import type { IWebhookFunctions } from 'n8n-workflow';

import { isNothing, readList } from '../../shared/parameter';

/**
 * A list that keeps clients out, such as the IP Allowlist. Left empty it lets everybody in; an expression that evaluates
 * to empty must not, because then a column or a variable is missing.
 *
 * @param parameter its name in the workflow
 * @param label its name as the editor shows it
 * @returns the entries, whether the field was left empty, and in words what is wrong with the parameter, where something is
 * @throws Problem where the value is no list
 */
export function readGuardingList(
	context: Pick<IWebhookFunctions, 'getNodeParameter'>,
	parameter: string,
	label: string,
): { entries: string[]; isLeftEmpty: boolean; fault?: string } {
	const typed: unknown = context.getNodeParameter(parameter, '', { rawExpressions: true });
	const isExpression = typeof typed === 'string' && typed.startsWith('=');
	const entries = readList(isExpression ? context.getNodeParameter(parameter, '') : typed, label);
	const fault = isExpression && entries.length === 0 ? `The expression of ${label} evaluates to empty` : undefined;
	return { entries, isLeftEmpty: !isExpression && isNothing(typed), fault };
}

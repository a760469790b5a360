import type { IExecuteFunctions, IGetNodeParameterOptions } from 'n8n-workflow';

import { asProblem, Problem } from './problem';

/**
 * One parameter, or one option by its path (`options.timeout`), as it comes. Read one by one, so that one whose
 * expression fails takes no other with it; the error names it.
 *
 * @param label the parameter's name as the editor shows it
 * @param fallback for an option that was not added; one whose expression gives nothing gives undefined or null
 * @throws Problem where its expression fails
 */
export function getParameter(
	context: IExecuteFunctions,
	path: string,
	label: string,
	itemIndex: number,
	fallback?: unknown,
	options?: IGetNodeParameterOptions,
): unknown {
	try {
		return context.getNodeParameter(path, itemIndex, fallback, options);
	} catch (error) {
		throw unreadable(label, error);
	}
}

function unreadable(label: string, error: unknown): Problem {
	const { message, description, details } = asProblem(error);
	return new Problem(`${label} can't be read: ${message}`, description, details);
}

import type { IExecuteFunctions } from 'n8n-workflow';

import { Problem } from './problem';

/**
 * Refuses n8n's setting Always Output Data for a node whose first output means yes: with it n8n lets an empty item out
 * there when nobody is on it.
 *
 * @param what the operation or option, as the editor shows it
 * @param output the name of the first output
 */
export function refuseAlwaysOutputData(context: IExecuteFunctions, what: string, output: string): void {
	if (context.getNode().alwaysOutputData !== true) return;
	throw new Problem(
		`Always Output Data must be off for ${what}`,
		`With it n8n routes an empty item to the output ${output} when nothing belongs there. Switch it off in the settings of this node`,
		{ outcome: 'rejected' },
	);
}

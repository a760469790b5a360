import type { INodeOutputConfiguration, INodeParameters } from 'n8n-workflow';

/**
 * The outputs of a trigger with these parameters. Its source text becomes an expression that the editor evaluates, so it
 * uses nothing from outside of itself. Two always, so that switching an event on moves no wire; or one for each keyword.
 */
export const triggerOutputs = (parameters: INodeParameters): INodeOutputConfiguration[] => {
	let names: string[] = [];
	try {
		const isForwardAlone = !(parameters.events as string[]).includes('deliveryReport');
		if (isForwardAlone && parameters.keywordOutputs === true) {
			names = String(parameters.keywords ?? '')
				.split(/[,\n]/)
				.map((keyword) => keyword.replace(/\p{Cf}/gu, '').trim())
				.filter((keyword) => keyword !== '');
		}
	} catch {
		// Keywords that are an expression may fail; without outputs the node could not be wired at all.
	}
	return (names.length > 0 ? names : ['Message', 'Report']).map((displayName) => ({ type: 'main', displayName }));
};

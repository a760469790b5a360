import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Says ten times in a run of a hundred rows or more how far it is: in n8n's log, and in the console of the browser
 * that looks at it.
 *
 * @param name the node's, such as "SMS Send"
 * @returns to be called after every row
 */
export function openProgress(context: IExecuteFunctions, name: string): () => void {
	const total = context.getInputData().length;
	let done = 0;
	return () => {
		done++;
		if (total < 100 || done % Math.ceil(total / 10) !== 0) return;
		const progress = `${name}: ${done} of ${total} rows`;
		context.logger.info(progress);
		context.sendMessageToUI(progress);
	};
}

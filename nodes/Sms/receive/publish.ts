import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { asProblem } from '../../shared/problem';
import { haveOutputs, readFixedKeywords } from './keywords';

const nothingToDo = async () => true;

/**
 * What n8n calls when a workflow is published or listens for a test. The operator of the platform registers addresses, so
 * there is nothing to create; but a fault of the keywords that no call could get past is told here, before any call.
 */
export const publishing = {
	default: {
		async checkExists(this: IHookFunctions): Promise<boolean> {
			try {
				if (haveOutputs(this)) readFixedKeywords(this);
				return true;
			} catch (error) {
				const { message, description } = asProblem(error);
				throw new NodeOperationError(this.getNode(), message, { description });
			}
		},
		create: nothingToDo,
		delete: nothingToDo,
	},
	setup: { checkExists: nothingToDo, create: nothingToDo, delete: nothingToDo },
};

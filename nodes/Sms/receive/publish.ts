import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { asProblem } from '../../shared/problem';
import { haveOutputs, readFixedKeywords } from './keywords';

const nothingToDo = async () => true;

/**
 * What n8n calls when a workflow is published or listens for a test. The operator of the platform registers URLs, so
 * there is nothing to create; but a fault of the keywords that no request could get past is told here, before any request.
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

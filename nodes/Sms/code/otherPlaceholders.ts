import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { mapPlaceholders } from '../outgoing/formLists';

/** A field for each placeholder of the chosen message but the code's own, which the node fills in. */
export async function mapOtherPlaceholders(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const mapped = await mapPlaceholders.call(this);
	if (mapped.fields.length === 0) return mapped;
	// The fields are in the order of their positions, which count from 1 without gaps.
	const position = Number(this.getCurrentNodeParameter('codePosition') ?? 1);
	const fields = mapped.fields.filter((_, index) => index !== position - 1);
	return {
		fields,
		...(fields.length === 0 && {
			emptyFieldsNotice: 'The code is the only placeholder of this message: there is nothing else to fill in.',
		}),
	};
}

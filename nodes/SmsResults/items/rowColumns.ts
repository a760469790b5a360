import type { IDataObject } from 'n8n-workflow';

import { isBlank, toText } from './cells';

/*
 * Decides which fields of an item are columns of the user's row. All fields are columns, except the fields of the node
 * itself, the name of the list, and the fields that a data table adds.
 */

/** SMS Results adds these to a row that is to be sent again, so that the new attempt is joined with the one before. */
const OF_REPEATED_ROWS = new Set(['againOf', 'serviceId', 'messageId']);
/** A data table adds all three of these. A user's list may have one of them, but is unlikely to have all three. */
const OF_DATA_TABLES = ['id', 'createdAt', 'updatedAt'];

/** The part of an item that comes from the user's row. */
interface RowPart {
	list?: string;
	againOf?: string;
	serviceId?: string;
	messageId?: string;
	/** Undefined if no column has a value. */
	columns?: IDataObject;
}

/** @param isOwn returns whether SMS Send, and not the row, has added the field */
export function readRowPart(fields: IDataObject, isOwn: (name: string) => boolean): RowPart {
	const isRepeated = !isBlank(fields.againOf);
	const isTableField = OF_DATA_TABLES.every((name) => !isBlank(fields[name]));
	const columns = Object.entries(fields).filter(
		([name, value]) =>
			!isBlank(value) &&
			!isOwn(name) &&
			name !== 'list' &&
			!(isRepeated && OF_REPEATED_ROWS.has(name)) &&
			!(isTableField && OF_DATA_TABLES.includes(name)),
	);
	return {
		list: toText(fields.list),
		...(isRepeated && {
			againOf: toText(fields.againOf),
			serviceId: toText(fields.serviceId),
			messageId: toText(fields.messageId),
		}),
		columns: columns.length === 0 ? undefined : (Object.fromEntries(columns) as IDataObject),
	};
}

import type { IDataObject } from 'n8n-workflow';

import { isBlank, toText } from './cells';

/*
 * Decides which fields of an item are columns of the user's row. All fields are columns, except the name of the list and the
 * fields that SMS Send, SMS Results or a data table adds.
 */

/**
 * Fields that SMS Results adds to a row that is sent again. They are the reference of the earlier attempt and the ids of its
 * message.
 */
const OF_REPEATED_ROWS = new Set(['againOf', 'serviceId', 'messageId']);
/** Fields that a data table adds. A user's list may have one of them, but probably not all three. */
const OF_DATA_TABLES = ['id', 'createdAt', 'updatedAt'];

/** The data of an item that come from the user's row. */
interface RowPart {
	list?: string;
	againOf?: string;
	serviceId?: string;
	messageId?: string;
	/** The columns of the row. Undefined: no column has a value. */
	columns?: IDataObject;
}

/** Reads the user's row from the fields of an item. @param isOwn returns whether SMS Send has added a field */
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

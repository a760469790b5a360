import type { IDataObject } from 'n8n-workflow';
import type { ZodError } from 'zod';

import type { RefusalCode } from './wire';

/** A call that starts nothing, and what its caller is told. */
export interface Refused {
	status: number;
	code: RefusalCode;
	reason: string;
}

/** A call that starts the workflow. Calls with the same key are one event; without a key nothing is compared. */
export interface Accepted {
	item: IDataObject;
	key: string | undefined;
}

/** The refusal of a body that breaks its schema: it names the fields and repeats none of their values. */
export function malformed(error: ZodError): Refused {
	const fields = [...new Set(error.issues.map((issue) => String(issue.path[0] ?? 'body')))];
	return { status: 400, code: 'INVALID_REQUEST', reason: `Missing or malformed: ${fields.join(', ')}` };
}

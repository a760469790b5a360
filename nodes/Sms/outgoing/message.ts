import { jsonParse, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { columnsOf } from '../../shared/columns';
import {
	getOption,
	getParameter,
	isNothing,
	readChoice,
	readFlagOption,
	readOptionalText,
	readText,
	readTextOption,
} from '../../shared/parameter';
import { badParameter } from '../../shared/problem';
import type { Platform } from '../credential';
import { findMessage, whatThereIs } from '../predefinedMessages';
import { COPY_REPORT_URL, reportUrlFault } from '../reportUrl';
import { isSignable } from '../signedUrl';
import { messageText, noReport, reference } from './parameters';
import type { Values } from './replacements';

/* What a row says of its message, in the parameters that every operation that sends has. Nothing is sent here. */

/** In UTF-16 units. */
export const LONGEST_MESSAGE_TEXT = 10_000;
export const LONGEST_REFERENCE = 256;

/**
 * Service and message, chosen from a list or given by their ids, with the text of the option Message Text, or else of the
 * credential.
 *
 * @throws Problem that names what can't be read
 */
export function readPredefined(context: IExecuteFunctions, itemIndex: number, { messages }: Platform) {
	const id = (name: string, label: string) =>
		readText(getParameter(context, name, label, itemIndex, '', { extractValue: true }), label, 200);
	const [serviceId, messageId] = [id('serviceId', 'Service'), id('messageId', 'Message')];
	const own = getOption(context, messageText, itemIndex);
	if (!isNothing(own) && (typeof own !== 'string' || own.length > LONGEST_MESSAGE_TEXT)) {
		throw badParameter('Message Text', 'must be text of at most 10,000 characters', 'Paste the predefined message');
	}
	return {
		serviceId,
		messageId,
		/** As the operator defined it, where it is known. Line breaks are part of it. */
		text: isNothing(own) ? findMessage(messages, serviceId, messageId)?.text : (own as string),
		/** Which messages of the service there are, for the error of one whose text is not known. */
		whatThereIs: () => whatThereIs(messages, serviceId),
	};
}

/** Where the values of a row come from. */
export function readValues(context: IExecuteFunctions, itemIndex: number): Values {
	const read = (path: string, label: string, fallback: unknown) =>
		getParameter(context, path, label, itemIndex, fallback);
	const name = 'Specify Replacements';
	const way = readChoice(read('specifyReplacements', name, 'placeholders'), name, ['placeholders', 'fields', 'json']);
	if (way === 'json') return { list: readJsonList(read('replacementsJson', JSON_LABEL, '[]')) };
	if (way === 'fields') {
		const { values } = (read('replacements', 'Replacements', {}) ?? {}) as { values?: Array<{ value?: unknown }> };
		return { list: (Array.isArray(values) ? values : []).map((entry) => entry?.value) };
	}
	// Not `placeholders.value`: that makes n8n check the schema that was stored, and the text decides.
	const { mappingMode, value } = (read('placeholders', 'Placeholders', {}) ?? {}) as {
		mappingMode?: string;
		value?: IDataObject | null;
	};
	if (mappingMode !== 'autoMapInputData') return { byName: value ?? {} };
	return { row: context.getInputData()[itemIndex]!.json, columns: columnsOf(context) };
}

/**
 * The node's own Delivery Report URL, or else the credential's; undefined where no report is asked for.
 *
 * @param path where it is in the node
 */
export function readDlrUrl(
	context: IExecuteFunctions,
	itemIndex: number,
	platform: Platform,
	path = 'dlrUrl',
): string | undefined {
	if (readFlagOption(context, noReport, itemIndex)) return undefined;
	const label = 'Delivery Report URL';
	const url = readOptionalText(getParameter(context, path, label, itemIndex, ''), label, 2000) ?? platform.dlrUrl;
	const fault = url === undefined ? undefined : reportUrlFault(url);
	if (fault !== undefined) throw badParameter(label, fault, COPY_REPORT_URL);
	return url;
}

/** The row's own reference for its message; undefined where the node makes one. */
export function readReference(context: IExecuteFunctions, itemIndex: number): string | undefined {
	const own = readTextOption(context, reference, itemIndex, LONGEST_REFERENCE);
	if (own !== undefined && !isSignable(own)) {
		throw badParameter('Reference', 'contains control characters', 'Use a reference of letters and digits');
	}
	// As its report brings it back.
	return own?.normalize('NFC');
}

const JSON_LABEL = 'Replacements (JSON)';

/** A list of any values: as it comes from an expression, or as JSON text. @throws Problem where it is neither */
function readJsonList(value: unknown): unknown[] {
	const list = typeof value === 'string' ? jsonParse<unknown>(value, { fallbackValue: '' }) : value;
	if (Array.isArray(list)) return list;
	throw badParameter(JSON_LABEL, 'must be a JSON list', 'Write for example ["Φυσική", "8"]');
}

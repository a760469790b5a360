import { jsonParse, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { columnsOf, isLeftEmpty } from '../n8n/columns';
import { isComposedBy } from '../values/nonValue';
import {
	getOption,
	getParameter,
	isBlank,
	readFlagOption,
	readText,
	readTextOption,
	storedParameter,
	refuseExpression,
} from '../n8n/parameters';
import { invalidParameter } from '../texts/problem';
import type { Platform } from './credential';
import { findMessage, idsOf, describeKnownMessages } from './predefinedMessages';
import { COPY_REPORT_URL, reportUrlFault } from './reportUrl';
import { dlrUrl, noReport, reference, replacements } from './properties';
import type { Values } from './replacements';

/* Reads the parameters of an item's message that several operations or nodes have. Nothing is sent here. */

/** The longest reference, in UTF-16 units. */
export const LONGEST_REFERENCE = 256;

/** Reads the ids of service and message, and finds the text in the credential. @throws Problem if an id can't be read */
export function readPredefined(context: IExecuteFunctions, itemIndex: number, { messages, faults }: Platform) {
	const given = (name: string, label: string) =>
		getParameter(context, name, label, itemIndex, '', { extractValue: true });
	const [service, message] = idsOf(given('serviceId', 'Service'), given('messageId', 'Message'));
	if (isBlank(service))
		throw invalidParameter('Service', 'is empty', 'Choose a service, or set Message to From List and choose a message');
	const id = (value: unknown, label: string) => {
		const text = readText(value, label, 200);
		refuseExpression(text, { field_el: label, field_en: label });
		return text;
	};
	const [serviceId, messageId] = [id(service, 'Service'), id(message, 'Message')];
	return {
		serviceId,
		messageId,
		/** The operator's text of the message. Undefined: the text is not known. */
		known: findMessage(messages, serviceId, messageId),
		/** Describes the messages of the credential, for the error if the text is not known. */
		describeKnownMessages: () => describeKnownMessages(messages, faults, serviceId),
	};
}

/**
 * Reads an item's values for the placeholders. They come from the option Replacements if the user added it, and otherwise from
 * the parameter Placeholders.
 */
export function readValues(context: IExecuteFunctions, itemIndex: number): Values {
	const timeZone = context.getTimezone();
	const listPath = `options.${replacements.name}`;
	if (!isLeftEmpty(context, listPath)) {
		const list = readJsonList(getOption(context, replacements, itemIndex));
		return { list, timeZone, isComposed: () => isComposedBy(storedParameter(context, listPath)) };
	}
	// The whole parameter is read. If only `placeholders.value` were read, n8n would check it by the stored schema, although the
	// current text of the message is what counts. If the form showed no placeholders, nothing is stored. Then columns are mapped
	// by their names.
	const byColumns = { mappingMode: 'autoMapInputData' };
	const { mappingMode, value } = (getParameter(context, 'placeholders', 'Placeholders', itemIndex, byColumns) ??
		{}) as { mappingMode?: string; value?: IDataObject | null };
	if (mappingMode !== 'autoMapInputData') {
		const isComposed = (placeholder = '') => {
			const mapper = storedParameter(context, 'placeholders') as { value?: IDataObject | null };
			return isComposedBy(mapper.value?.[placeholder]);
		};
		return { byName: value ?? {}, timeZone, isComposed };
	}
	const { json } = context.getInputData()[itemIndex]!;
	return { row: json, columns: columnsOf(context), timeZone, isComposed: () => false };
}

/** Returns the Delivery Report URL of the node, or otherwise that of the credential. Undefined: no report is requested. */
export function readDlrUrl(context: IExecuteFunctions, itemIndex: number, platform: Platform): string | undefined {
	if (readFlagOption(context, noReport, itemIndex)) return undefined;
	return checkDlrUrl(readTextOption(context, dlrUrl, itemIndex, 2000) ?? platform.dlrUrl);
}

/** Checks a Delivery Report URL and returns it unchanged. @throws Problem if no delivery report could arrive there */
export function checkDlrUrl(url: string | undefined): string | undefined {
	const fault = url === undefined ? undefined : reportUrlFault(url);
	if (fault !== undefined) throw invalidParameter(dlrUrl.displayName, fault, COPY_REPORT_URL);
	return url;
}

/** Reads the user's reference for the message. Undefined: the node makes one. */
export function readReference(context: IExecuteFunctions, itemIndex: number): string | undefined {
	// The delivery report returns the reference in NFC, so it is used in this form from the beginning.
	return readTextOption(context, reference, itemIndex, LONGEST_REFERENCE)?.normalize('NFC');
}

/** Reads a list of values, which may be a list from an expression or JSON text. @throws Problem if the value is neither */
function readJsonList(value: unknown): unknown[] {
	const { displayName } = replacements;
	const list = typeof value === 'string' ? jsonParse<unknown>(value, { fallbackValue: '' }) : value;
	if (Array.isArray(list)) return list;
	if (typeof value === 'string') refuseExpression(value, { field_el: displayName, field_en: displayName });
	throw invalidParameter(displayName, 'must be a JSON list', 'Enter a list such as ["Φυσική", "8"]');
}

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

/* Reads the parameters of an item's message, which every operation that sends has. Nothing is sent here. */

export const LONGEST_REFERENCE = 256;

/** Reads service and message by their ids, with the text from the credential. @throws Problem if an id can't be read */
export function readPredefined(context: IExecuteFunctions, itemIndex: number, { messages, faults }: Platform) {
	const given = (name: string, label: string) =>
		getParameter(context, name, label, itemIndex, '', { extractValue: true });
	const [service, message] = idsOf(given('serviceId', 'Service'), given('messageId', 'Message'));
	if (isBlank(service))
		throw invalidParameter('Service', 'is empty', 'Choose one, or choose the Message from its list');
	const id = (value: unknown, label: string) => {
		const text = readText(value, label, 200);
		refuseExpression(text, { field_el: label, field_en: label });
		return text;
	};
	const [serviceId, messageId] = [id(service, 'Service'), id(message, 'Message')];
	return {
		serviceId,
		messageId,
		/** The message as the operator defined it. Undefined: its text is not known. */
		known: findMessage(messages, serviceId, messageId),
		/** Lists the messages of the service, for the error if the text is not known. */
		describeKnownMessages: () => describeKnownMessages(messages, faults, serviceId),
	};
}

/** Reads an item's values for the placeholders: from the option Replacements if it was added, otherwise from the form. */
export function readValues(context: IExecuteFunctions, itemIndex: number): Values {
	const timeZone = context.getTimezone();
	const listPath = `options.${replacements.name}`;
	if (!isLeftEmpty(context, listPath)) {
		const list = readJsonList(getOption(context, replacements, itemIndex));
		return { list, timeZone, isComposed: () => isComposedBy(storedParameter(context, listPath)) };
	}
	// The whole parameter is read. For `placeholders.value` alone n8n would check the stored schema, but the text of the
	// message decides. If the form showed no placeholders, nothing is stored, and columns are mapped by their names.
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

/** Reads the node's Delivery Report URL, or takes the credential's. Undefined: no report is asked for. */
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
	// The report returns the reference in this form.
	return readTextOption(context, reference, itemIndex, LONGEST_REFERENCE)?.normalize('NFC');
}

/** Reads a list of values, given by an expression or as JSON text. @throws Problem if it is neither */
function readJsonList(value: unknown): unknown[] {
	const { displayName } = replacements;
	const list = typeof value === 'string' ? jsonParse<unknown>(value, { fallbackValue: '' }) : value;
	if (Array.isArray(list)) return list;
	if (typeof value === 'string') refuseExpression(value, { field_el: displayName, field_en: displayName });
	throw invalidParameter(displayName, 'must be a JSON list', 'Write for example ["Φυσική", "8"]');
}

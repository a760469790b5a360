import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { getOption, getParameter, isNothing, readChoice, readFlagOption, readOptionalText, readText, readTextOption } from '../../shared/parameter';
import { badParameter } from '../../shared/problem';
import type { Platform } from '../credential';
import { COPY_REPORT_URL, reportUrlFault } from '../dlrUrl';
import { findMessage, whatThereIs } from '../predefinedMessages';
import { isSignable } from '../reportAddress';
import { decimalComma } from './decimalComma';
import { originOf } from './missingValue';
import { allowEmptyValues, messageText, noReport, reference } from './options';
import { fill, type Filled, type Values } from './replacements';

/* What a row says of its message, in the parameters that every operation that sends has. Nothing is sent here. */

/** Service and message, chosen from a list or given by their ids. @throws Problem that names the one that can't be read */
export function readIds(context: IExecuteFunctions, itemIndex: number): { serviceId: string; messageId: string } {
	const id = (name: string, label: string) => readText(getParameter(context, name, label, itemIndex, '', { extractValue: true }), label, 200);
	return { serviceId: id('serviceId', 'Service'), messageId: id('messageId', 'Message') };
}

/** The text of a row's message: the option Message Text, or else the credential's. Line breaks are part of it. */
export function readMessageText(context: IExecuteFunctions, itemIndex: number, platform: Platform, serviceId: string, messageId: string): string | undefined {
	const option = getOption(context, messageText, itemIndex);
	if (isNothing(option)) return findMessage(platform.messages, serviceId, messageId)?.text;
	if (typeof option === 'string' && option.length <= 10_000) return option;
	throw badParameter('Message Text', 'must be text of at most 10,000 characters', 'Paste the predefined message');
}

/** The values of a row's message, and its text where it is known. */
export function readFilled(context: IExecuteFunctions, itemIndex: number, platform: Platform, serviceId: string, messageId: string): Filled {
	const allowEmpty = readFlagOption(context, allowEmptyValues, itemIndex);
	const withComma = readFlagOption(context, decimalComma, itemIndex);
	const text = readMessageText(context, itemIndex, platform, serviceId, messageId);
	return fill(readValues(context, itemIndex), text, allowEmpty, withComma, () => whatThereIs(platform.messages, serviceId));
}

/** Where the values of a row come from. */
export function readValues(context: IExecuteFunctions, itemIndex: number): Values {
	const way = readChoice(getParameter(context, 'specifyReplacements', 'Specify Replacements', itemIndex, 'placeholders'), 'Specify Replacements', ['placeholders', 'fields', 'json']);
	if (way === 'json') return { list: readJsonList(getParameter(context, 'replacementsJson', 'Replacements (JSON)', itemIndex, '[]')) };
	const origin = originOf(context, itemIndex);
	if (way === 'fields') {
		const { values } = (getParameter(context, 'replacements', 'Replacements', itemIndex, {}) ?? {}) as { values?: Array<{ value?: unknown }> };
		return { list: (Array.isArray(values) ? values : []).map((entry) => entry?.value), origin };
	}
	// Not `placeholders.value`: that makes n8n check the schema that was stored, and the text decides.
	const { mappingMode, value } = (getParameter(context, 'placeholders', 'Placeholders', itemIndex, {}) ?? {}) as { mappingMode?: string; value?: IDataObject | null };
	return mappingMode === 'autoMapInputData' ? { columns: context.getInputData()[itemIndex]!.json, origin } : { byName: value ?? {}, origin };
}

function readJsonList(value: unknown): unknown[] {
	let list = value;
	if (typeof value === 'string') {
		try {
			list = JSON.parse(value);
		} catch {
			list = undefined;
		}
	}
	if (!Array.isArray(list)) throw badParameter('Replacements (JSON)', 'must be a JSON list', 'Write for example ["Φυσική", "8"]');
	return list;
}

/**
 * The node's own Delivery Report URL, or else the credential's; undefined where no report is asked for.
 *
 * @param path where it stands in the node
 */
export function readDlrUrl(context: IExecuteFunctions, itemIndex: number, platform: Platform, path = 'dlrUrl'): string | undefined {
	if (readFlagOption(context, noReport, itemIndex)) return undefined;
	const url = readOptionalText(getParameter(context, path, 'Delivery Report URL', itemIndex, ''), 'Delivery Report URL', 2000) ?? platform.dlrUrl;
	const fault = url === undefined ? undefined : reportUrlFault(url);
	if (fault !== undefined) throw badParameter('Delivery Report URL', fault, COPY_REPORT_URL);
	return url;
}

/** The row's own reference for its message; undefined where the node makes one. */
export function readReference(context: IExecuteFunctions, itemIndex: number): string | undefined {
	const own = readTextOption(context, reference, itemIndex, 256);
	if (own !== undefined && !isSignable(own)) throw badParameter('Reference', 'contains control characters', 'Use a reference of letters and digits');
	// As its report brings it back.
	return own?.normalize('NFC');
}

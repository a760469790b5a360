import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	getOption,
	getParameter,
	isNothing,
	readChoice,
	readFlagOption,
	readJsonList,
	readOptionalText,
	readText,
	readTextOption,
} from '../../shared/parameter';
import { badParameter } from '../../shared/problem';
import type { Platform } from '../credential';
import { COPY_REPORT_URL, reportUrlFault } from '../reportUrl';
import { findMessage, whatThereIs } from '../predefinedMessages';
import { isSignable } from '../signedUrl';
import { decimalComma } from './decimalComma';
import { originOf } from './missingValue';
import { allowEmptyValues, messageText, noReport, reference } from './options';
import { fill, type Filled, type Values } from './replacements';

/* What a row says of its message, in the parameters that every operation that sends has. Nothing is sent here. */

/** The predefined message that a row names. */
export interface Predefined {
	serviceId: string;
	messageId: string;
	/** As the operator defined it, where it is known. Line breaks are part of it. */
	text: string | undefined;
	/** Which messages of the service there are, for the error of one whose text is not known. */
	whatThereIs: () => string;
}

/**
 * Service and message, chosen from a list or given by their ids, with the text of the option Message Text, or else of the
 * credential.
 *
 * @throws Problem that names what can't be read
 */
export function readPredefined(context: IExecuteFunctions, itemIndex: number, { messages }: Platform): Predefined {
	const id = (name: string, label: string) =>
		readText(getParameter(context, name, label, itemIndex, '', { extractValue: true }), label, 200);
	const [serviceId, messageId] = [id('serviceId', 'Service'), id('messageId', 'Message')];
	const own = getOption(context, messageText, itemIndex);
	if (!isNothing(own) && (typeof own !== 'string' || own.length > 10_000)) {
		throw badParameter('Message Text', 'must be text of at most 10,000 characters', 'Paste the predefined message');
	}
	const text = isNothing(own) ? findMessage(messages, serviceId, messageId)?.text : (own as string);
	return { serviceId, messageId, text, whatThereIs: () => whatThereIs(messages, serviceId) };
}

/** The values of a row's message, and its text where it is known. */
export function readFilled(context: IExecuteFunctions, itemIndex: number, predefined: Predefined): Filled {
	const allowEmpty = readFlagOption(context, allowEmptyValues, itemIndex);
	const withComma = readFlagOption(context, decimalComma, itemIndex);
	return fill(readValues(context, itemIndex), predefined, allowEmpty, withComma);
}

/** Where the values of a row come from. */
export function readValues(context: IExecuteFunctions, itemIndex: number): Values {
	const origin = originOf(context, itemIndex);
	const way = readChoice(
		getParameter(context, 'specifyReplacements', 'Specify Replacements', itemIndex, 'placeholders'),
		'Specify Replacements',
		['placeholders', 'fields', 'json'],
	);
	if (way === 'json')
		return {
			list: readJsonList(
				getParameter(context, 'replacementsJson', 'Replacements (JSON)', itemIndex, '[]'),
				'Replacements (JSON)',
				'["Φυσική", "8"]',
			),
		};
	if (way === 'fields') {
		const { values } = (getParameter(context, 'replacements', 'Replacements', itemIndex, {}) ?? {}) as {
			values?: Array<{ value?: unknown }>;
		};
		return { list: (Array.isArray(values) ? values : []).map((entry) => entry?.value), origin };
	}
	// Not `placeholders.value`: that makes n8n check the schema that was stored, and the text decides.
	const { mappingMode, value } = (getParameter(context, 'placeholders', 'Placeholders', itemIndex, {}) ?? {}) as {
		mappingMode?: string;
		value?: IDataObject | null;
	};
	return mappingMode === 'autoMapInputData'
		? { columns: context.getInputData()[itemIndex]!.json, origin }
		: { byName: value ?? {}, origin };
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
	const url =
		readOptionalText(getParameter(context, path, 'Delivery Report URL', itemIndex, ''), 'Delivery Report URL', 2000) ??
		platform.dlrUrl;
	const fault = url === undefined ? undefined : reportUrlFault(url);
	if (fault !== undefined) throw badParameter('Delivery Report URL', fault, COPY_REPORT_URL);
	return url;
}

/** The row's own reference for its message; undefined where the node makes one. */
export function readReference(context: IExecuteFunctions, itemIndex: number): string | undefined {
	const own = readTextOption(context, reference, itemIndex, 256);
	if (own !== undefined && !isSignable(own))
		throw badParameter('Reference', 'contains control characters', 'Use a reference of letters and digits');
	// As its report brings it back.
	return own?.normalize('NFC');
}

import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { getParameter } from './parameter';
import { readFlag, readNumber, readOptionalText, readWholeNumber } from './read';

/*
 * An option has one definition, the one in the form: the readers here take its name, label, default and bounds from there.
 */

/** The value of an option as it comes. @throws Problem that names the option, where its expression fails */
export function getOption(context: IExecuteFunctions, { name, displayName, default: standard }: INodeProperties, itemIndex: number): unknown {
	return getParameter(context, `options.${name}`, displayName, itemIndex, standard);
}

/**
 * The value of an option that is a number.
 *
 * @param definition with both bounds in its `typeOptions`, and a `numberPrecision` where fractions are allowed
 * @param itemIndex an option that counts for the whole run is taken from the first item
 * @throws Problem that names the option and its bounds
 */
export function readNumberOption(context: IExecuteFunctions, definition: INodeProperties, itemIndex = 0): number {
	const { minValue, maxValue, numberPrecision = 0 } = definition.typeOptions!;
	const read = numberPrecision > 0 ? readNumber : readWholeNumber;
	return read(getOption(context, definition, itemIndex), definition.displayName, minValue!, maxValue!, Number(definition.default) || maxValue!);
}

/** The value of an option that is a switch. @throws Problem that names it, also where its expression evaluates to empty */
export function readFlagOption(context: IExecuteFunctions, definition: INodeProperties, itemIndex = 0): boolean {
	return readFlag(getOption(context, definition, itemIndex), definition.displayName);
}

/** The value of an option that is a text; undefined where it is left empty. @throws Problem that names it */
export function readTextOption(context: IExecuteFunctions, definition: INodeProperties, itemIndex: number, maxLength: number): string | undefined {
	return readOptionalText(getOption(context, definition, itemIndex), definition.displayName, maxLength);
}

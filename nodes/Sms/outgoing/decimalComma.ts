import type { INodeProperties } from 'n8n-workflow';

/** The option, the same for every operation that fills in values. */
export const decimalComma: INodeProperties = {
	displayName: 'Decimal Comma',
	name: 'decimalComma',
	type: 'boolean',
	default: true,
	description:
		'Whether a number such as 8.5 goes out as 8,5, the way it is written in Greek. What is text in your data goes out as it is.',
};

/**
 * A number as people read it. Like a spreadsheet it shows fifteen digits, so that 0.1 + 0.2 is 0,3.
 *
 * @param number finite
 * @param withComma whether a fraction is set off by a comma; otherwise by a point
 */
export function numberAsText(number: number, withComma: boolean): string {
	if (Number.isInteger(number)) return String(number);
	const text = String(Number(number.toPrecision(15)));
	return withComma ? text.replace('.', ',') : text;
}

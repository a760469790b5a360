import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { choice, numberField, switchField, wholeNumberField } from '../../../../lib/n8n/fields';
import { nodes } from '../../published';

it('the functions that make form fields set the default, the bounds and further properties', () => {
	const rest = { description: 'Whether it is so', displayOptions: { show: { a: [1] } } };
	const named = { displayName: 'A', name: 'a', ...rest };
	expect(switchField('A', 'a', rest)).toEqual({ ...named, type: 'boolean', default: false });
	const number = { ...named, type: 'number', default: 5 };
	const bounds = { minValue: 1, maxValue: 9 };
	expect(numberField('A', 'a', [1, 9], 5, rest)).toEqual({ ...number, typeOptions: bounds });
	const whole = { ...number, typeOptions: { ...bounds, numberPrecision: 0 } };
	expect(wholeNumberField('A', 'a', [1, 9], 5, rest)).toEqual(whole);
	expect(Object.keys(choice('A', 'a'))).toEqual(['name', 'value']);
});

/* n8n's linter checks only literals. These tests check some of its rules for all fields, also for those that functions make. */

const ofForm = (properties: INodeProperties[]): INodeProperties[] =>
	properties.flatMap((field) =>
		field.type === 'collection' ? [field, ...ofForm(field.options as INodeProperties[])] : [field],
	);
const fields = nodes.flatMap(({ properties }) => ofForm(properties));

it('the description of each boolean field begins with "Whether"', () => {
	const switches = fields.filter(({ type }) => type === 'boolean');
	expect(switches.length).toBeGreaterThan(9);
	for (const { description } of switches) expect(description).toMatch(/^Whether /);
});

it('labels of fields are in title case, and a description of one sentence has no full stop', () => {
	const choices = fields
		.filter(({ type }) => type === 'options')
		.flatMap(({ options }) => options as INodePropertyOptions[]);
	const labels = [
		...fields.filter(({ type }) => type !== 'notice').map(({ displayName }) => displayName),
		...choices.map(({ name }) => name),
	];
	for (const label of labels) expect(label).not.toMatch(/(?<![A-Za-z])(?!with\b)[a-z]{4}/);
	for (const { description } of [...fields, ...choices])
		if (description !== undefined) expect(description).not.toMatch(/^[^.:;!?…]+\.$/);
});

it('fields with five or more choices sort them by label', () => {
	for (const { type, options = [] } of fields) {
		const labels = (options as INodePropertyOptions[]).map(({ name }) => name);
		if (type === 'options' && labels.length > 4) expect(labels).toEqual([...labels].sort());
	}
});

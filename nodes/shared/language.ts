import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Language } from './notice';
import { getOption, readChoice } from './parameter';

/** The option, the same for every node whose words people read. */
export const language: INodeProperties = {
	displayName: 'Language',
	name: 'language',
	type: 'options',
	default: 'both',
	description: 'The language of notices, pages and sheets. The first item counts.',
	options: [
		{ name: 'English', value: 'en' },
		{ name: 'Greek', value: 'el' },
		{ name: 'Greek and English', value: 'both', description: 'Sheets are in Greek' },
	],
};

/** @throws Problem where it is none of these */
export const readLanguage = (context: IExecuteFunctions): Language =>
	readChoice(getOption(context, language, 0), language.displayName, ['both', 'el', 'en']);

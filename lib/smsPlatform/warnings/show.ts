import { bullets, shown } from '../../texts/html';
import { countForAdmin, nameForAdmin, type RowNumbers } from '../../texts/rowNumber';
import { EXAMPLES, summarizeWarnings, type CheckedMessage, type Warning } from './summarize';

/* Shows the warnings of a list: as hints above the output of a node, and on the HTML page of a review. */

const LONGEST_NOTICE = 450;
const LONGEST_VALUE = 30;

/** Returns the warnings about messages as hints for the admin. */
export const warningHints = (messages: CheckedMessage[], rowNumbers: RowNumbers): string[] =>
	summarizeWarnings(messages, 'en').map(({ notice, rows, examples, values }) => {
		const few = examples.map((row, index) => `${nameForAdmin(row, rowNumbers)}: ${values[index]}`).join(', ');
		return few === '' ? notice : `${notice} ${countForAdmin(rows, rowNumbers)} (${few}${rows > EXAMPLES ? ' …' : ''})`;
	});

/**
 * Returns the warnings as a list in HTML.
 * @param nameRows returns HTML that names the rows of a warning, given their number and some of them
 */
export const warningBullets = (warnings: Warning[], nameRows: (count: number, some: number[]) => string): string =>
	bullets(
		warnings.map(({ notice, rows, examples, values }) => {
			const cells = values.map((value) => shown(value, LONGEST_VALUE)).join(', ');
			return `${shown(notice, LONGEST_NOTICE)}${cells === '' ? '' : `<br>${nameRows(rows, examples)}: ${cells}`}`;
		}),
	);

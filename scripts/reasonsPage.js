/** Generates `docs/reasons.md` from the texts in `lib/texts/reasons.ts`. */

const HEAD = `# Reasons

If a message was not sent, a person was not checked or a code was not accepted, the item has a \`reason\` and a \`notice\`. A workflow can branch on the
\`reason\`. The \`notice\` is for people, in the language of the option *Language*: it says what is wrong, and then what to do. A part in braces, such as
\`{value}\`, stands for a value. Some notices have other words that fit the case better. For example, the AMKA node says with \`serviceDown\` that the registry does not answer, and that the rows were not checked. [When something goes
wrong](problems.md) explains the most frequent cases.

This page is made from the source by \`npm run docs\`.

| \`reason\` | in English | in Greek |
|---|---|---|
`;

/** Escapes a text for a cell of a Markdown table. Placeholders such as `{value}` are shown as code. */
const cell = (text) => text.replace(/[|*_<]/g, '\\$&').replace(/\{(\w+)\}/g, '`{$1}`');

/**
 * Returns the text of the page.
 *
 * @param {Record<string, { what: { el: string, en: string }, todo: { el: string, en: string } }>} reasons
 * @returns {string}
 */
function reasonsPage(reasons) {
	const rows = Object.entries(reasons).map(([reason, { what, todo }]) => {
		const [english, greek] = ['en', 'el'].map((language) => `${cell(what[language])} ${cell(todo[language])}`);
		return `| \`${reason}\` | ${english} | ${greek} |\n`;
	});
	return HEAD + rows.join('');
}

module.exports = { reasonsPage };

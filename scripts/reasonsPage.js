/** Generates `docs/reasons.md` from the texts in `lib/texts/reasons.ts`. */

const HEAD = `# Reasons

An item gets a \`reason\` and a \`notice\` if its message was not sent, its person was not checked, or its code was not accepted. The \`reason\` is a fixed
word, so a workflow can branch on it. The \`notice\` is a text for people, in the language of the option *Language*. It says what is wrong, and then what
to do.

The table shows the notice for each reason. A name in braces, such as \`{value}\`, stands for a value. Sometimes a notice is worded differently, to fit the
case better. For example, with \`serviceDown\` the notice of the AMKA node says that the registry does not answer, and that the rows were not checked. [When something goes
wrong](problems.md) explains the most frequent reasons.

\`npm run docs\` generates this page from the source code.

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

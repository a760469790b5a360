/**
 * Sample rows for the data tables of the examples, by the name of the table. With these rows, `keyword-auto-reply.json` can answer
 * an SMS with a grade at once. This file is a CommonJS module, because jest loads it too.
 * @type {Record<string, Array<Record<string, string>>>}
 */
const sampleRows = {
	'amka-sms-grades': [
		{ mobile: '6900000001', course: 'ΦΥΣΙΚΗ', grade: '8' },
		{ mobile: '6900000001', course: 'ΑΛΓΕΒΡΑ', grade: '6,5' },
		{ mobile: '6900000002', course: 'ΦΥΣΙΚΗ', grade: '10' },
		{ mobile: '6900000003', course: 'ΗΛΕΚΤΡΟΝΙΚΗ ΙΙ', grade: '7' },
	],
};

module.exports = { sampleRows };

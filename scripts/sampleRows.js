/**
 * Rows for the data tables of examples, so that a keyword is answered with a grade at the first try. CommonJS, because the
 * tests load it too.
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

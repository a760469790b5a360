import { globSync, readFileSync } from 'node:fs';

import { noticeOf, textsOf, type About } from '../../../../lib/texts/notice';
import { invalidParameter, fault } from '../../../../lib/texts/problem';
import { OTHER_TODO, OTHER_WHAT, REASONS, type Reason } from '../../../../lib/texts/reasons';

/** Values for the texts. Some are very long, and one begins with a phone number. */
const about: About = {
	value: '2101234567 και ένα πολύ μεγάλο κείμενο που κάποιος έγραψε στο κελί',
	field: 'Ημερομηνία γέννησης του φοιτητή ή της φοιτήτριας',
	columns: Array.from({ length: 20 }, (_, index) => `Μία στήλη ${index}`).join(', '),
	fields: Array.from({ length: 20 }, (_, index) => `Μία στήλη ${index}`).join(', '),
	wanted: 2,
	given: 3,
	rows: 20_000,
	most: 500,
	until: '08:00 (Europe/Athens)',
	code: ' (E-002)',
	number: '7,3333333333',
	date: '31/12/99 ή κάτι τέτοιο που έγραψε κάποιος',
	from: '12/12/2026 02:00',
	when: 'μετά από 24 ως 36 ώρες',
};

/** Terms of n8n and HTTP, which readers in an office do not know. */
const JARGON =
	/expression|credential|\bitem|parameter|\boption|\bnode|n8n|webhook|HTTP|JSON|API|token|timeout|execution|workflow|έκφραση|διαπιστευτήρι|παράμετρ|κόμβο|εκτέλεση|ροή|στοιχείο εισόδου/i;

const reasons = Object.keys(REASONS) as Reason[];

describe('a notice', () => {
	test.each(
		reasons.flatMap((reason) => [
			[reason, 'el' as const],
			[reason, 'en' as const],
		]),
	)('for the reason %s is short, complete and without technical terms or personal numbers (%s)', (reason, language) => {
		const notice = noticeOf({ reason, about }, language);
		expect(notice).not.toMatch(JARGON);
		expect(notice).toMatch(/\S\.$/u);
		expect(notice.replace(String(about.number), '')).not.toMatch(/\.\.|[{}]|undefined|\d{7}/u);
		expect(notice.length).toBeLessThanOrEqual(language === 'el' ? 240 : 220);
		for (const name of ['value', 'field'] as const) {
			if (`${REASONS[reason].what[language]} ${REASONS[reason].todo[language]}`.includes(`{${name}}`))
				expect(notice).toContain(name === 'value' ? '210…567' : 'Ημερομηνία');
		}
	});

	test('shows names of fields in full, and shortens column names that may be personal numbers', () => {
		const columns = '2024-2025, Βαθμός 2025-2026, 6912345678, 010190 12345';
		const notice = noticeOf({ reason: 'missingColumn', about: { field: 'Βαθμός 2024-2025', columns } }, 'en');
		expect(notice).toMatch(/no column "Βαθμός 2024-2025"\..*columns: 2024-2025, Βαθμός 2025-2026, 691…678, 010…345\.$/);
	});

	test('gives the advice that `todo` names instead of its own advice, even if this advice belongs to another reason', () => {
		expect(noticeOf({ reason: 'mixed', about: { todo: 'allFaulty' } }, 'en')).toMatch(
			/upload only the corrected rows\.$/,
		);
		expect(textsOf({ reason: 'couldNotAsk', about: { todo: 'key' } }, 'en')).toEqual([
			'The registry did not give an answer, so the person was not checked',
			'Tell the admin that the service does not accept the key',
		]);
	});

	test('for an invalid parameter contains no technical term from the label of the parameter', () => {
		const label =
			/(?:displayName: |label: |invalidParameter\(\s*|\b(?:\w*LABEL|TRIAL|MAX_MESSAGES|PARAMETER) = |getParameter\([^']*'[^']*', )['"`]([A-Z][^'"`]+)['"`]/g;
		const sources = globSync(['{nodes/{Amka,SmsCode,SmsSend},lib,credentials}/**/*.ts']).map((path) =>
			readFileSync(path, 'utf8'),
		);
		const labels = sources.flatMap((source) => [...source.matchAll(label)].map(([, found]) => found!));
		expect(labels).toEqual(expect.arrayContaining(['Quiet Hours in the credential', 'Recipient', 'Messages']));
		const notices = labels.map((one) => noticeOf(invalidParameter(one, '', '').why, 'both'));
		expect(notices.filter((notice) => /credential|expression|\bitem\b|HTTP|\boption\b/i.test(notice))).toEqual([]);
	});

	it('has only known placeholders', () => {
		const names = [...JSON.stringify([REASONS, OTHER_WHAT, OTHER_TODO]).matchAll(/\{(\w+)\}/g)].map(
			([, name]) => name!,
		);
		expect(new Set(names)).toEqual(new Set([...Object.keys(about), 'left', 'renamed']));
	});

	test('has the same English text as the error of its reason', () => {
		const { message, description, why } = fault('landline', { value: 2101234567 }, 'It is in the column Phone');
		expect(`${message}. ${description}`).toBe(`${noticeOf(why, 'en').slice(0, -1)}. It is in the column Phone`);
	});
});

import type { IDataObject } from 'n8n-workflow';

import { sentence, type Sentence } from '../../advice';
import { runNode, TestWorkflow, type Result } from '../harness/engine';
import { withoutWaits } from '../harness/send';
import { serve, type Reply, type Sent } from '../harness/httpServer';
import { BASE, continuing, credential, ELENI, KEY, matches, OPERATION } from '../harness/amka';
import { people, record, splitting, validate } from '../harness/amka';

/*
 * Follows the advice of AMKA's notices for people and for the admin literally, and tests that it works (see test/advice.ts).
 */

withoutWaits();

/** A registry that has one person, and accepts only the right key. */
const registry = ({ query, headers }: Sent): Reply => {
	if (headers.authorization !== `Token ${KEY}`) return { status: 401 };
	const { ssn = '', birthdate, surname } = query;
	const isThere = ssn === ELENI.ssn && birthdate === '1999-03-15' && surname === 'ΠΑΠΑΔΟΠΟΥΛΟΥ';
	return { body: isThere ? record(ssn) : { match: 'false', ssn } };
};
const MATCHED = { matched: true, ssn: ELENI.ssn };

/** Returns the notice of the first item. */
const noticeIn = ({ json }: Result) => {
	const [item] = json.flat();
	return (item!.details as IDataObject | undefined)?.notice ?? item!.notice;
};

describe('a person whose row has a fault matches in the registry after the advised correction', () => {
	it.each<[advice: Sentence, wrong: IDataObject]>([
		['emptyNumber', { ssn: '' }],
		['personalNumber', { ssn: 'Α1Β123456789' }],
		['length', { ssn: '1503990456' }],
		['characters', { ssn: '1503990456Α' }],
		['date', { ssn: '31029900011' }],
		['checkDigit', { ssn: '15039904560' }],
		['emptyDate', { birthDate: '' }],
		['badDate', { birthDate: '03/15/1999' }],
		['badDate', { birthDate: '15/3/99' }],
		['dayAsNumber', { birthDate: 36235 }],
		['dayAsText', { birthDate: '36235' }],
		['emptySurname', { surname: ' ' }],
		['latinSurname', { surname: 'Papadopoulou' }],
		['latinSurname', { surname: 'ΠAΠΑΔΟΠΟΥΛΟΥ' }],
		['otherDate', { birthDate: '16/03/1999' }],
		['latinSurnameOtherDate', { surname: 'Papadopoulou', birthDate: '16/03/1999' }],
		['notMatched', { surname: 'Άλλη' }],
	])('of %s: %j', async (advice, wrong) => {
		serve('GET', OPERATION, registry);
		const run = await runNode(validate({}, continuing), [{ ...ELENI, ...wrong }]);
		expect(noticeIn(run)).toMatch(sentence(advice));
		expect(run.json[0]).not.toMatchObject([{ matched: true }]);
		expect((await runNode(validate(), [ELENI])).json).toEqual([[MATCHED]]);
	});
});

it('a number that has lost its leading zero is valid with all eleven digits, as the notice advises', async () => {
	const check = async (ssn: number | string) =>
		await runNode(validate({ operation: 'checkNumber' }, { credentials: {} }), [{ ssn }]);
	const lost = await check(1013099997);
	expect(noticeIn(lost)).toMatch(sentence('leadingZero'));
	expect(lost.json[0]).toMatchObject([{ valid: false }]);
	expect((await check('01013099997')).json[0]).toMatchObject([{ valid: true }]);
});

it('a row that does not agree with the registry agrees after it is corrected and filled in, as the notice advises', async () => {
	serve('GET', OPERATION, registry);
	const compareWith = { mappingMode: 'autoMapInputData', value: null };
	const compare = async (more: IDataObject) =>
		await runNode(validate({ operation: 'compare', compareWith }), [{ ...ELENI, ...more }]);
	const run = await compare({ Όνομα: 'Μαρία', ΑΦΜ: '' });
	expect(noticeIn(run)).toMatch(sentence('doesNotAgree'));
	expect(noticeIn(run)).toMatch(/: Όνομα, ΑΦΜ\./);
	expect((await compare({ Όνομα: 'Ελένη', ΑΦΜ: '000000000' })).json[0]).toMatchObject([{ agrees: true }]);
});

describe('a person who was not checked is checked later, as advised', () => {
	it.each<[advice: Sentence, reply: Reply]>([
		['couldNotAsk', { cut: 'ECONNREFUSED' }],
		['couldNotAsk', { status: 500 }],
		['couldNotAsk', { body: '<html>' }],
		['busy', { status: 429 }],
		['busy', { status: 503 }],
		['refusedPerson', { status: 400 }],
		['refusedPerson', { status: 422 }],
	])('after the notice %s, because of %j', async (advice, reply) => {
		let isUp = false;
		serve('GET', OPERATION, (request) => (isUp ? registry(request) : reply));
		const ask = async () => await runNode(validate({}, continuing), [ELENI]);
		expect(noticeIn(await ask())).toMatch(sentence(advice));
		isUp = true;
		expect((await ask()).json).toEqual([[MATCHED]]);
	});

	it('after an outage of the registry, if the notice of the row states the outage and advises to check the row later', async () => {
		let isUp = false;
		serve('GET', OPERATION, (request) => (isUp ? matches(request) : { status: 500 }));
		const ask = async (rows: IDataObject[]) =>
			(await runNode(validate({ options: { concurrency: 1 } }, splitting), rows)).json;
		const [, failed] = await ask(people(14));
		const left = people(14).filter((_, index) => {
			const { notice } = failed![index]!.details as { notice: string };
			return sentence('registryDown').test(notice) && sentence('checkLater').test(notice);
		});
		expect(left).toHaveLength(4);
		isUp = true;
		expect(await ask(left)).toEqual([left.map(() => MATCHED), []]);
	});
});

describe('advice that visitors pass on to the admin solves the problem', () => {
	it.each<[advice: Sentence, wrong: IDataObject]>([
		['key', { apiKey: 'another' }],
		['address', { baseUrl: `${BASE}/other` }],
	])('for the advice %s', async (advice, wrong) => {
		serve('GET', OPERATION, registry);
		serve('GET', OPERATION.replace(BASE, `${BASE}/other`), { status: 404 });
		const workflow = new TestWorkflow(validate({}, continuing));
		workflow.spec.credentials = { amkaApi: { ...credential()!.amkaApi, ...wrong } as never };
		expect(noticeIn(await workflow.run([ELENI]))).toMatch(sentence(advice));
		workflow.spec.credentials = credential();
		expect((await workflow.run([ELENI])).json).toEqual([[MATCHED]]);
	});

	it('for an expression with a wrong column name: the expression works with a column name from the notice', async () => {
		serve('GET', OPERATION, registry);
		const row = { Μητρώο: ELENI.ssn, birthDate: ELENI.birthDate, surname: ELENI.surname };
		const ask = async (ssn: string) => await runNode(validate({ ssn }, continuing), [row]);
		const run = await ask('={{ $json.ssn }}');
		for (const advice of ['inNoRow', 'tellColumns'] as const) expect(noticeIn(run)).toMatch(sentence(advice));
		const [, column] = /έχει η λίστα: ([^,]+),/.exec(String(noticeIn(run)))!;
		expect((await ask(`={{ $json["${column}"] }}`)).json).toEqual([[MATCHED]]);
		// The error also advises to leave the field empty, so that the column is found by its name.
		expect(run.json[0]![0]!.message).toMatch(
			/^Correct the expression, or leave .* The list has these columns: Μητρώο, birthDate, surname$/,
		);
	});
});

it('a sheet with a title above its headings is read after the title is removed, as the notice advises', async () => {
	serve('GET', OPERATION, registry);
	const ask = async (row: IDataObject) =>
		await runNode(validate({ ssn: '', birthDate: '', surname: '' }, continuing), [row]);
	const run = await ask({ 'Μητρώο φοιτητών 2026': 'ΑΜΚΑ', __EMPTY: 'Ημερομηνία γέννησης', __EMPTY_1: 'Επώνυμο' });
	expect(noticeIn(run)).toMatch(sentence('headings'));
	const { ssn: ΑΜΚΑ, birthDate, surname: Επώνυμο } = ELENI;
	expect((await ask({ ΑΜΚΑ, 'Ημερομηνία γέννησης': birthDate, Επώνυμο })).json).toEqual([[MATCHED]]);
});

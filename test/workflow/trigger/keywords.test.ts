import { logLines } from '../harness/engine';
import { expectRefusal, expectStarted, forward, items, trigger } from './calls';

describe('the keywords', () => {
	it.each([
		...['ΒΑ', 'βα', 'Βά', 'BA', 'bα', ' ΒΑ '].map((keyword) => [keyword, 'βα']),
		...['ΒΑΘΜΟΣ', 'βαθμός', 'βαθμοσ', 'ΒAΘΜΟΣ'].map((keyword) => [keyword, 'Βαθμός']),
		...['ΜΑΪΟΣ', 'μάιος', 'Μαι\u0308ος'].map((keyword) => [keyword, 'ΜΑΙΟΣ']),
	])('let %j in as %j', async (keyword, matchedKeyword) => {
		const answer = await trigger({ keywords: 'βα, Βαθμός,ΜΑΙΟΣ' }).call(forward({ keyword }));
		expectStarted(answer);
		expect(items(answer)![0]).toEqual([expect.objectContaining({ keyword, matchedKeyword })]);
	});

	it.each(['ΒΑΘ', 'Β', 'ΒΑ ΒΑ', 'ΒΑ,Βαθμός', 'BAR', '.*', 'Γ'])('keep %j out', async (keyword) => {
		expectRefusal(await trigger({ keywords: 'βα, Βαθμός' }).call(forward({ keyword })), 200, 'UNKNOWN_KEYWORD');
	});

	it.each<[string, string, string, string]>([
		['a list', "={{ ['βα', 'Βαθμός'] }}", 'ΒΑ', 'βα'],
		['a text', '={{ "βα, " + "Βαθμός" }}', 'ΒΑ', 'βα'],
		['a number', '={{ 17 }}', '17', '17'],
	])('may be %s, as an expression gives it', async (_, keywords, keyword, matchedKeyword) => {
		const answer = await trigger({ keywords }).call(forward({ keyword }));
		expectStarted(answer);
		expect(items(answer)![0]).toEqual([expect.objectContaining({ matchedKeyword })]);
		expectRefusal(await trigger({ keywords }).call(forward({ keyword: 'ΑΛΛΟ' })), 200, 'UNKNOWN_KEYWORD');
	});

	it.each([
		...['={{ null }}', '={{ undefined }}', '={{ $vars.missing }}', '={{ "" }}', '={{ " , " }}', '={{ [] }}'],
		...['={{ [null, ""] }}', '={{ { a: 1 } }}', '={{ true }}'],
	])('let nobody in when the expression %s gives none, and the log says so', async (keywords) => {
		for (const keyword of ['ΒΑ', 'NULL', 'undefined'])
			expectRefusal(await trigger({ keywords }).call(forward({ keyword })), 500, 'INTERNAL_ERROR');
		expect(logLines.filter((line) => line.startsWith('warn'))).toEqual(
			Array(3).fill(
				expect.stringMatching(
					/^warn Node \(SMS Trigger, workflow workflow1[\w-]*\) refused a request with INTERNAL_ERROR, HTTP 500: Keywords /,
				),
			),
		);
	});

	it.each(['', '  ', ' , ,'])('let everything in when they are %j', async (keywords) => {
		const answer = await trigger({ keywords }).call(forward({ keyword: 'ΟΤΙΔΗΠΟΤΕ' }));
		expectStarted(answer);
		expect(items(answer)![0]![0]).not.toHaveProperty('matchedKeyword');
	});
});

describe('an output for each keyword', () => {
	const byKeyword = (keywords: string, events = ['smsForward']) => trigger({ events, keywordOutputs: true, keywords });

	it.each([
		['ΒΑ', 0],
		['βαθμός', 1],
		['SITISI', 2],
	])('%s leaves on its own', async (keyword, output) => {
		const node = byKeyword('ΒΑ, Βαθμός,\nSITISI,');
		const answer = await node.call(forward({ keyword }));
		expectStarted(answer);
		expect(answer.started?.map(({ length }) => length)).toEqual([0, 1, 2].map((each) => (each === output ? 1 : 0)));
		expect(answer.execution?.outputs[output]).toHaveLength(1);
	});

	it('has no place for another one', async () => {
		expectRefusal(await byKeyword('ΒΑ, Βαθμός').call(forward({ keyword: 'ΑΛΛΟ' })), 200, 'UNKNOWN_KEYWORD');
	});

	it.each([
		['none', ' , ', /^warn .*: Keywords is empty/],
		['an expression', '={{ "ΒΑ, Βαθμός" }}', /^warn .*: Keywords is an expression/],
		['an expression that gives nothing', '={{ null }}', /^warn .*: Keywords is an expression/],
		['two that are the same', 'ΒΑ, Βαθμός, ba', /^warn .*: Keywords has "ba" twice/],
	])('is an error with %s', async (_, keywords, line) => {
		expectRefusal(await byKeyword(keywords).call(forward()), 500, 'INTERNAL_ERROR');
		expect(logLines).toContainEqual(expect.stringMatching(line));
	});

	it('is not there where reports come too: then each event has its own', async () => {
		const answer = await byKeyword('ΒΑ, ba, Βαθμός', ['smsForward', 'deliveryReport']).call(forward());
		expectStarted(answer);
		expect(answer.started?.map(({ length }) => length)).toEqual([1, 0]);
	});
});

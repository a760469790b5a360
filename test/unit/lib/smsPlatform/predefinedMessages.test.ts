import { findMessage, readMessages } from '../../../../lib/smsPlatform/predefinedMessages';

describe('readMessages', () => {
	it('reads one message per line: service, message and text', () => {
		const { messages, faults } = readMessages(
			[
				'# χειμερινό',
				'',
				'  ',
				'grades/result: Βαθμός: {Βαθμός,1}',
				'  grades / day :  Στις 10/3:\\nΩρα {Ώρα,1}  ',
				'a/b/c: d',
			].join('\r\n'),
		);
		expect(faults).toEqual([]);
		expect(messages).toEqual([
			{ serviceId: 'grades', messageId: 'result', text: 'Βαθμός: {Βαθμός,1}', placeholders: ['Βαθμός'] },
			{ serviceId: 'grades', messageId: 'day', text: 'Στις 10/3:\nΩρα {Ώρα,1}', placeholders: ['Ώρα'] },
			{ serviceId: 'a', messageId: 'b/c', text: 'd', placeholders: [] },
		]);
		expect(findMessage(messages, 'grades', 'day')?.text).toMatch(/^Στις/);
		expect(findMessage(messages, 'Grades', 'day')).toBeUndefined();
	});

	it.each([
		['grades', 'does not have the form'],
		['grades: text', 'does not have the form'],
		['/result: text', 'no service ID'],
		['grades/: text', 'no message ID'],
		['grades/result: \u200b', 'no text'],
		['grades/result: {α,0}', 'has a placeholder with the position 0, but the first position is 1'],
		['grades/result: {α,1}{γ,3}', 'has a placeholder with the position 3, but none with the position 2'],
	])('reports the line number and the fault of %j', (line, reason) => {
		const { messages, faults } = readMessages(`ok/ok: ok\n\n${line}\nok/too: ok`);
		expect(faults).toEqual([{ line: 3, reason: expect.stringContaining(reason) as string }]);
		expect(messages).toHaveLength(2);
	});

	it.each([
		['{Μάθημα}', '{Μάθημα}', '{Μάθημα,1}'],
		['{Βαθμός,1} {Μάθημα,}', '{Μάθημα,}', '{Μάθημα,1}'],
		['{1}', '{1}', '{1,1}'],
	])('accepts the text %j, and reports the placeholders in it that have no position', (text, found, right) => {
		const { messages, faults } = readMessages(`# note\na/b: ${text}\na/c: {α, 1} {Σχολή, Τμήμα,2} {}`);
		expect(faults).toEqual([{ line: 2, reason: `contains ${found} without a position: add it, as in ${right}` }]);
		expect(messages.map((message) => message.text)).toEqual([text, '{α, 1} {Σχολή, Τμήμα,2} {}']);
	});

	it("keeps invisible characters in the operator's text, and removes them from IDs", () => {
		const { messages, faults } = readMessages('\ufeffgra\u200bdes/result: 👩\u200d🎓\u2028{Βαθμός,1}');
		expect(faults).toEqual([]);
		const text = '👩\u200d🎓\u2028{Βαθμός,1}';
		expect(messages).toEqual([{ serviceId: 'grades', messageId: 'result', text, placeholders: ['Βαθμός'] }]);
	});

	it('uses the first of two lines with the same IDs, and reports the second', () => {
		const { messages, faults } = readMessages('a/b: one\na / b: two');
		expect(messages).toEqual([{ serviceId: 'a', messageId: 'b', text: 'one', placeholders: [] }]);
		expect(faults).toEqual([{ line: 2, reason: 'has the same service ID and message ID as an earlier line' }]);
	});

	it.each([undefined, null, 42, {}, ''])('returns no messages for the value %j', (nothing) => {
		expect(readMessages(nothing)).toEqual({ messages: [], faults: [] });
	});
});

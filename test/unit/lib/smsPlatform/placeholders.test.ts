import { fillPlaceholders } from '../../../../lib/smsPlatform/placeholders';
import { readMessages } from '../../../../lib/smsPlatform/predefinedMessages';

const GRADE = 'Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}';

const messageOf = (text: string) => readMessages(`a/b: ${text}`).messages[0]!;

describe('fillPlaceholders', () => {
	it.each([
		[GRADE, ['Φυσική', '8'], 'Ο βαθμός σας στο μάθημα Φυσική είναι 8'],
		['{β,2} πριν {α,1}', ['ένα', 'δύο'], 'δύο πριν ένα'],
		['{α,1} και πάλι {α,1}', ['ένα'], 'ένα και πάλι ένα'],
		['{Σχολή, Τμήμα,1}', ['Φυσικό'], 'Φυσικό'],
		['χωρίς πεδία', [], 'χωρίς πεδία'],
		['άγκιστρα {} {α} {1}', [], 'άγκιστρα {} {α} {1}'],
		['{α,1}', ['$& $1 {β,2}'], '$& $1 {β,2}'],
	])('fills the text %j with the replacements %j', (text, replacements, expected) => {
		expect(fillPlaceholders(messageOf(text), replacements)).toEqual({ text: expected, segments: 1 });
	});

	it.each([
		[GRADE, ['Φυσική'], 'The placeholders of the message are Μάθημα, Βαθμός'],
		['χωρίς πεδία', ['x'], 'The message has no placeholders'],
		['{α,1}', [], 'The placeholders of the message are α'],
	])('returns a fault for the text %j with the wrong number of replacements, %j', (text, replacements, fault) => {
		expect(fillPlaceholders(messageOf(text), replacements)).toEqual({ fault: expect.stringContaining(fault) });
	});
});

describe('the placeholders of a message', () => {
	it.each<[string, string[]]>([
		['{Μάθημα,1} {Βαθμός,2}', ['Μάθημα', 'Βαθμός']],
		['{Πεδίο,1} {Πεδίο,2} {Πεδίο,3}', ['Πεδίο', 'Πεδίο (2)', 'Πεδίο (3)']],
		['{Πεδίο,1} {Πεδίο (2),2} {Πεδίο,3}', ['Πεδίο', 'Πεδίο (2)', 'Πεδίο (3)']],
		['{α,1} {β,1}', ['α']],
		['{ Σχολή, Τμήμα , 1 }', ['Σχολή, Τμήμα']],
		['{,1}', ['Value 1']],
		['κανένα', []],
	])('are read from the text %j', (text, expected) => {
		expect(messageOf(text).placeholders).toEqual(expected);
	});
});

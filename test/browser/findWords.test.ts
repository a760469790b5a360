import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { Amka } from '../../nodes/Amka/Amka.node';
import { SmsCode } from '../../nodes/SmsCode/SmsCode.node';
import { SmsResults } from '../../nodes/SmsResults/SmsResults.node';
import { SmsSend } from '../../nodes/SmsSend/SmsSend.node';
import { SmsTrigger } from '../../nodes/SmsTrigger/SmsTrigger.node';

/*
 * Tests that the words of a Greek admin find the nodes: words with accents, without them, in capitals, and in English. The test calls the search
 * function of n8n's editor directly. browser/find tests the search in the editor.
 */

interface Found {
	key: string;
	properties: { displayName: string; codex: { alias: string[] } };
}
const { sublimeSearch } = createRequire(join(process.cwd(), 'host/package.json'))(
	'@n8n/utils/search/sublime-search',
) as { sublimeSearch(filter: string, data: Found[]): Array<{ item: Found }> };

const nodes = Object.entries({
	'Amka/Amka': new Amka(),
	'SmsSend/SmsSend': new SmsSend(),
	'SmsResults/SmsResults': new SmsResults(),
	'SmsCode/SmsCode': new SmsCode(),
	'SmsTrigger/SmsTrigger': new SmsTrigger(),
} satisfies Record<string, INodeType>).map(([file, { description }]): Found => {
	const { alias } = JSON.parse(readFileSync(`nodes/${file}.node.json`, 'utf8')) as { alias: string[] };
	const { displayName } = description;
	return { key: displayName, properties: { displayName, codex: { alias } } };
});

/** Filters nodes as the editor does, which removes the word "trigger" from the typed text before it searches. */
const found = (typed: string, among = nodes): string[] =>
	sublimeSearch(typed.toLowerCase().replace('trigger', '').trimEnd(), among).map(({ item }) => item.key);

/** The nodes of n8n's package n8n-nodes-base that are not hidden, each name once. */
const nodesOfN8n = [
	...new Map(
		(
			JSON.parse(readFileSync('host/node_modules/n8n-nodes-base/dist/types/nodes.json', 'utf8')) as Array<{
				displayName: string;
				hidden?: boolean;
				codex?: { alias?: string[] };
			}>
		).flatMap(({ displayName, hidden, codex }) =>
			hidden === true
				? []
				: [[displayName, { key: displayName, properties: { displayName, codex: { alias: codex?.alias ?? [] } } }]],
		),
	).values(),
] as Found[];

const list = (...lines: string[]) => lines.join(', ').split(', ');

/** n8n's search distinguishes accents, so the nodes' aliases have each word with and without accents. */
test.each([
	['AMKA', list('ΑΜΚΑ, αμκά, Α.Μ.Κ.Α., amka, μητρώο, ΜΗΤΡΩΟ, ταυτοποίηση, ελεγχος, κοινωνική ασφάλιση, ssn')],
	[
		'SMS Send',
		list(
			'SMS, μήνυμα, ΜΗΝΥΜΑ, ΜΉΝΥΜΑ, μηνυματα, αποστολή, κινητο, ειδοποίηση',
			'απάντηση, ΑΠΑΝΤΗΣΗ, reply, auto-reply, send message, bulk, reminder, notify',
			'βαθμός, ΒΑΘΜΟΣ, υπενθύμιση, υπενθυμιση',
		),
	],
	[
		'SMS Results',
		list(
			'SMS, αναφορά παράδοσης, ΑΝΑΦΟΡΑ ΠΑΡΑΔΟΣΗΣ, ποιος το πήρε, ΠΟΙΟΣ ΤΟ ΠΗΡΕ, ποιος το έλαβε, ποιοι το έλαβαν',
			'παράδοση, παραδοση, κατάσταση, απαντήσεις, κόστος, κοστος, χρήση, ΧΡΗΣΗ, στατιστικά',
			'who got it, delivery report, DLR, delivered, report, usage, cost',
		),
	],
	[
		'SMS Code',
		list('κωδικός, ΚΩΔΙΚΟΣ, κωδικός επιβεβαίωσης, επιβεβαίωση κινητού, επιβεβαιωση κινητου, OTP, 2FA, verify phone'),
	],
	[
		'SMS Trigger',
		list(
			'sms, keyword, λέξη-κλειδί, ΛΕΞΗ ΚΛΕΙΔΙ, μηνύματα, μηνυμα, ληψη, εισερχόμενο, αυτόματη απάντηση, προωθηση',
			'delivery report',
		),
	],
])('each word of a Greek admin finds %s', (node, words) => {
	expect(words.filter((word) => !found(word).includes(node))).toEqual([]);
});

/** Words of users who do not know the names of the nodes, and the node that they need. */
test.each([
	...['send sms', 'send a text', 'text message', 'bulk sms', 'στείλε', 'στειλε', 'μήνυμα', 'μηνυμα'].map((words) => [
		words,
		'SMS Send',
	]),
	...['one time code', 'otp code', 'verify phone', 'έλεγχος', 'ελεγχος', 'επαλήθευση', 'επαληθευση'].map((words) => [
		words,
		'SMS Code',
	]),
	...['validate amka', 'social security', 'έλεγχος', 'ελεγχος', 'επαλήθευση', 'επαληθευση'].map((words) => [
		words,
		'AMKA',
	]),
	...['delivery report'].flatMap((words) => ['SMS Results', 'SMS Trigger'].map((node) => [words, node])),
	...['μήνυμα', 'receive sms'].map((words) => [words, 'SMS Trigger']),
] as Array<[string, string]>)('the search for "%s" shows %s among the first three of all nodes', (words, node) => {
	expect(found(words, [...nodesOfN8n, ...nodes]).slice(0, 3)).toContain(node);
});

test('the search for an unrelated word does not find nodes of this package', () => {
	expect(found('ωψωψ')).toEqual([]);
});

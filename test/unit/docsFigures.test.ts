import { randomUUID } from 'node:crypto';

import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { options as amka } from '../../nodes/Amka/parameters';
import { IN_A_DAY, IN_TEN_MINUTES, TEN_MINUTES } from '../../nodes/Sms/code/counts';
import { codeLength, maxAttempts, maxCodesPerHour, validMinutes } from '../../nodes/Sms/code/parameters';
import { PREVIOUS_KEY_LIFETIME } from '../../nodes/Sms/credential';
import { SHORT } from '../../nodes/Sms/keys';
import { openQuestions } from '../../nodes/Sms/memory/asking';
import { MOST_ENTRIES, type List } from '../../nodes/Sms/memory/list';
import { LONG_BLOCK, MANY_ENTRIES } from '../../nodes/Sms/memory/messages';
import { LONGEST_REFERENCE } from '../../nodes/Sms/outgoing/message';
import { concurrency } from '../../nodes/Sms/outgoing/parameters';
import { DAYS } from '../../nodes/Sms/outgoing/replacements';
import { SHORTEST_COLUMN } from '../../nodes/Sms/reportUrl';
import { countSegments, LONGEST_SMS } from '../../nodes/Sms/segments';
import { REMEMBERED } from '../../nodes/Sms/send/review/doubts';
import { lateAfterHours } from '../../nodes/Sms/send/whoGotIt/followUp';
import { maxWaitMinutes, rememberFor } from '../../nodes/Sms/send/parameters';
import { SAMPLES } from '../../nodes/Sms/send/review/summary';
import { LONGEST_KEY } from '../../nodes/Sms/send/row';
import { LIFETIME, signReportUrl } from '../../nodes/Sms/signedUrl';
import { LONGEST_BODY, OF_ONE_MESSAGE, REMEMBERED as EVENTS } from '../../nodes/Sms/webhookRequest';
import { dlrRequest, smsForwardRequest } from '../../nodes/Sms/wire';
import { LONGEST_WAIT } from '../../nodes/shared/retry';
import { flat, manifest, read } from './pages';

/* Each number and default that a page says is what the code has, or what the bench measured last. */

const inWords: Record<string, number> = {
	...{ three: 3, four: 4, five: 5, seven: 7, eight: 8, ten: 10, twenty: 20, Eight: 8, Twenty: 20 },
	...{ τρεις: 3, τέσσερα: 4, πέντε: 5, έξι: 6, επτά: 7, οκτώ: 8, δέκα: 10, είκοσι: 20 },
};

/** In digits, as both languages write them, and in words; a version as text. */
const numbersIn = (text: string): Array<number | string> =>
	[...text.matchAll(/\d[\d.,]*\d|\d|\p{L}+/gu)].flatMap(([found]) => {
		if (!/^\d/.test(found)) return inWords[found] ?? [];
		const digits = /^\d{1,3}([.,]\d{3})+$/.test(found) ? found.replace(/[.,]/g, '') : found;
		return /^\d+$/.test(digits) ? Number(digits) : found;
	});

/** The greatest length that fits. */
function greatest(fits: (length: number) => boolean): number {
	let [low, high] = [0, 2 ** 17];
	while (high - low > 1) {
		const middle = (low + high) / 2;
		if (fits(middle)) low = middle;
		else high = middle;
	}
	return low;
}
const inMessage = (field: string) =>
	greatest((length) => smsForwardRequest.safeParse({ MSISDN: 1, keyword: 1, [field]: 'x'.repeat(length) }).success);
const inReport = (field: string) => {
	const report = { serviceId: 1, recipient: 1, status: 1 };
	return greatest((length) => dlrRequest.safeParse({ ...report, [field]: 'x'.repeat(length) }).success);
};
const inOneSms = (letter: string) => greatest((length) => countSegments(letter.repeat(length)) <= 1);
const inEachSms = (letter: string) => greatest((length) => countSegments(letter.repeat(length)) <= 2) / 2;
const reportUrl = (reference: string) => {
	const [url, mid] = [`https://n8n.example.gr/webhook/${randomUUID()}/dlr`, randomUUID()];
	return signReportUrl(url, { serviceId: 'grades', reference, mid }, 'key', 1e9).length;
};

/** What a form has of a number: its default and its bounds. */
const ofForm = ({ default: standard, typeOptions: { minValue, maxValue } = {} }: INodeProperties) =>
	[standard, minValue, maxValue] as [number, number, number];
const [hours] = numbersIn((rememberFor.options as INodePropertyOptions[])[0]!.description!) as [number];
const [attempts] = ofForm(maxAttempts);
const [places] = ofForm(concurrency);
const [timeout, , longest] = ofForm(amka.timeout);
const [days, daysOfOldKey] = [LIFETIME / 86_400, PREVIOUS_KEY_LIFETIME / 86_400];
const { claimOf, markOf } = openQuestions({} as List, 1, () => false);
/** So many entries of n8n's list a message takes. */
const aMessage = [...claimOf('', 0), ...markOf('', 0)].length;

/** The numbers at a place of another file. */
const at = (file: string, place: RegExp): number[] =>
	[...read(file).matchAll(place)].map(([, figure]) => Number(figure));
const sum = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0);
/** The pairs of events that started two executions. */
const pairs = at('bench/QUEUE.md', /^\| (?:(?:message|report) \| \d+|again [^|]*) \| \d+ \| (\d+) \|/gm);
const [pause] = at('bench/RESULTS.md', /^\| ten in parallel \|.*\| (\d+) \| 409 \|$/gm);
/** The fewest and the most wrong codes that were tried of so many that were guessed at the same moment. */
const triedOf = (guesses: number): number[] => {
	const row = new RegExp(`^\\| ${guesses} \\| \\d \\| (.*) \\|$`, 'm').exec(read('bench/QUEUE.md'))![1]!;
	const tried = [...row.matchAll(/(\d+) \(/g)].map(([, count]) => Number(count));
	return [Math.min(...tried), Math.max(...tried)];
};
const [, zod4] = manifest.devDependencies.zod4.split('@') as string[];
const version = (folder: string, name: string) =>
	String((JSON.parse(read(`${folder}package.json`)) as Record<string, Record<string, string>>).dependencies![name]);

test.each<[page: string, words: string, ...figures: Array<number | string | undefined>]>([
	['amka', 'Concurrency (5; 1 to 50)', ...ofForm(amka.concurrency)],
	['amka', 'Timeout (30 s; up to 3,600)', timeout, longest],
	['amka', 'unless the service asks for more than five minutes', LONGEST_WAIT / 60],
	['credentials', 'At least 16 random characters', SHORT],
	['credentials', 'until eight days after', daysOfOldKey],
	['first-day', '`TIMEOUT` after ten minutes', ...at('examples/first-day.json', /"maxWaitMinutes": (\d+)/g)],
	['limits', 'A report is accepted for seven days', days],
	['limits', 'about 210 characters', Math.ceil(reportUrl('x'.repeat(22)) / 10) * 10],
	['limits', '*Reference* up to 900', Math.ceil(reportUrl('ά'.repeat(LONGEST_REFERENCE)) / 100) * 100],
	['limits', 'Above 255 the node warns', SHORTEST_COLUMN],
	['limits', 'the body 40,000 characters, keyword 160', inMessage('body'), inMessage('keyword')],
	['limits', 'MSISDN 64, ID 256', inMessage('MSISDN'), inMessage('sms-forward-id')],
	['limits', 'Of a report: status 64', inReport('status')],
	['limits', 'service ID, recipient and error 256', inReport('serviceId')],
	['limits', 'recipient and error 256', inReport('recipient')],
	['limits', 'error 256', inReport('error')],
	['limits', 'a value of SMS Send of more than 40,000', LONGEST_SMS],
	['limits', 'may have 200,000 bytes', LONGEST_BODY],
	['limits', 'start at most eight executions', OF_ONE_MESSAGE],
	['limits', '| 2.41.1 | 3.25.76, or 4.6.7', version('host/', 'n8n'), manifest.devDependencies.zod, zod4],
	['limits', '| 2.20.12 |', version('host/2.20/', 'n8n')],
	['limits', '| 1.123.81 |', version('host/1.123/', 'n8n')],
	['privacy', 'the last 10,000 of a node', EVENTS],
	['privacy', 'deletes rows after 30 days', ...at('examples/who-got-it.json', /minus\(\{ days: (\d+)/g)],
	['reminders', 'is not sent again for 10 hours, and certainly goes out again after 20', hours, 2 * hours],
	['scale', 'Of 720 pairs that started two executions', sum(pairs)],
	['send-a-list', 'The page waits three hours', at('examples/spreadsheet-to-sms.json', /"resumeAmount": (\d+)/g)[0]],
	['send-a-list', 'whole numbers from 36526 to 54789', DAYS.first, DAYS.last],
	['send-a-list', 'the first five messages', SAMPLES],
	['skipped', 'After 10 to 20 hours (*Remember For*;', hours, 2 * hours],
	['skipped', 'which is 20 unless you changed it', 2 * places],
	['skipped', 'or 200 in a workflow that remembers more than about 5,000', 2 * LONG_BLOCK, MANY_ENTRIES / aMessage],
	['skipped', 'the last 30,000 messages', REMEMBERED.day],
	['sms-code', 'at most five SMS with codes in ten minutes', IN_TEN_MINUTES, TEN_MINUTES / 60_000],
	['sms-code', 'and twenty in a day', IN_A_DAY],
	['sms-code', 'Twenty requests', IN_A_DAY],
	['sms-code', 'guessed with one code, five attempts', attempts],
	['sms-code', '| 1 in 2,000 | 1 in 100 |', 1, 1e4 / attempts, 1, 1e4 / attempts / IN_A_DAY],
	['sms-code', '| 1 in 200,000 | 1 in 10,000 |', 1, 1e6 / attempts, 1, 1e6 / attempts / IN_A_DAY],
	['sms-code', '125,000 entries', MOST_ENTRIES],
	['sms-code', '2 to 4 were tried', ...triedOf(5)],
	['sms-code', 'five allowed, 3 to 6', 5, ...triedOf(40)],
	['sms-code', 'a message of a list four', aMessage],
	['sms-code', 'until eight days after *Key Changed On*', daysOfOldKey],
	['sms-send', 'up to **70 characters**; a longer one takes one SMS for each 67', inOneSms('ά'), inEachSms('ά')],
	['sms-send', 'Latin letters fit 160 into one, 153 into each', inOneSms('a'), inEachSms('a')],
	['sms-send', 'is not sent again for 10 to 20 hours', hours, 2 * hours],
	['sms-send', 'at least its last 30,000 messages', REMEMBERED.day],
	['sms-send', 'unless that asks for more than five minutes', LONGEST_WAIT / 60],
	['sms-send', '| Duplicate Key | empty; up to 500 characters', LONGEST_KEY],
	['sms-send', '| Reference | empty; up to 256 characters', LONGEST_REFERENCE],
	['sms-send', 'Late After (Hours), Include Unknown | 1; 0 to 1,000', ...ofForm(lateAfterHours)],
	['sms-send', 'which took up to 389 ms', pause],
	['sms-trigger', 'is older than seven days', days],
	['sms-trigger', 'the last 10,000 events', EVENTS],
	['troubleshooting', 'is older than seven days', days],
	['troubleshooting', 'in the last 10 to 20 hours', hours, 2 * hours],
	['who-got-it', '*Late After (Hours)* is 1', ofForm(lateAfterHours)[0]],
	['el/README', 'για τουλάχιστον 10 ώρες', hours],
	['el/codes', '| 6 (4 ως 10) |', ...ofForm(codeLength)],
	['el/codes', '| 10 (1 ως 60) |', ...ofForm(validMinutes)],
	['el/codes', '| 5 (1 ως 10) |', ...ofForm(maxAttempts)],
	['el/codes', '| 5 σε δέκα λεπτά, 20 σε μία ημέρα |', IN_TEN_MINUTES, TEN_MINUTES / 60_000, IN_A_DAY],
	['el/codes', '| 500 (0: χωρίς όριο) |', ...ofForm(maxCodesPerHour).slice(0, 2)],
	['el/codes', '200.000 με έξι ψηφία, 1 στις 2.000 με τέσσερα', 1e6 / attempts, 6, 1, 1e4 / attempts, 4],
	['el/codes', 'Με είκοσι αιτήματα', IN_A_DAY],
	['el/key', 'τουλάχιστον 16 τυχαίους', SHORT],
	['el/key', 'Για επτά ημέρες', days],
	['el/key', 'ως οκτώ φορές', OF_ONE_MESSAGE],
	['el/key', 'ως οκτώ ημέρες μετά', daysOfOldKey],
	['el/nodes', '**70 χαρακτήρες**· ένα μεγαλύτερο παίρνει ένα SMS για κάθε 67', inOneSms('ά'), inEachSms('ά')],
	['el/nodes', 'χωρούν 160, σε μεγαλύτερο 153', inOneSms('a'), inEachSms('a')],
	['el/nodes', 'για 10 ως 20 ώρες', hours, 2 * hours],
	['el/nodes', 'τα τελευταία 30.000 μηνύματά της', REMEMBERED.day],
	['el/privacy', 'τα τελευταία 10.000 |', EVENTS],
	['el/reminders', 'για 10 ώρες, και στέλνεται οπωσδήποτε μετά από 20', hours, 2 * hours],
	['el/reports', 'μετά από επτά ημέρες', days],
	['el/reports', '(60, το πολύ 10.080)', ofForm(maxWaitMinutes)[0], ofForm(maxWaitMinutes)[2]],
	['el/send-a-list', '(36526 ως 54789)', DAYS.first, DAYS.last],
	['el/skipped', 'Μετά από 10 ως 20 ώρες', hours, 2 * hours],
	[
		'el/skipped',
		'δηλαδή 20, ή 200 σε ροή που θυμάται πάνω από 5.000',
		2 * places,
		2 * LONG_BLOCK,
		MANY_ENTRIES / aMessage,
	],
	['el/skipped', 'τα τελευταία 30.000 μηνύματα', REMEMBERED.day],
	['el/troubleshooting', 'τις τελευταίες 10 ως 20 ώρες', hours, 2 * hours],
])('docs/%s.md says "%s"', (page, words, ...wanted) => {
	expect([words, flat(`docs/${page}.md`).includes(words)]).toEqual([words, true]);
	expect(numbersIn(words)).toEqual(wanted);
});

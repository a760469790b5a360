import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { options as amka } from '../../nodes/Amka/properties';
import { IN_A_DAY, IN_TEN_MINUTES, MOST_NUMBERS, TEN_MINUTES } from '../../nodes/SmsCode/codeLimits';
import { codeLength, maxAttempts, maxCodesPerHour, validMinutes } from '../../nodes/SmsCode/properties';
import { PREVIOUS_KEY_LIFETIME } from '../../lib/smsPlatform/credential';
import { SHORT } from '../../lib/smsPlatform/derivedKeys';
import { MOST_ENTRIES } from '../../lib/sentMessages/list';
import { claimEntries, periodAt, sentEntries } from '../../lib/sentMessages/periods';
import { LEAST_REMEMBERED } from '../../lib/sentMessages/room';
import { LONGEST_REFERENCE } from '../../lib/smsPlatform/message';
import { concurrency } from '../../lib/smsPlatform/properties';
import { DAYS } from '../../lib/smsPlatform/replacements';
import { SHORTEST_COLUMN } from '../../lib/smsPlatform/reportUrl';
import { countSegments, LONGEST_SMS } from '../../lib/smsPlatform/segments';
import { answerWithinDays, lateAfterHours } from '../../nodes/SmsResults/properties';
import { maxWaitMinutes, rememberFor } from '../../nodes/SmsSend/properties';
import { MOST_ROWS_OF_FAULT } from '../../nodes/SmsSend/review/page';
import { MOST_ROW_NUMBERS, SAMPLES } from '../../nodes/SmsSend/review/summary';
import { LONGEST_KEY } from '../../nodes/SmsSend/messageKey';
import { LIFETIME, signReportUrl } from '../../lib/smsPlatform/reportSignature';
import { OF_ONE_MESSAGE, REMEMBERED as EVENTS } from '../../lib/smsPlatform/repeatedEvents';
import { LONGEST_BODY } from '../../lib/smsPlatform/webhookBody';
import { dlrRequest, smsForwardRequest } from '../../lib/smsPlatform/api';
import { createCircuitBreaker } from '../../lib/http/circuitBreaker';
import { LONGEST_WAIT, RETRIES } from '../../lib/http/retryPolicy';
import { Problem } from '../../lib/texts/problem';
import { flat, manifest, read, ROOT } from './pages';

/* Each number and default that a page says is what the code has, or what the bench measured last. */

const inWords: Record<string, number> = {
	...{ two: 2, twice: 2, three: 3, four: 4, five: 5, seven: 7, eight: 8, ten: 10, twenty: 20 },
	...{ Eight: 8, Eleven: 11, Twenty: 20 },
	...{ τρεις: 3, τρία: 3, τέσσερα: 4, πέντε: 5, έξι: 6, επτά: 7, οκτώ: 8, δέκα: 10, είκοσι: 20 },
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
const claim = { ...periodAt('day', 0), key: '' };
/** So many entries of n8n's list a message takes. */
const aMessage = [...claimEntries(claim), ...sentEntries(claim)].length;
/** A constant that no other file needs. */
const constantOf = (file: string, name: string): number => {
	const [, value] = new RegExp(`^const ${name} = ([\\d_.]+);`, 'm').exec(read(`${file}.ts`))!;
	return Number(value!.replaceAll('_', ''));
};
/** A start of n8n may cost the room of so many messages. */
const aStart = constantOf('lib/sentMessages/room', 'PAGE') / aMessage;
const nearlyFull = constantOf('lib/sentMessages/room', 'NEARLY_FULL') * 100;
const [longList, longChunk, rounds, pacedChunk] = ['LONG_LIST', 'LONG_CHUNK', 'ROUNDS', 'PACED_CHUNK'].map((name) =>
	constantOf('nodes/SmsSend/sendChunks', name),
) as [number, number, number, number];

/** The numbers at a place of another file. */
const at = (file: string, place: RegExp): number[] =>
	[...read(file).matchAll(place)].map(([, figure]) => Number(figure));
const [pause] = at('bench/RESULTS.md', /^\| ten in parallel \|.*\| (\d+) \| 409 \|$/gm);
/** After so many rows without an answer nothing more is tried. */
function outage(places: number): number {
	const breaker = createCircuitBreaker(places, () => new Problem('down', ''));
	let rows = 0;
	for (; breaker.problem() === undefined; rows++) breaker.record('noAnswer');
	return rows;
}
/** What a choice of Remember For says in the form: for at least and at most how many hours. */
const [, week] = (rememberFor.options as INodePropertyOptions[]).map(({ description }) => numbersIn(description!));
const weekHours = week!.map((days) => Number(days) * 24);
const [, zod4] = manifest.devDependencies.zod4.split('@') as string[];
const version = (folder: string, name: string) =>
	String((JSON.parse(read(`${folder}package.json`)) as Record<string, Record<string, string>>).dependencies![name]);

/** A version without its patch. */
const minor = (folder: string) => {
	const [, found] = /^(\d+\.\d+)/.exec(version(folder, 'n8n'))!;
	return numbersIn(found!)[0];
};
/** The times of 1,000 rows in seconds, as the bench measured them: SMS Send with ten in parallel, and HTTP Request. */
const seconds = ['SMS Send \\| 10', 'HTTP Request \\| '].map((way) => {
	const [time] = at('bench/RESULTS.md', new RegExp(`^\\| ${way} \\| 1000 \\| http, 20 ms \\| ([\\d.]+)`, 'gm'));
	return time!.toFixed(1);
});
const examples = globSync('**/*.json', { cwd: join(ROOT, 'examples') }).length;
/** For how many hours the page waits on which people choose. */
const [open] = at(
	'examples/desk/send-a-list.json',
	/"resumeAmount": (\d+),\s+"resumeUnit": "hours",\s+"options": \{\s+"formTitle": "Έλεγχος πριν/g,
);
const [perSecond] = at('examples/desk/send-a-list.json', /"messagesPerSecond": (\d+)/g) as [number];

test.each<[page: string, words: string, ...figures: Array<number | string | undefined>]>([
	['../README', 'leaves some twenty unknown', outage(places)],
	['../README', '1,000 rows take 4.2 s, there 4.2 too', 1000, ...seconds],
	['../README', '2.41, 2.20 and 1.123', ...['host/', 'host/2.20/', 'host/1.123/'].map(minor)],
	['../SECURITY', 'for seven days send false reports about **that one message**, up to eight', days, OF_ONE_MESSAGE],
	['../SECURITY', 'stay valid until eight days after', daysOfOldKey],
	['../CHANGELOG', 'Eleven example workflows', examples],
	['amka', 'Concurrency (5; 1 to 50)', ...ofForm(amka.concurrency)],
	['amka', 'Timeout (30 s; up to 3,600)', timeout, longest],
	['amka', 'is repeated twice after failed or broken connections', RETRIES],
	['amka', 'unless the service asks for more than five minutes', LONGEST_WAIT / 60],
	['amka', 'After ten rows in a row without an answer', outage(ofForm(amka.concurrency)[0])],
	['credentials', 'At least 16 random characters', SHORT],
	['credentials', 'until eight days after', daysOfOldKey],
	['first-day', '`TIMEOUT` after ten minutes', ...at('examples/more/first-day.json', /"maxWaitMinutes": (\d+)/g)],
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
	['limits', 'an SMS Send value over 40,000', LONGEST_SMS],
	['limits', 'may have 200,000 bytes', LONGEST_BODY],
	['limits', '| 2.41.1 | 3.25.76, or 4.6.7', version('host/', 'n8n'), manifest.devDependencies.zod, zod4],
	['limits', '| 2.20.12 |', version('host/2.20/', 'n8n')],
	['limits', '| 1.123.81 |', version('host/1.123/', 'n8n')],
	['privacy', 'the last 10,000 of a node', EVENTS],
	['privacy', 'deletes rows after 30 days', ...at('examples/desk/who-got-it.json', /minus\(\{ days: (\d+)/g)],
	[
		'questions',
		'in the seven days before (*Answer Within (Days)*; in the example 30)',
		ofForm(answerWithinDays)[0],
		...at('examples/desk/question.json', /"answerWithinDays": (\d+)/g).slice(0, 1),
	],
	['questions', '| Answer Within (Days) | 7;', ofForm(answerWithinDays)[0]],
	['scale', 'four workers allow twenty guesses', 4, 4 * attempts],
	['send-a-list', 'The page waits three hours', open],
	['send-a-list', 'at least 168 hours', weekHours[0]],
	['send-a-list', 'at most ten messages a second', perSecond],
	['send-a-list', '2,000 people take three to four minutes', 2000, 3, Math.ceil(2000 / perSecond / 60)],
	['send-a-list', 'again after 20 hours or more', 2 * hours],
	['send-a-list', 'whole numbers from 36526 to 54789', DAYS.first, DAYS.last],
	['send-a-list', 'the first five messages', SAMPLES],
	['send-a-list', 'all its rows, at most 500', MOST_ROW_NUMBERS],
	['send-a-list', 'with up to 100 rows of each fault', MOST_ROWS_OF_FAULT],
	['secretary', 'three to four minutes for 2,000 people', 3, Math.ceil(2000 / perSecond / 60), 2000],
	['skipped', 'After 10 to 20 hours (*Remember For: A Day*; 168 to 336 with *A Week*', hours, 2 * hours, ...weekHours],
	['skipped', 'five times *Concurrency*, or 50 messages by default', rounds, rounds * places],
	['skipped', 'It is 100 (or twice *Concurrency*', longChunk, 2],
	['skipped', 'remembers more than about 5,000', longList / aMessage],
	['skipped', 'what is sent in two seconds', pacedChunk],
	['skipped', 'After twenty rows in a row without an answer', outage(places)],
	['skipped', '(twice *Concurrency*, at least ten)', 2, outage(1)],
	['sms-code', 'at most five SMS with codes in ten minutes', IN_TEN_MINUTES, TEN_MINUTES / 60_000],
	['sms-code', 'and twenty in a day', IN_A_DAY],
	['sms-code', 'With twenty requests', IN_A_DAY],
	['sms-code', 'guessed with one code, five attempts | twenty codes in a day', attempts, IN_A_DAY],
	['sms-code', '| 1 in 2,000 | 1 in 100 |', 1, 1e4 / attempts, 1, 1e4 / attempts / IN_A_DAY],
	['sms-code', '| 1 in 200,000 | 1 in 10,000 |', 1, 1e6 / attempts, 1, 1e6 / attempts / IN_A_DAY],
	['sms-code', 'remembers 50,000 numbers', MOST_NUMBERS],
	['sms-send', 'up to **70 characters**; a longer one takes one SMS for each 67', inOneSms('ά'), inEachSms('ά')],
	['sms-send', '160 Latin letters fit into one, 153 into each', inOneSms('a'), inEachSms('a')],
	['limits', 'a list of 125,000 entries for each workflow, and a message takes four', MOST_ENTRIES, aMessage],
	['sms-send', '| A Day (default) | 10 to 20 hours |', hours, 2 * hours],
	['sms-send', '| A Week | 168 to 336 hours |', ...weekHours],
	['sms-send', 'remembers at least 30,000 messages', LEAST_REMEMBERED],
	['sms-send', 'A period is 10 hours with *A Day*, and 168 hours', hours, weekHours[0]],
	['sms-send', 'may cost the room of 250 messages', aStart],
	['sms-send', 'From 80 % on', nearlyFull],
	['scale', 'remembers at least 30,000 messages', LEAST_REMEMBERED],
	['sms-send', 'The node itself retries twice', RETRIES],
	['sms-send', 'asks for over five minutes', LONGEST_WAIT / 60],
	['sms-send', '| Repeat Key | empty; up to 500 characters', LONGEST_KEY],
	['sms-send', '| Reference | empty; up to 256 characters', LONGEST_REFERENCE],
	['who-got-it', '| Late After (Hours) | 1; 0 to 1,000', ...ofForm(lateAfterHours)],
	[
		'sms-send',
		'Max Wait (Minutes) | 60; more than 0, up to 10,080',
		ofForm(maxWaitMinutes)[0],
		0,
		ofForm(maxWaitMinutes)[2],
	],
	['sms-send', 'which took up to 389 ms', pause],
	['sms-trigger', 'is older than seven days', days],
	['sms-trigger', 'the last 10,000 events', EVENTS],
	['sms-trigger', 'start at most eight executions', OF_ONE_MESSAGE],
	['troubleshooting', 'is older than seven days', days],
	['troubleshooting', 'in the last 10 to 20 hours', hours, 2 * hours],
	['who-got-it', '*Late After (Hours)* is 1', ofForm(lateAfterHours)[0]],
	['el/admin', 'κλειδί 16 χαρακτήρων', SHORT],
	['el/admin', 'έως οκτώ ημέρες μετά', daysOfOldKey],
	['el/keywords-and-codes', '| 6 (4 έως 10) |', ...ofForm(codeLength)],
	['el/keywords-and-codes', '| 10 (1 έως 60) |', ...ofForm(validMinutes)],
	['el/keywords-and-codes', '| 5 (1 έως 10) |', ...ofForm(maxAttempts)],
	['el/keywords-and-codes', '| 5 σε δέκα λεπτά, 20 σε μία ημέρα |', IN_TEN_MINUTES, TEN_MINUTES / 60_000, IN_A_DAY],
	['el/keywords-and-codes', '| 500 (0: χωρίς όριο) |', ...ofForm(maxCodesPerHour).slice(0, 2)],
	['el/keywords-and-codes', 'στις 200.000 με έξι ψηφία', 1e6 / attempts, 6],
	['el/keywords-and-codes', 'με είκοσι αιτήματα', IN_A_DAY],
	['el/privacy', 'παλιότερο από 30 ημέρες', ...at('examples/desk/who-got-it.json', /minus\(\{ days: (\d+)/g)],
	[
		'el/questions',
		'έως 30 ημέρες πριν',
		...at('examples/desk/question.json', /"answerWithinDays": (\d+)/g).slice(0, 1),
	],
	['el/secretary', 'τρία με τέσσερα λεπτά για 2.000 άτομα', 3, Math.ceil(2000 / perSecond / 60), 2000],
	['el/send-a-list', 'Η σελίδα μένει ανοιχτή τρεις ώρες', open],
	['el/send-a-list', '(36526 έως 54789)', DAYS.first, DAYS.last],
	[
		'el/send-a-list',
		'έως **70 χαρακτήρες**· ένα μεγαλύτερο παίρνει ένα SMS για κάθε 67',
		inOneSms('ά'),
		inEachSms('ά'),
	],
	['el/send-a-list', 'χωρούν 160, σε μεγαλύτερο 153', inOneSms('a'), inEachSms('a')],
	['el/send-a-list', '*A Day* 10 έως 20 ώρες, *A Week* 168 έως 336', hours, 2 * hours, ...weekHours],
	['el/troubleshooting', 'Μετά από είκοσι γραμμές χωρίς απάντηση', outage(places)],
	['el/troubleshooting', 'το πολύ 50 είναι άγνωστα (100', rounds * places, longChunk],
	['el/troubleshooting', 'πάνω από 5.000', longList / aMessage],
	['el/troubleshooting', 'τουλάχιστον 30.000 μηνύματα', LEAST_REMEMBERED],
	['el/send-a-list', 'Τουλάχιστον 30.000 μηνύματα', LEAST_REMEMBERED],
	['el/troubleshooting', 'πέρασαν επτά ημέρες', days],
])('docs/%s.md says "%s"', (page, words, ...wanted) => {
	expect([words, flat(`docs/${page}.md`).includes(words)]).toEqual([words, true]);
	expect(numbersIn(words)).toEqual(wanted);
});

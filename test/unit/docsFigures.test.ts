import { randomUUID } from 'node:crypto';

import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { options as amka } from '../../nodes/Amka/properties';
import { IN_A_DAY, IN_TEN_MINUTES, MOST_NUMBERS, TEN_MINUTES } from '../../nodes/SmsCode/codeState';
import { codeLength, maxAttempts, maxCodesPerHour, validMinutes } from '../../nodes/SmsCode/properties';
import { PREVIOUS_KEY_LIFETIME } from '../../lib/smsPlatform/credential';
import { SHORT } from '../../lib/smsPlatform/derivedKeys';
import { MOST_ENTRIES } from '../../lib/sentMessages/list';
import { claimEntries, periodAt, sentEntries } from '../../lib/sentMessages/periods';
import { LEAST_REMEMBERED } from '../../lib/sentMessages/room';
import { LONGEST_REFERENCE } from '../../lib/smsPlatform/message';
import { concurrency } from '../../lib/smsPlatform/properties';
import { LIKELY_DAYS } from '../../lib/values/excelDate';
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
import { manifest, pages, read } from './pages';

/*
 * Figures in the pages. A comment such as `<!-- figure: outage -->` follows a number and names the figure. The test compares
 * the number with the code, an example or `bench/RESULTS.md`.
 */

const inWords: Record<string, number> = {
	...{ two: 2, twice: 2, three: 3, four: 4, five: 5, seven: 7, eight: 8, ten: 10, twenty: 20 },
	...{ Eight: 8, Eleven: 11, Twenty: 20 },
	...{ τρεις: 3, τρία: 3, τέσσερα: 4, πέντε: 5, έξι: 6, επτά: 7, οκτώ: 8, δέκα: 10, είκοσι: 20 },
};

/**
 * Returns the numbers in a text, with English or Greek separators or as a word of `inWords`. Versions and numbers with
 * decimals are returned as text.
 */
const numbersIn = (text: string): Array<number | string> =>
	[...text.matchAll(/\d[\d.,]*\d|\d|\p{L}+/gu)].flatMap(([found]) => {
		if (!/^\d/.test(found)) return inWords[found] ?? [];
		const digits = /^\d{1,3}([.,]\d{3})+$/.test(found) ? found.replace(/[.,]/g, '') : found;
		return /^\d+$/.test(digits) ? Number(digits) : found;
	});

/** Returns the greatest length for which the condition is true. */
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

/** Returns the default, the minimum and the maximum of a number field. */
const ofForm = ({ default: standard, typeOptions: { minValue, maxValue } = {} }: INodeProperties) =>
	[standard, minValue, maxValue] as [number, number, number];
const [hours] = numbersIn((rememberFor.options as INodePropertyOptions[])[0]!.description!) as [number];
const [attempts] = ofForm(maxAttempts);
const [places] = ofForm(concurrency);
const [timeout, , longest] = ofForm(amka.timeout);
const [days, daysOfOldKey] = [LIFETIME / 86_400, PREVIOUS_KEY_LIFETIME / 86_400];
const claim = { ...periodAt('day', 0), key: '' };
/** The number of entries in n8n's list of processed items that one sent message takes. */
const aMessage = [...claimEntries(claim), ...sentEntries(claim)].length;
/** Reads the value of a constant that its file does not export. */
const constantOf = (file: string, name: string): number => {
	const found = new RegExp(`^const ${name} = ([\\d_.]+);`, 'm').exec(read(`${file}.ts`));
	if (found === null) throw new Error(`${file}.ts has no constant ${name}`);
	return Number(found[1]!.replaceAll('_', ''));
};
/** The number of messages by which each start of n8n may reduce the capacity of the list. */
const aStart = constantOf('lib/sentMessages/room', 'PAGE') / aMessage;
const nearlyFull = constantOf('lib/sentMessages/room', 'NEARLY_FULL') * 100;
const [longList, longChunk, rounds, pacedChunk] = [
	'LONG_LIST',
	'LONG_CHUNK',
	'MESSAGES_PER_WORKER',
	'SECONDS_PER_CHUNK',
].map((name) => constantOf('nodes/SmsSend/sendChunks', name)) as [number, number, number, number];

/** Returns the numbers that a pattern captures in another file. */
const at = (file: string, place: RegExp): number[] =>
	[...read(file).matchAll(place)].map(([, figure]) => Number(figure));
const [pause] = at('bench/RESULTS.md', /^\| ten in parallel \|.*\| (\d+) \| 409 \|$/gm);
/** Returns how many rows without an answer stop a run with the concurrency `places`. */
function outage(places: number): number {
	const breaker = createCircuitBreaker(places, () => new Problem('down', ''));
	let rows = 0;
	for (; breaker.problem() === undefined; rows++) breaker.record('noAnswer');
	return rows;
}
/** The minimum and maximum days of the choice *A Week* of Remember For, as the form states them. */
const [, week] = (rememberFor.options as INodePropertyOptions[]).map(({ description }) => numbersIn(description!));
const weekHours = week!.map((days) => Number(days) * 24);
const [, zod4] = manifest.devDependencies.zod4.split('@') as string[];
const version = (folder: string, name: string) =>
	String((JSON.parse(read(`${folder}package.json`)) as Record<string, Record<string, string>>).dependencies![name]);

/** Returns the major and minor version of n8n in a folder, without the patch version. */
const minor = (folder: string) => {
	const [, found] = /^(\d+\.\d+)/.exec(version(folder, 'n8n'))!;
	return numbersIn(found!)[0];
};
/** The seconds that the benchmark measured for 1,000 rows: with SMS Send at a concurrency of ten, and with HTTP Request. */
const seconds = ['SMS Send \\| 10', 'HTTP Request \\| '].map((way) => {
	const [time] = at('bench/RESULTS.md', new RegExp(`^\\| ${way} \\| 1000 \\| http, 20 ms \\| ([\\d.]+)`, 'gm'));
	return time!.toFixed(1);
});
/**
 * The figures of the long list with Redis: the rows, the megabytes of the keys, the seconds of both runs, and the peak
 * memory of the first run in megabytes.
 */
const [scaleRows] = at('bench/RESULTS.md', /^(\d+),000 rows in parts of 10,000/gm).map((thousands) => thousands * 1000);
const [scaleMegabytes] = at('bench/RESULTS.md', /keys in ([\d.]+) MB/g).map(String);
const [scaleFirst, scaleSecond] = at('bench/RESULTS.md', /^\| (?:first|second) time \| (\d+) /gm);
const [scalePeak] = at('bench/RESULTS.md', /^\| first time \| \d+ \| \d+ \| (\d+) /gm);
/** The seconds for a list of 10,000 rows in one process, with no sent messages recorded and with as many as the list can have. */
const [tenThousand, tenThousandFull] = at(
	'bench/RESULTS.md',
	/^\| Skip, (?:nothing|many) remembered \| 20 ms \| 10 \| 10,000 \| ([\d.]+) /gm,
).map(Math.round);
const scale = { scaleRows, scaleFirst, scaleSecond, scaleMegabytes, scalePeak, tenThousand, tenThousandFull };
/** The hours for which a form page of an example waits for a person's choice. */
const [open] = at(
	'examples/desk/send-a-list.json',
	/"resumeAmount": (\d+),\s+"resumeUnit": "hours",\s+"options": \{\s+"formTitle": "Έλεγχος πριν/g,
);
const [perSecond] = at('examples/desk/check-and-send.json', /"messagesPerSecond": (\d+)/g) as [number];

const [aDay, aWeek] = [
	{ min: hours, max: 2 * hours },
	{ min: weekHours[0]!, max: weekHours[1]! },
];
const boundsOf = (name: string, property: INodeProperties) => {
	const [standard, min, max] = ofForm(property);
	return { [name]: standard, [`${name}Min`]: min, [`${name}Max`]: max };
};
const [digits, attemptsOfCode] = [{ four: 1e4, six: 1e6 }, attempts];

const FIGURES: Record<string, number | string | undefined> = {
	// Sending
	outage: outage(places),
	leastOutage: outage(1),
	retries: RETRIES,
	longestRetryMinutes: LONGEST_WAIT / 60,
	timeout,
	timeoutMax: longest,
	greekInOne: inOneSms('ά'),
	greekInEach: inEachSms('ά'),
	latinInOne: inOneSms('a'),
	latinInEach: inEachSms('a'),
	longestValue: LONGEST_SMS,
	repeatKeyLength: LONGEST_KEY,
	referenceLength: LONGEST_REFERENCE,
	...boundsOf('maxWait', maxWaitMinutes),
	...boundsOf('concurrency', concurrency),
	// The record of sent messages
	dayHoursMin: aDay!.min,
	dayHoursMax: aDay!.max,
	weekHoursMin: aWeek!.min,
	weekHoursMax: aWeek!.max,
	remembered: LEAST_REMEMBERED,
	startCost: aStart,
	nearlyFull,
	listEntries: MOST_ENTRIES,
	entriesPerMessage: aMessage,
	chunkRounds: rounds,
	chunk: rounds * places,
	longChunk,
	longList: longList / aMessage,
	pacedChunk,
	// The review
	firstDay: LIKELY_DAYS.first,
	lastDay: LIKELY_DAYS.last,
	samples: SAMPLES,
	rowNumbers: MOST_ROW_NUMBERS,
	rowsOfFault: MOST_ROWS_OF_FAULT,
	// SMS Results
	...boundsOf('lateAfter', lateAfterHours),
	answerWithin: ofForm(answerWithinDays)[0],
	// SMS Code
	...boundsOf('codeLength', codeLength),
	...boundsOf('validMinutes', validMinutes),
	...boundsOf('maxAttempts', maxAttempts),
	...boundsOf('codesPerHour', maxCodesPerHour),
	codesInTenMinutes: IN_TEN_MINUTES,
	tenMinutes: TEN_MINUTES / 60_000,
	codesInADay: IN_A_DAY,
	guessFour: digits.four / attemptsOfCode,
	guessFourADay: digits.four / attemptsOfCode / IN_A_DAY,
	guessSix: digits.six / attemptsOfCode,
	guessSixADay: digits.six / attemptsOfCode / IN_A_DAY,
	rememberedNumbers: MOST_NUMBERS,
	four: 4,
	guessesFourWorkers: 4 * attempts,
	// SMS Trigger and reports
	reportDays: days,
	reportsPerMessage: OF_ONE_MESSAGE,
	rememberedEvents: EVENTS,
	requestBytes: LONGEST_BODY,
	bodyLength: inMessage('body'),
	keywordLength: inMessage('keyword'),
	msisdnLength: inMessage('MSISDN'),
	idLength: inMessage('sms-forward-id'),
	statusLength: inReport('status'),
	errorLength: inReport('error'),
	reportUrlLength: Math.ceil(reportUrl('x'.repeat(22)) / 10) * 10,
	reportUrlLongest: Math.ceil(reportUrl('ά'.repeat(LONGEST_REFERENCE)) / 100) * 100,
	shortestColumn: SHORTEST_COLUMN,
	// Credentials
	shortestKey: SHORT,
	oldKeyDays: daysOfOldKey,
	// AMKA
	...boundsOf('amkaConcurrency', amka.concurrency),
	amkaOutage: outage(ofForm(amka.concurrency)[0]),
	// Examples
	pageWaitsHours: open,
	perSecond,
	people: 2000,
	fewestMinutes: Math.floor(2000 / perSecond / 60),
	mostMinutes: Math.ceil(2000 / perSecond / 60),
	waitsForMessages: at('examples/desk/send-a-list.json', /json\.messages <= (\d+)/g)[0],
	rowsOfAPart: at('examples/desk/check-and-send.json', /"batchSize": (\d+)/g)[0],
	deskDays: at('examples/desk/who-got-it.json', /minus\(\{ days: (\d+)/g)[0],
	exampleAnswerWithin: at('examples/desk/question.json', /"answerWithinDays": (\d+)/g)[0],
	firstDayWaitMinutes: at('examples/more/first-day.json', /"maxWaitMinutes": (\d+)/g)[0],
	// Measured
	benchRows: 1000,
	benchSmsSend: seconds[0],
	benchHttpRequest: seconds[1],
	pauseMs: pause,
	...scale,
	// Versions
	n8n: version('host/', 'n8n'),
	n8nMinor: minor('host/'),
	n8nOldest: version('host/2.20/', 'n8n'),
	n8nOldestMinor: minor('host/2.20/'),
	zod: manifest.devDependencies.zod,
	zod4,
};

/** Returns each marked figure of a page: its name, and the last number before the mark. */
const figuresOf = (page: string) => {
	const parts = read(page).split(/<!-- figure: (\w+) -->/);
	return parts
		.filter((_, index) => index % 2 === 1)
		.map((name, index) => ({ name, shown: numbersIn(parts[2 * index]!).at(-1) }));
};

test.each(pages.filter((page) => read(page).includes('<!-- figure:')))(
	'each marked figure in %s equals the value in the code, an example or bench/RESULTS.md',
	(page) => {
		const shown = figuresOf(page);
		expect(shown).toEqual(shown.map(({ name }) => ({ name, shown: FIGURES[name] })));
	},
);

// `boundsOf` adds the default and both bounds of each field, and a page need not show all of them.
test('every figure in FIGURES, except the bounds and the concurrency, is used in a page', () => {
	const used = new Set(pages.flatMap((page) => figuresOf(page).map(({ name }) => name)));
	const unused = Object.keys(FIGURES).filter((name) => !used.has(name) && !/(?:Min|Max|concurrency)$/.test(name));
	expect(unused).toEqual([]);
});

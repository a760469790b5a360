import { N8n, until } from '../test/e2e/n8n';
import { rowsUpTo } from '../test/e2e/sending';
import { withRows, packageNode } from '../test/e2e/workflows';
import { items } from '../test/e2e/n8n';
import { N8nList } from '../test/unit/lib/sentMessages/n8nList';
import { messageLines } from '../sandbox/agreed';
import { startSandbox } from '../sandbox/server';
import type * as Memory from '../lib/sentMessages/messages';
import type { RememberFor } from '../lib/sentMessages/periods';
import { KEY, machine, median, writeResults } from './common';
import { inOrder, Lists, type Way } from './lists';
import { call, fillList, Platform, ways } from './replies';

/*
 * `npm run bench -- limits`: what the memory of sent messages costs, and what it promises, side by side. A broken promise is an
 * error. Times are only reported. Some cases run on a real n8n. The others, which take many lists of 30,000 rows, run the code of
 * the memory on a plain list that works as n8n's.
 *
 * LIMITS_SCALE makes the lists and the number of kills smaller (0.01: 300 rows instead of 30,000), to try the bench itself.
 */
const SCALE = Number(process.env.LIMITS_SCALE ?? 1);
const scaled = (count: number, least = 1) => Math.max(least, Math.round(count * SCALE));
const ROUNDS = scaled(3);
const KILLS = scaled(20, 2);
const REMEMBERED = scaled(30_000, 120);

interface Line {
	what: string;
	where: 'real n8n' | 'plain list';
	measured: string;
	atMost: string;
	/** Whether the promise is kept. Undefined: the row is not about a promise. */
	isKept?: boolean;
}
const lines: Line[] = [];
function report(line: Line): void {
	lines.push(line);
	const mark = line.isKept === undefined ? '' : line.isKept ? ' (kept)' : ' (BROKEN)';
	console.log(`${line.what} [${line.where}]: ${line.measured}, at most ${line.atMost}${mark}`);
}

/** What sending 1,000 rows costs. */
async function sendingTimes(lists: Lists): Promise<void> {
	const LONG_LIST = 100_000;
	let from = 10_000_000;
	const list = { rows: scaled(1000, 50), places: 10, delay: 20 };
	const timeOf = async (way: Way, sent: number | 'any' = list.rows, first = (from += list.rows)) =>
		(await way({ ...list, from: first, sent })).milliseconds;
	await timeOf(await lists.publish({ ...inOrder, ifAlreadySent: 'send' }));
	const times: Record<'send' | 'empty' | 'long' | 'skipped' | 'restarted', number[]> = {
		...{ send: [], empty: [], long: [], skipped: [], restarted: [] },
	};
	for (let round = 0; round < ROUNDS; round++) {
		times.send.push(await timeOf(await lists.publish({ ...inOrder, ifAlreadySent: 'send' })));
		times.empty.push(await timeOf(await lists.publish(inOrder)));
		const way = await lists.publish(inOrder);
		await lists.fill(way, LONG_LIST);
		times.long.push(await timeOf(way));
		times.skipped.push(await timeOf(way, 0, from));
		await lists.restart();
		times.restarted.push(await timeOf(way, 0, from));
	}
	const ratio = (name: keyof typeof times) =>
		`× ${(median(times[name]) / median(times.send)).toFixed(2)} (${seconds(times[name])}, against ${seconds(times.send)})`;
	const seconds = (found: number[]) => `${(median(found) / 1000).toFixed(2)} s`;
	const rows = list.rows.toLocaleString('en');
	const sending = `${rows} rows, 20 ms, 10 in flight, Skip against Send Again`;
	report({ what: `${sending}, empty list`, where: 'real n8n', measured: ratio('empty'), atMost: '× 1.15' });
	report({ what: `${sending}, list of 100,000 entries`, where: 'real n8n', measured: ratio('long'), atMost: '× 1.8' });
	const skipping = `${rows} rows skipped, list of 100,000 entries`;
	report({ what: skipping, where: 'real n8n', measured: seconds(times.skipped), atMost: '5 s' });
	report({
		what: `${skipping}, after a restart`,
		where: 'real n8n',
		measured: seconds(times.restarted),
		atMost: '5 s',
	});
}

/** Measures the cost of a single reply on a list of the largest length. */
async function replyTimes(): Promise<void> {
	const platform = await Platform.open();
	const n8n = new N8n({ N8N_LOG_LEVEL: 'error', N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' });
	try {
		await n8n.install();
		await n8n.start();
		const smsPlatformApi = await n8n.addCredential('smsPlatformApi', {
			...{ baseUrl: platform.url, institution: 'example-university', preSharedKey: KEY },
			messages: 'bench/text: Καλημέρα',
		});
		const { own, reply } = ways(n8n, platform, { smsPlatformApi });
		const oneByOne = async (url: string) => {
			const times: number[] = [];
			for (let count = 0; count < scaled(20, 5); count++) times.push(await call(url, platform, 1));
			return median(times);
		};
		const times: Record<'own' | 'reply' | 'first', number[]> = { own: [], reply: [], first: [] };
		for (let round = 0; round <= ROUNDS; round++) {
			const { url } = await own();
			await call(url, platform, 1);
			times.own.push(await oneByOne(url));
			const long = await reply();
			await fillList(n8n, long.id, 125_000);
			times.first.push(await call(long.url, platform, 1));
			times.reply.push(await oneByOne(long.url));
			// The first round also compiles and loads the code, so it does not count.
			if (round === 0) for (const found of Object.values(times)) found.length = 0;
		}
		const [base, one, first] = [times.own, times.reply, times.first].map(median) as [number, number, number];
		const what = 'one reply on a list of 125,000 entries';
		const against = `${one.toFixed(0)} ms, against ${base.toFixed(0)} ms`;
		report({
			...{ what: `${what}, beside n8n's own two nodes`, where: 'real n8n' },
			...{ measured: `× ${(one / base).toFixed(2)} (${against})`, atMost: '× 5.2' },
		});
		report({
			...{ what: `${what}, the first after a start of n8n`, where: 'real n8n' },
			...{ measured: `${first.toFixed(0)} ms`, atMost: '–' },
		});
	} finally {
		platform.close();
		await n8n.remove();
	}
}

/** Sends as many messages as the node remembers at least. Sends them again, and once more after a restart. */
async function remembered(lists: Lists, rememberFor: RememberFor): Promise<void> {
	const way = await lists.publish({ ...inOrder, rememberFor });
	const list = { rows: REMEMBERED, places: 50, delay: 0, from: 20_000_000 };
	const first = await way(list);
	const again = await way({ ...list, sent: 'any' });
	await lists.restart('kill');
	const restarted = await way({ ...list, sent: 'any' });
	const sentAgain = again.requests + restarted.requests;
	const seconds = [first, again, restarted]
		.map(({ milliseconds }) => `${(milliseconds / 1000).toFixed(0)} s`)
		.join(', ');
	report({
		what: `${REMEMBERED.toLocaleString('en')} rows on ${rememberFor === 'week' ? 'Week' : 'Day'}, run again, and again after a restart: sent again`,
		...{ where: 'real n8n', measured: `${sentAgain} (${seconds})`, atMost: '0', isKept: sentAgain === 0 },
	});
}

/** Kills n8n while a list is sent, starts it, and runs the list again. */
async function kills(): Promise<void> {
	const [rowCount, concurrency, chunk] = [200, 10, 50];
	const sandbox = await startSandbox();
	const n8n = new N8n({ N8N_LOG_LEVEL: 'error', N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' });
	try {
		await n8n.install();
		await n8n.start();
		const { institution, preSharedKey } = sandbox.settings;
		const smsPlatformApi = await n8n.addCredential('smsPlatformApi', {
			...{ baseUrl: sandbox.url, institution, preSharedKey, messages: messageLines().join('\n') },
		});
		const rows = rowsUpTo(rowCount);
		const send = {
			...packageNode('smsSend', {
				...{ serviceId: '101', messageId: '2', recipient: '={{ $json.recipient }}', options: { concurrency } },
			}),
			credentials: { smsPlatformApi },
		};
		let twice = 0;
		const unknown: number[] = [];
		for (let kill = 0; kill < KILLS; kill++) {
			sandbox.reset();
			Object.assign(sandbox.trouble, { delayMs: 50 });
			const id = await n8n.addWorkflow(withRows(rows, send));
			await n8n.begin(id);
			const least = Math.floor(Math.random() * rowCount * 0.9);
			await until(`${least} messages are taken`, () => sandbox.messages.length >= least, 60_000);
			await n8n.kill();
			await until('the platform is done', () => sandbox.inFlight === 0);
			await n8n.start();
			const again = await n8n.executeSaved(id, 120_000);
			unknown.push(items(again).filter((item) => item.unknown === true).length);
			twice += rows.filter(({ recipient }) => sandbox.accepted(recipient as string) > 1).length;
		}
		const what = `${KILLS} kills with ${concurrency} in flight`;
		report({
			...{ what: `${what}: sent twice`, where: 'real n8n', measured: String(twice), atMost: '0', isKept: twice === 0 },
		});
		const most = Math.max(...unknown);
		report({
			...{ what: `${what}: unknown after each`, where: 'real n8n', measured: `${Math.min(...unknown)} to ${most}` },
			...{ atMost: `one chunk (${chunk})`, isKept: most <= chunk },
		});
	} finally {
		await sandbox.close();
		await n8n.remove();
	}
}

const HOUR = 3_600_000;
/** A moment in the first hour of a period of both choices. */
const START = 168 * 10 * HOUR * 300 + HOUR;

/** An n8n with a plain list and a clock that can be moved. Each process knows only the content of the list. */
class PlainN8n {
	now = START;
	readonly list = new N8nList();
	/** How often each message was sent. */
	readonly sent = new Map<string, number>();
	private memory = freshProcess();

	constructor() {
		Object.assign(this.list, { milliseconds: 0, keepsWrites: false });
		Date.now = () => this.now;
	}

	restart(): void {
		this.memory = freshProcess();
	}

	/** Runs a list. @returns how many messages were sent, refused and skipped */
	async run(keys: string[], rememberFor: RememberFor): Promise<{ sent: number; refused: number; skipped: number }> {
		const counts = { sent: 0, refused: 0, skipped: 0 };
		const messages = this.memory.openMessages(this.list.context(), rememberFor);
		for (let first = 0; first < keys.length; first += 1000) {
			for (const [key, { state, isClaimed }] of await messages.claim(keys.slice(first, first + 1000))) {
				if (state === 'full') counts.refused++;
				else if (!isClaimed) counts.skipped++;
				else {
					counts.sent++;
					this.sent.set(key, (this.sent.get(key) ?? 0) + 1);
					messages.release(key, 'accepted');
				}
			}
		}
		await messages.close();
		return counts;
	}
}

function freshProcess(): typeof Memory {
	for (const file of Object.keys(require.cache))
		if (/nodes\/Sms\/memory\/\w+\.js$/.test(file)) delete require.cache[file];
	// eslint-disable-next-line @typescript-eslint/no-require-imports
	return require('../lib/sentMessages/messages') as typeof Memory;
}

const keysOf = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name} ${index}`);

/** Runs lists that do not fit, each a second time and after a restart. */
async function fullLists(): Promise<void> {
	const realNow = Date.now;
	const WEEK = 168 * HOUR;
	/** One step: the clock moves, and then a list is run. */
	type Step = { name: string; rows: number; rememberFor?: RememberFor; later?: number; restart?: boolean };
	const room = await roomOfEmptyList();
	const cases: Record<string, Step[]> = {
		'one row more than fits': [{ name: 'a', rows: room + 1 }],
		'several lists': Array.from({ length: 8 }, (_, index) => ({ name: `list ${index}`, rows: 5000 })),
		'a list on each side of the border of a period': [
			{ name: 'before', rows: 18_000 },
			{ name: 'after', rows: 18_000, later: WEEK },
		],
		'two choices, of which the other one fills the list': [
			{ name: 'week', rows: 25_000, rememberFor: 'week' },
			{ name: 'day', rows: 10_000, rememberFor: 'day' },
		],
		'a restart between two lists': [
			{ name: 'first', rows: 20_000 },
			{ name: 'second', rows: 20_000, restart: true },
		],
	};
	let knownRefused = 0;
	for (const [what, steps] of Object.entries(cases)) {
		const n8n = new PlainN8n();
		let [rows, refused] = [0, 0];
		for (const { name, rows: count, rememberFor = 'week', later = 0, restart = false } of steps) {
			n8n.now += later;
			if (restart) n8n.restart();
			rows += count;
			refused += (await n8n.run(keysOf(name, count), rememberFor)).refused;
		}
		const sentBefore = n8n.sent.size;
		let refusedAgain = 0;
		for (const restart of [false, true]) {
			if (restart) n8n.restart();
			for (const { name, rows: count, rememberFor = 'week' } of steps) {
				const known = keysOf(name, count).filter((key) => n8n.sent.has(key));
				knownRefused += (await n8n.run(known, rememberFor)).refused;
				refusedAgain += (await n8n.run(keysOf(name, count), rememberFor)).refused;
			}
		}
		const sentAgain = [...n8n.sent.values()].filter((times) => times > 1).length;
		report({
			what: `${what} (${steps.map(({ rows: count }) => count.toLocaleString('en')).join(' + ')} rows), also after a restart: sent again`,
			...{ where: 'plain list', measured: String(sentAgain), atMost: '0', isKept: sentAgain === 0 },
		});
		report({
			what: `${what}: refused in words`,
			...{
				where: 'plain list',
				measured: `${refused} (${refusedAgain} in two more runs)`,
				atMost: `all that do not fit (${rows - sentBefore})`,
			},
			isKept: refused === rows - sentBefore && refused > 0,
		});
	}
	report({
		what: 'full lists run again, also after a restart: known messages refused instead of skipped',
		...{ where: 'plain list', measured: String(knownRefused), atMost: '0', isKept: knownRefused === 0 },
	});
	Date.now = realNow;
}

/** Returns how many messages an empty list has room for. */
async function roomOfEmptyList(): Promise<number> {
	const n8n = new PlainN8n();
	return (await n8n.run(keysOf('probe', 32_000), 'week')).sent;
}

async function main(): Promise<void> {
	await fullLists();
	const lists = await Lists.open();
	try {
		await sendingTimes(lists);
		for (const rememberFor of ['week', 'day'] as const) await remembered(lists, rememberFor);
	} finally {
		await lists.close();
	}
	await replyTimes();
	await kills();
	write();
	const broken = lines.filter(({ isKept }) => isKept === false);
	if (broken.length > 0) throw new Error(`Broken: ${broken.map(({ what }) => what).join('; ')}`);
}

function write(): void {
	const row = ({ what, where, measured, atMost, isKept }: Line) =>
		`| ${what} | ${where} | ${measured}${isKept === false ? ', **broken**' : ''} | ${atMost} |`;
	const text = `Made by \`npm run bench -- limits\`: one ${machine()}, SQLite. Times are medians of ${ROUNDS} rounds and are only reported; a count
above its limit ends the bench with an error. *Plain list*: the code of the memory with a list that works as n8n's, without n8n.

| what | where | measured | at most |
|---|---|---|---|
${lines.map(row).join('\n')}
`;
	if (SCALE === 1) writeResults('limits', text);
	else console.log(text);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

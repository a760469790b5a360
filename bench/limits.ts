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
import { inOrder, Lists, type BenchWorkflow } from './lists';
import { call, fillList, Platform, workflows } from './replies';

/*
 * `npm run bench -- limits` measures the cost of remembering sent messages, and checks the limits that the package promises. It
 * fails if a promise is broken. Times are only reported. Some cases run in a real n8n. The others, which need many lists of
 * 30,000 rows, run the code of `lib/sentMessages` with a simulated list in place of the one that n8n stores.
 *
 * LIMITS_SCALE makes the lists in the real n8n and the numbers of rounds and kills smaller (0.01: 300 rows instead of 30,000),
 * to try this program itself.
 */
const SCALE = Number(process.env.LIMITS_SCALE ?? 1);
const scaled = (count: number, least = 1) => Math.max(least, Math.round(count * SCALE));
const ROUNDS = scaled(3);
const KILLS = scaled(20, 2);
const REMEMBERED = scaled(30_000, 120);

/** A row of the result. */
interface Line {
	what: string;
	where: 'real n8n' | 'simulated list';
	measured: string;
	atMost: string;
	/** Whether the promise is kept. Undefined: nothing is promised. */
	isKept?: boolean;
}
const lines: Line[] = [];
function report(line: Line): void {
	lines.push(line);
	const mark = line.isKept === undefined ? '' : line.isKept ? ' (kept)' : ' (BROKEN)';
	console.log(`${line.what} [${line.where}]: ${line.measured}, at most ${line.atMost}${mark}`);
}

/** Measures the time to send 1,000 rows, and the time to skip them when the same list runs again. */
async function sendingTimes(lists: Lists): Promise<void> {
	const LONG_LIST = 100_000;
	let from = 10_000_000;
	const list = { rows: scaled(1000, 50), concurrency: 10, delay: 20 };
	const timeOf = async (workflow: BenchWorkflow, sent: number | 'any' = list.rows, first = (from += list.rows)) =>
		(await workflow({ ...list, from: first, sent })).milliseconds;
	await timeOf(await lists.publish({ ...inOrder, ifAlreadySent: 'send' }));
	const times: Record<'send' | 'empty' | 'long' | 'skipped' | 'restarted', number[]> = {
		...{ send: [], empty: [], long: [], skipped: [], restarted: [] },
	};
	for (let round = 0; round < ROUNDS; round++) {
		times.send.push(await timeOf(await lists.publish({ ...inOrder, ifAlreadySent: 'send' })));
		times.empty.push(await timeOf(await lists.publish(inOrder)));
		const workflow = await lists.publish(inOrder);
		await lists.fill(workflow, LONG_LIST);
		times.long.push(await timeOf(workflow));
		times.skipped.push(await timeOf(workflow, 0, from));
		await lists.restart();
		times.restarted.push(await timeOf(workflow, 0, from));
	}
	const ratio = (name: keyof typeof times) =>
		`× ${(median(times[name]) / median(times.send)).toFixed(2)} (${seconds(times[name])} ÷ ${seconds(times.send)})`;
	const seconds = (found: number[]) => `${(median(found) / 1000).toFixed(2)} s`;
	const rows = list.rows.toLocaleString('en');
	const sending = `sending ${rows} rows with Skip, divided by Send Again (20 ms, 10 in parallel)`;
	report({ what: `${sending}, nothing remembered`, where: 'real n8n', measured: ratio('empty'), atMost: '× 1.15' });
	report({
		what: `${sending}, n8n's list has 100,000 entries`,
		where: 'real n8n',
		measured: ratio('long'),
		atMost: '× 1.8',
	});
	const skipping = `skipping ${rows} rows, n8n's list has 100,000 entries`;
	report({ what: skipping, where: 'real n8n', measured: seconds(times.skipped), atMost: '5 s' });
	report({
		what: `${skipping}, after a restart`,
		where: 'real n8n',
		measured: seconds(times.restarted),
		atMost: '5 s',
	});
}

/** Measures the time of a single reply if n8n's list of the workflow has its greatest length. */
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
		const { own, reply } = workflows(n8n, platform, { smsPlatformApi });
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
			// The first round is not measured, because n8n also compiles and loads the code then.
			if (round === 0) for (const found of Object.values(times)) found.length = 0;
		}
		const [base, one, first] = [times.own, times.reply, times.first].map(median) as [number, number, number];
		const what = "one reply, n8n's list has 125,000 entries";
		const divided = `${one.toFixed(0)} ms ÷ ${base.toFixed(0)} ms`;
		report({
			...{ what: `${what}, divided by n8n's own Webhook and HTTP Request`, where: 'real n8n' },
			...{ measured: `× ${(one / base).toFixed(2)} (${divided})`, atMost: '× 5.2' },
		});
		report({
			...{ what: `${what}, the first reply after a start of n8n`, where: 'real n8n' },
			...{ measured: `${first.toFixed(0)} ms`, atMost: '–' },
		});
	} finally {
		platform.close();
		await n8n.remove();
	}
}

/** Sends a list of as many messages as the node always remembers. Runs that list again, and once more after n8n was killed. */
async function remembered(lists: Lists, rememberFor: RememberFor): Promise<void> {
	const workflow = await lists.publish({ ...inOrder, rememberFor });
	const list = { rows: REMEMBERED, concurrency: 50, delay: 0, from: 20_000_000 };
	const first = await workflow(list);
	const again = await workflow({ ...list, sent: 'any' });
	await lists.restart('kill');
	const restarted = await workflow({ ...list, sent: 'any' });
	const sentAgain = again.requests + restarted.requests;
	const seconds = [first, again, restarted]
		.map(({ milliseconds }) => `${(milliseconds / 1000).toFixed(0)} s`)
		.join(', ');
	report({
		what: `${REMEMBERED.toLocaleString('en')} rows with Remember For: ${rememberFor === 'week' ? 'Week' : 'Day'}, run again, and again after n8n was killed: sent again`,
		...{ where: 'real n8n', measured: `${sentAgain} (${seconds})`, atMost: '0', isKept: sentAgain === 0 },
	});
}

/** Kills n8n while it sends a list, starts it, and runs the list again. */
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
			await until(`the platform has accepted ${least} messages`, () => sandbox.messages.length >= least, 60_000);
			await n8n.kill();
			await until('the platform has answered all requests', () => sandbox.inFlight === 0);
			await n8n.start();
			const again = await n8n.executeSaved(id, 120_000);
			unknown.push(items(again).filter((item) => item.unknown === true).length);
			twice += rows.filter(({ recipient }) => sandbox.accepted(recipient as string) > 1).length;
		}
		const what = `n8n killed ${KILLS} times while it sends ${concurrency} messages in parallel`;
		report({
			...{ what: `${what}: sent twice`, where: 'real n8n', measured: String(twice), atMost: '0', isKept: twice === 0 },
		});
		const most = Math.max(...unknown);
		report({
			...{
				what: `${what}: messages with unknown outcome after each kill`,
				where: 'real n8n',
				measured: `${Math.min(...unknown)} to ${most}`,
			},
			...{ atMost: `one chunk (the ${chunk} messages that a run claims together)`, isKept: most <= chunk },
		});
	} finally {
		await sandbox.close();
		await n8n.remove();
	}
}

const HOUR = 3_600_000;
/** A time one hour after the start of a period (see periods.ts), with both choices of Remember For: a day and a week. */
const START = 168 * 10 * HOUR * 300 + HOUR;

/**
 * Runs the code of `lib/sentMessages` with a simulated list, and with a clock that can be set. After a restart only the list is
 * left.
 */
class SimulatedN8n {
	now = START;
	readonly list = new N8nList();
	/** How often each message was sent. */
	readonly sent = new Map<string, number>();
	private code = loadAgain();

	constructor() {
		Object.assign(this.list, { milliseconds: 0, keepsWrites: false });
		Date.now = () => this.now;
	}

	restart(): void {
		this.code = loadAgain();
	}

	/**
	 * Sends a list of messages.
	 * @returns how many messages were sent, not sent because the simulated list is full, and skipped as already sent
	 */
	async run(keys: string[], rememberFor: RememberFor): Promise<{ sent: number; notSent: number; skipped: number }> {
		const counts = { sent: 0, notSent: 0, skipped: 0 };
		const messages = this.code.openMessages(this.list.context(), rememberFor);
		for (let first = 0; first < keys.length; first += 1000) {
			for (const [key, { state, isClaimed }] of await messages.claim(keys.slice(first, first + 1000))) {
				if (state === 'full') counts.notSent++;
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

/** Loads the code of `lib/sentMessages` again, without its data in memory, as a restarted process does. */
function loadAgain(): typeof Memory {
	for (const file of Object.keys(require.cache))
		if (/lib\/sentMessages\/\w+\.js$/.test(file)) delete require.cache[file];
	// eslint-disable-next-line @typescript-eslint/no-require-imports
	return require('../lib/sentMessages/messages') as typeof Memory;
}

const keysOf = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name} ${index}`);

/** Sends lists with more messages than n8n's list can remember. Then runs each again, and once more after a restart. */
async function fullLists(): Promise<void> {
	const realNow = Date.now;
	const WEEK = 168 * HOUR;
	/** One step: the clock is set forward by `later` milliseconds, n8n restarts if `restart` is set, and then a list is sent. */
	type Step = { name: string; rows: number; rememberFor?: RememberFor; later?: number; restart?: boolean };
	const capacity = await capacityOfEmptyList();
	const cases: Record<string, Step[]> = {
		'one row more than can be remembered': [{ name: 'a', rows: capacity + 1 }],
		'several lists': Array.from({ length: 8 }, (_, index) => ({ name: `list ${index}`, rows: 5000 })),
		'one list at the end of a period, and one in the next period': [
			{ name: 'before', rows: 18_000 },
			{ name: 'after', rows: 18_000, later: WEEK },
		],
		'one list with Remember For: Week, which nearly fills the memory, and one with Day': [
			{ name: 'week', rows: 25_000, rememberFor: 'week' },
			{ name: 'day', rows: 10_000, rememberFor: 'day' },
		],
		'a restart between two lists': [
			{ name: 'first', rows: 20_000 },
			{ name: 'second', rows: 20_000, restart: true },
		],
	};
	let knownNotSent = 0;
	for (const [what, steps] of Object.entries(cases)) {
		const n8n = new SimulatedN8n();
		let [rows, notSent] = [0, 0];
		for (const { name, rows: count, rememberFor = 'week', later = 0, restart = false } of steps) {
			n8n.now += later;
			if (restart) n8n.restart();
			rows += count;
			notSent += (await n8n.run(keysOf(name, count), rememberFor)).notSent;
		}
		const sentBefore = n8n.sent.size;
		let notSentAgain = 0;
		for (const restart of [false, true]) {
			if (restart) n8n.restart();
			for (const { name, rows: count, rememberFor = 'week' } of steps) {
				const known = keysOf(name, count).filter((key) => n8n.sent.has(key));
				knownNotSent += (await n8n.run(known, rememberFor)).notSent;
				notSentAgain += (await n8n.run(keysOf(name, count), rememberFor)).notSent;
			}
		}
		const sentAgain = [...n8n.sent.values()].filter((times) => times > 1).length;
		report({
			what: `${what} (${steps.map(({ rows: count }) => count.toLocaleString('en')).join(' + ')} rows), also after a restart: sent again`,
			...{ where: 'simulated list', measured: String(sentAgain), atMost: '0', isKept: sentAgain === 0 },
		});
		report({
			what: `${what}: not sent, with an error that says so`,
			...{
				where: 'simulated list',
				measured: `${notSent} (${notSentAgain} in two more runs)`,
				atMost: `the ${rows - sentBefore} that can't be remembered`,
			},
			isKept: notSent === rows - sentBefore && notSent > 0,
		});
	}
	report({
		what: 'all these lists run again, also after a restart: already sent messages with that error instead of skipped',
		...{ where: 'simulated list', measured: String(knownNotSent), atMost: '0', isKept: knownNotSent === 0 },
	});
	Date.now = realNow;
}

/** Returns how many messages an empty list can remember. */
async function capacityOfEmptyList(): Promise<number> {
	const n8n = new SimulatedN8n();
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
	if (broken.length > 0) throw new Error(`Broken promises: ${broken.map(({ what }) => what).join('; ')}`);
}

function write(): void {
	const row = ({ what, where, measured, atMost, isKept }: Line) =>
		`| ${what} | ${where} | ${measured}${isKept === false ? ', **broken**' : ''} | ${atMost} |`;
	const text = `\`npm run bench -- limits\` has measured these figures: one ${machine()}, SQLite. SMS Send remembers sent messages in the list that n8n stores for each workflow. Times are
medians of ${ROUNDS} rounds and are only reported. If a count is above its limit, the measurement fails. *Simulated list*: the code of \`lib/sentMessages\` runs without n8n,
with a list that works like n8n's.

| case | where | measured | at most |
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

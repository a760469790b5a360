import { globSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import * as advice from '../../lib/texts/advice';
import { describeFailure } from '../../lib/texts/transportErrors';
import { noticeOf } from '../../lib/texts/notice';
import { fault } from '../../lib/texts/problem';
import { OTHER_TODO, OTHER_WHAT, REASONS, type OtherTodo, type Reason } from '../../lib/texts/reasons';
import { keyRefused } from '../../lib/texts/platform';
import { page as reviewed, wouldSend } from './nodes/SmsSend/review/rows';
import { joinNow, summarize } from './nodes/SmsResults/whoGotIt/items';
import { pages, read, withoutFigures } from './pages';

/*
 * Tests that texts for people and admins give the same instruction for the same case, such as an outage. The test collects
 * notices, the errors and hints of these cases, the pages of a review and of Who Got It, notes and form pages of the examples,
 * and the documentation in both languages. A passage about a case may give only the instruction of this case.
 */

interface Case {
	/** Matches a passage that is about the case. */
	about: RegExp;
	/** The instruction: the text from the code, or a pattern if a length of time in the sentence may differ. */
	instructions: Array<string | RegExp>;
	/** The places in which the test must find a passage. Without this list the test would pass even if it found none. */
	found: string[];
}

const { serviceDown, quietHours, onTrial, tooManyRows, tooManyMessages, allFaulty } = REASONS;
const { onlyThese, soonOrOnlyThese, sameListSoon, key } = OTHER_TODO;

/** The instruction for lists whose sent messages the node does not record. It names the rows to send. */
const ONLY_THESE = [onlyThese.el, onlyThese.en];

/** A passage may refer to the instruction instead of giving it. */
const POINTERS = [
	/do (?:as|what) (?:the notice|the reason \S+(?: \S+ it)?) says(?:, and)?/,
	/κάντε ό,τι (?:λέει το notice|γράφει (?:δίπλα|πιο πάνω|εκεί))/,
	'Αν εκεί δεν γράφει τι να στείλετε ξανά, ανεβάστε ένα φύλλο μόνο με τις γραμμές που δεν στάλθηκαν, εκτός αν το έχετε ήδη ανεβάσει',
	'If the reason does not say what to send again, upload a sheet that contains only the unsent rows, unless you have already done so',
];

const CASES: Record<string, Case> = {
	'the service is down': {
		about: /(?:η υπηρεσία(?: sms)? δεν απαντά|(?:service|platform) does not answer|the service is down)/,
		instructions: [
			...[serviceDown.todo.el, serviceDown.todo.en, soonOrOnlyThese.el, soonOrOnlyThese.en, ...ONLY_THESE],
			// For an admin, running the node again sends the same list.
			/when the platform answers again, run the node again within (?:10 hours|seven days)/,
			'When the platform answers again, send a list of just these rows',
		],
		found: ['reason serviceDown', 'hint serviceDown', 'docs/el/secretary.md', 'docs/who-got-it.md'],
	},
	'a list that was interrupted': {
		about: /(?:n8n stopped in the middle|n8n σταμάτησε στη μέση|διακόπηκε|the run was stopped|is interrupted)/,
		instructions: [
			...[serviceDown.todo.el, serviceDown.todo.en, ...ONLY_THESE],
			'To continue, send a list of just these rows',
			// The same list may only be sent within the time for which the node remembers its messages.
			/to continue, run the node again within (?:10 hours|seven days)/,
			/run the same node again with the same list\. you can press n8n's retry under executions, press execute step in the node, or upload the same sheet\. do this within a week with remember for: a week, or within 10 hours with a day/,
			/run the same list again, within a week with remember for: a week, or within 10 hours with a day/,
			/(?:send the same list again later,|upload it again) within a week/,
			/εκτελέστε ξανά τον ίδιο κόμβο με την ίδια λίστα: μέσα σε μία εβδομάδα, αν το remember for είναι a week, ή μέσα σε 10 ώρες, αν είναι a day/,
			/(?:στείλτε αργότερα την ίδια λίστα,|ανεβάστε ξανά τη λίστα) μέσα σε μία εβδομάδα/,
			/if it happens again, tell the admin/,
			/αν συμβεί πάλι, πείτε το στον διαχειριστή/,
			// The next sentences of the instructions for the office have another subject.
			/to find one person, choose the list and download its sheet/,
			/keep the sheet if you need it later/,
			/αν ψάχνετε έναν συγκεκριμένο παραλήπτη, επιλέξτε τη λίστα και κατεβάστε το φύλλο της/,
			/κρατήστε το φύλλο, αν θα το χρειαστείτε/,
		],
		found: [
			...['hint notTried', 'docs/operation.md', 'docs/problems.md', 'docs/secretary.md', 'docs/send-a-list.md'],
			...['docs/who-got-it.md', 'docs/el/problems.md', 'docs/el/secretary.md', 'docs/el/send-a-list.md'],
		],
	},
	'the key is refused': {
		about: /(?:rejected the (?:key|institution)|does not accept the key|refused key|δεν δέχεται το κλειδί)/,
		instructions: [
			...[key.el, key.en],
			/check (?:the key|both|them)(?: in the credential)?, and make sure that (?:it is|they are) approved for this service/,
			/check the key \(for sms, the institution too\)\. if it is right, ask the operator whether it is approved for this service/,
			'check the key. if the key is right, ask the operator whether it is approved for this service',
			'Ελέγξτε αν το κλειδί είναι σωστό και αν έχει εγκριθεί γι’ αυτή την υπηρεσία',
			'ελέγξτε και το αναγνωριστικό του ιδρύματος',
			// A proxy may have answered instead of the service.
			'a proxy may have answered: ask the admin of your network whether n8n is allowed to connect to the Base URL',
		],
		found: ['reason key', 'error 401 AMKA service', 'error keyRefused', 'docs/problems.md', 'docs/first-day.md'],
	},
	'quiet hours': {
		about: /(?:ώρες ησυχίας|quiet hours)/,
		instructions: [
			...[quietHours.todo.el, quietHours.todo.en, sameListSoon.el, sameListSoon.en, ...ONLY_THESE],
			// In a review no message was sent yet.
			/μετά από αυτή την ώρα στείλτε (?:την ίδια λίστα|μόνο τις γραμμές που δεν έχουν σταλεί)/,
			/when the quiet hours are over, send (?:the same list|only the rows that were not sent)/,
		],
		found: ['reason quietHours', 'page of a review in quiet hours', 'docs/credentials.md'],
	},
	'a trial, in which only test recipients get messages': {
		about: /(?:η δοκιμή τελείωσε|τερματίσετε τη δοκιμή|in trial mode|trial is over|end (?:of )?the trial)/,
		instructions: [
			...[onTrial.todo.el, onTrial.todo.en],
			/empty (?:trial recipients|the field|that field)(?: in the credential)?(?: to end the trial)?/,
			/add the recipient to its trial recipients, or/,
			'αδειάστε το Trial Recipients',
			// The admin's page has further steps for the end of the trial.
			'and raise Max Messages per Run',
		],
		found: [
			'reason onTrial',
			'error onTrial',
			'hint onTrial',
			'docs/admin.md',
			'docs/el/admin.md',
			'docs/credentials.md',
		],
	},
	'too many rows': {
		about: /(?:επιτρέπονται έως|are allowed|raise max messages per run|μεγαλύτερο όριο)/,
		instructions: [
			...[tooManyRows.todo.el, tooManyRows.todo.en],
			// An AI agent has the same limit, but no list.
			...[tooManyMessages.todo.el, tooManyMessages.todo.en],
			/(?:check the list\. if it is right, |and )?raise max messages per run(?: in the credential)?/,
			// The same sentence describes the end of the trial.
			/empty trial recipients,/,
		],
		found: ['reason tooManyRows', 'error tooManyRows', 'docs/admin.md'],
	},
	'rows with errors': {
		about:
			/(?:διορθωμένες|corrected rows|γραμμ\S+ (?:με|έχει|έχουν) λάθ|(?:row|rows) (?:contains?|with) (?:an )?errors?)/,
		instructions: [
			...[allFaulty.todo.el, allFaulty.todo.en],
			/(?:διορθώστε τα λάθη αργότερα και |γράψτε τ\S+ [^.]*? και )?(?:ανεβάστε|στείλτε) μόνο τις διορθωμένες(?: γραμμές)?/,
			/(?:correct the errors afterwards and )?(?:upload|send) only the corrected rows/,
			// A list that was not sent yet is replaced as a whole.
			/if the list is still waiting(?: to be sent)?, upload the whole corrected sheet (?:under|with) the same (?:list )?name: it replaces the old list/,
			/αν η λίστα είναι ακόμη προγραμματισμένη, ανεβάστε ολόκληρο το διορθωμένο φύλλο με το ίδιο όνομα(?: λίστας)?: θα αντικαταστήσει την παλιά/,
			// After a list was cancelled, only the whole sheet contains the rows that were not sent.
			/if you cancelled the list, upload the whole corrected sheet instead, within a week: messages that were sent correctly are skipped/,
			/αν ακυρώσατε τη λίστα, ανεβάστε ολόκληρο το διορθωμένο φύλλο, μέσα σε μία εβδομάδα: όσα μηνύματα στάλθηκαν σωστά δεν στέλνονται ξανά/,
			// Before any message was sent, people correct the whole list, because no message could go out twice.
			/correct (?:this row|the row|these rows|them), or set on error/,
			/διορθώστε τη γραμμή\. αν θέλετε να σταλούν οι υπόλοιπες γραμμές χωρίς αυτήν, επιλέξτε στο on error/,
			/choose να μη σταλούν \(do not send\) or, if some rows contain errors, να μη σταλεί καμία \(send none\)\. then press συνέχεια \(continue\), correct the sheet, and upload it again/,
			/if you don't want to send, choose να μη σταλούν \(do not send\) or, if some rows contain errors, να μη σταλεί καμία \(send none\)/,
			/επιλέξτε να μη σταλούν \(όταν υπάρχουν γραμμές με λάθος, η επιλογή λέγεται να μη σταλεί καμία\)(?:, πατήστε συνέχεια, διορθώστε το φύλλο και ανεβάστε το ξανά)?/,
		],
		found: ['reason allFaulty', 'error stoppedByFaults', 'page of a review with faults', 'docs/secretary.md'],
	},
	'a form page that was left open': {
		about: /(?:σελίδα (?:μένει ανοιχτή|λήγει)|page waits|λευκή σελίδα|empty page)/,
		instructions: [
			// The page states how long it waits, what to do otherwise, and that everybody with its address can use it.
			/η σελίδα μένει ανοιχτή (?:3|τρεις) ώρες/,
			/the page waits three hours/,
			/μην τη δώσετε σε άλλον/,
			/για νεότερες απαντήσεις ανοίξτε ξανά τη φόρμα/,
			// If the form was open for too long, the browser shows a white page.
			/αν μετά από δέκα λεπτά η σελίδα ποιος το έλαβε; δεν δείχνει τη λίστα, ανεβάστε πάλι το ίδιο φύλλο/,
			/if the page ποιος το έλαβε; does not show the list after ten minutes, upload the same sheet/,
			// If n8n is stopped while a list waits, people upload the list again, too.
			/αν το n8n είναι σταματημένο την ώρα αποστολής, η λίστα .*?ανεβάστε την ξανά/,
			/if n8n is stopped at that hour, the list .*?upload it again/,
		],
		found: ['desk/question.json Look', 'desk/who-got-it.json Choose', 'docs/secretary.md', 'docs/el/secretary.md'],
	},
	// unknownOutcome.test.ts tests the instruction for messages of unknown outcome.
};

/** `isLong`: the text also has other subjects. Only the part from the first sentence about the case counts. */
type Passage = { where: string; text: string; isLong?: boolean };

/** Normalises a passage for comparison: without markup, links and case, on one line. */
const plain = (text: string): string =>
	withoutFigures(text)
		.replace(/<a [^>]*>.*?<\/a>/g, ' ')
		.replace(/<[^>]*>/g, ' ')
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/\{\{.*?\}\}/gs, '…')
		// Remarks such as "(try it with …)" name a sheet to try.
		.replace(/\((?:try|δοκιμάστε το) [^)]*\)/g, ' ')
		// Names of operations and fields that look like an instruction.
		.replace(/\*(?:Send|Send and Wait|Do Not Send To|Check|If Already Sent: Send)\*/g, 'this')
		.replace(/[*`_\\]/g, '')
		.replace(/\s+/g, ' ')
		.toLowerCase();

const LANGUAGES = ['el', 'en'] as const;

function fromReasons(): Passage[] {
	const others = Object.entries({ ...OTHER_WHAT, ...OTHER_TODO }).flatMap(([name, words]) =>
		LANGUAGES.map((language) => ({ where: `reason ${name}`, text: words[language] })),
	);
	const reasons = Object.entries(REASONS).flatMap(([name, { what, todo }]) =>
		LANGUAGES.map((language) => ({ where: `reason ${name}`, text: `${what[language]} ${todo[language]}` })),
	);
	return [...others, ...reasons];
}

function fromAdvice(): Passage[] {
	const remembers = ['day', 'week', undefined] as advice.Remembers[];
	const faults = { faulty: 1, rows: 3, which: '', mayBeSent: false };
	const tooMany = fault(
		'tooManyRows',
		{ rows: 9, most: 5 },
		'Check the list. If it is right, raise Max Messages per Run',
	);
	const onTrialError = fault(
		'onTrial',
		{},
		'add the recipient to its Trial Recipients, or empty that field to end the trial',
	);
	return [
		...remembers.map((each) => ({ where: 'hint serviceDown', text: advice.serviceDown(2, each) })),
		...remembers.map((each) => ({ where: 'hint notTried', text: advice.notTried(2, each) })),
		{ where: 'hint onTrial', text: advice.onTrial(2) },
		{ where: 'error stoppedByFaults', text: Object.values(advice.stoppedByFaults(faults)).join('. ') },
		{ where: 'error tooManyRows', text: `${tooMany.message}. ${tooMany.description}` },
		{ where: 'error onTrial', text: `in trial mode: ${onTrialError.description}` },
		{ where: 'error keyRefused', text: keyRefused('E-1').join('. ') },
		...['AMKA service', 'SMS platform'].flatMap((service) =>
			[401, 403].map((status) => {
				const { message, whatToDo } = describeFailure(service, { kind: 'status', status, body: undefined });
				return { where: `error ${status} ${service}`, text: `${message}. ${whatToDo}` };
			}),
		),
	];
}

/**
 * Returns each page of a review and of Who Got It as one passage, because the steps of a page could contradict its reasons.
 */
function fromPages(): Passage[] {
	const whoGotIt = (reason: Reason, todo: OtherTodo | '', language: 'el' | 'en') => {
		const about = { until: '08:00', rows: 9, most: 5, todo };
		const notice = noticeOf({ reason, about }, language);
		const row: IDataObject = {
			error: 'x',
			details: { outcome: 'rejected', reason, notice, input: { Όνομα: 'Νίκος' } },
		};
		const { html } = summarize(joinNow([row]), { language });
		return { where: `page of Who Got It: ${reason} ${todo}`, text: String(html) };
	};
	const ofRows: Array<[Reason, OtherTodo | '']> = [
		['serviceDown', ''],
		['serviceDown', 'soonOrOnlyThese'],
		['serviceDown', 'onlyThese'],
		['quietHours', ''],
		['quietHours', 'sameListSoon'],
		['onTrial', ''],
		['tooManyRows', ''],
		['setting', 'key'],
	];
	return LANGUAGES.flatMap((language) => [
		...ofRows.map(([reason, todo]) => whoGotIt(reason, todo, language)),
		...(['day', 'week', undefined] as const).map((rememberFor) => ({
			where: 'page of a review in quiet hours',
			text: reviewed([wouldSend(1)], { language, quietUntil: '08:00', rememberFor }),
		})),
		{
			where: 'page of a review with faults',
			text: reviewed([wouldSend(1), fault('allFaulty')], { language }),
		},
	]);
}

/** Returns the notes and form pages of the examples. Notes are split into lines, because they have several subjects. */
function fromExamples(): Passage[] {
	const files = globSync('**/*.json', { cwd: 'examples' });
	return files.flatMap((file) => {
		const { nodes } = JSON.parse(read(`examples/${file}`)) as {
			nodes: Array<{ name: string; type: string; parameters: IDataObject }>;
		};
		return nodes
			.filter(({ type }) => /\.(?:stickyNote|form|formTrigger)$/.test(type))
			.flatMap(({ name, type, parameters }) => {
				const texts = textsIn(parameters);
				const isNote = type.endsWith('stickyNote');
				const parts = isNote ? texts.flatMap((text) => text.split('\n')) : [texts.join('. ')];
				return parts.map((text) => ({ where: `${file} ${name}`, text, isLong: isNote }));
			});
	});
}

const textsIn = (value: unknown): string[] =>
	typeof value === 'string'
		? [value]
		: typeof value === 'object' && value !== null
			? Object.entries(value).flatMap(([name, each]) => (name === 'customCss' ? [] : textsIn(each)))
			: [];

/** Returns the paragraphs, list items and table rows of most pages. A heading belongs to the paragraph below it. */
function fromDocs(): Passage[] {
	return pages
		.filter((file) => !/CHANGELOG|CONTRIBUTING|reasons/.test(file))
		.flatMap((file) =>
			read(file)
				.replace(/^(#+ .*)\n+/gm, '$1. ')
				.split(/\n\s*\n|\n(?=\s*(?:[-|]|\d+\.) ?)/)
				.map((text) => ({ where: file, text: text.replace(/ ?\| ?/g, '. '), isLong: true })),
		);
}

const PASSAGES = [...fromReasons(), ...fromAdvice(), ...fromPages(), ...fromExamples(), ...fromDocs()].map(
	(passage): Passage => ({ ...passage, text: plain(passage.text) }),
);

const ORDERS = [
	/(?<!\p{L})(?:ξανα)?(?:στείλτε|ανεβάστε|πείτε|ρωτήστε|δοκιμάστε|περιμένετε|διορθώστε|ελέγξτε|κάντε|ζητήστε|γράψτε|τηλεφωνήστε|ανοίξτε|αδειάστε|προσθέστε|εκτελέστε|επιλέξτε|κρατήστε|δώστε|μην? \p{L}+τε)(?!\p{L})[^.]*/u,
	/(?:^|[.:;,(·] ?|\b(?:and|or|then) )(?:send|upload|tell|ask|run|try|wait|correct|check|raise|lower|empty|add|set|choose|call|open|do|don't|keep|repeat) (?!not (?:get|know))[^.]*/,
];

/** Turns an instruction of the code into a pattern. A placeholder in braces matches any text. */
const patternOf = (instruction: string | RegExp): RegExp =>
	typeof instruction === 'string'
		? new RegExp(
				plain(instruction)
					.replace(/\.$/, '')
					.replace(/[.?()+]/g, '\\$&')
					.replace(/\{\w+\}/g, '.+?'),
				'g',
			)
		: new RegExp(instruction.source, 'g');

/** Returns the first instruction in each language that a passage gives in addition to those of its case. */
function otherOrders(text: string, instructions: Case['instructions']): string[] {
	const rest = [...instructions, ...POINTERS].reduce<string>((left, each) => left.replace(patternOf(each), '✓'), text);
	return ORDERS.flatMap((order) => order.exec(rest)?.[0] ?? []);
}

describe.each(Object.entries(CASES))('the texts about the case "%s"', (_, { about, instructions, found }) => {
	const passages = PASSAGES.flatMap(({ where, text, isLong }) => {
		const at = text.search(about);
		const start = isLong ? text.lastIndexOf('. ', at) + 1 : 0;
		return at < 0 ? [] : [{ where, text: text.slice(start) }];
	});

	it('give no instruction other than the instruction of this case', () => {
		const differing = passages.flatMap(({ where, text }) => {
			const orders = otherOrders(text, instructions);
			return orders.length === 0 ? [] : [{ where, orders }];
		});
		expect(differing).toEqual([]);
	});

	it('are found in each place that the case lists', () => {
		expect([...new Set(passages.map(({ where }) => where))]).toEqual(expect.arrayContaining(found));
	});

	it('are recognised as wrong if another instruction is added to them', () => {
		for (const order of ['Τηλεφωνήστε στον πάροχο.', 'Ask the operator.', 'Στείλτε τη λίστα αύριο.', 'Wait a week.'])
			for (const { text } of passages) expect(otherOrders(`${text}. ${plain(order)}`, instructions)).not.toEqual([]);
	});
});

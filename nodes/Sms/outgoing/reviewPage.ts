/** A message that would go out. */
export interface Sample {
	row: number;
	/** As it would be sent. */
	recipient: string;
	/** With its segments where the text is known. */
	text?: string;
	segments?: number;
}

/** One thing that is wrong, with how many rows, and which ones for example. */
export interface Fault {
	error: string;
	rows: number;
	examples: number[];
}

/** A whole list as somebody has to see it who is to approve it. */
export interface Review {
	/** How many would go out. */
	messages: number;
	/** How many SMS they take, those whose text is known; left out where no text is. */
	segments?: number;
	/** How many rows would be skipped, because their message went out before, or perhaps did, or is not wanted. */
	alreadySent: number;
	unknown: number;
	doNotSend: number;
	/** How many rows have a fault. */
	faulty: number;
	/** The most frequent first. */
	faults: Fault[];
	samples: Sample[];
	/** When the quiet hours are over that would hold the list up now. ISO 8601. */
	quietUntil?: string;
}

/** Longer lists and texts are cut, so that the page stays one that people read. */
const MOST_FAULTS = 10;
const LONGEST_ERROR = 300;
const LONGEST_TEXT = 1000;

/**
 * A review as HTML for an element of n8n's forms, which keep tables, headings and paragraphs and drop what styles them.
 * In Greek and English, for whoever approves the list. Every value is escaped.
 *
 * @param someUnknown whether the text of a message is not known, so that its SMS are not counted
 * @param quietUntil in words, where it is quiet hours now
 */
export function reviewPage(review: Review, someUnknown: boolean, quietUntil: string | undefined): string {
	const { messages, segments, alreadySent, unknown, doNotSend, faulty, faults, samples } = review;
	const smsWords = someUnknown
		? both('SMS συνολικά, τουλάχιστον', 'SMS in all, at least')
		: both('SMS συνολικά', 'SMS in all');
	const counts = [
		count(both('Μηνύματα που θα σταλούν', 'Messages that will be sent'), messages),
		segments === undefined ? '' : count(smsWords, segments),
		ifAny(alreadySent, both('Έχουν ήδη σταλεί και δεν στέλνονται ξανά', 'Already sent, will not be sent again')),
		ifAny(
			unknown,
			both('Ίσως έχουν ήδη σταλεί και δεν στέλνονται ξανά', 'Perhaps already sent, will not be sent again'),
		),
		ifAny(doNotSend, both('Παραλήπτες που δεν θέλουν μηνύματα', 'Recipients who want no messages')),
		count(both('Γραμμές με λάθος, που δεν στέλνονται', 'Rows with an error, will not be sent'), faulty),
	];
	const quiet =
		quietUntil === undefined
			? ''
			: `<p><b>${both(`Τώρα είναι ώρες ησυχίας: τα μηνύματα μπορούν να σταλούν από τις ${quietUntil}`, `It is quiet hours now: the messages can be sent from ${quietUntil}`)}</b></p>`;
	return `${quiet}<table>${counts.join('')}</table>${faultTable(faults)}${sampleTable(samples, messages)}`;
}

const count = (label: string, number: number) => `<tr><td>${label}</td><td><b>${number}</b></td></tr>`;

const ifAny = (number: number, label: string) => (number === 0 ? '' : count(label, number));

function faultTable(faults: Fault[]): string {
	if (faults.length === 0) return '';
	const rows = faults
		.slice(0, MOST_FAULTS)
		.map(
			({ error, rows: number, examples }) =>
				`<tr><td>${show(error, LONGEST_ERROR)}</td><td>${number}</td><td>${examples.join(', ')}${number > examples.length ? ' …' : ''}</td></tr>`,
		);
	const more = faults.length - rows.length;
	const rest =
		more > 0
			? `<tr><td colspan="3">${both(`Και ${more} ακόμα είδη λαθών`, `And ${more} more kinds of errors`)}</td></tr>`
			: '';
	const heads = [
		both('Τι είναι λάθος', 'What is wrong'),
		both('Πόσες γραμμές', 'How many rows'),
		both('Ποιες (χωρίς τη γραμμή των τίτλων)', 'Which ones (the line of titles not counted)'),
	];
	return `<h3>${both('Λάθη στη λίστα', 'Errors in the list', ' / ')}</h3>${table(heads, rows.join('') + rest)}`;
}

function sampleTable(samples: Sample[], messages: number): string {
	if (samples.length === 0) return '';
	const rows = samples.map(({ row, recipient, text, segments }) => {
		const shown =
			text === undefined ? both('Το κείμενο δεν είναι γνωστό', 'The text is not known') : show(text, LONGEST_TEXT);
		return `<tr><td>${row}</td><td>${show(recipient, LONGEST_ERROR)}</td><td>${shown}</td><td>${segments ?? ''}</td></tr>`;
	});
	const title =
		messages > samples.length
			? both('Τα πρώτα μηνύματα', 'The first messages', ' / ')
			: both('Τα μηνύματα', 'The messages', ' / ');
	return `<h3>${title}</h3>${table([both('Γραμμή', 'Row'), both('Παραλήπτης', 'Recipient'), both('Κείμενο', 'Text'), 'SMS'], rows.join(''))}`;
}

const table = (heads: string[], rows: string) =>
	`<table><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr>${rows}</table>`;

/** Words of ours in both languages; a value among them is escaped. */
const both = (greek: string, english: string, between = '<br>') =>
	`${escapeHtml(greek)}${between}${escapeHtml(english)}`;

/** A value of the list, cut where it is too long, with its line breaks. */
function show(value: string, longest: number): string {
	const cut = value.length > longest ? `${value.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')} …` : value;
	return escapeHtml(cut).replace(/\r\n|\r|\n/g, '<br>');
}

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
	'{': '&#123;',
	'}': '&#125;',
};

/** Braces too: n8n's forms evaluate `{{ … }}` in an HTML element, also where it came with a value. */
const escapeHtml = (text: string) => text.replace(/[&<>"'{}]/g, (character) => ENTITIES[character]!);

import { firstSettings, type Settings } from './agreed';
import { inhabitants, type Inhabitant } from './people';
import { phoneOf } from './phones';
import { Store, type Kept } from './store';
import { Traffic } from './traffic';
import { endTrouble, nextAnswer, noTrouble, type Trouble } from './trouble';

/** A message that the platform accepted. */
export interface Message {
	serviceId: string;
	messageId: string;
	/** As the institution wrote it. */
	recipient: string;
	/** The final text, placeholders filled. */
	text: string;
	/** The URL for its delivery report. Empty: no report is wanted. */
	dlrUrl: string;
	/** The forward that it answers, or empty. */
	smsForwardId: string;
	takenAt: string;
	/** When it arrives on the phone. */
	arrivesAt: string;
	/** The carrier's code if it never arrives, otherwise empty. */
	failure: string;
}

/** The answer of an institution's webhook. Without an answer the status is 0, and `answer` says why. */
export interface CallResult {
	status: number;
	answer: unknown;
}

/** An SMS that a user sent to the platform. */
export interface Text {
	at: string;
	msisdn: string;
	text: string;
	/** Its keyword as it was passed on. Empty: it has no keyword, and no URL was called. */
	keyword: string;
	/** The URL to which it goes. Empty: no URL is registered, and none was called. */
	url: string;
	/** The institution's latest answer. Null: no answer yet. */
	result: CallResult | null;
	/** How often it was called for this text, and whether that is all. */
	calls: number;
	over: boolean;
}

/** The longest lists. They are longer than people read, and fit easily into a process. */
const most = { messages: 100_000, texts: 20_000, people: 1_000 } as const;

/** The state of the sandbox. It is stored in a database and read from there at the start. */
export class State {
	readonly settings: Settings;
	readonly trouble: Trouble;
	readonly people: Array<Kept<Inhabitant>>;
	/** Every message taken so far, in order. */
	readonly messages: Array<Kept<Message>>;
	/** Every SMS that a user has sent, in order. */
	readonly texts: Array<Kept<Text>>;
	readonly traffic: Traffic;
	/** How many send requests are in work, and the most at once so far. */
	inFlight = 0;
	mostInFlight = 0;

	readonly store: Store;
	private readonly noTrouble: Trouble;

	/**
	 * @param database the SQLite file
	 * @param trouble switches that stand differently at the start
	 */
	constructor(database: string, trouble: Partial<Trouble>) {
		this.store = new Store(database);
		this.noTrouble = { ...noTrouble, ...trouble };
		this.settings = { ...firstSettings(), ...this.store.setting<Settings>('settings') };
		this.trouble = { ...this.noTrouble, ...this.store.setting<Trouble>('trouble') };
		this.people = this.store.all('person');
		if (this.people.length === 0) this.populate();
		this.messages = this.store.all('message');
		this.texts = this.store.all('text');
		this.traffic = new Traffic(this.store, () =>
			[this.settings.apiKey, this.settings.preSharedKey, this.settings.forwardKey].filter(Boolean),
		);
	}

	/** Returns how many messages to this recipient were accepted, even if the caller got another answer. */
	accepted(recipient: string): number {
		return this.messages.filter((message) => phoneOf(message.recipient) === phoneOf(recipient)).length;
	}

	/** Returns the answer of the switches for one request. */
	nextAnswer(): Trouble['answer'] {
		const answer = nextAnswer(this.trouble);
		if (answer !== 'normal') this.save();
		return answer;
	}

	/** Notes a message that was taken. */
	took(message: Message): void {
		this.messages.push(this.store.add('message', message));
		while (this.messages.length > most.messages) this.store.remove('message', this.messages.shift()!.id);
	}

	/** Notes an SMS of a user. */
	received(text: Text): Kept<Text> {
		const entry = this.store.add('text', text);
		this.texts.push(entry);
		while (this.texts.length > most.texts) this.store.remove('text', this.texts.shift()!.id);
		return entry;
	}

	/** Notes what the institution has answered to a user's SMS. @param over whether it is not called again for it */
	textWasPassedOn(id: number, result: CallResult, over: boolean): void {
		const text = this.texts.find((entry) => entry.id === id);
		if (!text) return;
		Object.assign(text, { result, over, calls: text.calls + 1 });
		this.store.change('text', text);
	}

	/** Adds a person. @returns false if the registry is full */
	addPerson(person: Inhabitant): boolean {
		if (this.people.length >= most.people) return false;
		this.people.push(this.store.add('person', person));
		return true;
	}

	/** Keeps settings and switches as they are now. */
	save(): void {
		this.store.keepSetting('settings', this.settings);
		this.store.keepSetting('trouble', this.trouble);
	}

	/** Switches as at the start. */
	endTrouble(): void {
		endTrouble(this.trouble, this.noTrouble);
		this.save();
	}

	/** Empties phones and log. What is agreed on, the switches and the people stay. */
	clear(): void {
		this.messages.length = 0;
		this.texts.length = 0;
		this.store.empty('message');
		this.store.empty('text');
		this.store.empty('errand');
		this.traffic.clear();
		this.mostInFlight = this.inFlight;
	}

	/** Resets the sandbox to the start. Reports in progress are still sent. */
	reset(): void {
		this.clear();
		Object.assign(this.settings, firstSettings());
		this.endTrouble();
		this.populate();
	}

	private populate(): void {
		this.store.empty('person');
		this.people.length = 0;
		for (const person of inhabitants()) this.addPerson(person);
	}
}

import { firstSettings, type Settings } from './agreed';
import { newPeople, type SandboxPerson } from './people';
import { phoneOf } from './phones';
import { Store, type Stored } from './store';
import { Traffic } from './traffic';
import { endTrouble, nextAnswer, noTrouble, type Trouble } from './trouble';

/** A message that the platform accepted. */
export interface Message {
	serviceId: string;
	messageId: string;
	/** The recipient as it is in the request: a number in any form, or a user name. */
	recipient: string;
	/** The final text with filled placeholders. */
	text: string;
	/** The URL for its delivery report. Empty: the institution asks for no report. */
	dlrUrl: string;
	/** The id of the SMS forward that this message replies to. Empty: it is no reply. */
	smsForwardId: string;
	takenAt: string;
	/** When the message arrives on the phone. */
	arrivesAt: string;
	/** The carrier's error code if the message never arrives, otherwise empty. */
	failure: string;
}

/** The answer of an institution's webhook. If there was none, the status is 0 and `answer` is the reason. */
export interface CallResult {
	status: number;
	answer: unknown;
}

/** An SMS that a user sent to the platform. */
export interface Text {
	at: string;
	msisdn: string;
	text: string;
	/** The keyword in the form that the institution gets. Empty: the text has no keyword, and no URL was called. */
	keyword: string;
	/** The URL to which the platform passes the SMS on. Empty: no URL is registered, and none was called. */
	url: string;
	/** The institution's latest answer. Null: no answer yet. */
	result: CallResult | null;
	/** How often the URL was called for this SMS. */
	calls: number;
	/** Whether the platform makes no further call for this SMS. */
	over: boolean;
}

/** The largest lengths of the lists. People read far fewer entries, and so many entries still need little memory. */
const most = { messages: 100_000, texts: 20_000, people: 1_000 } as const;

/** The state of the sandbox. A database stores it, and a new process reads it from there. */
export class State {
	readonly settings: Settings;
	readonly trouble: Trouble;
	readonly people: Array<Stored<SandboxPerson>>;
	/** The accepted messages, oldest first. */
	readonly messages: Array<Stored<Message>>;
	/** The SMS that users have sent, oldest first. */
	readonly texts: Array<Stored<Text>>;
	readonly traffic: Traffic;
	/** The number of send requests in progress. */
	inFlight = 0;
	/** The largest number of send requests that were in progress at the same time. */
	mostInFlight = 0;

	readonly store: Store;
	private readonly noTrouble: Trouble;

	/**
	 * @param database the SQLite file
	 * @param trouble the switches whose initial value differs from `noTrouble`
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

	/** Returns how many messages to a recipient were accepted. It also counts those whose sender got a false answer or none. */
	accepted(recipient: string): number {
		return this.messages.filter((message) => phoneOf(message.recipient) === phoneOf(recipient)).length;
	}

	/** Returns the kind of answer that the switches set for the next request, and counts that request. */
	nextAnswer(): Trouble['answer'] {
		const answer = nextAnswer(this.trouble);
		if (answer !== 'normal') this.save();
		return answer;
	}

	/** Stores an accepted message. */
	took(message: Message): void {
		this.messages.push(this.store.add('message', message));
		while (this.messages.length > most.messages) this.store.remove('message', this.messages.shift()!.id);
	}

	/** Stores an SMS of a user. */
	received(text: Text): Stored<Text> {
		const entry = this.store.add('text', text);
		this.texts.push(entry);
		while (this.texts.length > most.texts) this.store.remove('text', this.texts.shift()!.id);
		return entry;
	}

	/** Stores the institution's answer to an SMS of a user. @param over whether the platform makes no further call for this SMS */
	textWasPassedOn(id: number, result: CallResult, over: boolean): void {
		const text = this.texts.find((entry) => entry.id === id);
		if (!text) return;
		Object.assign(text, { result, over, calls: text.calls + 1 });
		this.store.change('text', text);
	}

	/** Adds a person. @returns false if the registry is full */
	addPerson(person: SandboxPerson): boolean {
		if (this.people.length >= most.people) return false;
		this.people.push(this.store.add('person', person));
		return true;
	}

	/** Saves the current settings and switches in the database. */
	save(): void {
		this.store.keepSetting('settings', this.settings);
		this.store.keepSetting('trouble', this.trouble);
	}

	/** Sets all switches to their initial values. */
	endTrouble(): void {
		endTrouble(this.trouble, this.noTrouble);
		this.save();
	}

	/** Empties the phones and the list of requests. Settings, switches and people stay. */
	clear(): void {
		this.messages.length = 0;
		this.texts.length = 0;
		this.store.empty('message');
		this.store.empty('text');
		this.store.empty('pending');
		this.traffic.clear();
		this.mostInFlight = this.inFlight;
	}

	/** Restores the initial state. Reports in progress are still sent. */
	reset(): void {
		this.clear();
		Object.assign(this.settings, firstSettings());
		this.endTrouble();
		this.populate();
	}

	private populate(): void {
		this.store.empty('person');
		this.people.length = 0;
		for (const person of newPeople()) this.addPerson(person);
	}
}

import { firstSettings, keywordsOf, messageLines, services } from './agreed';
import { institutionsPrefix } from './keywords';
import { phoneOf, unwilling } from './phones';
import type { Message, State, Text } from './state';
import type { Stored } from './store';

const processStarted = Date.now();

/** Returns a text that differs after every change. It contains the start time, because `changes` begins at 0 in each process. */
export const versionOf = ({ store }: State): string => `${processStarted}-${store.changes}`;

/**
 * Returns the data of the page.
 * @param latest how many entries to return at most: of messages and texts together, and of calls
 */
export function viewOf(state: State, latest: number): object {
	const { institution, forwardUrl, keywordUrls } = state.settings;
	const { messages, texts } = latestOf(state.messages, state.texts, latest);
	const calls = latest === 0 ? [] : state.traffic.calls.slice(-latest);
	return {
		version: versionOf(state),
		now: new Date().toISOString(),
		settings: { institution, forwardUrl, keywordUrls, ...knownKeys(state) },
		trouble: state.trouble,
		services,
		messageLines: messageLines(),
		keywords: keywordsOf(state.settings),
		institutionsPrefix,
		unwilling,
		people: state.people,
		messages: messages.map((message) => ({ ...message, phone: phoneOf(message.recipient) })),
		texts,
		calls,
		older: {
			messages: state.messages.length + state.texts.length - messages.length - texts.length,
			calls: state.traffic.calls.length - calls.length,
		},
	};
}

/** Returns the initial keys, which are public. For a key that a user has changed it returns an empty text. */
function knownKeys({ settings }: State): object {
	const first = firstSettings();
	const known = (name: 'apiKey' | 'preSharedKey'): string => (settings[name] === first[name] ? first[name] : '');
	return { apiKey: known('apiKey'), preSharedKey: known('preSharedKey') };
}

/** Returns both lists from the same moment on. Otherwise the page could show a user's SMS without the message that it answers. */
function latestOf(messages: Array<Stored<Message>>, texts: Array<Stored<Text>>, latest: number) {
	if (latest === 0) return { messages: [], texts: [] };
	const moments = [
		...messages.slice(-latest).map(({ takenAt }) => takenAt),
		...texts.slice(-latest).map(({ at }) => at),
	];
	const from = moments.sort().at(-latest) ?? '';
	return {
		messages: messages.slice(-latest).filter(({ takenAt }) => takenAt >= from),
		texts: texts.slice(-latest).filter(({ at }) => at >= from),
	};
}

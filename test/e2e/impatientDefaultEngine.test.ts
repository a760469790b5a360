import { secondsOfCall, secondWebhook, testManyAtOnce, whole } from './impatient';
import { defaultEngine, keysStaySecret, useWorld } from './world';

/*
 * Impatient callers of an n8n that spends a tenth of a second on every call, and more on a busy machine: callers that come
 * again sooner than it can answer all of them bring it to a standstill before this node sees anything.
 */
const world = useWorld(defaultEngine);
beforeAll(async () => await secondWebhook(world), 120_000);

const messageCount = whole || 10;
testManyAtOnce(world, "n8n's default engine", messageCount, async (url, body) =>
	whole ? 20 : Math.max(8, 4 * messageCount * (await secondsOfCall(url, body))),
);

keysStaySecret(world);

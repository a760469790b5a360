import { importExample, save, type Imported } from '../e2e/examples';
import type { World } from '../e2e/world';

/** The example that replies to a keyword, with its data table filled, and published. */
export async function publishKeywordReply(world: World): Promise<Imported> {
	const example = await importExample(world, 'keyword-auto-reply.json');
	await save(world.n8n, example);
	await world.n8n.rest('POST', `/workflows/${example.id}/run`, { triggerToStartFrom: { name: 'Set up once' } });
	await world.n8n.executionsWhenEnded(example.id, 1);
	await world.n8n.publish(example.id);
	return example;
}

import { Problem } from '../../shared/problem';
import type { Fate, Messages } from '../memory/messages';
import { deliver, isUnknown, type Outgoing, type Sending } from '../outgoing/deliver';
import type { SendRow } from './row';
import { tell, type RowResult } from './rowResult';

/**
 * The life of one message, from "sent before?" to "remember it".
 *
 * @param outgoing what is filled in here and sent, which says when its request leaves
 * @param reportUrl the URL for its delivery report; undefined where none is asked for
 * @returns otherwise the problem of a message that was rejected, or of which nobody knows whether it was accepted
 */
export async function sendOnce(
	sending: Sending,
	messages: Messages,
	row: SendRow,
	outgoing: Outgoing,
	reportUrl: (reference: string) => string | undefined,
): Promise<RowResult | Problem> {
	const { platform } = sending;
	if (row.doNotSend) {
		return { kind: 'skipped', told: await tell(platform, row, messages.period()), skipReason: 'doNotSend' };
	}
	const send = async (period: number): Promise<RowResult | Problem> => {
		const told = await tell(platform, row, period);
		const dlrUrl = reportUrl(told.reference);
		const report = dlrUrl !== undefined && { dlrUrl };
		outgoing.message = { ...row.message, ...report };
		const result = await deliver(sending, outgoing);
		if (result instanceof Problem) return result.with({ recipient: told.recipient, reference: told.reference });
		return { kind: 'accepted', told: { ...told, ...report }, doubts: row.doubts, ...result };
	};
	if (row.ifAlreadySent === 'send') return await send(0);

	const { state, period } = await messages.begin(row.key);
	if (state !== 'new') {
		const skipReason = state === 'sent' ? 'sentBefore' : 'unknown';
		return { kind: 'skipped', told: await tell(platform, row, period), skipReason };
	}
	let fate: Fate = 'free';
	try {
		const result = await send(period);
		fate = isUnknown(result) ? 'unknown' : result instanceof Problem ? 'free' : 'sent';
		return result;
	} finally {
		await messages.settle(row.key, fate);
	}
}

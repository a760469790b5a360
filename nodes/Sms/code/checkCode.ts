import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { credentialOnce } from '../../shared/credentialOnce';
import { refuseAlwaysOutputData } from '../../shared/emptyItems';
import { toItems } from '../../shared/items';
import { openLedger } from '../../shared/ledger';
import { getParameter } from '../../shared/parameter';
import { failuresOf, runRows } from '../../shared/pool';
import { nodeError, Problem } from '../../shared/problem';
import { isTool } from '../../shared/tool';
import { readPlatform, type Platform } from '../credential';
import { deriveKeys, type DerivedKeys } from '../keys';
import { readRecipient } from '../outgoing/recipient';
import { attemptsLeft, before, countWrong, usedNote } from './issued';
import { withNotes, type Notes } from './notes';
import { noticeOf, type Reason } from './notice';
import { codeOf, endOf, readTypedCode, sameCode, type Period } from './oneTimeCode';
import { readPurpose } from './options';
import { openVerification, type Verification } from './verificationId';

type Verdict = { verified: true } | { verified: false; reason: Reason; attemptsLeft?: number };

/**
 * Checks the code that somebody typed, for each row.
 *
 * @returns two outputs, verified and not verified. What could not be checked is an error, which is never routed to the
 * first: whoever is there is verified
 */
export async function checkCodes(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const ledger = openLedger<IDataObject>(context);
	const readCredential = credentialOnce(context, 'smsPlatformApi', readPlatform);
	const results = await runRows(context, () => {
		refuseAlwaysOutputData(context, 'Check Code', 'Verified');
		return {
			// One after the other: n8n's list is worked on in turn anyway.
			places: 1,
			async work(itemIndex) {
				// Retry On Fail runs the whole node again: a row that was checked keeps what came of it, and costs no second attempt.
				const known = ledger.get(itemIndex) ?? (await checkRow(context, itemIndex, await readCredential()));
				ledger.set(itemIndex, known);
				return known;
			},
		};
	});

	const [failure] = failuresOf(results);
	if (failure !== undefined && !context.continueOnFail()) throw nodeError(context.getNode(), failure[1], failure[0]);
	if (failure === undefined) ledger.close();
	// As a tool n8n shows the model the first output only.
	const isFirst = (result: IDataObject | Problem) =>
		isTool(context) || (!(result instanceof Problem) && result.verified === true);
	const [verified = [], notVerified = []] = toItems(context, results, undefined, 'both', (result) =>
		isFirst(result) ? 0 : 1,
	);
	return [verified, notVerified];
}

async function checkRow(context: IExecuteFunctions, itemIndex: number, platform: Platform): Promise<IDataObject> {
	const id = getParameter(context, 'verificationId', 'Verification ID', itemIndex);
	const typed = getParameter(context, 'code', 'Code', itemIndex);
	const found = await open(id, readPurpose(context, itemIndex), platform);
	if (found === undefined) return toItem({ verified: false, reason: 'invalid' });
	const recipient = readRecipient(found.verification.mobile, platform.mobileFormat).sent;
	return { recipient, ...toItem(await judge(context, found.verification, typed, found.keys)) };
}

const toItem = (verdict: Verdict): IDataObject =>
	verdict.verified ? { ...verdict } : { ...verdict, notice: noticeOf(verdict.reason, verdict.attemptsLeft) };

/** Opens a verification id with the current key, or with the one before it while that is valid. */
async function open(
	id: unknown,
	purpose: string,
	{ keys: { current, previous } }: Platform,
): Promise<{ verification: Verification; keys: DerivedKeys } | undefined> {
	const isPreviousValid = previous !== undefined && Date.now() / 1000 <= previous.validUntil;
	for (const key of isPreviousValid ? [current, previous.key] : [current]) {
		const keys = await deriveKeys(key);
		const verification = openVerification(id, purpose, keys);
		if (verification !== undefined) return { verification, keys };
	}
	return undefined;
}

/** What a typed code is worth. */
async function judge(
	context: IExecuteFunctions,
	verification: Verification,
	typed: unknown,
	keys: DerivedKeys,
): Promise<Verdict> {
	if (Date.now() / 1000 >= endOf(verification)) return { verified: false, reason: 'expired' };
	return await withNotes(context, keys, async (notes) => await tryCode(notes, verification, typed, keys));
}

async function tryCode(notes: Notes, verification: Verification, typed: unknown, keys: DerivedKeys): Promise<Verdict> {
	const { maxAttempts, codeLength } = verification;
	const periods = comparedPeriods(verification);
	const left = await attemptsLeft(notes, periods, maxAttempts);
	if (left[0] === 0) return { verified: false, reason: 'tooManyAttempts', attemptsLeft: 0 };
	const code = readTypedCode(typed, codeLength);
	if (code === undefined) return { verified: false, reason: 'wrong', attemptsLeft: left[0] };

	const match = matchOf(code, verification, periods, keys);
	if (match === undefined) {
		const open = [...periods.keys()].filter((index) => left[index]! > 0);
		await countWrong(
			notes,
			open.map((index) => periods[index]!),
			open.map((index) => left[index]!),
			maxAttempts,
		);
		return { verified: false, reason: 'wrong', attemptsLeft: left[0]! - 1 };
	}
	if (left[periods.indexOf(match.period)] === 0) return { verified: false, reason: 'tooManyAttempts', attemptsLeft: 0 };
	const isFirstUse = match.isLast && (await notes.put([usedNote(match.period, match.issue)]))[0]!;
	return isFirstUse ? { verified: true } : { verified: false, reason: 'used' };
}

/** The periods whose codes are accepted with an id: its own, and the one before it, where a code was sent that has not ended. */
function comparedPeriods(verification: Verification): Period[] {
	const earlier = before(verification);
	const isEarlierValid = verification.earlierIssue !== undefined && Date.now() / 1000 < endOf(earlier);
	return isEarlierValid ? [verification, earlier] : [verification];
}

interface Match {
	period: Period;
	issue: number;
	/** Whether it is the last one that was sent in its period: those before it were used. */
	isLast: boolean;
}

/** Which of the codes that were sent was typed. All are compared, whichever it is; by chance two may have the same digits. */
function matchOf(
	code: string,
	{ issue, earlierIssue, codeLength, index }: Verification,
	periods: Period[],
	keys: DerivedKeys,
): Match | undefined {
	const sent = periods.flatMap((period): Match[] => {
		const last = period.index === index ? issue : earlierIssue!;
		return upTo(last).map((each) => ({ period, issue: each, isLast: each === last }));
	});
	const same = sent.filter((each) => sameCode(code, codeOf(each.period, each.issue, codeLength, keys)));
	return same.find(({ isLast }) => isLast) ?? same[0];
}

const upTo = (last: number): number[] => Array.from({ length: last + 1 }, (_, index) => index);

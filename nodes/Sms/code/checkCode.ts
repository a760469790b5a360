import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { credentialOnce } from '../../shared/credentialOnce';
import { refuseAlwaysOutputData } from '../../shared/emptyItems';
import { openLedger, type Ledger } from '../../shared/ledger';
import { getParameter } from '../../shared/parameter';
import { runRows } from '../../shared/pool';
import { errorItem, nodeError } from '../../shared/problem';
import { isTool } from '../../shared/tool';
import { readPlatform, type Platform } from '../credential';
import { readRecipient } from '../outgoing/recipient';
import { attemptsLeft, before, countWrong, usedNote } from './issued';
import { withMemory, type Memory } from './memory';
import { codeKeysOf, codeOf, endOf, readTypedCode, sameCode, type CodeKeys, type Period } from './oneTimeCode';
import { readPurpose } from './request';
import { openVerification, type Verification } from './verificationId';

/** Why somebody is not verified. */
type Reason = 'wrong' | 'expired' | 'tooManyAttempts' | 'used' | 'invalid';

type Verdict = { verified: true } | { verified: false; reason: Reason; attemptsLeft?: number };

/**
 * Checks the code that somebody typed, for each row.
 *
 * @returns two outputs, verified and not verified. What could not be checked is an error, which never leaves on the
 * first: whoever is there is verified
 */
export async function checkCodes(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const ledger = openLedger<IDataObject>(context);
	const readCredential = credentialOnce(context, 'smsPlatformApi', readPlatform);
	// One after the other: n8n's store is worked on in turn anyway.
	const run = await runRows(context, 1, async (itemIndex) => {
		refuseAlwaysOutputData(context, 'Check Code', 'Verified');
		return await checkRow(context, itemIndex, await readCredential(), ledger);
	});

	const [failure] = run.failed;
	if (failure !== undefined && !context.continueOnFail()) throw nodeError(context.getNode(), failure[1], failure[0]);
	if (failure === undefined) ledger.close();

	const { onError } = context.getNode();
	const verified: INodeExecutionData[] = [];
	const notVerified: INodeExecutionData[] = run.failed.map(([itemIndex, problem]) => errorItem(problem, itemIndex, onError));
	for (const [itemIndex, json] of run.done) (json.verified === true ? verified : notVerified).push({ json, pairedItem: { item: itemIndex } });
	const inOrder = (items: INodeExecutionData[]) => items.sort((one, other) => indexOf(one) - indexOf(other));
	// As a tool n8n shows the model the first output only.
	return isTool(context) ? [inOrder([...verified, ...notVerified]), []] : [inOrder(verified), inOrder(notVerified)];
}

const indexOf = (item: INodeExecutionData) => (item.pairedItem as { item: number }).item;

/** Retry On Fail runs the whole node again: a row that was checked keeps what came of it, and costs no second try. */
async function checkRow(context: IExecuteFunctions, itemIndex: number, platform: Platform, ledger: Ledger<IDataObject>): Promise<IDataObject> {
	const known = ledger.get(itemIndex);
	if (known !== undefined) return known;

	const id = getParameter(context, 'verificationId', 'Verification ID', itemIndex);
	const typed = getParameter(context, 'code', 'Code', itemIndex);
	const found = open(id, readPurpose(context, itemIndex), platform);
	const json: IDataObject =
		found === undefined
			? { verified: false, reason: 'invalid' }
			: { recipient: readRecipient(found.verification.mobile, true, platform.mobileFormat).sent, ...(await judge(context, found.verification, typed, found.keys)) };
	ledger.set(itemIndex, json);
	return json;
}

/** Opens a verification id with the current key, or with the one before it while that is valid. */
function open(id: unknown, purpose: string, { keys: { current, previous } }: Platform): { verification: Verification; keys: CodeKeys } | undefined {
	const isPreviousValid = previous !== undefined && Date.now() / 1000 <= previous.validUntil;
	for (const key of isPreviousValid ? [current, previous.key] : [current]) {
		const keys = codeKeysOf(key);
		const verification = openVerification(id, purpose, keys);
		if (verification !== undefined) return { verification, keys };
	}
	return undefined;
}

/** What a typed code is worth. */
async function judge(context: IExecuteFunctions, verification: Verification, typed: unknown, keys: CodeKeys): Promise<Verdict> {
	if (Date.now() / 1000 >= endOf(verification)) return { verified: false, reason: 'expired' };
	return await withMemory(context, keys, async (memory) => await tryCode(memory, verification, typed, keys));
}

async function tryCode(memory: Memory, verification: Verification, typed: unknown, keys: CodeKeys): Promise<Verdict> {
	const { maxAttempts, codeLength } = verification;
	const tooMany: Verdict = { verified: false, reason: 'tooManyAttempts', attemptsLeft: 0 };

	const code = readTypedCode(typed, codeLength);
	const match = code === undefined ? undefined : matchOf(code, verification, keys);
	if (code !== undefined && match === undefined) {
		const left = await countWrong(memory, verification, maxAttempts);
		return left === undefined ? tooMany : { verified: false, reason: 'wrong', attemptsLeft: left };
	}

	const left = await attemptsLeft(memory, verification, maxAttempts);
	if (left === 0) return tooMany;
	if (match === undefined) return { verified: false, reason: 'wrong', attemptsLeft: left };
	if (match.period !== verification && (await attemptsLeft(memory, match.period, maxAttempts)) === 0) return tooMany;
	const isFirstUse = match.isLast && (await memory.note([usedNote(match.period, match.issue)])).length > 0;
	return isFirstUse ? { verified: true } : { verified: false, reason: 'used' };
}

interface Match {
	period: Period;
	issue: number;
	/** Whether it is the last one that was sent in its period: those before it were used. */
	isLast: boolean;
}

/**
 * Which of the codes that were sent was typed: one of this period, or one of the period before, which has not ended yet.
 * All are compared, whichever it is.
 */
function matchOf(code: string, verification: Verification, keys: CodeKeys): Match | undefined {
	const { issue, earlierIssue, codeLength } = verification;
	const earlier = before(verification);
	const isEarlierValid = earlierIssue !== undefined && Date.now() / 1000 < endOf(earlier);
	const sent: Match[] = [
		...upTo(issue).map((each) => ({ period: verification, issue: each, isLast: each === issue })),
		...(isEarlierValid ? upTo(earlierIssue).map((each) => ({ period: earlier, issue: each, isLast: each === earlierIssue })) : []),
	];
	return sent.filter((each) => sameCode(code, codeOf(each.period, each.issue, codeLength, keys)))[0];
}

const upTo = (last: number): number[] => Array.from({ length: last + 1 }, (_, index) => index);

import { createHash } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { credentialOnce } from '../../shared/request';
import { refuseAlwaysOutputData, toItems } from '../../shared/items';
import { readLanguage, isTool } from '../../shared/node';
import { openLedger } from '../../shared/ledger';
import { noticeOf, type Language, type Why } from '../../shared/notice';
import { getParameter } from '../../shared/parameter';
import { failuresOf, runRows } from '../../shared/pool';
import { nodeError, Problem } from '../../shared/problem';
import { readPlatform, type Platform } from '../credential';
import { deriveKeys, type DerivedKeys } from '../keys';
import { readRecipient } from '../outgoing/recipient';
import { attemptsLeft, before, countWrong, usedNote } from './issued';
import { inTurn, openNotes, type Notes } from './notes';
import { codeOf, endOf, readTypedCode, sameCode, type Period } from './oneTimeCode';
import { readPurpose } from './parameters';
import { turnOf } from './sendCode';
import { openVerification, type Verification } from './verificationId';

/** Why somebody is not verified. */
type Reason = 'wrong' | 'expired' | 'tooManyAttempts' | 'used' | 'invalid';
type Verdict = { verified: true } | { verified: false; reason: Reason; attemptsLeft?: number };
/** What is said of one row. */
type Checked = Verdict & { recipient?: string };

/**
 * Checks the code that somebody typed, for each row.
 *
 * @returns two outputs, verified and not verified. What could not be checked is an error, which is never routed to the
 * first: whoever is there is verified
 */
export async function checkCodes(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const ledger = openLedger<Checked>(context);
	const readCredential = credentialOnce(context, 'smsPlatformApi', readPlatform);
	const settings: { language: Language } = { language: 'both' };
	const seen = new Map<string, number>();
	const results = await runRows(context, () => {
		refuseAlwaysOutputData(context, 'Check Code', 'Verified');
		settings.language = readLanguage(context);
		return {
			// One after the other: whoever types two codes at once has one try less for the second.
			places: 1,
			async work(itemIndex) {
				const asked = readRow(context, itemIndex);
				// Retry On Fail runs the whole node again: what was checked keeps what came of it, and costs no second attempt. Known
				// by what is asked: after a change of the rows a place is another person's.
				const content = createHash('sha256').update(JSON.stringify(asked)).digest('base64url');
				const count = seen.get(content) ?? 0;
				seen.set(content, count + 1);
				const known = ledger.get(`${content} ${count}`) ?? (await checkRow(context, asked, await readCredential()));
				ledger.set(`${content} ${count}`, known);
				return known;
			},
		};
	});

	const [failure] = failuresOf(results);
	if (failure !== undefined && !context.continueOnFail()) throw nodeError(context.getNode(), failure[1], failure[0]);
	if (failure === undefined) ledger.close();
	const { language } = settings;
	const yes = new Set<unknown>();
	const items = results.map((checked) => {
		if (checked === undefined || checked instanceof Problem) return checked;
		const item = itemOf(checked, language);
		if (checked.verified) yes.add(item);
		return item;
	});
	// As a tool n8n shows the model the first output only.
	const isFirst = (result: IDataObject | Problem) => isTool(context) || yes.has(result);
	const [verified = [], notVerified = []] = toItems(context, items, undefined, language, (result) =>
		isFirst(result) ? 0 : 1,
	);
	return [verified, notVerified];
}

interface Asked {
	id: unknown;
	code: unknown;
	purpose: string;
}

const readRow = (context: IExecuteFunctions, itemIndex: number): Asked => ({
	id: getParameter(context, 'verificationId', 'Verification ID', itemIndex),
	code: getParameter(context, 'code', 'Code', itemIndex),
	purpose: readPurpose(context, itemIndex),
});

async function checkRow(
	context: IExecuteFunctions,
	{ id, code, purpose }: Asked,
	platform: Platform,
): Promise<Checked> {
	const found = await open(id, purpose, platform);
	if (found === undefined) return { verified: false, reason: 'invalid' };
	const recipient = readRecipient(found.verification.mobile, platform.mobileFormat).sent;
	return { recipient, ...(await judge(context, found.verification, code, found.keys)) };
}

const itemOf = (checked: Checked, language: Language): IDataObject =>
	checked.verified ? { ...checked } : { ...checked, notice: noticeOf(whyOf(checked), language) };

/** For the person who typed the code. */
function whyOf({ reason, attemptsLeft: left }: { reason: Reason; attemptsLeft?: number }): Why {
	if (reason !== 'wrong' || left === undefined) return { reason };
	if (left === 0) return { reason: 'tooManyAttempts' };
	const [el, en] =
		left === 1
			? ['. Σας μένει μία προσπάθεια', '. You have one attempt left']
			: [`. Σας μένουν ${left} προσπάθειες`, `. You have ${left} attempts left`];
	return { reason, about: { left_el: el!, left_en: en! } };
}

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
	const notes = openNotes(context, keys);
	const { mobile } = verification;
	return await inTurn(turnOf(notes, mobile), async () => await tryCode(notes, verification, typed, keys));
}

const SPENT: Verdict = { verified: false, reason: 'tooManyAttempts', attemptsLeft: 0 };

async function tryCode(notes: Notes, verification: Verification, typed: unknown, keys: DerivedKeys): Promise<Verdict> {
	const { maxAttempts, codeLength } = verification;
	const periods = comparedPeriods(verification);
	const left = await attemptsLeft(notes, periods, maxAttempts);
	if (left[0] === 0) return SPENT;
	const code = readTypedCode(typed, codeLength);
	if (code === undefined) return { verified: false, reason: 'wrong', attemptsLeft: left[0] };

	const match = matchOf(code, verification, periods, keys);
	if (match === undefined) {
		const [leftNow] = await countWrong(notes, periods, left, maxAttempts);
		return leftNow === undefined ? SPENT : { verified: false, reason: 'wrong', attemptsLeft: leftNow };
	}
	if (left[periods.indexOf(match.period)] === 0) return SPENT;
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

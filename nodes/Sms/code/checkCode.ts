import { createHash } from 'node:crypto';

import { sleep, type IDataObject, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

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
import { firstCode } from './limits';
import { attempts, countPlaces, inTurn, openNotes, takePlaces, used, type Notes } from './notes';
import { before, codeOf, endOf, readTypedCode, sameCode, type Period } from './oneTimeCode';
import { readPurpose } from './parameters';
import { openVerification, type Verification } from './verificationId';

/** Why somebody is not verified. */
type Reason = 'wrong' | 'expired' | 'tooManyAttempts' | 'used' | 'invalid';
type Verdict = { verified: true } | { verified: false; reason: Reason; attemptsLeft?: number };
/** What is said of one row. */
type Checked = Verdict & { recipient?: string };
/** What a row asks. */
type Asked = [id: unknown, typed: unknown, purpose: string];

/**
 * Checks the code that somebody typed, for each row.
 *
 * @returns two outputs, verified and not verified. What could not be checked is an error, which is never routed to the
 * first: whoever is there is verified
 */
export async function checkCodes(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const ledger = openLedger<Checked>(context);
	const readCredential = credentialOnce(context, 'smsPlatformApi', readPlatform);
	const settings: { language: Language } = { language: 'el' };
	const seen = new Map<string, number>();
	const results = await runRows(context, () => {
		settings.language = readLanguage(context);
		refuseAlwaysOutputData(context, 'Check Code', 'Verified');
		return {
			// One after the other: whoever types two codes at once has one try less for the second.
			places: 1,
			async work(itemIndex) {
				const asked: Asked = [
					getParameter(context, 'verificationId', 'Verification ID', itemIndex),
					getParameter(context, 'code', 'Code', itemIndex),
					readPurpose(context, itemIndex),
				];
				// Retry On Fail runs the whole node again: what was checked keeps what came of it, and costs no second attempt. Known
				// by what is asked: after a change of the rows a place is another person's.
				const content = createHash('sha256').update(JSON.stringify(asked)).digest('base64url');
				const count = seen.get(content) ?? 0;
				seen.set(content, count + 1);
				const name = `${content} ${count}`;
				const known = ledger.get(name) ?? (await checkRow(context, asked, await readCredential()));
				ledger.set(name, known);
				return known;
			},
		};
	});

	const { language } = settings;
	const [failure] = failuresOf(results);
	if (failure !== undefined && !context.continueOnFail()) {
		throw nodeError(context.getNode(), failure[1], failure[0], language);
	}
	if (failure === undefined) ledger.close();
	const items = results.map((checked) =>
		checked === undefined || checked instanceof Problem ? checked : itemOf(checked, language),
	);
	// As a tool n8n shows the model the first output only.
	const isAgent = isTool(context);
	const [verified = [], notVerified = []] = toItems(context, items, undefined, language, (result) =>
		isAgent || (!(result instanceof Problem) && result.verified === true) ? 0 : 1,
	);
	return [verified, notVerified];
}

async function checkRow(context: IExecuteFunctions, [id, typed, purpose]: Asked, platform: Platform): Promise<Checked> {
	const found = await open(id, purpose, platform);
	if (found === undefined) return { verified: false, reason: 'invalid' };
	const { verification, keys } = found;
	const recipient = readRecipient(verification.mobile, platform.mobileFormat).sent;
	if (Date.now() / 1000 >= endOf(verification)) return { recipient, verified: false, reason: 'expired' };
	const notes = openNotes(context, keys);
	const tryIt = async () => await tryCode(notes, verification, typed, keys);
	return { recipient, ...(await inTurn(notes, verification.mobile, tryIt)) };
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

const SPENT: Verdict = { verified: false, reason: 'tooManyAttempts', attemptsLeft: 0 };

/** What a typed code is worth. */
async function tryCode(notes: Notes, verification: Verification, typed: unknown, keys: DerivedKeys): Promise<Verdict> {
	const { maxAttempts, codeLength } = verification;
	const accepted = acceptedOf(verification);
	const counters = accepted.map(({ period }) => attempts(period, maxAttempts));
	// A code is counted before anything else of it is noted; whether one of another workflow was, nobody knows here.
	const firsts = verification.list === notes.tag ? accepted.map(({ period }) => firstCode(period)) : [];
	const counts = await countPlaces(notes, [...counters, ...firsts]);
	if (counts[0] === maxAttempts) return SPENT;
	const code = readTypedCode(typed, codeLength);
	if (code === undefined) return { verified: false, reason: 'wrong', attemptsLeft: maxAttempts - counts[0]! };

	// All are compared, whichever it is; by chance two may have the same digits, and those before the last were used.
	const matches = accepted.flatMap(({ period, last }, which) =>
		Array.from({ length: last + 1 }, (_, issue) => ({ period, issue, which, isLast: issue === last })).filter(
			({ issue }) => sameCode(code, codeOf(period, issue, codeLength, keys)),
		),
	);
	const match = matches.find(({ isLast }) => isLast) ?? matches[0];
	if (match === undefined) {
		// Guesses that come to two workers at the same moment are counted at different ones, so that neither count is lost.
		await sleep(Math.random() * 200);
		// Against each period it was compared with, so that no code is tried more often by way of another's id.
		const [taken] = await takePlaces(notes, counters, counts);
		return taken === undefined ? SPENT : { verified: false, reason: 'wrong', attemptsLeft: maxAttempts - taken };
	}
	if (counts[match.which] === maxAttempts) return SPENT;
	const isFirstUse = match.isLast && (await notes.put([used(match.period).noteOf(match.issue)]))[0]!;
	return isFirstUse ? { verified: true } : { verified: false, reason: 'used' };
}

/**
 * The periods whose codes are accepted with an id, with the last code that was sent in each: its own, and the one before it
 * where that has not ended.
 */
function acceptedOf(verification: Verification): Array<{ period: Period; last: number }> {
	const { issue, earlierIssue } = verification;
	const own = { period: verification, last: issue };
	const period = before(verification);
	return earlierIssue !== undefined && Date.now() / 1000 < endOf(period)
		? [own, { period, last: earlierIssue }]
		: [own];
}

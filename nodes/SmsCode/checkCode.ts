import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { requireValue } from '../../lib/n8n/columns';
import { hashOf } from '../../lib/values/digest';
import { refuseAlwaysOutputData, toItems, withoutUndefined } from '../../lib/n8n/items';
import { isTool } from '../../lib/n8n/aiTool';
import { readLanguage, addWarnings } from '../../lib/n8n/node';
import { aboutDuration, noticeOf, type Language, type Why } from '../../lib/texts/notice';
import { getParameter, refuseExpression } from '../../lib/n8n/parameters';
import { failuresOf, runItems } from '../../lib/n8n/workerPool';
import { toProblem, nodeError, Problem, toResult } from '../../lib/texts/problem';
import { numberRows } from '../../lib/texts/rowNumber';
import { credentialOnce } from '../../lib/http/request';
import { readPlatform, validKeys, type Platform } from '../../lib/smsPlatform/credential';
import { deriveKeys } from '../../lib/smsPlatform/derivedKeys';
import { recordOnce } from '../../lib/sentMessages/messages';
import { openRetryState } from '../../lib/smsPlatform/retryState';
import { readRecipient } from '../../lib/smsPlatform/recipient';
import { codeStateOf, type Verdict } from './codeState';
import { adviseVisitors } from './readItem';
import { readPurpose } from './properties';
import { openVerification, type Verification } from './verificationId';

/** The result of a check. */
type Checked = Omit<Verdict, 'reason'> & { reason: Verdict['reason'] | 'expired' | 'invalid'; recipient?: string };
/** The parameters of an item. */
type Input = [id: unknown, typed: unknown, purpose: string];

/**
 * Checks the code of each item. @returns two outputs: the verified items, and all others. As a tool of an AI agent, the first
 * output has all items
 */
export async function checkCodes(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const retryState = openRetryState<Checked>(context);
	const readCredential = credentialOnce(context, 'smsPlatformApi', readPlatform);
	let language: Language = 'el';
	const ended = await runItems(context, () => {
		language = readLanguage(context);
		refuseAlwaysOutputData(context, 'Check Code', 'Verified');
		return {
			// Items are checked one after the other, so that the tries of a person are counted in the order of the items.
			concurrency: 1,
			async work(itemIndex) {
				const input: Input = [
					getParameter(context, 'verificationId', 'Verification ID', itemIndex),
					getParameter(context, 'code', 'Code', itemIndex),
					readPurpose(context, itemIndex),
				];
				// Retry On Fail runs the whole node again. A code that was checked keeps its result and uses up no second try.
				const retryKey = retryState.keyOf(itemIndex, hashOf(input));
				return await retryState.once(retryKey, async () => await checkItem(context, input, await readCredential()));
			},
		};
	});

	const results = adviseVisitors(ended);
	const [failure] = failuresOf(results);
	if (failure !== undefined && !context.continueOnFail())
		throw nodeError(context.getNode(), failure[1], numberRows(context.getInputData()).numbers[failure[0]], language);
	if (failure === undefined) retryState.close();
	addWarnings(context, [
		fieldWarning(context, 'verificationId', 'Verification ID'),
		fieldWarning(context, 'code', 'Code'),
	]);
	const items = results.map((checked) =>
		checked === undefined || checked instanceof Problem ? checked : itemOf(checked, language),
	);
	// n8n gives the model of an AI agent only the first output of a tool. So a tool has all items there.
	const isAgent = isTool(context);
	const [verified = [], notVerified = []] = toItems(context, items, undefined, language, (_, result) =>
		isAgent || (!(result instanceof Problem) && result.verified === true) ? 0 : 1,
	);
	return [verified, notVerified];
}

/**
 * Returns a warning for the admin if the expression of a field returns no value for any item, or if the field contains an
 * expression but is set to Fixed. Without the warning, the admin would not find the cause, because people who type a code only
 * read that it is wrong.
 */
function fieldWarning(context: IExecuteFunctions, name: string, label: string): string | undefined {
	const problem = toResult(() => {
		requireValue(context, name, label, { label: { el: label, en: label }, names: [] }, false);
		const typed: unknown = context.getNodeParameter(name, 0, '', { rawExpressions: true });
		if (typeof typed === 'string' && !typed.startsWith('='))
			refuseExpression(typed, { field_el: label, field_en: label });
	});
	return problem instanceof Problem ? `${problem.message}. ${problem.description}.` : undefined;
}

/** Checks an item. A right code is recorded as used in n8n's database (`recordOnce`), so that it stays used after a restart. */
async function checkItem(
	context: IExecuteFunctions,
	[id, typed, purpose]: Input,
	platform: Platform,
): Promise<Checked> {
	const verification = await openWithValidKey(id, purpose, platform);
	if (verification === undefined) return { reason: 'invalid' };
	const recipient = readRecipient(verification.mobile, platform).sent;
	if (Date.now() >= verification.end) return { recipient, reason: 'expired' };
	const codeState = codeStateOf(platform);
	const verdict = codeState.try(verification, purpose, typed, Date.now());
	if (verdict.reason !== 'right') return { recipient, ...verdict };
	const isFirstUse = await recordOnce(context, `smsCode ${verification.serial}`).catch(toProblem);
	if (!(isFirstUse instanceof Problem)) return { recipient, reason: isFirstUse ? 'right' : 'used' };
	codeState.releaseUse(verification, purpose);
	throw isFirstUse;
}

/** Opens a verification id with the current key, or with the previous key while that is valid. */
async function openWithValidKey(id: unknown, purpose: string, platform: Platform): Promise<Verification | undefined> {
	for (const key of validKeys(platform.keys, Date.now() / 1000)) {
		const verification = openVerification(id, { platform, purpose, keys: await deriveKeys(key) });
		if (verification !== undefined) return verification;
	}
	return undefined;
}

/**
 * Makes the output item. If the code is not right, the item has a notice for the person. If no tries are left, the notice does
 * not ask for another code.
 */
function itemOf({ reason, recipient, attemptsLeft, freeAt = 0 }: Checked, language: Language): IDataObject {
	if (reason === 'right') return withoutUndefined({ verified: true, recipient });
	const why: Why =
		attemptsLeft === 0
			? { reason: 'tooManyAttempts', about: aboutDuration(freeAt - Date.now()) }
			: { reason, about: attemptsLeft === 1 ? { todo: 'lastTry' } : { left: attemptsLeft ?? '' } };
	return withoutUndefined({ verified: false, recipient, reason, attemptsLeft, notice: noticeOf(why, language) });
}

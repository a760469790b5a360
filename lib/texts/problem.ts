import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import { redactPersonalNumbers } from './redact';
import { noticeOf, textsOf, type About, type Language, type Why } from './notice';
import type { Reason } from './reasons';

/** The length at which texts are cut, because n8n's own errors can quote a whole row. In UTF-16 units. */
const LONGEST_TEXT = 10_000;

/** For failures without a known reason. */
const SOME_SETTING: Why = {
	reason: 'setting',
	about: { field_el: 'το βήμα που απέτυχε', field_en: 'the step that failed' },
};

/**
 * What a user reads when something fails: `message` says what failed, `description` what to do, `details` is data to
 * branch on. Its texts must not contain secrets, whole AMKA or whole mobile numbers.
 */
export class Problem extends Error {
	readonly description: string;

	/**
	 * @param httpCode the status that n8n shows, if a service answered
	 * @param why the reason for the person who typed the data
	 */
	constructor(
		message: string,
		description: string,
		readonly details: IDataObject = {},
		readonly httpCode?: string,
		readonly why: Why = SOME_SETTING,
	) {
		super(message.slice(0, LONGEST_TEXT));
		this.description = description.slice(0, LONGEST_TEXT);
	}

	/** Returns a copy with the given fields replaced. */
	copyWith(other: Partial<Problem>): Problem {
		const { message = this.message, description = this.description, details = this.details, why = this.why } = other;
		return new Problem(message, description, details, this.httpCode, why);
	}

	/** Returns a copy with other advice for the person who typed the data. */
	withAdvice(todo: About['todo']): Problem {
		const { reason, about } = this.why;
		return this.copyWith({ why: { reason, about: { ...about, todo } } });
	}

	/** Returns a copy with more details. Details that are already there stay as they are. */
	withDetails(more: IDataObject): Problem {
		return this.copyWith({ details: { ...more, ...this.details } });
	}
}

/**
 * Makes the problem of an item with faulty data, with the texts of its reason. Nothing was sent.
 * @param advice for an admin, without a full stop. It follows the reason's own advice, or replaces it if that sends people to
 * the admin
 */
export function fault(reason: Reason, about: About = {}, advice?: string): Problem {
	const [what, todo] = textsOf({ reason, about }, 'en');
	let description = todo;
	if (advice !== undefined) description = /\bthe admin\b/.test(todo) ? advice : `${todo}. ${advice}`;
	return new Problem(what, description, { outcome: 'rejected' }, undefined, { reason, about });
}

/** Returns the details of a failed item, with the reason for a workflow to branch on and the notice for people. */
export function detailsOf({ details, why }: Problem, language: Language): IDataObject {
	return { ...details, reason: why.reason, notice: noticeOf(why, language) };
}

/**
 * Makes the problem of a parameter that breaks a rule. Nothing was sent.
 * @param rule text after the parameter's name, as in "is empty"
 */
export function invalidParameter(parameter: string, rule: string, whatToDo: string): Problem {
	// The notice names only the field, because the people who type data don't know what a credential is.
	const why: Why = { reason: 'setting', about: { field: parameter.replace(' of the credential', '') } };
	return new Problem(`${parameter} ${rule}`, whatToDo, { outcome: 'rejected' }, undefined, why);
}

/**
 * Turns anything that was thrown into a Problem. n8n's own errors (an expression that fails, a missing credential) keep their
 * texts, except for long numbers, because such a text may quote any cell of the row. These errors come before anything is sent.
 */
export function toProblem(error: unknown): Problem {
	if (error instanceof Problem) return error;
	const { message, description } = error as { message?: unknown; description?: unknown };
	const shown = (text: unknown) => (typeof text === 'string' ? redactPersonalNumbers(text.slice(0, LONGEST_TEXT)) : '');
	return new Problem(shown(message) || 'Unexpected error', shown(description), { outcome: 'rejected' });
}

/** Returns what `read` returns, or what it throws as a Problem. */
export function toResult<R>(read: () => R): R | Problem {
	try {
		return read();
	} catch (error) {
		return toProblem(error);
	}
}

/** Returns what `read` returns, or undefined if it throws. @param problems gets the thrown Problem */
export function tryRead<R>(read: () => R, problems: Problem[] = []): R | undefined {
	const result = toResult(read);
	if (!(result instanceof Problem)) return result;
	problems.push(result);
	return undefined;
}

/**
 * Makes the error that ends a run. It does not name its item to n8n: the editor would show "[item 1]" for the second item, beside
 * texts that count from 1.
 * @param row the number of the failed row, for the details. Undefined: the fault is not of one row
 */
export function nodeError(node: INode, problem: Problem, row: number | undefined, language: Language) {
	const { message, description, httpCode } = problem;
	// The error gets no cause, because a failed HTTP request contains its body, and so the key.
	const error =
		httpCode === undefined
			? new NodeOperationError(node, message, { description })
			: new NodeApiError(node, {}, { message, description, httpCode });
	// NodeApiError replaces any text that names a code such as ECONNREFUSED by a general sentence.
	error.message = message;
	// n8n writes the whole context into its log. The number of the row identifies it there.
	const {
		recipient,
		input: _,
		...details
	} = detailsOf(row === undefined ? problem : problem.withDetails({ row }), language);
	error.context.details =
		typeof recipient === 'string' ? { ...details, recipient: redactPersonalNumbers(recipient) } : details;
	return error;
}

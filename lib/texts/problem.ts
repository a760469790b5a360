import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import { redactPersonalNumbers } from './redact';
import { noticeOf, textsOf, type About, type Language, type Why } from './notice';
import type { Reason } from './reasons';

/** The length at which texts are cut, in UTF-16 units. n8n's own errors can quote a whole row. */
const LONGEST_TEXT = 10_000;

/** The reason of failures whose reason is not known. */
const SOME_SETTING: Why = {
	reason: 'setting',
	about: { field_el: 'το βήμα που απέτυχε', field_en: 'the step that failed' },
};

/**
 * An error that a user reads. `message` says what failed, `description` says what to do, and `details` has data for the branches
 * of a workflow. The texts must not contain secrets, whole AMKA or whole mobile numbers.
 */
export class Problem extends Error {
	readonly description: string;

	/**
	 * @param httpCode the HTTP status of the answer, if a service answered; n8n shows it
	 * @param why the reason; the texts for the person who typed the data are made from it
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

	/** Returns a copy with further details. Existing details are not replaced. */
	withDetails(more: IDataObject): Problem {
		return this.copyWith({ details: { ...more, ...this.details } });
	}
}

/**
 * Makes the Problem of an item that is not sent or not processed, with the texts of its reason. For SMS messages its `outcome`
 * says that nothing was sent.
 * @param advice advice for an admin, without a full stop. It follows the reason's own advice. If the reason's advice tells
 * people to ask the admin, this one replaces it
 */
export function fault(reason: Reason, about: About = {}, advice?: string): Problem {
	const [what, todo] = textsOf({ reason, about }, 'en');
	let description = todo;
	if (advice !== undefined) description = /\bthe admin\b/.test(todo) ? advice : `${todo}. ${advice}`;
	return new Problem(what, description, { outcome: 'rejected' }, undefined, { reason, about });
}

/** Returns the details of a failed item, with the reason, which a workflow can branch on, and the notice for people. */
export function detailsOf({ details, why }: Problem, language: Language): IDataObject {
	return { ...details, reason: why.reason, notice: noticeOf(why, language) };
}

/**
 * Makes the Problem of a parameter that breaks a rule. Its `outcome` says that nothing was sent.
 * @param rule the text after the parameter's name, such as "is empty"
 */
export function invalidParameter(parameter: string, rule: string, whatToDo: string): Problem {
	// The notice has only the name of the field, because the people who type data don't know the word "credential".
	const why: Why = { reason: 'setting', about: { field: parameter.replace(' in the credential', '') } };
	return new Problem(`${parameter} ${rule}`, whatToDo, { outcome: 'rejected' }, undefined, why);
}

/**
 * Turns any thrown value into a Problem. n8n's own errors (an expression that fails, a missing credential) keep their texts. Only
 * long numbers are redacted, and very long texts are cut, because such a text may quote a whole row. These errors are thrown
 * before anything is sent.
 */
export function toProblem(error: unknown): Problem {
	if (error instanceof Problem) return error;
	const { message, description } = (error ?? {}) as { message?: unknown; description?: unknown };
	const shown = (text: unknown) => (typeof text === 'string' ? redactPersonalNumbers(text.slice(0, LONGEST_TEXT)) : '');
	return new Problem(shown(message) || 'Unexpected error', shown(description), { outcome: 'rejected' });
}

/** Returns the result of `read`. If `read` throws, returns the Problem. */
export function toResult<R>(read: () => R): R | Problem {
	try {
		return read();
	} catch (error) {
		return toProblem(error);
	}
}

/** Returns the result of `read`, or undefined if it throws. @param problems receives the thrown Problem */
export function tryRead<R>(read: () => R, problems: Problem[] = []): R | undefined {
	const result = toResult(read);
	if (!(result instanceof Problem)) return result;
	problems.push(result);
	return undefined;
}

/**
 * Makes the error that ends a run. n8n does not get the index of the item. With it the editor would show "[item 1]" for the
 * second item, while the texts of this package count from 1.
 * @param row the number of the failed row, for the details; undefined: the fault is not in one row
 */
export function nodeError(node: INode, problem: Problem, row: number | undefined, language: Language) {
	const { message, description, httpCode } = problem;
	// The error gets no `cause`. The error of an HTTP request contains the body of the request, and so the key.
	const error =
		httpCode === undefined
			? new NodeOperationError(node, message, { description })
			: new NodeApiError(node, {}, { message, description, httpCode });
	// The message is set again, because NodeApiError replaces any text with a code such as ECONNREFUSED by a general sentence.
	error.message = message;
	// n8n writes the whole context into its log, so personal data are removed. The number of the row stays and identifies the
	// row.
	const {
		recipient,
		input: _,
		...details
	} = detailsOf(row === undefined ? problem : problem.withDetails({ row }), language);
	error.context.details =
		typeof recipient === 'string' ? { ...details, recipient: redactPersonalNumbers(recipient) } : details;
	return error;
}

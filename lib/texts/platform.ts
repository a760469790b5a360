/* The texts for the admin about answers of the SMS platform. `answer` is the platform's own text. */

type WhatAndTodo = [what: string, todo: string];

/** Returns the texts if the platform rejected the IP address of this server. */
export const senderRefused = (answer: string): WhatAndTodo => [
	`The SMS platform does not accept requests from the IP address of this server (${answer})`,
	'Ask the operator of the platform to register the address',
];

/** Returns the texts if the platform rejected the institution or its key. */
export const keyRefused = (answer: string): WhatAndTodo => [
	`The SMS platform rejected the institution or its pre-shared key (${answer})`,
	'Check both in the credential, and make sure that they are approved for this service',
];

/** Returns the texts if the platform rejected a message. */
export const messageRefused = (answer: string, isUnknownService: boolean): WhatAndTodo => [
	`The SMS platform refused the message (${answer})`,
	`The message was not accepted, so the item can be sent again once the cause is removed. ${
		isUnknownService
			? 'The platform has no service with this ID: choose another one'
			: 'Ask the operator what this answer means'
	}`,
];

/** The text if the answer does not show whether the message was accepted. */
export const UNCLEAR_ANSWER = 'the answer of the SMS platform does not say whether the message was accepted';

/** Returns the warning if the platform accepted the message and named another service in its answer. */
export const otherServiceNamed = (service: string): string =>
	`The platform accepted the message, but named a different service (${service}). If this happens again, ask the operator why.`;

/** The text of a successful credential test. */
export const PLATFORM_REACHED =
	'The SMS platform answered and did not reject the institution or its key. Only a real message can prove that they are right, and this test does not send one.';

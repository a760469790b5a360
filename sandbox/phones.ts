/* The recipients of the platform. A request names a recipient by a number or by a user name. */

/** The mobile of each user name. A request may contain a user name of the institution in place of a mobile. */
const userNames: Readonly<Record<string, string>> = { dokimastikos: '6900000001', dokimastikou: '6900000004' };

/** Phones to which the platform sends no messages, with the reason. */
export const unwilling: Readonly<Record<string, 'notOptedIn' | 'optedOut'>> = {
	'6999999991': 'notOptedIn',
	'6999999992': 'optedOut',
};

/**
 * Returns the ten digits of the phone of a recipient. Any other text is returned unchanged.
 * @param recipient a user name, or a mobile as 69…, 3069…, 003069… or +3069…, because clients of the platform differ
 */
export function phoneOf(recipient: string): string {
	if (Object.hasOwn(userNames, recipient)) return userNames[recipient]!;
	return /^(?:(?:00|\+)?30)?((?:69|68|94)\d{8})$/.exec(recipient)?.[1] ?? recipient;
}

/** Returns whether a text has the form that `phoneOf` returns for a phone. */
export const isPhone = (number: string): boolean => /^(69|68|94)\d{8}$/.test(number);

/** The recipients that the platform knows by a number or a user name. */

/** User names of the institution, which a recipient may be instead of a mobile, and their mobiles. */
const userNames: Readonly<Record<string, string>> = { dokimastikos: '6900000001', dokimastikou: '6900000004' };

/** Phones that get no messages from the platform, with the reason. */
export const unwilling: Readonly<Record<string, 'notOptedIn' | 'optedOut'>> = {
	'6999999991': 'notOptedIn',
	'6999999992': 'optedOut',
};

/**
 * @param recipient a mobile as 69…, 3069…, 003069… or +3069…, or a user name: clients of the platform differ
 * @returns the ten digits of the phone that gets the message, and anything else unchanged
 */
export function phoneOf(recipient: string): string {
	if (Object.hasOwn(userNames, recipient)) return userNames[recipient]!;
	return /^(?:(?:00|\+)?30)?((?:69|68|94)\d{8})$/.exec(recipient)?.[1] ?? recipient;
}

/** Returns whether `phoneOf` has found a phone. */
export const isPhone = (number: string): boolean => /^(69|68|94)\d{8}$/.test(number);

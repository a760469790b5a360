/**
 * The longest text that is read, in UTF-16 units. It is rounded up: the longest message has 255 SMS of 153 characters, in all
 * 39,015 (3GPP TS 23.040, 9.2.3.24.1).
 */
export const LONGEST_SMS = 40_000;

/**
 * The GSM 7-bit default alphabet (3GPP TS 23.038, 6.2.1). It contains only ten Greek capitals, because the other ones look like
 * Latin capitals.
 */
const GSM7 = new Set(
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/**
 * The extension of the default alphabet (3GPP TS 23.038, 6.2.1.1). Each character is sent with an escape before it, so it takes
 * two units of 7 bits (septets).
 */
const GSM7_EXTENSION = new Set('\f^{}\\[~]|€');

/**
 * Returns how many SMS a text takes (3GPP TS 23.040, 9.2.3.24.1). If all characters are in the GSM 7-bit alphabet, a single SMS
 * has 160 septets, and each of several SMS has 153. Otherwise a single SMS has 70 UTF-16 units, and each of several has 67. A
 * character of two units is never split between two SMS.
 */
export function countSegments(text: string): number {
	const characters = [...text];
	const gsm7 = characters.every((character) => GSM7.has(character) || GSM7_EXTENSION.has(character));
	const widths = characters.map((character) => (gsm7 ? (GSM7_EXTENSION.has(character) ? 2 : 1) : character.length));
	const [single, part] = gsm7 ? [160, 153] : [70, 67];

	if (widths.reduce((sum, width) => sum + width, 0) <= single) return 1;
	let segments = 1;
	let used = 0;
	for (const width of widths) {
		if (used + width > part) {
			segments++;
			used = 0;
		}
		used += width;
	}
	return segments;
}

/** 255 parts of 153 letters are 39,015 (3GPP TS 23.040, 9.2.3.24.1). In UTF-16 units. */
export const LONGEST_SMS = 40_000;

/** 3GPP TS 23.038, 6.2.1: the default alphabet. Of Greek it contains ten capitals; the others look like Latin ones. */
const GSM7 = new Set(
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** 3GPP TS 23.038, 6.2.1.1: reached through an escape, so two septets each. */
const GSM7_EXTENSION = new Set('\f^{}\\[~]|€');

/**
 * How many SMS a text takes: 160 septets in one or 153 in each of several, or, with any letter outside the GSM 7-bit
 * alphabet, 70 UTF-16 units or 67 (3GPP TS 23.040, 9.2.3.24.1). What takes two places is never split between two parts.
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

import { clip, noticeOf, shownNumbers, type Language } from '../../shared/notice';
import type { State } from './followUpFact';

interface Words {
	/** As a cell of a sheet and a line of a page have it. */
	label: { el: string; en: string };
	/** What is known, and what to do, for whoever sent the list. */
	notice?: { el: string; en: string };
}

const STATE_WORDS: Record<State, Words> = {
	delivered: { label: { el: 'παραδόθηκε', en: 'delivered' } },
	notDelivered: {
		label: { el: 'δεν παραδόθηκε', en: 'not delivered' },
		notice: {
			el: 'Η αναφορά λέει ότι το μήνυμα δεν παραδόθηκε{code}. Ελέγξτε τον αριθμό. Αν είναι σωστός, στείλτε το ξανά, ή ενημερώστε το άτομο με άλλον τρόπο.',
			en: 'The report says that the message was not delivered{code}. Check the number. If it is right, send it again, or tell the person in another way.',
		},
	},
	late: {
		label: { el: 'χωρίς αναφορά ως τώρα', en: 'no report so far' },
		notice: {
			el: 'Το μήνυμα στάλθηκε, και δεν είναι γνωστό αν έφτασε, γιατί η αναφορά αργεί. Δείτε ξανά αργότερα. Αν αργεί για πολλούς, πείτε το στον διαχειριστή.',
			en: 'The message was sent. Whether it arrived is not known, because its report is late. Look again later. If it is late for many people, tell the admin.',
		},
	},
	onItsWay: {
		label: { el: 'στάλθηκε, αναμένεται αναφορά', en: 'sent, waiting for the report' },
		notice: {
			el: 'Το μήνυμα στάλθηκε, και η αναφορά του δεν έχει έρθει ακόμη. Δείτε ξανά σε λίγο.',
			en: 'The message was sent, and its report has not come yet. Look again in a while.',
		},
	},
	unknown: { label: { el: 'άγνωστο αν στάλθηκε', en: 'not known whether it was sent' } },
	notWanted: { label: { el: 'δεν θέλει μηνύματα', en: 'wants no messages' } },
	notSent: {
		label: { el: 'δεν στάλθηκε', en: 'not sent' },
		notice: {
			el: 'Το μήνυμα δεν στάλθηκε. Ανεβάστε ξανά την ίδια λίστα: θα φύγουν όσα δεν στάλθηκαν.',
			en: 'The message was not sent. Upload the same list again: what was not sent goes out then.',
		},
	},
};

export const labelOf = (state: State): { el: string; en: string } => STATE_WORDS[state].label;

/**
 * What to tell people of a message's state; undefined for one that was delivered.
 *
 * @param why of one that was not sent, as the run that did not send it said it
 */
export function stateNotice(
	state: State,
	errorCode: string | undefined,
	why: string | undefined,
	language: Language,
): string | undefined {
	if (state === 'unknown') return noticeOf({ reason: 'unknown' }, language);
	if (state === 'notWanted') return noticeOf({ reason: 'doNotSend' }, language);
	if (state === 'notSent' && why !== undefined) return why;
	const { notice } = STATE_WORDS[state];
	if (notice === undefined) return undefined;
	const code = errorCode === undefined ? '' : ` (${clip(shownNumbers(errorCode.slice(0, 1000)), 40)})`;
	const fill = (text: string) => text.replace('{code}', () => code);
	return language === 'both' ? `${fill(notice.el)} / ${fill(notice.en)}` : fill(notice[language]);
}

import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { answerWithTrouble, sendAnswer } from './badAnswers';
import { holdUp } from './holdUp';
import type { Person } from './people';
import type { Running } from './running';
import type { State } from './state';

const missing = (name: string) => z.string({ message: `${name} is missing` }).min(1, `${name} is missing`);
const query = z.object({ ssn: missing('ssn'), birthdate: missing('birthdate'), surname: missing('surname') });

/** Turns DD/MM/YYYY, as records have dates, into the ISO date of a request. */
const isoDate = (date = ''): string => date.split('/').reverse().join('-');

/**
 * The validation result for one question: the whole record on a match, and only the number asked
 * about with `match` "false" otherwise. (The document doesn't show a mismatch; this is one reading.)
 */
function validate(people: Person[], { ssn, birthdate, surname }: z.infer<typeof query>): Record<string, string> {
	// As strict as a registry with capitals. Otherwise a node that does not capitalise would pass.
	const person = people.find(
		(record) =>
			record.amka_in === ssn &&
			isoDate(record.birth_date) === birthdate &&
			[record.surname_cur_gr, record.surname_birth_gr].includes(surname),
	);
	return person ? { match: 'true', ssn, ...person } : { match: 'false', ssn };
}

/**
 * The AMKA service. A bad key gets 403 and a missing parameter 400, with an error object of title,
 * code and message: an early draft of the service had it so.
 */
export function amkaService(server: FastifyInstance, state: State, running: Running): void {
	server.get('/api/rest/v1/ssn_validation', async (request, reply) => {
		// Trouble for one recipient does not concern the registry.
		const spared = state.trouble.recipient !== '';
		const answer = spared ? 'normal' : state.nextAnswer();
		if (!spared) await holdUp(state, running);
		if (answerWithTrouble(answer, state.trouble, request, reply)) return reply;

		if (answer === 'refuse' || request.headers.authorization !== `Token ${state.settings.apiKey}`) {
			return reply.code(403).send({ title: 'Forbidden', code: '403', message: 'Authentication failed' });
		}
		const question = query.safeParse(request.query);
		if (!question.success) {
			return reply.code(400).send({ title: 'Bad Request', code: '400', message: question.error.issues[0]?.message });
		}
		const found = validate(
			state.people.map(({ record }) => record),
			question.data,
		);
		const { noMatchStatus } = state.trouble;
		if (found.match === 'false' && noMatchStatus !== 200) {
			return reply
				.code(noMatchStatus)
				.send({ title: 'No Match', code: String(noMatchStatus), message: 'No such person' });
		}
		return sendAnswer(answer, found, request, reply);
	});
}

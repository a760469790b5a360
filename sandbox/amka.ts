import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { answerWithTrouble, sendAnswer } from './badAnswers';
import { delayAnswer } from './delayAnswer';
import type { Person } from './people';
import type { Running } from './running';
import type { State } from './state';

const missing = (name: string) => z.string({ message: `${name} is missing` }).min(1, `${name} is missing`);
const query = z.object({ ssn: missing('ssn'), birthdate: missing('birthdate'), surname: missing('surname') });

/** Converts a date from DD/MM/YYYY, the format of records, to YYYY-MM-DD, the format of requests. */
const isoDate = (date = ''): string => date.split('/').reverse().join('-');

/**
 * Returns the validation result for one request. If all three values belong to one person, the result contains the whole
 * record. Otherwise it contains only the AMKA of the request, and `match` is "false". The interface document shows no example
 * without a match, so that part is an assumption.
 */
function validate(people: Person[], { ssn, birthdate, surname }: z.infer<typeof query>): Record<string, string> {
	// The surname must be in capitals, as in the registry. Otherwise no test would notice a node that sends lower case.
	const person = people.find(
		(record) =>
			record.amka_in === ssn &&
			isoDate(record.birth_date) === birthdate &&
			[record.surname_cur_gr, record.surname_birth_gr].includes(surname),
	);
	return person ? { match: 'true', ssn, ...person } : { match: 'false', ssn };
}

/**
 * Serves the AMKA service. It answers 403 to a wrong key and 400 to a missing parameter, with an error object of `title`,
 * `code` and `message`, as in an early draft of the service's documentation.
 */
export function amkaService(server: FastifyInstance, state: State, running: Running): void {
	server.get('/api/rest/v1/ssn_validation', async (request, reply) => {
		// A simulated fault for one recipient applies to the SMS platform only.
		const isUnaffected = state.trouble.recipient !== '';
		const answer = isUnaffected ? 'normal' : state.nextAnswer();
		if (!isUnaffected) await delayAnswer(state, running);
		if (answerWithTrouble(answer, state.trouble, request, reply)) return reply;

		if (answer === 'refuse' || request.headers.authorization !== `Token ${state.settings.apiKey}`) {
			return reply.code(403).send({ title: 'Forbidden', code: '403', message: 'Authentication failed' });
		}
		const parameters = query.safeParse(request.query);
		if (!parameters.success) {
			return reply.code(400).send({ title: 'Bad Request', code: '400', message: parameters.error.issues[0]?.message });
		}
		const found = validate(
			state.people.map(({ record }) => record),
			parameters.data,
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

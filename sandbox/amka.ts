import type { FastifyInstance } from 'fastify';
import type { Person } from './people';
import type { Sandbox } from './server';
import { answerWithTrouble, sendAnswer } from './trouble';

interface Query {
	ssn?: string;
	birthdate?: string;
	surname?: string;
}

/** DD/MM/YYYY, as records hold dates, to the ISO date of a request. */
const isoDate = (date = ''): string => date.split('/').reverse().join('-');

/**
 * The validation result for one question: the whole record on a match, and only the number asked
 * about with `match` "false" otherwise. (The document doesn't show a mismatch; this is one reading.)
 */
function validate(people: Person[], { ssn, birthdate, surname }: Query): Record<string, string> {
	// As strict as a registry that holds capitals: no folding here, or a node that doesn't capitalise would pass.
	const person = people.find(
		(record) =>
			record.amka_in === ssn &&
			isoDate(record.birth_date) === birthdate &&
			[record.surname_cur_gr, record.surname_birth_gr].includes(surname),
	);
	return person ? { match: 'true', ssn: ssn!, ...person } : { match: 'false', ssn: ssn ?? '' };
}

/**
 * The AMKA service. A bad key gets 403 and a missing parameter 400, with an error object of title,
 * code and message: an early draft of the service had it so.
 */
export function amkaService(server: FastifyInstance, sandbox: Sandbox): void {
	server.get<{ Querystring: Query }>('/api/rest/v1/ssn_validation', async (request, reply) => {
		const answer = sandbox.nextAnswer();
		await sandbox.delay();
		if (answerWithTrouble(answer, sandbox.trouble, request, reply)) return reply;

		const { apiKey } = sandbox.settings;
		if (answer === 'refuse' || request.headers.authorization !== `Token ${apiKey}`) {
			return reply.code(403).send({ title: 'Forbidden', code: '403', message: 'Authentication failed' });
		}
		const missing = (['ssn', 'birthdate', 'surname'] as const).find((name) => !request.query[name]);
		if (missing) {
			return reply.code(400).send({ title: 'Bad Request', code: '400', message: `${missing} is missing` });
		}
		return sendAnswer(answer, validate(sandbox.people.map(({ record }) => record), request.query), request, reply);
	});
}

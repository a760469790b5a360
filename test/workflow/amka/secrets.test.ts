import { encodings } from '../../../sandbox/echo';
import { findSecrets } from '../../spellings';
import { runNode } from '../harness/engine';
import { serve } from '../harness/wire';
import { BASE, ELENI, KEY, OPERATION, record, validate } from './fixtures';

describe('the key', () => {
	it.each(Object.entries(encodings))('stays out of a record that holds the request as %s', async (_, encode) => {
		serve('GET', OPERATION, ({ query, headers }) => ({
			body: {
				...record(query.ssn ?? ''),
				address_street: encode(JSON.stringify(headers)),
				request: { headers, lines: [encode(`Authorization: ${headers.authorization}`)], [encode(KEY)]: '' },
			},
		}));
		for (const output of ['record', 'simplified', 'selected', 'verdict']) {
			const run = await runNode(validate({ output, fields: ['address_street', 'ssn'] }), [ELENI]);
			expect(run.json[0]?.[0]).toMatchObject({ matched: true, ssn: ELENI.ssn });
			expect(findSecrets(run.stored, [KEY])).toEqual([]);
		}
	});

	it('changes nothing of a record for the sake of a short key, and still hides the header that carries it', async () => {
		serve('GET', OPERATION, ({ query, headers }) => ({
			body: { ...record(query.ssn ?? ''), seen: headers.authorization },
		}));
		const credentials = { amkaApi: { baseUrl: BASE, apiKey: 'true' } };
		const run = await runNode(validate({ output: 'record' }, { credentials }), [ELENI]);
		expect(run.json[0]?.[0]).toEqual({ ...record(ELENI.ssn), seen: '•••', matched: true });
	});
});

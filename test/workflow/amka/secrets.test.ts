import type { IDataObject } from 'n8n-workflow';

import { encodings } from '../../../sandbox/echo';
import { findSecrets } from '../../spellings';
import { logLines, runNode } from '../harness/engine';
import { continuing, ELENI, OPERATION, record, validate } from '../harness/amka';
import { serve } from '../harness/httpServer';

/** The key contains characters that JSON, URLs, HTML and patterns escape. */
const KEY = 'Ak"7\\+/=$&$1<\'>%20-4b1f';
const credentials = { amkaApi: { baseUrl: new URL(OPERATION).origin, apiKey: KEY } };

describe.each(Object.entries(encodings))('if the registry returns the request, encoded as %s,', (_, encode) => {
	it.each([200, 400])(
		'with HTTP %d, the key appears nowhere, and no error text has a whole AMKA number',
		async (status) => {
			serve('GET', OPERATION, ({ url, query, headers }) => {
				const whole = encode(JSON.stringify({ url, query, headers }));
				return {
					status,
					body: { errorCode: encode(KEY), error: `Cannot read ${encode(KEY)} of ${encode(ELENI.ssn)}: ${whole}` },
				};
			});
			const kept = await runNode(validate({}, { ...continuing, credentials }), [ELENI]);
			const stopped = await runNode(validate({}, { credentials }), [ELENI]);

			expect(stopped.status).toBe('error');
			for (const text of [kept.stored, stopped.stored, logLines.join('\n')])
				expect(findSecrets(text, [KEY])).toEqual([]);
			const { error, message, details } = kept.json[0]![0] as IDataObject;
			const { message: first, description, stack, context } = stopped.error!;
			const shown = [error, message, JSON.stringify(details), first, description, stack, JSON.stringify(context)];
			expect(findSecrets(shown.join('\n'), [ELENI.ssn])).toEqual([]);
		},
	);
});

describe('the key of the registry', () => {
	it.each(Object.entries(encodings))(
		'is redacted in a record that contains the request, encoded as %s',
		async (_, encode) => {
			serve('GET', OPERATION, ({ query, headers }) => ({
				body: {
					...record(query.ssn ?? ''),
					address_street: encode(JSON.stringify(headers)),
					request: { headers, lines: [encode(`Authorization: ${headers.authorization}`)], [encode(KEY)]: '' },
				},
			}));
			for (const output of ['record', 'simplified', 'selected', 'verdict']) {
				const run = await runNode(validate({ output, fields: ['address_street', 'ssn'] }, { credentials }), [ELENI]);
				expect(run.json[0]?.[0]).toMatchObject({ matched: true, ssn: ELENI.ssn });
				expect(findSecrets(run.stored, [KEY])).toEqual([]);
			}
		},
	);

	it('is redacted only in the returned header if the key is a short word, so that the record stays unchanged', async () => {
		serve('GET', OPERATION, ({ query, headers }) => ({
			body: { ...record(query.ssn ?? ''), seen: headers.authorization },
		}));
		const short = { amkaApi: { ...credentials.amkaApi, apiKey: 'true' } };
		const run = await runNode(validate({ output: 'record' }, { credentials: short }), [ELENI]);
		expect(run.json[0]?.[0]).toEqual({ ...record(ELENI.ssn), seen: '•••', matched: true });
	});
});

import { reportUrlFault, reportUrlWarnings } from '../../../../lib/smsPlatform/reportUrl';

const OUTSIDE = 'https://sms.example.gr:9999/sendSMS';

describe('reportUrlWarnings', () => {
	it.each([
		['https://n8n.example.gr/webhook/x/dlr', true, []],
		['https://n8n.example.gr/webhook/x/dlr/', true, []],
		['https://n8n.example.gr/webhook-waiting/5', true, []],
		['https://n8n.example.gr/webhook-test/x/dlr', false, []],
		['https://n8n.example.gr/webhook-test/x/dlr', true, ['test URL']],
		['https://n8n.example.gr/webhook/x/dlrs', true, ['does not end in /dlr']],
		['http://n8n.example.gr/webhook/x/dlr', true, ['uses http without encryption']],
		...[
			...['localhost', '127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '0.0.0.0'],
			...['[::1]', 'n8n', 'n8n.local'],
		].map((host): [string, boolean, string[]] => [
			`https://${host}/dlr`,
			false,
			[`${host} can't be reached from outside`],
		]),
		['https://172.32.0.1/dlr', true, []],
		['https://11.1.2.3/dlr', true, []],
		['https://[2001:db8::1]/dlr', true, []],
	] as Array<[string, boolean, string[]]>)(
		'returns, for %s (production: %s), the warnings %j',
		(url, production, texts) => {
			const warnings = reportUrlWarnings(url, OUTSIDE, production, 0);
			expect(warnings).toEqual(texts.map((text) => expect.stringContaining(text) as unknown));
		},
	);

	it('warns if a signed URL is longer than 255 characters', () => {
		const url = 'https://n8n.example.gr/webhook/x/dlr';
		expect(reportUrlWarnings(url, OUTSIDE, true, 255)).toEqual([]);
		expect(reportUrlWarnings(url, OUTSIDE, true, 256)).toEqual([
			expect.stringMatching(/has 256 characters, .* no more than 255/),
		]);
	});

	it("names n8n's settings in warnings about the URL of a waiting execution, because n8n makes that URL", () => {
		expect(reportUrlWarnings('http://n8n.example.gr/webhook-waiting/5', OUTSIDE, true, 256)).toEqual([
			expect.stringMatching(/Use a shorter URL of n8n in the environment variable WEBHOOK_URL, or a shorter reference/),
			expect.stringMatching(
				/^The URL for delivery reports uses http without encryption: .* Set the environment variable WEBHOOK_URL to the public https/,
			),
		]);
	});

	describe('the URL at which n8n resumes an execution', () => {
		const warningsOf = (path: string) => reportUrlWarnings(`https://n8n.example.gr${path}`, OUTSIDE, true, 200, '5');

		it.each(['/webhook-waiting/5/node', '/webhook-waiting/5', '/waits/5/node', '/webhook-test/5/node', '/5/5/node'])(
			'is recognised by the execution ID in its path, with any name of the endpoint: %s',
			(path) => {
				expect(warningsOf(path)).toEqual([]);
			},
		);

		it.each([
			['/n8n/webhook-waiting/5/node', '/n8n/'],
			['/n8n/waits/5/node', '/n8n/'],
			['/apps/n8n/webhook-waiting/5/node', '/apps/n8n/'],
			['/5/webhook-waiting/5/node', '/5/'],
		])('causes a warning that no report will arrive if n8n runs under a path: %s', (path, prefix) => {
			expect(warningsOf(path)).toEqual([
				expect.stringMatching(
					new RegExp(`^The delivery report will not arrive.* the path ${prefix}, .*WEBHOOK_URL and N8N_PATH`),
				),
			]);
		});
	});

	it("recognises a typed URL of a waiting execution only by n8n's default endpoint names", () => {
		expect(reportUrlWarnings('https://n8n.example.gr/n8n/webhook-waiting/5', OUTSIDE, true, 0)).toEqual([]);
		expect(reportUrlWarnings('https://n8n.example.gr/waits/5', OUTSIDE, true, 0)).toEqual([
			expect.stringContaining('does not end in /dlr'),
		]);
		expect(reportUrlWarnings('https://n8n.example.gr/tests/x/dlr', OUTSIDE, true, 0)).toEqual([]);
	});

	it.each(['http://localhost:9999/sendSMS', 'http://127.0.0.1:9999/sendSMS', 'https://sms.internal/sendSMS'])(
		'returns no warning about a local URL if the SMS platform is local, too (%s)',
		(sendUrl) => {
			expect(reportUrlWarnings('http://localhost:5678/webhook/x/dlr', sendUrl, true, 0)).toEqual([]);
		},
	);
});

describe('reportUrlFault', () => {
	it.each([
		'https://n8n.example.gr/webhook/x/dlr',
		'http://localhost:5678/webhook/x/dlr?forward',
		'https://n8n.example.gr/fastforward',
	])('accepts the URL %s', (url) => {
		expect(reportUrlFault(url)).toBeUndefined();
	});

	it.each([
		['https://n8n.example.gr/webhook/x/forward', /ends in \/forward/],
		['https://n8n.example.gr/webhook/x/forward//?a=1#b', /ends in \/forward/],
		['n8n.example.gr/webhook/x/dlr', /http:\/\/ or https:\/\//],
		['', /http:\/\/ or https:\/\//],
		['javascript:alert(1)', /http:\/\/ or https:\/\//],
	])('rejects the URL "%s"', (url, fault) => {
		expect(reportUrlFault(url)).toMatch(fault);
	});
});

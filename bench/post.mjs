import { request } from 'node:http';
import { request as secureRequest } from 'node:https';

/**
 * POSTs one JSON body.
 * @returns HTTP status, the answer's text, and the milliseconds from the call to the answer's end
 * @throws if no answer comes
 */
export const post = (agent, url, body) =>
	new Promise((resolve, reject) => {
		const started = performance.now();
		const call = (url.startsWith('https:') ? secureRequest : request)(
			url,
			{ agent, method: 'POST', headers: { 'content-type': 'application/json' } },
			(response) => {
				let text = '';
				response.setEncoding('utf8');
				response.on('data', (chunk) => (text += chunk));
				response.on('error', reject);
				response.on('end', () => resolve({ status: response.statusCode, text, milliseconds: performance.now() - started }));
			},
		);
		call.on('error', reject);
		call.end(JSON.stringify(body));
	});

/** p50, p95, p99 and the most of some latencies. */
export function percentiles(latencies) {
	const sorted = Float64Array.from(latencies).sort();
	const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
	return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: sorted.at(-1) };
}

import { request } from 'node:http';
import { request as secureRequest } from 'node:https';

/**
 * Sends one JSON body by POST.
 * @returns the HTTP status and text of the answer, and the milliseconds from the call to the end of the answer
 * @throws if there is no answer
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

/** Returns the median (p50), the 95th and 99th percentile, and the maximum of latencies. */
export function percentiles(latencies) {
	const sorted = Float64Array.from(latencies).sort();
	const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
	return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: sorted.at(-1) };
}

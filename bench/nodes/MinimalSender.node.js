/**
 * Sends the same requests as SMS Send with n8n's request function, a limited number at the same time, and does nothing else. So
 * its time is the cost of n8n itself. It reads the same parameters as SMS Send, so that n8n evaluates the same expressions for
 * both.
 */
exports.MinimalSender = class {
	description = {
		displayName: 'Minimal Sender',
		name: 'minimalSender',
		group: ['output'],
		version: 1,
		description: 'Sends requests and does nothing else',
		defaults: { name: 'Send' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'smsPlatformApi', required: true }],
		properties: [
			{ displayName: 'Concurrency', name: 'concurrency', type: 'number', default: 10 },
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'Recipient', name: 'recipient', type: 'string', default: '' },
			{ displayName: 'Replacements', name: 'replacements', type: 'json', default: '[]' },
		],
	};

	async execute() {
		const items = this.getInputData();
		const concurrency = this.getNodeParameter('concurrency', 0);
		const url = this.getNodeParameter('url', 0);
		const out = new Array(items.length);
		let next = 0;
		const worker = async () => {
			while (next < items.length) {
				const item = next++;
				const recipient = this.getNodeParameter('recipient', item);
				const given = this.getNodeParameter('replacements', item);
				const replacements = typeof given === 'string' ? JSON.parse(given) : given;
				const json = await this.helpers.httpRequestWithAuthentication.call(this, 'smsPlatformApi', {
					method: 'POST',
					url,
					body: { serviceId: 'bench', messageId: 'grade', replacements: replacements.map(String), recipient },
					json: true,
				});
				out[item] = { json: { taken: json.errorCode === '' }, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: concurrency }, worker));
		return [out];
	}
};

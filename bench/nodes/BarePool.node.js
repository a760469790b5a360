/**
 * A bounded pool over n8n's authenticated request helper that does nothing else: what the host itself costs. It reads
 * the same parameters as SMS Send does, so that both pay for the same expressions.
 */
exports.BarePool = class {
	description = {
		displayName: 'Bare Pool',
		name: 'barePool',
		group: ['output'],
		version: 1,
		description: 'A pool and nothing else',
		defaults: { name: 'Send' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'smsPlatformApi', required: true }],
		properties: [
			{ displayName: 'Places', name: 'places', type: 'number', default: 10 },
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'Recipient', name: 'recipient', type: 'string', default: '' },
			{ displayName: 'Replacements', name: 'replacements', type: 'json', default: '[]' },
		],
	};

	async execute() {
		const items = this.getInputData();
		const places = this.getNodeParameter('places', 0);
		const url = this.getNodeParameter('url', 0);
		const out = new Array(items.length);
		let next = 0;
		const place = async () => {
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
		await Promise.all(Array.from({ length: places }, place));
		return [out];
	}
};

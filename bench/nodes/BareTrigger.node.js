/** A webhook trigger that accepts everything: what the host itself costs a package's trigger. */
exports.BareTrigger = class {
	description = {
		displayName: 'Bare Trigger',
		name: 'bareTrigger',
		group: ['trigger'],
		version: 2,
		description: 'A webhook and nothing else',
		defaults: { name: 'Start' },
		inputs: [],
		outputs: ['main'],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', responseData: '', path: 'bare' }],
		properties: [],
	};

	async webhook() {
		return {
			workflowData: [[{ json: this.getBodyData() }]],
			webhookResponse: { result: '0', errorCode: '', error: '' },
		};
	}
};

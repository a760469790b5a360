/**
 * A webhook trigger that accepts everything: what the host itself costs a package's trigger. With a credential it reads
 * that at every call, as a trigger that checks a key must.
 */
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
		credentials: [{ name: 'smsPlatformApi', required: false }],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', responseData: '', path: 'bare' }],
		properties: [],
	};

	async webhook() {
		if (this.getNode().credentials) await this.getCredentials('smsPlatformApi');
		return {
			workflowData: [[{ json: this.getBodyData() }]],
			webhookResponse: { result: '0', errorCode: '', error: '' },
		};
	}
};

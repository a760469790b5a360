/**
 * A trigger that accepts every request. So its time is the cost of n8n itself for a trigger of a package. If it has a
 * credential, it reads the credential at each request, as a trigger must that checks a key.
 */
exports.MinimalTrigger = class {
	description = {
		displayName: 'Minimal Trigger',
		name: 'minimalTrigger',
		group: ['trigger'],
		version: 2,
		description: 'Accepts requests and does nothing else',
		defaults: { name: 'Start' },
		inputs: [],
		outputs: ['main'],
		credentials: [{ name: 'smsPlatformApi', required: false }],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', responseData: '', path: 'minimal' }],
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

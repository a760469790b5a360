import type { INodeProperties } from 'n8n-workflow';

/** The same switch in both credentials: the services are often reached with a certificate that no system trusts. */
export const allowUnauthorizedCerts: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	default: false,
	description: 'Whether to connect even if SSL certificate validation is not possible',
};

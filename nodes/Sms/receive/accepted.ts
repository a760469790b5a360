import type { ICredentialDataDecryptedObject, INodeExecutionData } from 'n8n-workflow';

import type { EventKey } from '../claim';

/** A request that starts the workflow. */
export interface Accepted {
	/** What leaves the node, per output. */
	outputs: INodeExecutionData[][];
	/** Requests with the same key are one event; undefined where nothing tells it from others. */
	key: EventKey | undefined;
}

/** Reads the credential, once for each request. n8n spends more on it than on all else here. */
export type ReadCredential = () => Promise<ICredentialDataDecryptedObject>;

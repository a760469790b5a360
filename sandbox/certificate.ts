import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate and its private key, both as PEM text. */
export interface Certificate {
	cert: string;
	key: string;
}

/**
 * Makes a self-signed certificate for 127.0.0.1 and localhost. No system trusts it. The servers of the real services often
 * have such a certificate too.
 * @throws {Error} if `openssl` is not installed
 */
export function selfSignedCertificate(): Certificate {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-certificate-'));
	try {
		const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
		execFileSync(
			'openssl',
			[
				...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
				...['-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
				...['-keyout', key, '-out', cert],
			],
			{ stdio: 'pipe' },
		);
		return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

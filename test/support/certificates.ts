/** Certificates that a test makes for itself with the openssl of the machine: no key is ever committed. */
import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

const openssl = (args: readonly string[]): void =>
  void execFileSync('openssl', [...args], { stdio: ['ignore', 'ignore', 'pipe'] });

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'] as const;

/** Signed by its own key: an authority, or a server that no one vouches for. @param names such as `DNS:localhost,IP:127.0.0.1`. */
export function selfSigned(folder: string, name: string, names?: string): CertificateFiles {
  const files = { cert: path.join(folder, `${name}.crt`), key: path.join(folder, `${name}.key`) };
  const subject = names === undefined ? [] : ['-addext', `subjectAltName=${names}`];
  openssl([
    'req',
    '-x509',
    ...KEY,
    '-keyout',
    files.key,
    '-out',
    files.cert,
    '-days',
    '2',
    '-subj',
    `/CN=${name}`,
    ...subject,
  ]);
  chmodSync(files.key, 0o600);
  return files;
}

/** Signed by an authority. @param options.days 0 and less: it has expired. */
export function signedBy(
  authority: CertificateFiles,
  folder: string,
  name: string,
  names: string,
  options: { days?: number } = {},
): CertificateFiles {
  const files = { cert: path.join(folder, `${name}.crt`), key: path.join(folder, `${name}.key`) };
  const request = path.join(folder, `${name}.csr`);
  const extensions = path.join(folder, `${name}.ext`);
  writeFileSync(extensions, `subjectAltName=${names}\n`);
  openssl(['req', ...KEY, '-keyout', files.key, '-out', request, '-subj', `/CN=${name}`]);
  const days = String(options.days ?? 2);
  openssl([
    'x509',
    '-req',
    '-in',
    request,
    '-CA',
    authority.cert,
    '-CAkey',
    authority.key,
    '-out',
    files.cert,
    '-days',
    days,
    '-extfile',
    extensions,
  ]);
  chmodSync(files.key, 0o600);
  return files;
}

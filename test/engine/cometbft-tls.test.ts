/** A node behind https is whom its certificate says: real servers, and an authority of the test. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createPlainServer, type Server as PlainServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SocketNodePort } from '../../server/engine/cometbft/nodes/socket-node-port.ts';
import { type CertificateFiles, selfSigned, signedBy } from '../support/certificates.ts';
import { realClock } from './support/real-clock.ts';

const LIMITS = { timeoutMs: 5_000, answerBytesMax: 1000 };
const folder = mkdtempSync(path.join(tmpdir(), 'txledger-node-tls-'));
const authority = selfSigned(folder, 'authority');
const trusted = getCACertificates('default');
const servers: (Server | PlainServer)[] = [];

// What NODE_EXTRA_CA_CERTS does at the start of a process.
beforeAll(() => setDefaultCACertificates([...trusted, readFileSync(authority.cert, 'utf8')]));
afterAll(() => {
  setDefaultCACertificates(trusted);
  rmSync(folder, { recursive: true, force: true });
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Asks a node that shows these files; without any it speaks plain HTTP. */
async function ask(files: CertificateFiles | undefined, host = 'localhost'): Promise<string> {
  const answer = (_: unknown, response: { end(text: string): unknown }): void => void response.end('{}');
  const server =
    files === undefined
      ? createPlainServer(answer)
      : createServer({ cert: readFileSync(files.cert), key: readFileSync(files.key) }, answer);
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const port = new SocketNodePort(realClock);
  try {
    return await port.call(`https://${host}:${(server.address() as AddressInfo).port}`, '{}', LIMITS);
  } catch (error) {
    return (error as Error).message;
  } finally {
    port.close();
  }
}

test('a node is asked when its certificate is of that name and signed by a trusted authority', async () => {
  expect(await ask(signedBy(authority, folder, 'node', 'DNS:localhost'))).toBe('{}');
});

const REFUSED: readonly (readonly [string, () => CertificateFiles | undefined, RegExp])[] = [
  [
    'under a name that is not in its certificate',
    () => signedBy(authority, folder, 'other', 'DNS:node.example'),
    /^its certificate is for another name than the one in COMETBFT_RPC_URL/,
  ],
  [
    'with a certificate that nobody trusted has signed',
    () => selfSigned(folder, 'alone', 'DNS:localhost'),
    /^no authority that is trusted here has signed its certificate: name its CA with NODE_EXTRA_CA_CERTS=FILE/,
  ],
  [
    'with a certificate that has expired',
    () => signedBy(authority, folder, 'expired', 'DNS:localhost', { days: -1 }),
    /^its certificate has expired/,
  ],
  [
    'that does not speak TLS',
    () => undefined,
    /^it does not speak TLS \(tls_cert_file and tls_key_file in its config.toml\), which https asks for/,
  ],
];

test.each(REFUSED)('a node %s is not asked, and the reason is one sentence', async (_, files, sentence) => {
  expect(await ask(files())).toMatch(sentence);
});

/** The product as a process that speaks HTTPS: everything works over it, and its certificate changes without a restart. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { chmodSync, copyFileSync, readFileSync } from 'node:fs';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { connect as connectPlain } from 'node:net';
import path from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { WebSocket } from 'ws';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { selfSigned, signedBy, type CertificateFiles } from '../support/certificates.ts';
import { ended } from '../support/child-process.ts';
import { freePort, READY_MS_MAX, Server } from './support/server.ts';

const TEST_MS_MAX = 2 * READY_MS_MAX;

let folder: string;
let port: number;
let ca: string;
let authority: CertificateFiles;
let files: CertificateFiles;
let server: Server;

/** The files that the server reads hold this pair from now on. */
function install(pair: CertificateFiles): void {
  copyFileSync(pair.cert, files.cert);
  copyFileSync(pair.key, files.key);
  chmodSync(files.key, 0o600);
}

const signed = (name: string, options: { days?: number } = {}): CertificateFiles =>
  signedBy(authority, folder, name, 'DNS:localhost,IP:127.0.0.1', options);

interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Common name in the certificate of the connection. */
  met: string;
}

function ask(target: string, options: RequestOptions = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      { host: '127.0.0.1', port, path: target, ca, agent: false, ...options },
      (response) => {
        const met = (response.socket as TLSSocket).getPeerCertificate().subject?.CN;
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, met: String(met) }),
        );
      },
    );
    request.on('error', reject);
    request.end();
  });
}

/** Resolves when the log has a line with this text, sent after `from` characters. */
async function logged(text: string | RegExp, from: number): Promise<string> {
  for (;;) {
    const line = server.output
      .slice(from)
      .split('\n')
      .find((each) => (typeof text === 'string' ? each.includes(text) : text.test(each)));
    if (line !== undefined) return line;
    await once(child.stdout as NodeJS.ReadableStream, 'data');
  }
}
let child: ReturnType<Server['spawn']>;

beforeAll(async () => {
  folder = await temporaryFolder('tls');
  authority = selfSigned(folder, 'authority');
  ca = readFileSync(authority.cert, 'utf8');
  files = { cert: path.join(folder, 'serve.crt'), key: path.join(folder, 'serve.key') };
  install(signed('first'));
  port = await freePort();
  // Each HTTP thread has to take the new certificate.
  const variables = {
    HTTP_THREADS: '3',
    TLS_CERT_FILE: files.cert,
    TLS_KEY_FILE: files.key,
    BLOCK_INTERVAL_MS: '50',
    TXLEDGER_SECURITY_CONTACT: 'mailto:security@ledger.example',
  };
  server = new Server({ dataDir: path.join(folder, 'data'), port, variables });
  child = server.spawn();
  // `ready` is logged when the port answers.
  await logged('"ready"', 0);
}, TEST_MS_MAX);

afterAll(async () => {
  await server.stop('SIGKILL');
  await removeTemporaryFolders();
});

describe('HTTPS', () => {
  test('answers requests, and its banner and dev.json name https addresses', async () => {
    expect((await ask('/readyz')).status).toBe(200);
    const { baseUrl, rpcUrl, token } = await server.development();
    expect({ baseUrl, rpcUrl }).toEqual({
      baseUrl: `https://127.0.0.1:${port}`,
      rpcUrl: `https://127.0.0.1:${port}/rpc`,
    });
    expect(server.output).toContain(`API        https://127.0.0.1:${port}`);
    expect(JSON.parse((await ask('/transactions', { headers: { authorization: `Bearer ${token}` } })).text)).toEqual({
      transactions: [],
    });
  });

  test('says where to report a vulnerability', async () => {
    const { status, headers, text } = await ask('/.well-known/security.txt');
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/plain; charset=utf-8' });
    expect(text).toMatch(
      /^Contact: mailto:security@ledger\.example\nExpires: \d{4}-\d\d-\d\dT00:00:00Z\nPreferred-Languages: en\n$/,
    );
  });

  test('carries the websocket of the RPC', async () => {
    const socket = new WebSocket(`wss://127.0.0.1:${port}/rpc/websocket`, { ca });
    await once(socket, 'open');
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'health', params: {} }));
    const [message] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(message.toString())).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    socket.close();
    await once(socket, 'close');
  });

  test('answers what is no request with a problem document, as over HTTP', async () => {
    const socket = connectTls({ host: '127.0.0.1', port, ca });
    await once(socket, 'secureConnect');
    socket.write('nonsense\r\n\r\n');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 400 [^]*application\/problem\+json[^]*invalid_request/);
  });

  test('closes a connection that does not speak TLS, and one that speaks TLS 1.1, without a word of HTTP', async () => {
    const plain = connectPlain(port, '127.0.0.1');
    plain.write('GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    let received = Buffer.alloc(0);
    plain.on('data', (chunk: Buffer) => (received = Buffer.concat([received, chunk])));
    plain.on('error', () => undefined);
    await once(plain, 'close');
    expect(received.toString('latin1')).not.toContain('HTTP');
    const old = connectTls({
      host: '127.0.0.1',
      port,
      ca,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const [error] = (await once(old, 'error')) as [Error & { code?: string }];
    expect(error.code).toMatch(/PROTOCOL|HANDSHAKE|ECONNRESET/);
    expect((await ask('/livez')).status).toBe(200);
  });

  test('meets new connections with a new certificate after SIGHUP, and closes none that is open', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await ask('/livez', { agent })).met).toBe('first');
    install(signed('second'));
    const from = server.output.length;
    server.signal('SIGHUP');
    expect(await logged('the certificate was read again', from)).toContain('CN=second');
    expect((await ask('/livez', { agent })).met).toBe('first');
    const met = await Promise.all(Array.from({ length: 12 }, () => ask('/livez').then((reply) => reply.met)));
    expect(new Set(met)).toEqual(new Set(['second']));
    agent.destroy();
  });

  test.each([
    [
      'a certificate of another key',
      (): void => copyFileSync(signed('stranger').cert, files.cert),
      'is not that of the certificate',
    ],
    ['an expired certificate', (): void => install(signed('late', { days: -1 })), 'expired on'],
    ['a key that others can read', (): void => chmodSync(files.key, 0o644), 'Others can read the private key'],
    [
      'a file that is no certificate',
      (): void => copyFileSync(files.key, files.cert),
      'holds no certificate in PEM form',
    ],
  ])('keeps the pair it has when the new one is %s', async (_what, spoil, told) => {
    install(signed('kept'));
    const before = server.output.length;
    server.signal('SIGHUP');
    await logged('the certificate was read again', before);
    spoil();
    const from = server.output.length;
    server.signal('SIGHUP');
    const line = await logged(/the new certificate cannot be used|the certificate was read again/, from);
    expect(line).toContain(told);
    expect(line).not.toContain('PRIVATE KEY');
    expect((await ask('/livez')).met).toBe('kept');
  });

  test(
    'refuses to start with a pair that cannot be used, and says why',
    async () => {
      install(signed('gone', { days: -1 }));
      const variables = { TLS_CERT_FILE: files.cert, TLS_KEY_FILE: files.key };
      const refused = new Server({ dataDir: path.join(folder, 'other'), port: await freePort(), variables });
      try {
        const process = refused.spawn();
        // A server that starts all the same says so, and is not waited for.
        expect(
          await Promise.race([
            ended(process),
            once(process.stdout as NodeJS.ReadableStream, 'data').then(() => 'it started'),
          ]),
        ).toBe(2);
      } finally {
        await refused.stop('SIGKILL');
      }
      expect(refused.output).toMatch(/The certificate at .*serve\.crt \(TLS_CERT_FILE\) expired on /);
    },
    TEST_MS_MAX,
  );

  test(
    'drains: what is in flight is answered, and the process ends with 0',
    async () => {
      const [ending, code] = [ended(child), server.stop('SIGTERM')];
      expect(await code).toBe(0);
      await ending;
    },
    TEST_MS_MAX,
  );
});

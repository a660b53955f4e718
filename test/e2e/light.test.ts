import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocketServer } from 'ws';
import { temporaryFolder } from '../app/support.ts';
import { endChild } from '../support/child-process.ts';
import { withDevelopmentChain } from './support/development.ts';
import { call, freePort } from './support/server.ts';

/**
 * `cometbft light` v0.38.26 against the embedded chain, as anybody may run it: it trusts one header and verifies every
 * other by signatures, and its proxy verifies what it passes on. COMETBFT names the program; without it nothing here
 * can be tested (scripts of the project install it).
 */
const COMETBFT = process.env['COMETBFT'] ?? '';
const HEIGHT_MIN = 110;
/** A chain that runs already may be higher: this many blocks more are made then. */
const MORE_BLOCKS = 10;
const TIMEOUT_MS = 180_000;

const suite = existsSync(COMETBFT) ? describe : describe.skip;

suite('cometbft light v0.38.26', () => {
  const chain = withDevelopmentChain({ BLOCK_INTERVAL_MS: '10', TXLEDGER_VALIDATE_RESPONSES: 'true' });
  const children: ChildProcess[] = [];
  const servers: HttpServer[] = [];
  let txHash = '';
  let txHeight = 0;
  /** The height to verify up to. */
  let top = HEIGHT_MIN;

  const rpc = (): string => `${chain().server.baseUrl}/rpc`;

  beforeAll(async () => {
    // A transfer in nearly every block, and the one looked at below a few blocks under the latest: an empty one is made only when the chain is idle.
    const { address } = chain().account(0);
    top = Math.max(HEIGHT_MIN, (await chain().get('/chain')).body.height + MORE_BLOCKS);
    for (let height = 0; height <= top;) {
      const { body } = await chain().submit(chain().signed(0, 1, 1n, await chain().nextNonce(address)), {
        prefer: 'wait=10',
      });
      height = body.height;
      if (height > top - 5) continue;
      txHash = body.txHash;
      txHeight = height;
    }
  }, TIMEOUT_MS);

  afterAll(async () => {
    for (const child of children) await endChild(child, 'SIGKILL');
    for (const server of servers) server.closeAllConnections();
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  });

  interface Light {
    url: string;
    log(): string;
    ask(route: string): Promise<any>;
  }

  /** Starts a light client that trusts height 2 and returns when its proxy listens. */
  async function light(primary: string, options: readonly string[] = []): Promise<Light> {
    const trusted = (await call(`${rpc()}/commit?height=2`)).body.result.signed_header.commit.block_id.hash as string;
    const port = await freePort();
    const home = await temporaryFolder('light');
    const child = spawn(
      COMETBFT,
      [
        'light',
        chain().dev.chainId,
        '-p',
        primary,
        '-w',
        rpc(),
        '--height',
        '2',
        '--hash',
        trusted,
        '--home-dir',
        path.join(home, 'light'),
        '--laddr',
        `tcp://127.0.0.1:${port}`,
        ...options,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    children.push(child);
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const url = `http://127.0.0.1:${port}`;
    while (!text.includes('Starting RPC HTTP server')) {
      if (child.exitCode !== null) throw new Error(`cometbft light ended: ${text}`);
      await sleep(20);
    }
    const ask = async (route: string): Promise<any> => {
      for (;;) {
        const answer = await call(url + route).catch(() => undefined);
        if (answer !== undefined) return answer.body;
        await sleep(20);
      }
    };
    return { url, log: () => text, ask };
  }

  test.each([
    ['skipping', []],
    ['sequential', ['--sequential']],
  ] as const)(
    'verifies up to height 100 and more, %s',
    async (_mode, options) => {
      const { ask } = await light(rpc(), options);
      const verified = await ask(`/commit?height=${top}`);
      const ours = (await call(`${rpc()}/commit?height=${top}`)).body;
      expect(verified.result.signed_header).toEqual(ours.result.signed_header);
      expect(verified.result.signed_header.header.height).toBe(String(top));
    },
    TIMEOUT_MS,
  );

  test(
    'its proxy verifies transactions, results, validators and state with proof',
    async () => {
      const { ask } = await light(rpc());
      const tx = await ask(`/tx?hash=0x${txHash}&prove=true`);
      expect(tx.result).toMatchObject({ hash: txHash, height: String(txHeight) });
      const results = await ask(`/block_results?height=${txHeight}`);
      expect(results.result).toMatchObject({ height: String(txHeight), txs_results: [{ code: 0 }] });
      expect((await ask(`/block?height=${txHeight}`)).result.block.data.txs).toHaveLength(1);
      const { validators } = (await call(`${rpc()}/genesis`)).body.result.genesis;
      expect((await ask('/validators?height=50')).result.validators).toHaveLength(validators.length);
      const key = Buffer.from(chain().account(9).address).toString('hex');
      const query = await ask(`/abci_query?path="/store/accounts/key"&data=0x${key}&prove=true`);
      expect(query.error).toBeUndefined();
      expect(JSON.parse(Buffer.from(query.result.response.value, 'base64').toString())).toMatchObject({ nonce: 0 });
    },
    TIMEOUT_MS,
  );

  /** Passes everything on, and changes one answer on the way. */
  async function tamperingProxy(change: (method: string, text: string) => string): Promise<string> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const method = body === '' ? '' : ((JSON.parse(body) as { method?: string }).method ?? '');
        void call(rpc() + (request.url ?? '').slice('/rpc'.length), {
          method: request.method ?? 'GET',
          ...(body === '' ? {} : { body, headers: { 'content-type': 'application/json' } }),
        }).then((answer) => {
          response.writeHead(answer.status, { 'content-type': 'application/json' });
          response.end(change(method, JSON.stringify(answer.body)));
        });
      });
    });
    // The light client opens a websocket at start and is content when it stands.
    const sockets = new WebSocketServer({ server });
    sockets.on('error', () => undefined);
    servers.push(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/rpc`;
  }

  test(
    'refuses a header that was tampered with on the way, and takes the same one untouched',
    async () => {
      const forged = 'F'.repeat(64);
      let tampers = false;
      const primary = await tamperingProxy((method, text) =>
        tampers && method === 'commit' ? text.replace(/"app_hash":"[0-9A-F]{64}"/, `"app_hash":"${forged}"`) : text,
      );
      const { ask } = await light(primary);
      expect((await ask('/commit?height=90')).result.signed_header.header.height).toBe('90');
      tampers = true;
      const refused = await ask('/commit?height=100');
      expect(JSON.stringify(refused)).not.toContain(forged);
      expect(refused.error ?? refused.result.signed_header.header.height).toBeDefined();
      expect(refused.result).toBeUndefined();
    },
    TIMEOUT_MS,
  );

  test(
    'refuses state whose value was tampered with on the way',
    async () => {
      const forged = Buffer.from('{"balance":"999","nonce":0,"void":""}').toString('base64');
      const primary = await tamperingProxy((method, text) =>
        method === 'abci_query' ? text.replace(/"value":"[^"]+"/, `"value":"${forged}"`) : text,
      );
      const { ask } = await light(primary);
      const key = Buffer.from(chain().account(9).address).toString('hex');
      const refused = await ask(`/abci_query?path="/store/accounts/key"&data=0x${key}&prove=true`);
      expect(refused.result).toBeUndefined();
      expect(refused.error.data).toMatch(/proof|verify|mismatch|root/i);
    },
    TIMEOUT_MS,
  );
});

/** What one HTTP thread has acknowledged or shown, every other one shows from then on, however much they read meanwhile. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Agent, get } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { chainOf, type Chain } from './support/development.ts';
import { call, freePort, READY_MS_MAX, Server } from './support/server.ts';

const SENT = 24;
/** The system deals connections out among three threads: of eight, one of them gets none in one of eight times. */
const READERS = 8;

let chain: Chain<Server>;
const agents = Array.from({ length: READERS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));

beforeAll(async () => {
  const variables = {
    HTTP_THREADS: '3',
    BLOCK_INTERVAL_MS: '50',
    TXLEDGER_RATE_PER_TOKEN_PER_S: '1000000',
    TXLEDGER_RATE_PER_IP_PER_S: '1000000',
  };
  const server = new Server({ dataDir: await temporaryFolder('shown'), port: await freePort(), variables });
  await server.start();
  chain = chainOf(server, await server.development());
}, 2 * READY_MS_MAX);

afterAll(async () => {
  for (const agent of agents) agent.destroy();
  await chain.server.stop('SIGKILL');
  await removeTemporaryFolders();
});

/** Over the reader's own connection, and so from one thread. */
function ask(agent: Agent, path: string): Promise<{ status?: string; nonce?: number }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${chain.dev.token}` };
    get(
      `${chain.server.baseUrl}${path}`,
      { agent, headers },
      (response) => void textOf(response).then((text) => resolve(JSON.parse(text)), reject),
    ).on('error', reject);
  });
}

describe('several HTTP threads', () => {
  test.each([
    ['a transfer that was acknowledged', {}, 202, /^(pending|committed)$/],
    ['a transfer that was answered as committed', { prefer: 'wait=5' }, 201, /^committed$/],
  ])(
    'all show %s, each right after a read of before it',
    async (_, headers, status, shown) => {
      const sender = status === 202 ? 1 : 2;
      const account = `/accounts/${chain.account(sender).address}`;
      for (let nonce = 0; nonce < SENT; nonce += 1) {
        const body = chain.signed(sender, 0, 1n, nonce);
        const answered = new AbortController();
        // Without a rest, so that each thread has just read when the answer comes.
        const readers = agents.map(async (agent) => {
          while (!answered.signal.aborted) await ask(agent, account);
          return (await ask(agent, `/transactions/${body.txHash}`)).status;
        });
        const answer = await call(`${chain.server.baseUrl}/transactions`, {
          method: 'POST',
          token: chain.dev.token,
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', ...headers },
        });
        answered.abort();
        expect(answer.status).toBe(status);
        for (const found of await Promise.all(readers)) expect(String(found)).toMatch(shown);
      }
    },
    2 * READY_MS_MAX,
  );
});

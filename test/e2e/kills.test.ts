import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { withOwnChain, type Chain } from './support/development.ts';
import type { SignedBody } from './support/signer.ts';

/**
 * Clients that know nothing but what they sent: each keeps its own account of the money, sends its transfers in nonce
 * order, and repeats every one until it is acknowledged. Meanwhile the server is killed again and again.
 */

const KILLS = 5;
const CLIENTS = 5;
/** Acknowledgements between a start and the next kill: random, so that kills fall on different steps. */
const UNDER_LOAD_COUNT_MIN = 10;
const UNDER_LOAD_COUNT_MAX = 150;
const RETRY_MS = 25;
const SETTLE_ROUNDS_MAX = 2400;

const chain = withOwnChain({ BLOCK_INTERVAL_MS: '50', LOG_LEVEL: 'warn' });

interface Client {
  acknowledged: SignedBody[];
  run(): Promise<void>;
}

/** Sends from one account to the next one until it is told to stop; a transfer once begun is repeated until it is acknowledged. */
function client(from: number, stopped: () => boolean): Client {
  const acknowledged: SignedBody[] = [];
  return {
    acknowledged,
    run: async () => {
      for (let nonce = 0; !stopped(); nonce += 1) {
        const body = chain().signed(from, (from + 1) % CLIENTS, BigInt(nonce + 1), nonce);
        for (;;) {
          const answer = await chain()
            .submit(body)
            .catch(() => undefined);
          if (answer?.status === 202 || answer?.status === 200) {
            if (answer.body.txHash !== body.txHash)
              throw new Error(`acknowledged ${answer.body.txHash} for ${body.txHash}`);
            break;
          }
          // While the server is down or coming up: refused connections and 503. Anything else is a fault.
          if (answer && answer.status !== 503) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
          await sleep(RETRY_MS);
        }
        acknowledged.push(body);
      }
    },
  };
}

async function allSettled(running: Chain, count: number): Promise<{ txHash: string; status: string }[]> {
  for (let round = 0; round < SETTLE_ROUNDS_MAX; round += 1) {
    const [pending, all] = [await running.list('&status=pending'), await running.list()];
    if (pending.length === 0 && all.length >= count) return all;
    await sleep(RETRY_MS);
  }
  throw new Error(`not settled: ${JSON.stringify((await running.list('&status=pending'))[0])}`);
}

describe('a server that is killed in the middle of load', () => {
  test(
    `${KILLS} times loses nothing that it acknowledged, executes nothing twice, and leaves every balance exact`,
    async () => {
      const { server } = chain();
      let stop = false;
      const clients = Array.from({ length: CLIENTS }, (_, index) => client(index, () => stop));
      const load = Promise.all(clients.map(({ run }) => run()));
      const early = load.then(
        () => Promise.reject(new Error('the load ended by itself')),
        (error: unknown) => Promise.reject(error as Error),
      );
      early.catch(() => undefined);

      const acknowledged = (): number => clients.reduce((sum, one) => sum + one.acknowledged.length, 0);
      for (let kill = 0; kill < KILLS; kill += 1) {
        const enough =
          acknowledged() + UNDER_LOAD_COUNT_MIN + Math.random() * (UNDER_LOAD_COUNT_MAX - UNDER_LOAD_COUNT_MIN);
        while (acknowledged() < enough) await Promise.race([sleep(RETRY_MS), early]);
        await server.stop('SIGKILL');
        await server.start();
      }
      stop = true;
      await load;

      const sent = clients.flatMap((one) => one.acknowledged);
      const settled = await allSettled(chain(), sent.length);
      expect(new Set(settled.map(({ txHash }) => txHash))).toEqual(new Set(sent.map(({ txHash }) => txHash)));
      expect(settled).toHaveLength(sent.length);
      expect(settled.filter(({ status }) => status !== 'committed')).toEqual([]);

      const model = new Map(chain().dev.accounts.map(({ address }) => [address, 10n ** 15n]));
      for (const { from, to, amount } of sent) {
        model.set(from, (model.get(from) ?? 0n) - BigInt(amount));
        model.set(to, (model.get(to) ?? 0n) + BigInt(amount));
      }
      expect(await chain().balances()).toEqual([...model.values()].map(String));
    },
    5 * 60_000,
  );
});

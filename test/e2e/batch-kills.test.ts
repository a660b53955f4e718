/** A server that is killed in the middle of batches: every transfer that it told to be accepted is found again, once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { withOwnChain } from './support/development.ts';
import { call } from './support/server.ts';
import type { SignedBody } from './support/signer.ts';

const KILLS = 3;
const SENDERS = 3;
const BATCH = 200;
/** A kill comes so long after a batch began, so that it falls on reading, verifying, storing or answering. */
const KILL_AFTER_MS_MAX = 60;
const RETRY_MS = 25;
const SETTLE_ROUNDS_MAX = 1_200;

const chain = withOwnChain({ BLOCK_INTERVAL_MS: '50', LOG_LEVEL: 'warn' });

interface Result {
  outcome: string;
  transaction?: { txHash: string };
  problem?: { code: string };
}

/** Sends batches in nonce order; one that was begun is repeated until it is answered. */
function sender(
  from: number,
  stopped: () => boolean,
  begun: () => void,
): { acknowledged: SignedBody[]; replayed: number; run(): Promise<void> } {
  const self = {
    acknowledged: [] as SignedBody[],
    replayed: 0,
    run: async () => {
      for (let nonce = 0; !stopped();) {
        const transactions = Array.from({ length: BATCH }, (_, index) =>
          chain().signed(from, (from + 1) % SENDERS, 1n, nonce + index),
        );
        let rest = transactions;
        while (rest.length > 0) {
          begun();
          const { server, dev } = chain();
          const answer = await call(`${server.baseUrl}/transactions/batch`, {
            method: 'POST',
            token: dev.token,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ transactions: rest }),
          }).catch(() => undefined);
          if (answer?.status === 200) {
            const results = answer.body.results as Result[];
            const refused = results.flatMap(({ problem }) => problem?.code ?? []);
            // The window of nonces is full until blocks have made room.
            if (refused.some((code) => code !== 'nonce_too_high')) throw new Error(`refused: ${refused.join()}`);
            for (const [index, { outcome, transaction }] of results.entries()) {
              const body = rest[index] as SignedBody;
              if (outcome === 'refused') continue;
              if (transaction?.txHash !== body.txHash)
                throw new Error(`acknowledged ${transaction?.txHash} for ${body.txHash}`);
              self.replayed += outcome === 'replayed' ? 1 : 0;
              self.acknowledged.push(body);
            }
            rest = rest.filter((_, index) => results[index]?.outcome === 'refused');
          } else if (answer !== undefined && answer.status !== 503)
            throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
          if (rest.length > 0) await sleep(RETRY_MS);
        }
        nonce += BATCH;
      }
    },
  };
  return self;
}

test(
  `${KILLS} kills lose no accepted transfer of a batch, execute none twice, and leave every balance exact`,
  async () => {
    const { server } = chain();
    let stop = false;
    let begin = (): void => undefined;
    const senders = Array.from({ length: SENDERS }, (_, index) =>
      sender(
        index,
        () => stop,
        () => begin(),
      ),
    );
    const load = Promise.all(senders.map(({ run }) => run()));
    const early = load.then(
      () => Promise.reject(new Error('the load ended by itself')),
      (error: unknown) => Promise.reject(error as Error),
    );
    early.catch(() => undefined);

    for (let kill = 0; kill < KILLS; kill += 1) {
      await Promise.race([new Promise<void>((resolve) => (begin = resolve)), early]);
      await Promise.race([sleep(Math.random() * KILL_AFTER_MS_MAX), early]);
      await server.stop('SIGKILL');
      await server.start();
    }
    stop = true;
    await load;

    const sent = senders.flatMap(({ acknowledged }) => acknowledged);
    let all: { txHash: string; status: string }[] = [];
    for (let round = 0; round < SETTLE_ROUNDS_MAX; round += 1) {
      if ((await chain().list('&status=pending')).length === 0) {
        all = await chain().list();
        break;
      }
      await sleep(RETRY_MS);
    }
    expect(all).toHaveLength(sent.length);
    expect(new Set(all.map(({ txHash }) => txHash))).toEqual(new Set(sent.map(({ txHash }) => txHash)));
    expect(all.filter(({ status }) => status !== 'committed')).toEqual([]);
    const model = new Map(chain().dev.accounts.map(({ address }) => [address, 10n ** 15n]));
    for (const { from, to, amount } of sent) {
      model.set(from, (model.get(from) ?? 0n) - BigInt(amount));
      model.set(to, (model.get(to) ?? 0n) + BigInt(amount));
    }
    expect(await chain().balances()).toEqual([...model.values()].map(String));
  },
  4 * 60_000,
);

/**
 * Accounts while a server is busy: HTTP threads read them from connections of their own, beside the thread that makes blocks. Every answer is
 * the ledger as the blocks of the chain make it at the height that the answer names, for all its accounts.
 */
import { expect, test } from '@jest/globals';
import { withOwnChain } from './support/development.ts';

const chain = withOwnChain({ BLOCK_INTERVAL_MS: '20', HTTP_THREADS: '2' });

const ANSWERS = 300;
const HEIGHTS_MIN = 20;
const FUNDS = 10n ** 15n;
const TEST_MS_MAX = 120_000;

interface State {
  balance: string;
  nonce: number;
}

/** The accounts after each block, worked out from the blocks alone. */
async function historyOf(addresses: readonly string[], upTo: number): Promise<State[][]> {
  const balances = new Map(addresses.map((address) => [address, FUNDS]));
  const nonces = new Map(addresses.map((address) => [address, 0]));
  const states = (): State[] =>
    addresses.map((address) => ({ balance: String(balances.get(address)), nonce: nonces.get(address) ?? Number.NaN }));
  const history = [states()];
  for (let height = 1; height <= upTo; height++) {
    const [block, results] = await Promise.all([
      chain().get(`/rpc/block?height=${height}`),
      chain().get(`/rpc/block_results?height=${height}`),
    ]);
    const raws: string[] = block.body.result.block.data.txs ?? [];
    for (const [i, raw] of raws.entries()) {
      const { from, to, amount, nonce } = JSON.parse(Buffer.from(raw, 'base64').toString());
      expect(results.body.result.txs_results[i].code).toBe(0);
      balances.set(from, (balances.get(from) ?? 0n) - BigInt(amount));
      balances.set(to, (balances.get(to) ?? 0n) + BigInt(amount));
      nonces.set(from, nonce + 1);
    }
    history.push(states());
  }
  return history;
}

test(
  'accounts asked for together are the ledger at one height, whatever is written meanwhile',
  async () => {
    const addresses = chain().dev.accounts.map(({ address }) => address);
    const path = `/accounts?${addresses.map((address) => `address=${address}`).join('&')}`;
    const over = new AbortController();
    const writers = addresses.slice(0, 4).map(async (_, from) => {
      for (let nonce = 0; !over.signal.aborted; nonce++) {
        // Every seventh comes after the one that it waits for.
        const nonces = nonce % 7 === 6 ? [nonce + 1, nonce++] : [nonce];
        for (const each of nonces)
          expect(
            (await chain().submit(chain().signed(from, (from + 1 + (each % 9)) % 10, BigInt(1 + (each % 1000)), each)))
              .status,
          ).toBe(202);
      }
    });
    const answers: any[] = [];
    const heights = new Set<number>();
    const reader = async (): Promise<void> => {
      while (answers.length < ANSWERS || heights.size < HEIGHTS_MIN) {
        const { status, body } = await chain().get(path);
        expect(status).toBe(200);
        answers.push(body);
        heights.add(body.height);
      }
    };
    try {
      await Promise.all([reader(), reader()]);
    } finally {
      over.abort();
      await Promise.all(writers);
    }
    const history = await historyOf(addresses, Math.max(...heights));
    for (const { height, blockTime, accounts } of answers) {
      expect({ height, accounts: accounts.map(({ balance, nonce }: State) => ({ balance, nonce })) }).toEqual({
        height,
        accounts: history[height],
      });
      for (const account of accounts) {
        expect([account.height, account.blockTime]).toEqual([height, blockTime]);
        expect(BigInt(account.available) + BigInt(account.pendingOut)).toBe(BigInt(account.balance));
        expect(account.gaps[0]?.first ?? account.nextNonce).toBe(account.nextNonce);
      }
    }
    expect(
      answers.some(({ accounts }) => accounts.some(({ pendingOut }: { pendingOut: string }) => pendingOut !== '0')),
    ).toBe(true);
  },
  TEST_MS_MAX,
);

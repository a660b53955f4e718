/** The work that is measured at each size: the same calls of the gateway and its store, with the same shapes of groups, blocks and pages. */
import { createHash } from 'node:crypto';
import { acceptGroup } from '../../../server/gateway/accept/accept-group.ts';
import type { Submission } from '../../../server/gateway/core-api.ts';
import { applyBlock } from '../../../server/gateway/follow/apply-block.ts';
import { requestCancels } from '../../../server/gateway/request-cancels.ts';
import { encodeTransaction, txHash } from '../../../server/ledger/index.ts';
import type { Store, TransferListQuery } from '../../../server/store/index.ts';
import { Random } from '../../gateway/support/random.ts';
import { TEST_CHAIN, TEST_CURRENCY, TEST_CHAIN_ID } from '../../ledger/support.ts';
import { BUSY_ACCOUNTS, type Filled, hashOfRow, OWNERS, REFERENCE_EVERY, referenceOfRow } from './fill.ts';

export const GROUP = 100;
export const BLOCK = 1000;
const PAGE = 20;
const DAY_MS = 86_400_000;
const BLOCK_MS = 1000;
const BOUNDS = { pendingMax: 1_000_000, pendingPerOwnerMax: 1_000_000 };

const READS = [
  'get by hash',
  'get, not known',
  'get by nonce',
  'list, newest',
  'list, middle',
  'list, oldest',
  'list of a busy account',
  'newest of an account',
  'list by reference',
  'events, middle',
] as const;
export type Read = (typeof READS)[number];
export const READ_NAMES: readonly Read[] = READS;

/** One database and where its chain stands. */
export class GrownStore {
  readonly store: Store;
  readonly rows: number;
  readonly #filled: Filled;
  readonly #random: Random;
  #senders: number[] = [];
  #pending: { raw: Uint8Array; hash: string; owner: string }[] = [];

  constructor(store: Store, filled: Filled) {
    this.store = store;
    this.rows = filled.rows;
    this.#filled = filled;
    this.#random = new Random(filled.rows);
  }

  /** A group of transfers of senders that have nothing pending, each of another. */
  async accept(): Promise<void> {
    const submissions = Array.from({ length: GROUP }, () => this.#submission());
    const { judgements } = await acceptGroup(
      {
        store: this.store,
        chain: { ...TEST_CHAIN, openingMinimum: 0n, currency: TEST_CURRENCY },
        limits: BOUNDS,
        moment: () => ({ nowMs: Date.now(), believedMs: Date.now(), uptimeMs: this.#filled.height * BLOCK_MS }),
        takenBy: () => undefined,
      },
      submissions,
    );
    const refused = judgements.find((judgement) => judgement?.kind !== 'accepted');
    if (refused !== undefined || judgements.length !== GROUP)
      throw new Error(
        `a transfer was not accepted: ${JSON.stringify(refused, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`,
      );
  }

  async cancel(): Promise<void> {
    const { hash, owner } = this.#pending[this.#random.below(this.#pending.length)] as { hash: string; owner: string };
    const [judgement] = await requestCancels(
      this.store,
      [{ txHash: hash, principal: { tokenId: 'b'.repeat(16), owner, scopes: ['transactions:write'] } }],
      Date.now(),
    );
    if (judgement?.kind !== 'requested') throw new Error(`a cancel was ${judgement?.kind}`);
  }

  /** A block of what was accepted first. */
  async settle(): Promise<void> {
    const transactions = this.#pending.splice(0, BLOCK);
    const { height, hash: parentHash, blockTimeMs } = this.#filled;
    const timeMs = blockTimeMs + BLOCK_MS;
    const hash = hashOfRow(-height - 1);
    const block = {
      chainId: TEST_CHAIN_ID,
      height: height + 1,
      hash,
      parentHash,
      time: new Date(timeMs).toISOString(),
      timeMs,
      timeNs: BigInt(timeMs) * 1_000_000n,
      transactions: transactions.map(({ raw }) => raw),
      codes: transactions.map(() => 0),
      logs: transactions.map(() => ''),
      appHash: '',
    };
    const context = {
      store: this.store,
      chain: TEST_CHAIN,
      actor: 'gateway:bench',
      pendingTtlMs: DAY_MS,
      nowMs: Date.now(),
      uptimeMs: height * BLOCK_MS,
      broadcastAtMs: () => Date.now(),
    };
    const { settled } = await applyBlock(context, block);
    if (settled.length !== transactions.length)
      throw new Error(`${settled.length} of ${transactions.length} transfers were settled`);
    Object.assign(this.#filled, { height: height + 1, hash, blockTimeMs: timeMs });
  }

  async read(what: Read): Promise<void> {
    const found = await this.#read(what);
    if ((found === 0) !== (what === 'get, not known')) throw new Error(`${what} found ${found} rows`);
  }

  async #read(what: Read): Promise<number> {
    const { seqMax, height } = this.#filled;
    const row = this.#random.below(this.rows);
    const list = async (query: Omit<TransferListQuery, 'limit'>, limit = PAGE): Promise<number> =>
      (await this.store.read((tx) => tx.listTransfers({ ...query, limit }))).transfers.length;
    switch (what) {
      case 'get by hash':
        return (await this.store.now.transferByHash(hashOfRow(row))) === undefined ? 0 : 1;
      case 'get, not known':
        return (await this.store.now.transferByHash(hashOfRow(-row - height - 2))) === undefined ? 0 : 1;
      case 'get by nonce':
        return await list({
          sides: [{ fromId: 1 + this.#random.below(BUSY_ACCOUNTS) }],
          nonce: this.#random.below(this.#leastBusyNonce()),
        });
      case 'list, newest':
        return await list({});
      case 'list, middle':
        return await list({ before: Math.floor(seqMax / 2) + this.#random.below(1000) });
      case 'list, oldest':
        return await list({ before: 1000 + this.#random.below(1000) });
      case 'list of a busy account':
        return await list({ sides: [{ fromId: 1 + this.#random.below(BUSY_ACCOUNTS) }] });
      case 'newest of an account':
        return await this.#newestOf(list);
      case 'list by reference':
        return await list({ reference: referenceOfRow(row - (row % REFERENCE_EVERY)) });
      case 'events, middle':
        return (
          await this.store.read((tx) =>
            tx.events({
              after: { height: Math.floor(height / 2), index: 0 },
              order: 'asc',
              limit: PAGE,
              scanMax: 1000,
            }),
          )
        ).events.length;
    }
  }

  /** One row, because other accounts have less than a page of them in a small history. */
  async #newestOf(list: (query: Omit<TransferListQuery, 'limit'>, limit: number) => Promise<number>): Promise<number> {
    const { nonces } = this.#filled;
    let account = 0;
    while (account < BUSY_ACCOUNTS || nonces[account] === 0) account = this.#random.below(nonces.length);
    return await list({ sides: [{ fromId: account + 1 }, { toId: account + 1 }] }, 1);
  }

  /** What each busy account has sent at least. */
  #leastBusyNonce(): number {
    return Math.min(...this.#filled.nonces.slice(0, BUSY_ACCOUNTS));
  }

  #submission(): Submission {
    const { addresses, nonces } = this.#filled;
    if (this.#senders.length === 0) this.#senders = this.#shuffled(addresses.length);
    const sender = this.#senders.pop() as number;
    const nonce = nonces[sender] as number;
    nonces[sender] = nonce + 1;
    const receivers = this.#random.below(2) === 0 ? BUSY_ACCOUNTS : addresses.length;
    const receiver = this.#random.below(receivers);
    const [from, to] = [
      addresses[sender] as string,
      addresses[receiver === sender ? (receiver + 1) % addresses.length : receiver] as string,
    ];
    const signature = createHash('sha512').update(`${from}/${nonce}`).digest('hex');
    const raw = encodeTransaction({ kind: 'transfer', chainId: TEST_CHAIN_ID, from, to, amount: 1n, nonce, signature });
    const hash = txHash(raw);
    const owner = `owner-${1 + (sender % OWNERS)}`;
    this.#pending.push({ raw, hash, owner });
    return { from, to, amount: 1n, nonce, signature, txHash: hash, owner, tokenId: 'a'.repeat(16) };
  }

  #shuffled(count: number): number[] {
    const order = Array.from({ length: count }, (_, i) => i);
    for (let i = count - 1; i > 0; i--) {
      const other = this.#random.below(i + 1);
      [order[i], order[other]] = [order[other] as number, order[i] as number];
    }
    return order;
  }
}

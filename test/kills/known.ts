/**
 * What is known outside of a server that is killed again and again: every answer that a client got, and what was read and can never change. After
 * each start it is compared with what the server says then. Of what grows without end the newest part is compared each time, and all of it at the end.
 */
import { createHash } from 'node:crypto';
import type { Chain } from '../e2e/support/chain.ts';
import type { Chance } from '../client/chaos/chance.ts';
import { claimsOfBody } from '../power/claims.ts';
import { Told } from '../power/judge.ts';
import type { Connection, Reply } from '../power/load.ts';

const PAGE = 1000;
/** RPC gives so many headers at once. */
const HEADERS = 20;
/** Events that were read before, and are read again after each start. */
const EVENTS_AGAIN = 500;
/** Of the receipts that were read, and of final transfers without one, so many each time. */
const RECEIPTS_EACH = 8;
/** What development genesis gives each account. */
const GENESIS_BALANCE = 10n ** 15n;

/** What a fault is counted as, in the table. */
export const VIOLATIONS = [
  'acknowledged and lost',
  'executed twice',
  'contradicted answers',
  'second blocks of a height',
  'differing statements',
  'differing receipts',
  'differing events',
  'wrong balances',
  'changes of access and webhooks lost',
  'other',
] as const;
export type Violation = (typeof VIOLATIONS)[number];
export type AddFault = (violation: Violation, what: string) => void;

interface Event {
  id: string;
  data: {
    height: number;
    transaction: { txHash: string; status: string; from: string; to: string; amount: string; nonce: number };
  };
}

interface Statement {
  /** Of full pages, oldest first: the cursor with which it was read, and what it had. */
  pages: { cursor: string; text: string }[];
  next: string;
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);

export class Known {
  readonly #add: AddFault;
  readonly #random: Chance;
  readonly #told = new Told();
  #contradictionsShown = 0;
  /** When a final state was first answered, by hash. */
  readonly #finalSinceMs = new Map<string, number>();
  /** Acknowledged, and no event says yet what became of it. */
  readonly #open = new Set<string>();
  readonly #events: { id: string; hash: string }[] = [];
  /** By the hash of the transfer. */
  readonly #decided = new Map<string, { status: string; height: number }>();
  /** Places of senders that a committed transfer has taken. */
  readonly #taken = new Set<string>();
  readonly #balances = new Map<string, bigint>();
  readonly #blocks = new Map<number, string>();
  readonly #receipts = new Map<string, string>();
  readonly #statements = new Map<string, Statement>();
  #round = 0;

  constructor(random: Chance, add: AddFault) {
    this.#random = random;
    this.#add = add;
  }

  get counts(): { transfers: number; blocks: number; receipts: number; pages: number } {
    const pages = [...this.#statements.values()].reduce((sum, { pages: all }) => sum + all.length, 0);
    return { transfers: this.#decided.size, blocks: this.#blocks.size, receipts: this.#receipts.size, pages };
  }

  /** An answer to a client, which asked at that time. */
  hear(askedMs: number, { status, body }: Reply): void {
    if (status < 200 || status > 299) return;
    for (const claim of claimsOfBody(askedMs, body)) {
      this.#told.add(claim);
      if (claim.kind === 'block') {
        this.#isBlock(claim.height, claim.hash);
        continue;
      }
      const { txHash, status: state } = claim;
      const finalMs = this.#finalSinceMs.get(txHash);
      if (state !== 'pending') this.#finalSinceMs.set(txHash, finalMs ?? performance.now());
      else if (finalMs !== undefined && finalMs < askedMs)
        this.#add('contradicted answers', `${txHash} was final, and pending when it was asked for later`);
      if (!this.#decided.has(txHash)) this.#open.add(txHash);
    }
    for (const what of this.#told.contradictions.slice(this.#contradictionsShown))
      this.#add('contradicted answers', what);
    this.#contradictionsShown = this.#told.contradictions.length;
  }

  /** Compares what a server says after a start. `isAll`: all that is known, and not the newest part. */
  async compare(chain: Chain, connection: Connection, isAll = false): Promise<void> {
    this.#round += 1;
    const get = async (path: string): Promise<any> => {
      const { status, body } = await connection.ask('GET', path);
      if (status !== 200) throw new Error(`GET ${path} is answered ${status} ${JSON.stringify(body)}`);
      return body;
    };
    // Pending ones first: what is none of them by then has its event when the events are read.
    const pending = new Map((await chain.list('&status=pending')).map((transfer) => [transfer.txHash, transfer]));
    const height = await this.#readEvents(get, isAll);
    this.#compareOpen(pending);
    await this.#compareBalances(get, chain, height);
    await this.#compareBlocks(connection, isAll);
    const accounts = chain.dev.accounts.map(({ address }) => address);
    for (const address of isAll ? accounts : accounts.filter((_, at) => at === this.#round % accounts.length))
      await this.#compareStatement(get, address, isAll);
    await this.#compareReceipts(connection, isAll);
  }

  #isBlock(height: number, hash: string): void {
    const known = this.#blocks.get(height);
    if (known !== undefined && known !== hash)
      this.#add('second blocks of a height', `block ${height} was ${known} and is ${hash}`);
    else this.#blocks.set(height, hash);
  }

  /** @returns the block up to which everything was read. */
  async #readEvents(get: (path: string) => Promise<any>, isAll: boolean): Promise<number> {
    const from = isAll ? 0 : Math.max(0, this.#events.length - EVENTS_AGAIN);
    const after = from === 0 ? '0' : (this.#events[from - 1]?.id ?? '0');
    let place = from;
    for (let cursor = ''; ;) {
      const page = await get(`/events?after=${after}&order=asc&limit=${PAGE}${cursor}`);
      for (const event of page.events as Event[]) {
        const hash = shortHash(JSON.stringify(event));
        const before = this.#events[place];
        if (before === undefined) this.#take(event, hash);
        else if (before.id !== event.id || before.hash !== hash)
          this.#add('differing events', `event ${before.id} reads otherwise: ${JSON.stringify(event)}`);
        place += 1;
      }
      if (page.nextCursor === undefined) {
        if (place < this.#events.length)
          this.#add('differing events', `the events end at ${place} of ${this.#events.length} that were read before`);
        return page.height;
      }
      cursor = `&cursor=${page.nextCursor}`;
    }
  }

  #take({ id, data: { height, transaction } }: Event, hash: string): void {
    const { txHash, status, from, to, amount, nonce } = transaction;
    this.#events.push({ id, hash });
    this.#open.delete(txHash);
    if (this.#decided.has(txHash)) this.#add('executed twice', `${txHash} was decided twice, the second time in ${id}`);
    this.#decided.set(txHash, { status, height });
    const told = this.#told.transfers.get(txHash);
    if (told !== undefined && told.status !== 'pending' && (told.status !== status || told.height !== height))
      this.#add(
        'contradicted answers',
        `${txHash} was answered as ${told.status} at ${told.height}, and is ${status} at ${height}`,
      );
    if (status !== 'committed') return;
    const place = `${from}:${nonce}`;
    if (this.#taken.has(place)) this.#add('executed twice', `two transfers committed at ${place}`);
    this.#taken.add(place);
    this.#move(from, -BigInt(amount));
    this.#move(to, BigInt(amount));
  }

  #move(address: string, amount: bigint): void {
    this.#balances.set(address, (this.#balances.get(address) ?? GENESIS_BALANCE) + amount);
  }

  #compareOpen(pending: ReadonlyMap<string, Record<string, unknown>>): void {
    for (const txHash of this.#open) {
      const found = pending.get(txHash);
      const told = this.#told.transfers.get(txHash);
      if (found === undefined) {
        this.#add('acknowledged and lost', `${txHash} was acknowledged (${told?.status}) and is not there`);
        this.#open.delete(txHash);
      } else if (told?.status !== 'pending')
        this.#add('contradicted answers', `${txHash} was answered as ${told?.status} and is pending after a start`);
      else if (
        told.isCancelRequested &&
        (found['reason'] as { code?: string } | undefined)?.code !== 'cancel_requested'
      )
        this.#add('acknowledged and lost', `the cancel of ${txHash} was acknowledged and is not there`);
    }
  }

  /** From the log of transfers, as of the block up to which its events were read. */
  async #compareBalances(get: (path: string) => Promise<any>, chain: Chain, height: number): Promise<void> {
    for (const { address } of chain.dev.accounts) {
      const { balance } = await get(`/accounts/${address}?height=${height}`);
      const expected = this.#balances.get(address) ?? GENESIS_BALANCE;
      if (BigInt(balance) !== expected)
        this.#add('wrong balances', `${address} has ${balance} at block ${height}, and its transfers make ${expected}`);
    }
  }

  async #compareBlocks(connection: Connection, isAll: boolean): Promise<void> {
    const highest = Math.max(0, ...this.#blocks.keys());
    let last = Infinity;
    for (let from = isAll ? 1 : Math.max(1, highest - HEADERS + 1); from <= last; from += HEADERS) {
      const { body } = await connection.ask('POST', '/rpc/blockchain', {
        minHeight: String(from),
        maxHeight: String(from + HEADERS - 1),
      });
      // Behind the last block RPC refuses the range.
      if (body.result === undefined) break;
      last = Number(body.result.last_height);
      const metas = body.result.block_metas as { block_id: { hash: string }; header: { height: string } }[];
      for (const { block_id: id, header } of metas) this.#isBlock(Number(header.height), id.hash);
    }
    if (last < highest)
      this.#add(
        'second blocks of a height',
        `block ${highest} was shown, and the last one is ${last}: it will be signed again`,
      );
  }

  async #compareStatement(get: (path: string) => Promise<any>, address: string, isAll: boolean): Promise<void> {
    const statement = this.#statements.get(address) ?? { pages: [], next: '' };
    this.#statements.set(address, statement);
    const read = (cursor: string): Promise<any> => get(`/accounts/${address}/entries?order=asc&limit=${PAGE}${cursor}`);
    for (const { cursor, text } of isAll ? statement.pages : statement.pages.slice(-1)) {
      const { entries } = await read(cursor);
      if (JSON.stringify(entries) !== text)
        this.#add('differing statements', `a page of ${address} reads otherwise than before`);
    }
    for (;;) {
      const { entries, nextCursor } = await read(statement.next);
      if (nextCursor === undefined) return;
      statement.pages.push({ cursor: statement.next, text: JSON.stringify(entries) });
      statement.next = `&cursor=${nextCursor}`;
      for (const { txHash, height } of entries) {
        const decided = this.#decided.get(txHash);
        // One of a block behind the events that were read is none of these yet.
        if (decided !== undefined && (decided.status !== 'committed' || decided.height !== height))
          this.#add('differing statements', `${txHash} is an entry at ${height}, and ${JSON.stringify(decided)}`);
      }
    }
  }

  async #compareReceipts(connection: Connection, isAll: boolean): Promise<void> {
    const receipt = async (txHash: string): Promise<string> => {
      const { status, body } = await connection.ask('GET', `/transactions/${txHash}/receipt`);
      return status === 200 ? JSON.stringify(body) : `${status}`;
    };
    const known = [...this.#receipts];
    const again = isAll
      ? known
      : Array.from({ length: Math.min(RECEIPTS_EACH, known.length) }, () => this.#oneOf(known));
    for (const [txHash, text] of again)
      if ((await receipt(txHash)) !== text) this.#add('differing receipts', `the receipt of ${txHash} reads otherwise`);
    const final = [...this.#decided.keys()].slice(-PAGE);
    for (let each = 0; each < RECEIPTS_EACH && final.length > 0; each += 1) {
      const txHash = this.#oneOf(final);
      const text = await receipt(txHash);
      // The next block signs the one that decided; without it there is none yet.
      if (text.startsWith('{') && !this.#receipts.has(txHash)) this.#receipts.set(txHash, text);
    }
  }

  #oneOf<T>(all: readonly T[]): T {
    return all[Math.floor(this.#random() * all.length)] as T;
  }
}

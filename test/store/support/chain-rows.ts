/**
 * Rows of chain.db as the writer of the embedded engine leaves them, written with SQL of their own: what a block moved, with every index
 * entry, and what stands in the journal since. Readers are tested on them, and the writer is compared with them.
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openForCheckpoints } from '../../../server/app/chain-index.ts';
import { keepLogShort } from '../../../server/app/chain-writer.ts';
import { reasonCode, statusCode } from '../../../server/store/codes.ts';
import { attachLog, ChainLog } from '../../../server/store/embedded/chain-log.ts';
import type { ChainConnection } from '../../../server/store/embedded/connection.ts';
import {
  commitCountOf,
  openChainDatabase,
  openChainReader,
  writing,
} from '../../../server/store/embedded/connection.ts';
import type { CancelEntry, JournalEntry } from '../../../server/store/embedded/journal.ts';
import { SEGMENT_BITS } from '../../../server/store/embedded/segments.ts';
import type { StoredTransfer } from '../../../server/store/index.ts';

export const GENESIS_TIME_MS = 1_700_000_000_000;

/** What is written of a transfer: its addresses, not their numbers. */
export type RowInput = Omit<StoredTransfer, 'fromId' | 'toId'> & {
  tokenId?: string;
  cancelledBy?: { owner: string; tokenId: string };
  idempotencyKey?: string;
};

export interface AccountInput {
  address: string;
  balance?: bigint;
  nonce?: number;
  voids?: bigint;
  onChain?: boolean;
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex, 'hex');
const PREFIX_BYTES = 6;

export class ChainRows {
  readonly folder = mkdtempSync(join(tmpdir(), 'txledger-chain-'));
  readonly path = join(this.folder, 'chain.db');
  readonly sql: ChainConnection;
  readonly log: ChainLog;
  readonly #logSql: Database.Database;
  readonly #readers: ChainConnection[] = [];
  #height = 0;

  constructor() {
    this.sql = openChainDatabase({ path: this.path });
    // Nothing here is lost by a power cut that a test makes.
    this.sql.pragma('synchronous = OFF');
    this.sql.prepare("INSERT INTO chain VALUES (1, 'txledger-test-1', 'AB', ?, 0, 0, NULL, 0)").run(GENESIS_TIME_MS);
    this.log = new ChainLog({
      sql: this.sql,
      chainFile: this.path,
      chain: { chainId: 'txledger-test-1', genesisHash: 'AB' },
    });
    this.#logSql = openForCheckpoints(this.path);
  }

  reader(): ChainConnection {
    const reader = openChainReader(this.path);
    attachLog(reader, this.path);
    this.#readers.push(reader);
    return reader;
  }

  remove(): void {
    for (const reader of this.#readers) reader.close();
    this.#logSql.close();
    this.log.close();
    this.sql.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Writes over the first page of a table in the file; returns what puts it right. */
  damage(table: string, path = this.path): () => void {
    const beside = new Database(path);
    beside.pragma('wal_checkpoint(TRUNCATE)');
    const page = beside
      .prepare<[string], number>('SELECT rootpage FROM sqlite_schema WHERE name = ?')
      .pluck()
      .get(table) as number;
    const pageBytes = Number(beside.pragma('page_size', { simple: true }));
    const at = (page - 1) * pageBytes;
    const write = (bytes: Buffer): void => {
      const file = openSync(path, 'r+');
      writeSync(file, bytes, 0, pageBytes, at);
      closeSync(file);
    };
    beside.close();
    const good = readFileSync(path).subarray(at, at + pageBytes);
    write(Buffer.alloc(pageBytes, 0xff));
    return () => write(good);
  }

  /** Adds the account, or changes what is given of it. */
  account({ address, balance = 0n, nonce = 0, voids = 0n, onChain = true }: AccountInput): number {
    const id = this.#accountId(address);
    const leaf = onChain ? id : null;
    const voidsText = voids === 0n ? '' : voids.toString(16);
    this.sql
      .prepare('UPDATE accounts SET leaf = ?, balance = ?, nonce = ?, voids = ? WHERE id = ?')
      .run(leaf, balance.toString(), nonce, voidsText, id);
    return id;
  }

  /** The rows of transfers that no journal has any more. */
  rows(...transfers: readonly RowInput[]): void {
    writing(this.sql, () => transfers.forEach((transfer) => this.#row(transfer)));
  }

  /** One group. Returns its id. */
  journal(...entries: readonly JournalEntry[]): number {
    this.log.append(entries);
    return this.log.head.seq;
  }

  /** A block: in one transaction the journal is emptied, these rows are what it had, and accounts and older rows change as `change` says. */
  block(moved: readonly RowInput[], change: () => void = () => undefined): void {
    this.#height += 1;
    writing(this.sql, () => {
      for (const transfer of moved) this.#row(transfer);
      change();
      const { seq, hash } = this.log.head;
      this.sql.prepare('UPDATE chain SET entry_seq = ?, entry_hash = ?').run(seq, hash);
      const empty = Buffer.alloc(0);
      this.sql
        .prepare('INSERT INTO blocks VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?)')
        .run(
          this.#height,
          bytesOf(this.blockHash),
          empty,
          BigInt(this.blockTimeMs) * 1_000_000n + 999_999n,
          moved.length,
          empty,
          empty,
          '[]',
          empty,
          empty,
        );
    });
    while (this.log.drop(this.log.head.seq));
    const commits = commitCountOf(this.sql);
    if (commits !== undefined) keepLogShort(this.#logSql, commits);
  }

  get blockHash(): string {
    return this.#height.toString(16).toUpperCase().padStart(64, '0');
  }

  get blockTimeMs(): number {
    return GENESIS_TIME_MS + this.#height * 1000;
  }

  /** Writes over a row that is there, its place in `pending` included. */
  settle(transfer: RowInput): void {
    const { seq } = transfer;
    for (const table of ['transfers', 'pending', 'by_hash', 'by_slot', 'by_sender', 'by_receiver', 'idempotency_keys'])
      this.sql.prepare(`DELETE FROM ${table} WHERE seq = ?`).run(seq);
    this.#row(transfer);
  }

  #row(transfer: RowInput): void {
    const { seq, hash, nonce, status, executedAs, reasonHash } = transfer;
    const segment = Math.floor(seq / 2 ** SEGMENT_BITS);
    const fromId = this.#accountId(transfer.from);
    const toId = this.#accountId(transfer.to);
    const submitter = transfer.owner === undefined ? null : this.#submitterId(transfer.owner, transfer.tokenId ?? '');
    const canceller =
      transfer.cancelledBy === undefined
        ? null
        : this.#submitterId(transfer.cancelledBy.owner, transfer.cancelledBy.tokenId);
    const run = (statement: string, ...values: unknown[]): void => void this.sql.prepare(statement).run(...values);
    run(
      'INSERT INTO transfers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      seq,
      bytesOf(hash),
      fromId,
      toId,
      transfer.amount.toString(),
      nonce,
      submitter,
      statusCode(status),
      reasonCode(transfer.reason),
      reasonHash === undefined ? null : bytesOf(reasonHash),
      executedAs === undefined ? null : bytesOf(executedAs),
      transfer.firstSeenAtMs,
      transfer.broadcastAtMs ?? null,
      transfer.cancelRequestedAtMs ?? null,
      canceller,
      transfer.expiryRequestedAtMs ?? null,
      transfer.height ?? null,
      transfer.height === undefined ? null : 0,
      transfer.blockTimeMs ?? null,
    );
    for (const either of [hash, ...(executedAs === undefined ? [] : [executedAs])])
      run('INSERT INTO by_hash VALUES (?, ?, ?)', segment, bytesOf(either).readUIntBE(0, PREFIX_BYTES), seq);
    run('INSERT INTO by_slot VALUES (?, ?, ?, ?)', segment, fromId, nonce, seq);
    run('INSERT INTO by_sender VALUES (?, ?, ?)', segment, fromId, seq);
    run('INSERT INTO by_receiver VALUES (?, ?, ?)', segment, toId, seq);
    if (status === 'pending')
      run(
        'INSERT INTO pending VALUES (?, ?, ?, ?, ?, ?)',
        seq,
        fromId,
        nonce,
        bytesOf(transfer.signature),
        transfer.seenBlockMs,
        transfer.seenUptimeMs,
      );
    if (transfer.idempotencyKey !== undefined && transfer.owner !== undefined)
      run('INSERT INTO idempotency_keys VALUES (?, ?, ?)', transfer.owner, transfer.idempotencyKey, seq);
  }

  #accountId(address: string): number {
    this.sql
      .prepare("INSERT INTO accounts (address, balance, nonce, voids) VALUES (?, '0', 0, '') ON CONFLICT DO NOTHING")
      .run(address);
    return this.sql
      .prepare<[string], number>('SELECT id FROM accounts WHERE address = ?')
      .pluck()
      .get(address) as number;
  }

  #submitterId(owner: string, tokenId: string): number {
    this.sql
      .prepare('INSERT INTO submitters (owner, token_id) VALUES (?, ?) ON CONFLICT DO NOTHING')
      .run(owner, tokenId);
    return this.sql
      .prepare<[string, string], number>('SELECT id FROM submitters WHERE owner = ? AND token_id = ?')
      .pluck()
      .get(owner, tokenId) as number;
  }
}

/** 64 upper-case hex digits that look random and are the same in each run. */
export function chainHash(seq: number, kind = 0): string {
  const digits = (Math.imul(seq + 1, 2_654_435_761) >>> 0).toString(16).padStart(8, '0');
  return `${digits}${kind.toString(16)}${seq.toString(16).padStart(55, '0')}`.toUpperCase();
}

/** A pending transfer with its largest values, and what `changes` says of it. */
export const chainTransfer = (seq: number, changes: Partial<RowInput> = {}): RowInput => ({
  seq,
  hash: chainHash(seq),
  from: 'alice',
  to: 'bob',
  amount: 2n ** 128n - 1n,
  nonce: seq,
  signature: 'ab'.repeat(64),
  owner: 'dev',
  status: 'pending',
  reason: undefined,
  reasonHash: undefined,
  executedAs: undefined,
  firstSeenAtMs: 1_700_000_000_000 + seq,
  seenBlockMs: 7,
  seenUptimeMs: 8,
  broadcastAtMs: undefined,
  cancelRequestedAtMs: undefined,
  expiryRequestedAtMs: undefined,
  height: undefined,
  blockTimeMs: undefined,
  ...changes,
});

/** What a group's line says of a transfer that it accepted. */
export function accepted({ tokenId, idempotencyKey, ...transfer }: RowInput): JournalEntry {
  const { seq, hash, from, to, amount, nonce, signature, owner, firstSeenAtMs, seenBlockMs, seenUptimeMs } = transfer;
  return {
    kind: 'accepted',
    transfer: { seq, hash, from, to, amount, nonce, signature, owner, firstSeenAtMs, seenBlockMs, seenUptimeMs },
    tokenId,
    idempotencyKey,
  };
}

export const cancelOf = (seq: number, atMs = 5, owner = 'dev', tokenId = 'token-1'): CancelEntry => ({
  kind: 'cancel',
  seq,
  atMs,
  owner,
  tokenId,
});

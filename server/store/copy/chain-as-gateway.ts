/**
 * The gateway's part of a chain.db as the rows of a gateway's database at the same height: transfers settled and pending, the journal's
 * entries, accounts, owners, tokens, bindings, keys, events, the audit trail and webhooks.
 *
 * The rows are those of CHAIN_MIGRATIONS, also when the newest schema is later: the migrations after them bring a database of these up to
 * date, as they do with one that an earlier version made.
 */
import { statusCode } from '../codes.ts';
import { type CancelEntry, decodeEntries, type JournaledTransfer } from '../embedded/journal.ts';
import { StoreDamagedError } from '../errors.ts';
import type { SqliteConnection } from '../sqlite/library.ts';
import { type BackupTable, ORDER_OF } from '../backup/gateway-tables.ts';
import { lineOf, type Row } from './row-lines.ts';

/** The schema whose rows these are. */
export const CHAIN_MIGRATIONS: readonly string[] = [
  '0001-chain-format-2',
  '0002-token-limits',
  '0003-events-and-webhooks',
];

export interface ChainParts {
  /** chain.db, of a service that is stopped. */
  readonly sql: SqliteConnection;
  /** The same, or webhooks.db of an earlier version. */
  readonly webhooks: SqliteConnection;
  /**
   * The signature in the block's transaction at this place, 128 hex digits. A settled transfer keeps its own nowhere else; one that was
   * never executed itself no longer has one, and no reader needs it.
   */
  readonly signatureAt: (height: number, position: number) => string;
}

const PENDING = statusCode('pending');
const WEBHOOK_TABLES: readonly BackupTable[] = ['webhooks', 'webhook_deliveries', 'webhook_work', 'webhook_audit'];
const NO_OWNER = '';

interface Pending {
  readonly fromId: number;
  readonly amount: string;
  readonly owner: string;
}

export class ChainAsGateway {
  readonly #parts: ChainParts;
  readonly #accountIds = new Map<string, number>();
  /** Addresses that only the journal names, as receivers. */
  readonly #newAccounts: { id: number; address: string }[] = [];
  readonly #owners = new Map<string, { id: number; pending: number }>();
  readonly #reserved = new Map<number, bigint>();
  readonly #accepted: { transfer: JournaledTransfer; tokenId: string | undefined; key: string | undefined }[] = [];
  readonly #cancels = new Map<number, CancelEntry>();
  #nextAccountId = 1;
  #pending = 0;

  constructor(parts: ChainParts) {
    this.#parts = parts;
    this.#readJournal();
    this.#numberOwners();
    this.#sumPending();
  }

  /** In the form of `readRows`: by table, in the order of its key. */
  *lines(table: BackupTable): Generator<string> {
    for (const row of this.#rows(table)) yield lineOf(row);
  }

  /** Transfers, pending ones among them. */
  get transfers(): number {
    return Number(this.#parts.sql.prepare('SELECT count(*) FROM transfers').pluck().get()) + this.#accepted.length;
  }

  #rows(table: BackupTable): Iterable<Row> {
    if (WEBHOOK_TABLES.includes(table)) return this.#webhookRows(table);
    const rows: Partial<Record<BackupTable, () => Iterable<Row>>> = {
      accounts: () => this.#accountRows(),
      address_bindings: () =>
        this.#ask(this.#parts.sql, 'SELECT address, owner, bound_at_ms FROM address_bindings ORDER BY address'),
      audit: () =>
        this.#ask(this.#parts.sql, 'SELECT id, at_ms, actor, action, subject, details FROM audit ORDER BY id'),
      counters: () => this.#counters(),
      events: () => this.#ask(this.#parts.sql, 'SELECT height, idx, seq FROM events ORDER BY height, idx'),
      follower: () =>
        this.#ask(
          this.#parts.sql,
          `SELECT 1 AS id, chain_id, genesis_hash, b.height, hex(b.hash) AS hash, b.time_ns / 1000000 AS block_time_ms, uptime_ms, b.height AS verified_height
           FROM chain JOIN blocks b ON b.height = (SELECT max(height) FROM blocks)`,
        ),
      governance: () => this.#ask(this.#parts.sql, 'SELECT id, record FROM governance'),
      idempotency_keys: () => this.#keys(),
      owners: () => [...this.#owners].map(([name, { id, pending }]) => ({ id, name, pending })),
      tokens: () =>
        this.#ask(
          this.#parts.sql,
          'SELECT id, secret_sha256, owner, scopes, created_at_ms, expires_at_ms, revoked_at_ms, last_used_at_ms, rate_per_s, pending_max FROM tokens ORDER BY id',
        ),
      transfers: () => this.#transferRows(),
      unknown_voids: () =>
        this.#ask(
          this.#parts.sql,
          'SELECT height, idx, hash, from_id, nonce, block_time_ms FROM unknown_voids ORDER BY height, idx',
        ),
      validator_sets: () => this.#validatorSets(),
    };
    return rows[table]?.() ?? [];
  }

  /** Lines of the audit trail that wait to be brought there are in webhooks.db only. */
  #webhookRows(table: BackupTable): Iterable<Row> {
    const { webhooks } = this.#parts;
    const isThere = webhooks.prepare("SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?").get(table);
    return isThere === undefined ? [] : this.#ask(webhooks, `SELECT * FROM ${table} ORDER BY ${ORDER_OF[table]}`);
  }

  #ask(sql: SqliteConnection, query: string): Iterable<Row> {
    return sql.prepare(query).iterate() as Iterable<Row>;
  }

  #readJournal(): void {
    for (const entries of this.#parts.sql
      .prepare('SELECT entries FROM journal ORDER BY id')
      .pluck()
      .all() as string[]) {
      for (const entry of decodeEntries(entries)) {
        if (entry.kind === 'accepted')
          this.#accepted.push({ transfer: entry.transfer, tokenId: entry.tokenId, key: entry.idempotencyKey });
        // The first request for a cancel is the one that counts.
        else if (!this.#cancels.has(entry.seq)) this.#cancels.set(entry.seq, entry);
      }
    }
    this.#nextAccountId = Number(
      this.#parts.sql.prepare('SELECT coalesce(max(id), 0) + 1 FROM accounts').pluck().get(),
    );
    for (const { transfer } of this.#accepted)
      for (const address of [transfer.from, transfer.to]) this.#accountId(address);
  }

  #accountId(address: string): number {
    const known =
      this.#accountIds.get(address) ??
      (this.#parts.sql.prepare('SELECT id FROM accounts WHERE address = ?').pluck().get(address) as number | undefined);
    const id = known ?? this.#nextAccountId++;
    if (known === undefined) this.#newAccounts.push({ id, address });
    this.#accountIds.set(address, id);
    return id;
  }

  #numberOwners(): void {
    const named = this.#parts.sql
      .prepare('SELECT owner FROM submitters UNION SELECT owner FROM idempotency_keys ORDER BY 1')
      .pluck()
      .all() as string[];
    for (const name of [...named, ...this.#accepted.map(({ transfer }) => transfer.owner ?? NO_OWNER)])
      this.#ownerOf(name);
  }

  #ownerOf(name: string): { id: number; pending: number } {
    const known = this.#owners.get(name);
    if (known !== undefined) return known;
    const owner = { id: this.#owners.size + 1, pending: 0 };
    this.#owners.set(name, owner);
    return owner;
  }

  #sumPending(): void {
    const rows = this.#parts.sql
      .prepare(
        `SELECT t.from_id AS fromId, t.amount, coalesce(s.owner, '') AS owner FROM transfers t LEFT JOIN submitters s ON s.id = t.submitter_id WHERE t.status = ${PENDING}`,
      )
      .iterate() as Iterable<Pending>;
    for (const row of rows) this.#count(row);
    for (const { transfer } of this.#accepted)
      this.#count({
        fromId: this.#accountId(transfer.from),
        amount: `${transfer.amount}`,
        owner: transfer.owner ?? NO_OWNER,
      });
  }

  #count({ fromId, amount, owner }: Pending): void {
    this.#pending += 1;
    this.#reserved.set(fromId, (this.#reserved.get(fromId) ?? 0n) + BigInt(amount));
    this.#ownerOf(owner).pending += 1;
  }

  *#accountRows(): Generator<Row> {
    const query = 'SELECT id, address, leaf IS NOT NULL AS on_chain, balance, nonce, voids FROM accounts ORDER BY id';
    for (const row of this.#ask(this.#parts.sql, query))
      yield { ...row, reserved: `${this.#reserved.get(Number(row['id'])) ?? 0n}` };
    for (const { id, address } of this.#newAccounts)
      yield { id, address, on_chain: 0, balance: '0', nonce: 0, voids: '', reserved: '0' };
  }

  *#counters(): Generator<Row> {
    const lastSeq = Math.max(
      Number(this.#parts.sql.prepare('SELECT coalesce(max(seq), 0) FROM transfers').pluck().get()),
      ...this.#accepted.map(({ transfer }) => transfer.seq),
    );
    yield {
      id: 1,
      next_seq: lastSeq + 1,
      next_account_id: this.#nextAccountId,
      next_owner_id: this.#owners.size + 1,
      pending: this.#pending,
    };
  }

  /** The validator set of genesis: one key signs for an embedded chain, so its blocks never change it. */
  *#validatorSets(): Generator<Row> {
    const record = JSON.parse(String(this.#parts.sql.prepare('SELECT record FROM governance').pluck().get())) as {
      validators: unknown;
    };
    yield { height: 1, validators: JSON.stringify(record.validators) };
  }

  #keys(): Row[] {
    const rows = this.#parts.sql.prepare('SELECT owner, idempotency_key AS key, seq FROM idempotency_keys').all() as {
      owner: string;
      key: string;
      seq: number;
    }[];
    for (const { transfer, key } of this.#accepted)
      if (key !== undefined && transfer.owner !== undefined)
        rows.push({ owner: transfer.owner, key, seq: transfer.seq });
    const numbered = rows.map(({ owner, key, seq }) => ({
      owner_id: this.#ownerOf(owner).id,
      idempotency_key: key,
      seq,
    }));
    return numbered.toSorted((a, b) => a.owner_id - b.owner_id || (a.idempotency_key < b.idempotency_key ? -1 : 1));
  }

  *#transferRows(): Generator<Row> {
    const query = `SELECT t.seq, t.hash, t.from_id, t.to_id, t.amount, t.nonce, t.status, t.reason, t.reason_hash, t.executed_as, t.first_seen_at_ms, t.broadcast_at_ms,
        t.cancel_requested_at_ms, t.expiry_requested_at_ms, t.height, t.position, t.block_time_ms, s.owner, s.token_id, c.token_id AS cancel_token_id,
        m.reference, m.valid_until, p.signature, p.seen_block_ms, p.seen_uptime_ms
      FROM transfers t LEFT JOIN submitters s ON s.id = t.submitter_id LEFT JOIN submitters c ON c.id = t.cancel_submitter_id
        LEFT JOIN payment_members m ON m.seq = t.seq LEFT JOIN pending p ON p.seq = t.seq ORDER BY t.seq`;
    for (const row of this.#ask(this.#parts.sql, query)) yield this.#storedRow(row);
    for (const { transfer, tokenId } of this.#accepted) yield this.#acceptedRow(transfer, tokenId);
  }

  #storedRow({ position, owner, token_id: tokenId, cancel_token_id: cancelTokenId, signature, ...row }: Row): Row {
    const isPending = row['status'] === PENDING;
    if (isPending && signature === null)
      throw new StoreDamagedError(
        `the pending transfer with seq ${String(row['seq'])} has no row among those that are pending; restore the database from a backup`,
      );
    const cancel = isPending ? this.#cancels.get(Number(row['seq'])) : undefined;
    return {
      ...row,
      signature: isPending ? signature : this.#settledSignature(row, position),
      seen_block_ms: row['seen_block_ms'] ?? row['block_time_ms'],
      seen_uptime_ms: row['seen_uptime_ms'] ?? 0,
      cancel_requested_at_ms: row['cancel_requested_at_ms'] ?? cancel?.atMs,
      owner_id: owner === null ? undefined : this.#ownerOf(String(owner)).id,
      token_id: known(tokenId),
      cancel_token_id:
        known(cancelTokenId) ?? known(row['cancel_requested_at_ms'] === null ? cancel?.tokenId : undefined),
    };
  }

  /** Executed under its own hash: the block has it. */
  #settledSignature({ executed_as: executedAs, height }: Row, position: unknown): Buffer {
    const isInBlock = typeof position === 'number' && typeof height === 'number' && executedAs === null;
    return isInBlock ? Buffer.from(this.#parts.signatureAt(height, position), 'hex') : Buffer.alloc(0);
  }

  #acceptedRow(transfer: JournaledTransfer, tokenId: string | undefined): Row {
    const {
      seq,
      hash,
      from,
      to,
      amount,
      nonce,
      reference,
      validUntil,
      signature,
      owner,
      firstSeenAtMs,
      seenBlockMs,
      seenUptimeMs,
    } = transfer;
    const cancel = this.#cancels.get(seq);
    return {
      seq,
      hash: Buffer.from(hash, 'hex'),
      from_id: this.#accountId(from),
      to_id: this.#accountId(to),
      amount: `${amount}`,
      nonce,
      signature: Buffer.from(signature, 'hex'),
      owner_id: owner === undefined ? undefined : this.#ownerOf(owner).id,
      status: PENDING,
      first_seen_at_ms: firstSeenAtMs,
      seen_block_ms: seenBlockMs,
      seen_uptime_ms: seenUptimeMs,
      cancel_requested_at_ms: cancel?.atMs,
      token_id: known(tokenId),
      cancel_token_id: known(cancel?.tokenId),
      reference,
      valid_until: validUntil,
    };
  }
}

/** The empty token is the value where none was recorded. */
const known = (tokenId: unknown): unknown => (tokenId === '' || tokenId === null ? undefined : tokenId);

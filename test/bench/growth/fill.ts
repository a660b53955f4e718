/**
 * Fills a gateway's PostgreSQL database with settled transfers as the gateway would have written them, in minutes instead of days.
 *
 * The product's own migrations make the tables, and rows are made inside the server. Indexes are dropped for it and made again by their own
 * definitions; those over random keys are filled to what random insertion leaves them at, not packed as a new index is.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { GenesisDocument } from '../../../server/ledger/index.ts';
import { shardOf } from '../../../server/store/shards.ts';
import { openPostgresStore } from '../../../server/store/index.ts';
import { initialiseStore } from '../../../server/gateway/initialise.ts';
import { withoutSyncs } from './server-facts.ts';

/** Accounts that send a quarter of the transfers and receive half of them, as shops and exchanges do. */
export const BUSY_ACCOUNTS = 100;
/** One transfer in so many is sent by one of them. */
const BUSY_EVERY = 4;
export const OWNERS = 100;
const TRANSFERS_PER_BLOCK = 500;
const BLOCK_MS = 1000;
const ROWS_PER_STATEMENT = 500_000;
/** A B-tree that was filled in random order has about ln 2 of its leaves in use. */
const RANDOM_FILL_PERCENT = 70;
/** Their entries come in the order of the seqs, or nearly: such an index is full. */
const GROWS_AT_ITS_END = new Set(['transfers_by_status']);

export interface Filled {
  rows: number;
  /** In the order of their ids, which begin with 1. */
  addresses: readonly string[];
  /** The next nonce of each. */
  nonces: number[];
  height: number;
  hash: string;
  blockTimeMs: number;
  seqMax: number;
}

/** The transfer's number as eight bytes, hashed: what the server computes with `int8send`. */
export function hashOfRow(row: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(row));
  return createHash('sha256').update(bytes).digest('hex').toUpperCase();
}

export const referenceOfRow = (row: number): string => `INV-${hashOfRow(row).slice(0, 12)}`;

/** Every fifth row has one. */
export const REFERENCE_EVERY = 5;

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

/** A step that meets all of `count` places before it meets one again, far from the last. */
function stepOver(count: number): number {
  let step = Math.max(1, Math.floor(count * 0.618));
  while (gcd(step, count) !== 1) step += 1;
  return step;
}

/** @param client of a superuser, on the database at `url`, which is empty. */
export async function fill(
  url: string,
  client: pg.Client,
  genesis: GenesisDocument,
  rows: number,
  progress: (line: string) => void,
): Promise<void> {
  const store = await openPostgresStore({ url });
  try {
    await initialiseStore(store, genesis);
  } finally {
    await store.close();
  }
  await withoutSyncs(client, () => fillTables(client, genesis, rows, store.shards, progress));
}

async function fillTables(
  client: pg.Client,
  genesis: GenesisDocument,
  rows: number,
  shards: number,
  progress: (line: string) => void,
): Promise<void> {
  const addresses = genesis.accounts.map(({ address }) => address);
  await client.query('create unlogged table fill_accounts (n bigint primary key, shard bigint)');
  await client.query('insert into fill_accounts select * from unnest($1::bigint[], $2::bigint[])', [
    addresses.map((_, n) => n),
    addresses.map((address) => shardOf(address, shards)),
  ]);
  await client.query(`insert into owners (id, name) select n, 'owner-' || n from generate_series(1, ${OWNERS}) n`);

  const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes where tablename = 'transfers' and indexname <> 'transfers_pkey'`,
  );
  for (const { indexname } of indexes) await client.query(`drop index ${indexname}`);
  await client.query("set work_mem = '256MB'");
  for (let from = 0, seq = 0; from < rows; from += ROWS_PER_STATEMENT) {
    await client.query(
      insertRows({
        accounts: addresses.length,
        shards,
        from,
        to: Math.min(rows, from + ROWS_PER_STATEMENT),
        after: seq,
        genesisMs: Date.parse(genesis.genesisTime),
      }),
    );
    seq = Number((await client.query<{ max: string }>('select max(seq) from transfers')).rows[0]?.max);
    progress(`${Math.min(rows, from + ROWS_PER_STATEMENT)} of ${rows} rows`);
  }
  await client.query("set maintenance_work_mem = '512MB'");
  for (const { indexname, indexdef } of indexes) {
    progress(`${rows} rows: index ${indexname}`);
    await makeIndex(client, indexname, indexdef);
  }
  await client.query(
    'insert into events (height, idx, seq) select height, row_number() over (partition by height order by seq) - 1, seq from transfers order by seq',
  );
  await client.query(
    `insert into idempotency_keys (owner_id, idempotency_key, seq) select owner_id, encode(sha256(int8send(seq)), 'hex'), seq from transfers where seq % 64 < 16 order by seq`,
  );
  await client.query(
    `update accounts set nonce = s.sent from (select from_id, count(*) as sent from transfers group by from_id) s where accounts.id = s.from_id`,
  );
  const height = Math.ceil(rows / TRANSFERS_PER_BLOCK);
  const blockTimeMs = Date.parse(genesis.genesisTime) + height * BLOCK_MS;
  const hash = hashOfRow(-1);
  await client.query('update follower set height = $1, verified_height = $1, hash = $2, block_time_ms = $3', [
    height,
    hash,
    blockTimeMs,
  ]);
  await client.query(`update counters set next_owner_id = ${OWNERS + 1}`);
  await client.query(
    `update shards set last_seq = coalesce((select max(seq) from transfers where seq % ${shards} = shards.id), last_seq)`,
  );
  await client.query('drop table fill_accounts');
  progress(`${rows} rows: statistics and visibility, as autovacuum would make them`);
  await client.query('vacuum analyze');
}

/** Of a database that was filled with so many rows, and worked on since. */
export async function standingOf(client: pg.Client, rows: number): Promise<Filled> {
  const { rows: accounts } = await client.query<{ address: string; nonce: string }>(
    'select address, nonce from accounts order by id',
  );
  const { rows: ends } = await client.query<{ height: string; hash: string; block_time_ms: string; seq: string }>(
    `select height, hash, block_time_ms, (select seq from transfers order by seq offset ${rows - 1} limit 1) as seq from follower`,
  );
  const [end] = ends;
  if (end === undefined || end.seq === null) throw new Error(`there are no ${rows} rows in this database`);
  return {
    rows,
    addresses: accounts.map(({ address }) => address),
    nonces: accounts.map(({ nonce }) => Number(nonce)),
    height: Number(end.height),
    hash: end.hash,
    blockTimeMs: Number(end.block_time_ms),
    seqMax: Number(end.seq),
  };
}

interface Rows {
  accounts: number;
  shards: number;
  from: number;
  to: number;
  /** The last seq before them. */
  after: number;
  genesisMs: number;
}

/**
 * All senders but the busy ones take turns, in another order in each turn, so that each account's nonces are 0, 1, 2, ... A seq is the next number of
 * the sender's shard, as ShardNumbers gives it.
 */
function insertRows({ accounts, shards, from, to, after, genesisMs }: Rows): string {
  const others = accounts - BUSY_ACCOUNTS;
  const turn = `(i - i / ${BUSY_EVERY} - 1)`;
  const step = stepOver(others);
  const height = `(i / ${TRANSFERS_PER_BLOCK} + 1)`;
  return `insert into transfers (seq, hash, from_id, to_id, amount, nonce, signature, owner_id, status, reason, reason_hash, executed_as, first_seen_at_ms, seen_block_ms, seen_uptime_ms,
      broadcast_at_ms, cancel_requested_at_ms, height, block_time_ms, token_id, cancel_token_id, reference, valid_until)
    select ${after} + sum((shard - shard_before - 1 + ${shards}) % ${shards} + 1) over (order by i), hash, sender + 1, (case when receiver = sender then (receiver + 1) % ${accounts} else receiver end) + 1,
      (1 + random_bits % 1000000)::text, nonce, sha512(hash), 1 + sender % ${OWNERS},
      case when i % 200 = 7 then 2 when i % 200 = 57 then 3 when i % 1000 = 500 then 4 else 1 end, case when i % 200 = 7 then 1 end, null,
      case when i % 1000 = 1 then sha256(hash) end,
      ${genesisMs} + ${height} * ${BLOCK_MS} - 700, ${genesisMs} + (${height} - 1) * ${BLOCK_MS}, ${height} * ${BLOCK_MS} - 700, ${genesisMs} + ${height} * ${BLOCK_MS} - 650,
      case when i % 200 = 57 then ${genesisMs} + ${height} * ${BLOCK_MS} - 300 end, ${height}, ${genesisMs} + ${height} * ${BLOCK_MS},
      lpad(to_hex(1 + sender % ${OWNERS}), 16, 'a'), case when i % 200 = 57 then lpad(to_hex(1 + sender % ${OWNERS}), 16, 'a') end,
      case when i % ${REFERENCE_EVERY} = 0 then 'INV-' || upper(substr(encode(hash, 'hex'), 1, 12)) end, case when i % 10 = 3 then (${genesisMs} + ${height} * ${BLOCK_MS}) / 1000 + 3600 end
    from (
      select i, h.hash, b.random_bits, r.sender, r.nonce, r.receiver, a.shard, lag(a.shard, 1, ${after % shards}::bigint) over (order by i) as shard_before
      from generate_series(${from}::bigint, ${to - 1}::bigint) i
      cross join lateral (select sha256(int8send(i)) as hash) h
      cross join lateral (select (get_byte(h.hash, 0) * 16777216::bigint + get_byte(h.hash, 1) * 65536 + get_byte(h.hash, 2) * 256 + get_byte(h.hash, 3)) as random_bits) b
      cross join lateral (select
        case when i % ${BUSY_EVERY} = 0 then (i / ${BUSY_EVERY}) % ${BUSY_ACCOUNTS} else ${BUSY_ACCOUNTS} + ((${turn} % ${others}) * ${step} + (${turn} / ${others}) * 7919) % ${others} end as sender,
        case when i % ${BUSY_EVERY} = 0 then i / ${BUSY_EVERY} / ${BUSY_ACCOUNTS} else ${turn} / ${others} end as nonce,
        case when i % 2 = 0 then random_bits % ${BUSY_ACCOUNTS} else random_bits % ${accounts} end as receiver) r
      join fill_accounts a on a.n = r.sender
    ) x
    order by i`;
}

async function makeIndex(client: pg.Client, name: string, definition: string): Promise<void> {
  if (GROWS_AT_ITS_END.has(name)) return void (await client.query(definition));
  const [columns, condition] = definition.split(' WHERE ');
  await client.query(
    `${columns} with (fillfactor = ${RANDOM_FILL_PERCENT})${condition === undefined ? '' : ` where ${condition}`}`,
  );
  await client.query(`alter index ${name} reset (fillfactor)`);
}

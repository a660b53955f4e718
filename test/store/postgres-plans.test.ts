/**
 * What PostgreSQL touches to find what the store asks for: pages that the number asked for bounds, however long the history.
 *
 * In a session that was used while the tables were empty, like the store's on a new database; for tables that the planner
 * knows, and for tables that grew before it looked at them.
 */
import { expect, test } from '@jest/globals';
import pg from 'pg';
import type { ListSide, Store } from '../../server/store/index.ts';
import { openPostgresStore } from '../../server/store/index.ts';
import { PLANNER } from '../../server/store/postgres/session.ts';
import { CLUSTER_TIMEOUT_MS } from '../support/postgres.ts';
import { account, hashOf, transfer } from './support/rows.ts';
import { onPostgres } from './support/stores.ts';
import { acceptedRows } from './support/accepted-rows.ts';

const ROWS = 100_000;
const PENDING = 2000;
/** Pages that a statement may touch: a list by both sides looks at 4,096 rows, others at a handful. Every table here has over 500. */
const PAGES_MAX = 400;

/** A long history: half of it one sender's, the newest transfers pending. */
const HISTORY = `
  insert into accounts select i, 'address-' || i, 1, '1', 1000, '', '0' from generate_series(3, ${ROWS}) i;
  insert into owners select i, 'owner-' || i from generate_series(2, ${ROWS}) i;
  insert into owner_pending select i, i % 16, 1 from generate_series(2, ${ROWS}) i;
  insert into address_bindings select 'address-' || i, 'owner-' || i, 1 from generate_series(1, ${ROWS}) i;
  insert into tokens select 'token-' || i, '\\x00', 'owner', '[]', i, null, null from generate_series(1, ${ROWS}) i;
  insert into transfers
    select i, sha256(i::text::bytea), case when i % 2 = 0 then 1 else i end, i % 777 + 1, i::text, i, '\\x00', i % 100 + 1,
      1, null, null, null, i, i, i, null, null, null, null, null
    from generate_series(100, ${ROWS - PENDING}) i;
  insert into pending (seq, hash, from_id, to_id, amount, nonce, signature, owner_id, first_seen_at_ms, seen_block_ms, seen_uptime_ms)
    select i, sha256(i::text::bytea), case when i % 2 = 0 then 1 else i end, i % 777 + 1, i::text, i, '\\x00', i % 100 + 1, i, i, i
    from generate_series(${ROWS - PENDING + 1}, ${ROWS}) i;
  insert into events select i / 100, i % 100, i from generate_series(100, ${ROWS - PENDING}) i`;

/** What was pending when the planner looked is settled: it plans for rows that are gone, on both sides of each question. */
const SETTLED = `
  insert into pending (seq, hash, from_id, to_id, amount, nonce, signature, owner_id, first_seen_at_ms, seen_block_ms, seen_uptime_ms)
    select i, sha256(i::text::bytea), i - ${ROWS}, i % 777 + 1, i::text, i, sha512(i::text::bytea), i % 100 + 1, i, i, i from generate_series(${ROWS + 1}, ${2 * ROWS}) i;
  analyze pending;
  delete from pending where seq > ${ROWS}`;

interface Statement {
  text: string;
  values: unknown[];
}

/** Every statement that a gateway's work needs, as the store sends it. */
async function statementsOf(store: Store): Promise<Statement[]> {
  const sent = new Map<string, Statement>();
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...parameters: any[]) {
    const [statement] = parameters;
    if (typeof statement === 'object' && typeof statement.text === 'string')
      sent.set(statement.text, { text: statement.text, values: statement.values });
    return (query as (...all: unknown[]) => unknown).apply(this, parameters);
  } as typeof query;
  const settlement = {
    seq: 1,
    status: 'committed',
    reason: undefined,
    reasonHash: undefined,
    executedAs: undefined,
    height: 1,
    blockTimeMs: 1,
  } as const;
  try {
    await store.write(async (tx) => {
      await tx.saveAccounts([account(1), account(2)]);
      await tx.saveAccepted(
        acceptedRows({
          shards: await tx.shards(),
          senders: await tx.accountsById([1]),
          owners: [{ id: 1, name: 'a' }],
          ownerChanges: [{ ownerId: 1, shard: 0, count: 1 }],
        }),
      );
      await tx.insertTransfers([transfer(1, { ownerId: 1 })]);
      await tx.accountsByAddress(['address-1']);
      await tx.accountsById([1]);
      await tx.transfersAt([{ from: 'a', nonce: 2 }]);
      await tx.transferByHash(hashOf(1));
      await tx.settledAmong([hashOf(1)]);
      await tx.bindings(['address-1']);
      await tx.pendingAfter(
        [
          { id: 0, seq: 99_500 },
          { id: 5, seq: 99_600 },
        ],
        10,
      );
      await tx.pendingNoncesOf(['address-1']);
      const sides: (ListSide[] | undefined)[] = [
        undefined,
        [{ fromId: 1 }],
        [{ toId: 1 }],
        [{ fromId: 1 }, { toId: 1 }],
        [{ fromId: 1, toId: 2 }],
      ];
      for (const side of sides) {
        await tx.listTransfers({ limit: 10, before: 50_000, ...(side && { sides: side }) });
        await tx.listTransfers({ limit: 10, before: 50_000, status: 'failed', ...(side && { sides: side }) });
      }
      await tx.listTransfers({ limit: 10, before: 50_000, sides: [{ fromId: 1 }], nonce: 99_000, status: 'failed' });
      await tx.appendEvents(
        {
          height: ROWS,
          blockTimeMs: 1,
          rows: [
            { index: 0, seq: 1 },
            { index: 1, voided: { from: 'a', nonce: 1, hash: 'AA' } },
          ],
        },
        () => 1,
      );
      for (const order of ['asc', 'desc'] as const) {
        for (const ends of [{}, { after: { height: 400, index: 10 } }, { before: { height: 500, index: 0 } }])
          await tx.events({ limit: 10, order, scanMax: 4096, ...ends });
        // Rows one by one, so many of them at most that the pages are not too many either.
        await tx.events({
          limit: 10,
          order,
          scanMax: 50,
          after: { height: 400, index: 10 },
          before: { height: 500, index: 0 },
          account: (await tx.accountsById([1]))[0]!.address,
          status: 'committed',
        });
      }
      await tx.takeFromOwners([{ owner: 'a', shard: 0, count: 1 }]);
      await tx.requestExpiry({ uptimeMsMax: 0, blockMsMax: 0 }, 10, 1);
      await tx.requestCancels([{ seq: 1 }], 1);
      await tx.transfersByHash(['A'.repeat(64)]);
      await tx.groupStanding({ addresses: ['a'], senders: ['a'], owners: ['a'] });
      await tx.settleTransfers([settlement]);
      await tx.token('token-1');
      await tx.revokeToken('token-1', 1);
    });
    await store.sharing?.holdLease('work', 'a', 1);
  } finally {
    pg.Client.prototype.query = query;
  }
  return [...sent.values()].filter(
    ({ text }) => /^\s*(select|update|insert|delete)/i.test(text) && !/set_config/.test(text),
  );
}

/** How often PostgreSQL plans a prepared statement anew before it may keep a plan for all values. */
const PLANS_BEFORE_KEEPING = 6;

/** A session like the store's that has used each statement often enough to have a plan kept. */
async function sessionUsed(url: string, statements: readonly Statement[]): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(PLANNER);
  for (const [index, { text, values }] of statements.entries()) {
    await client.query(`prepare used_${index} as ${text}`);
    for (let use = 0; use < PLANS_BEFORE_KEEPING; use++) await rolledBack(client, text, execution(index, values));
  }
  return client;
}

function execution(index: number, values: readonly unknown[]): string {
  const literals = values.map((value) =>
    value === null
      ? 'null'
      : Buffer.isBuffer(value)
        ? `'\\x${value.toString('hex')}'`
        : pg.escapeLiteral(String(value)),
  );
  return `execute used_${index}${literals.length === 0 ? '' : `(${literals.join(', ')})`}`;
}

async function rolledBack(client: pg.Client, text: string, run: string): Promise<any[]> {
  await client.query('begin');
  // What is there from when the statement was recorded is in the way of running it again.
  if (text.startsWith('insert into events')) await client.query('delete from events where height = $1', [ROWS]);
  if (text.startsWith('insert into unknown_voids')) await client.query('delete from unknown_voids');
  if (text.startsWith('insert into transfers')) await client.query('delete from transfers where seq = 1');
  const { rows } = await client.query(run);
  await client.query('rollback');
  return rows;
}

/** Pages touched by each statement, which is run and rolled back. */
async function pagesTouched(
  client: pg.Client,
  statements: readonly Statement[],
): Promise<{ text: string; pages: number; plan: string }[]> {
  const touched = [];
  for (const [index, { text, values }] of statements.entries()) {
    const rows = await rolledBack(client, text, `explain (analyze, buffers, format json) ${execution(index, values)}`);
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    touched.push({
      text: text.replaceAll(/\s+/g, ' '),
      pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      plan: JSON.stringify(plan),
    });
  }
  return touched;
}

onPostgres(
  'PostgreSQL',
  (cluster) => {
    test(
      'touches a few pages for each thing that the store asks for, before and after its planner knows the history',
      async () => {
        const url = await cluster().database();
        const store = await openPostgresStore({ url });
        const statements = await statementsOf(store);
        await store.close();
        expect(statements.length).toBeGreaterThan(25);
        const client = await sessionUsed(url, statements);
        try {
          for (const grow of [HISTORY, 'analyze', SETTLED]) {
            await client.query(grow);
            const touched = await pagesTouched(client, statements);
            expect(touched.filter(({ pages }) => pages > PAGES_MAX)).toEqual([]);
            // Starting them takes a hundred times as long as reading a page.
            expect(touched.filter(({ plan }) => plan.includes('"Node Type":"Gather'))).toEqual([]);
          }
        } finally {
          await client.end();
        }
      },
      CLUSTER_TIMEOUT_MS,
    );
  },
  // The server's own analyser would come between.
  ['autovacuum=off'],
);

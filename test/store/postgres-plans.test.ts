/**
 * How PostgreSQL finds what the store asks for: by an index that bounds the work, never by going through a table.
 *
 * Looked at as the store's sessions see it, with a history that the planner knows and with tables that are empty still:
 * a plan made then is kept for a statement until the tables are analysed, however fast they grow.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { ListSide, Store } from '../../server/store/index.ts';
import { openPostgresStore } from '../../server/store/index.ts';
import { PLANNER } from '../../server/store/postgres/session.ts';
import { CLUSTER_TIMEOUT_MS } from '../support/postgres.ts';
import { account, hashOf, transfer } from './support/rows.ts';
import { onPostgres } from './support/stores.ts';

const ROWS = 100_000;
const PENDING = 2000;
/** One row each, so to go through them is to look one row up. */
const SINGLE_ROW_TABLES = ['counters', 'follower', 'governance'];
const FOLLOWER = { chainId: 'c', genesisHash: 'G', height: 0, hash: '', blockTimeMs: 1, uptimeMs: 0 };

/** A long history: 1,000 senders, the newest transfers pending. */
const HISTORY = `
  insert into accounts select i, 'address-' || i, 1, '1', 1000, '', '0' from generate_series(3, ${ROWS}) i;
  insert into owners select i, 'owner-' || i, 0 from generate_series(2, 10000) i;
  insert into address_bindings select 'address-' || i, 'owner-' || i, 1 from generate_series(1, 10000) i;
  insert into tokens select 'token-' || i, '\\x00', 'owner', '[]', i, null, null from generate_series(1, 10000) i;
  insert into transfers
    select i, sha256(i::text::bytea), i % 1000 + 1, i % 777 + 1, i::text, i, '\\x00', i % 100 + 1,
      case when i > ${ROWS - PENDING} then 0 else 1 end, null, null, null, i, i, i, null, null, null, null, null
    from generate_series(100, ${ROWS}) i;
  analyze`;

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
    if (typeof statement === 'object' && typeof statement.text === 'string') sent.set(statement.text, { text: statement.text, values: statement.values });
    return (query as (...all: unknown[]) => unknown).apply(this, parameters);
  } as typeof query;
  const settlement = { seq: 1, status: 'committed', reason: undefined, reasonHash: undefined, executedAs: undefined, height: 1, blockTimeMs: 1 } as const;
  try {
    await store.write(async (tx) => {
      await tx.lockCounters();
      await tx.createFollower(FOLLOWER);
      await tx.saveAccounts([account(1), account(2)]);
      await tx.saveOwners([{ id: 1, name: 'a', pending: 1 }]);
      await tx.insertTransfers([transfer(1, { ownerId: 1 })]);
      await tx.accountsByAddress(['address-1']);
      await tx.accountsById([1]);
      await tx.transfersAt([{ fromId: 1, nonce: 2 }]);
      await tx.transferByHash(hashOf(1));
      await tx.settledAmong([hashOf(1)]);
      await tx.heldNonces(1, 99_000);
      await tx.bindings(['address-1']);
      await tx.ownersByName(['a']);
      await tx.pendingAfter(99_500, 10);
      const sides: (ListSide[] | undefined)[] = [undefined, [{ fromId: 1 }], [{ toId: 1 }], [{ fromId: 1 }, { toId: 1 }], [{ fromId: 1, toId: 2 }]];
      for (const side of sides) {
        await tx.listTransfers({ limit: 10, before: 50_000, ...(side && { sides: side }) });
        await tx.listTransfers({ limit: 10, before: 50_000, status: 'failed', ...(side && { sides: side }) });
      }
      await tx.takeFromOwners([{ owner: 'a', count: 1 }]);
      await tx.markBroadcast([1], 1);
      await tx.requestExpiry({ uptimeMsMax: 0, blockMsMax: 0 }, 10, 1);
      await tx.requestCancel(1, 1);
      await tx.settleTransfers([settlement]);
      await tx.token('token-1');
      await tx.revokeToken('token-1', 1);
    });
    await store.sharing?.holdLease('work', 'a', 1);
  } finally {
    pg.Client.prototype.query = query;
  }
  return [...sent.values()].filter(({ text }) => /^\s*(select|update|insert|delete)/i.test(text) && !/set_config/.test(text));
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** How each statement runs: planned once for all values, as for a prepared one, or for these values. */
async function plansOf(url: string, statements: readonly Statement[], mode: 'generic' | 'custom'): Promise<[text: string, nodes: Plan[]][]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(PLANNER);
    await client.query(`set plan_cache_mode = force_${mode}_plan`);
    const plans: [string, Plan[]][] = [];
    for (const { text, values } of statements) {
      await client.query(`prepare looked_at as ${text}`);
      const literals = values.map((value) => (value === null ? 'null' : Buffer.isBuffer(value) ? `'\\x${value.toString('hex')}'` : pg.escapeLiteral(String(value))));
      const { rows } = await client.query(`explain (format json) execute looked_at${literals.length === 0 ? '' : `(${literals.join(', ')})`}`);
      await client.query('deallocate looked_at');
      plans.push([text.replaceAll(/\s+/g, ' '), nodesOf(rows[0]['QUERY PLAN'][0].Plan)]);
    }
    return plans;
  } finally {
    await client.end();
  }
}

/** Whether it reads all there is instead of what a bound names. */
function goesThrough(node: Plan): boolean {
  if (node['Node Type'] === 'Seq Scan') return !SINGLE_ROW_TABLES.includes(node['Relation Name'] ?? '');
  return /Index.* Scan/.test(node['Node Type']) && node['Index Cond'] === undefined;
}

onPostgres('PostgreSQL finds rows', (cluster) => {
  describe.each(['a long history', 'empty tables'] as const)('with %s', (state) => {
    let url: string;
    let statements: Statement[];
    beforeAll(async () => {
      url = await cluster().database();
      const store = await openPostgresStore({ url });
      statements = await statementsOf(store);
      await store.close();
      if (state === 'a long history') await cluster().query(HISTORY, new URL(url).pathname.slice(1));
    }, CLUSTER_TIMEOUT_MS);

    test.each(['generic', 'custom'] as const)('by an index and never by going through a table or a whole index, in a %s plan', async (mode) => {
      const plans = await plansOf(url, statements, mode);
      expect(plans.length).toBeGreaterThan(25);
      for (const [text, nodes] of plans) expect({ text, through: nodes.filter(goesThrough) }).toEqual({ text, through: [] });
    });

    test('that it changes by their key; what ages has its own index', async () => {
      for (const [text, nodes] of await plansOf(url, statements, 'generic')) {
        if (!text.startsWith('update transfers')) continue;
        const indexes = nodes.flatMap((node) => node['Index Name'] ?? []);
        expect({ text, other: indexes.filter((name) => !['transfers_pkey', 'transfers_ageing'].includes(name)) }).toEqual({ text, other: [] });
        expect(indexes.length).toBeGreaterThan(0);
      }
    });
  });
});

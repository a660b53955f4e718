/** That the rows which `npm run bench:growth` fills a database with are those that the gateway would have written, and that its work runs on them. */
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { sha256 } from '../../../server/engine/encoding/index.ts';
import { encodeAddress } from '../../../server/ledger/index.ts';
import { openPostgresStore } from '../../../server/store/index.ts';
import { shardOf } from '../../../server/store/shards.ts';
import { testGenesis } from '../../ledger/support.ts';
import { onPostgres } from '../../store/support/stores.ts';
import { CLUSTER_TIMEOUT_MS } from '../../support/postgres.ts';
import { fill, hashOfRow, standingOf } from '../growth/fill.ts';
import { GROUP, GrownStore, READ_NAMES } from '../growth/work.ts';

const ROWS = 2000;
const ACCOUNTS = 400;
const GROUPS = 4;
const INDEXES =
  "select c.relname, pg_get_indexdef(c.oid) as definition, c.reloptions from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = 'transfers'::regclass order by 1";

onPostgres('A history made inside PostgreSQL', (cluster) => {
  const genesis = testGenesis({
    accounts: Array.from({ length: ACCOUNTS }, (_, i) => ({
      address: encodeAddress(sha256(Buffer.from(`account ${i}`)), 'txlt'),
      balance: 10n ** 12n,
    })),
  });

  test(
    'is one that the gateway could have written, with the indexes of the migrations, and takes its work',
    async () => {
      const [migrated, url] = [await cluster().database(), await cluster().database()];
      await (await openPostgresStore({ url: migrated })).close();
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        await fill(url, client, genesis, ROWS, () => undefined);
        const name = new URL(migrated).pathname.slice(1);
        expect((await client.query(INDEXES)).rows).toEqual(await cluster().query(INDEXES, name));

        const { rows } = await client.query<{
          seq: string;
          hash: Buffer;
          address: string;
          nonce: string;
          height: string;
        }>(
          'select t.seq, t.hash, a.address, t.nonce, t.height from transfers t join accounts a on a.id = t.from_id order by t.seq',
        );
        expect(rows.map(({ hash }) => hash.toString('hex').toUpperCase())).toEqual(
          Array.from({ length: ROWS }, (_, row) => hashOfRow(row)),
        );
        expect(rows.filter(({ seq, address }) => Number(seq) % 16 !== shardOf(address, 16))).toEqual([]);
        const next = new Map<string, number>();
        for (const { address, nonce } of rows) {
          expect(Number(nonce)).toBe(next.get(address) ?? 0);
          next.set(address, Number(nonce) + 1);
        }
        const { rows: events } = await client.query<{ seq: string; height: string }>(
          'select seq, height from events order by height, idx',
        );
        expect(events).toEqual(rows.map(({ seq, height }) => ({ seq, height })));

        const standing = await standingOf(client, ROWS);
        expect(standing.nonces).toEqual(standing.addresses.map((address) => next.get(address) ?? 0));
        const store = await openPostgresStore({ url });
        try {
          const grown = new GrownStore(store, standing);
          for (let i = 0; i < GROUPS; i++) await grown.accept();
          await grown.cancel();
          await grown.settle();
          for (const what of READ_NAMES) await grown.read(what);
          const { rows: counted } = await client.query<{ settled: string; pending: string }>(
            'select (select count(*) from transfers) as settled, (select count(*) from pending) as pending',
          );
          expect(counted).toEqual([{ settled: String(ROWS + GROUPS * GROUP), pending: '0' }]);
        } finally {
          await store.close();
        }
      } finally {
        await client.end();
      }
    },
    CLUSTER_TIMEOUT_MS,
  );
});

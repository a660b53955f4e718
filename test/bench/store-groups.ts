/**
 * What a group of accepted transfers costs the store: SQLite and PostgreSQL on this machine, in turns.
 *
 *   node test/bench/store-groups.ts [groups]
 *
 * Everything but the signatures is the gateway's own: lock, load, judge, write, one durable commit.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptGroup } from '../../server/gateway/accept/accept-group.ts';
import type { Store } from '../../server/store/index.ts';
import { openPostgresStore, openSqliteStore } from '../../server/store/index.ts';
import { accepting, initialise, submission } from '../store/support/accepting.ts';
import { POSTGRES_MISSING, PostgresCluster } from '../support/postgres.ts';

const SIZES = [1, 100];
const SENDERS = 10;
/** A sender's nonces reach 1,024 ahead, so each size gets a share of them. */
const TRANSFERS_MAX = 5000;

const groups = Number(process.argv[2] ?? 50);

/** Milliseconds for each group, in the order of their sizes. */
async function measure(store: Store, size: number, firstNonce: number): Promise<number[]> {
  const count = Math.min(groups, Math.floor(TRANSFERS_MAX / size));
  const times: number[] = [];
  for (let group = 0; group < count; group++) {
    const wanted = Array.from({ length: size }, (_, i) => {
      const transfer = group * size + i;
      return submission(transfer % SENDERS, firstNonce + Math.floor(transfer / SENDERS));
    });
    const startMs = performance.now();
    const { accepted } = await acceptGroup(accepting(store), wanted);
    times.push(performance.now() - startMs);
    if (accepted.length !== size) throw new Error(`accepted ${accepted.length} of ${size}`);
  }
  return times.sort((a, b) => a - b);
}

const at = (times: readonly number[], share: number): string => (times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(2);

if (POSTGRES_MISSING !== undefined) throw new Error(POSTGRES_MISSING);
const folder = mkdtempSync(join(tmpdir(), 'txledger-store-groups-'));
const cluster = await PostgresCluster.start();
try {
  const stores: [string, Store][] = [
    ['SQLite', await openSqliteStore({ path: join(folder, 'gateway.db') })],
    ['PostgreSQL', await openPostgresStore({ url: await cluster.database() })],
  ];
  for (const [, store] of stores) await initialise(store);
  for (const [index, size] of SIZES.entries()) {
    for (const [name, store] of stores) {
      const times = await measure(store, size, index * (TRANSFERS_MAX / SENDERS));
      console.log(`${name.padEnd(11)} group of ${String(size).padStart(3)}: median ${at(times, 0.5)} ms, 95th percentile ${at(times, 0.95)} ms (${times.length} groups)`);
    }
  }
  for (const [, store] of stores) await store.close();
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}

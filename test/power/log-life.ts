/**
 * A life of log.db without a server: `node test/power/log-life.ts FOLDER PORT APPENDS TREE` appends, drops and makes checkpoints, and says each time over a
 * connection what must be there from then on. log-cuts.ts records it.
 */
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as LogModule from '../../server/log/sqlite-log.ts';

export const CHAIN = { chainId: 'log-life', genesisHash: 'CD'.repeat(32) };
const BYTES_MAX = 12_000;
const DROP_EACH = 40;
const KEPT = 60;
const CHECKPOINT_EACH = 25;

/** The bytes of an entry follow from its number. */
export function entryOf(seq: number): Buffer {
  const seed = createHash('sha256').update(String(seq)).digest();
  const bytes = Buffer.alloc(1 + (seed.readUInt32BE() % BYTES_MAX), seed);
  bytes[0] = 1;
  return bytes;
}

if (process.argv[1] === import.meta.filename) {
  const [folder = '', port, appends, tree = ''] = process.argv.slice(2);
  const url = pathToFileURL(path.join(tree, 'server/log/sqlite-log.ts')).href;
  const { SqliteLog } = (await import(url)) as typeof LogModule;
  const told = connect(Number(port), '127.0.0.1');
  await once(told, 'connect');
  told.setNoDelay(true);
  const log = SqliteLog.open({ path: path.join(folder, 'log.db'), chain: CHAIN });
  let place = log.head();
  while (place.seq < Number(appends)) {
    const appended = log.append(place, entryOf(place.seq + 1));
    if (appended.outcome !== 'durable') throw new Error(`an append was ${appended.outcome}`);
    ({ place } = appended);
    // Small enough that it goes out at once.
    told.write(`durable ${place.seq}\n`);
    if (place.seq % DROP_EACH === 0) {
      told.write(`dropped ${place.seq - KEPT}\n`);
      while (log.drop(place.seq - KEPT) === 'more');
    }
    if (place.seq % CHECKPOINT_EACH === 0) log.checkpoint();
    if (place.seq % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  log.close();
  told.end();
}

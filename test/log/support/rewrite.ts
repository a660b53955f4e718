/** Changes log.db as something else than this program would. */
import Database from 'better-sqlite3';
import { entryHash } from '../../../server/log/log.ts';
import { GROUP } from '../../../server/store/embedded/chain-log.ts';

/** Puts `change` of its text into the first entry of a kind, of groups by default. `forged`: with hashes that fit again, as who knows the format would make them. */
export function rewriteFirst(
  file: string,
  change: (text: string) => string,
  { forged, kind = GROUP }: { forged: boolean; kind?: number },
): void {
  const sql = new Database(file);
  const rows = sql.prepare<[], [number, Buffer, Buffer]>('SELECT seq, hash, bytes FROM log ORDER BY seq').raw().all();
  let [, previous] = rows[0] as [number, Buffer, Buffer];
  const first = rows.findIndex(([seq, , bytes]) => seq > 0 && bytes[1] === kind);
  for (const [index, [seq, hash, bytes]] of rows.entries()) {
    if (seq === 0) continue;
    const text = bytes.subarray(2).toString();
    const changed = index === first ? Buffer.concat([bytes.subarray(0, 2), Buffer.from(change(text))]) : bytes;
    if (index === first && changed.equals(bytes)) throw new Error('nothing was changed');
    const fitting = forged ? entryHash(previous, seq, changed) : hash;
    sql.prepare('UPDATE log SET hash = ?, bytes = ? WHERE seq = ?').run(fitting, changed, seq);
    previous = fitting;
  }
  sql.close();
}

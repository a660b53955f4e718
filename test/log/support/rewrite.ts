/** Changes log.db as something else than this program would. */
import Database from 'better-sqlite3';
import { entryHash } from '../../../server/log/log.ts';

/** Puts `change` of its text into the first group. `forged`: with hashes that fit again, as who knows the format would make them. */
export function rewriteFirstGroup(
  file: string,
  change: (text: string) => string,
  { forged }: { forged: boolean },
): void {
  const sql = new Database(file);
  const rows = sql.prepare<[], [number, Buffer, Buffer]>('SELECT seq, hash, bytes FROM log ORDER BY seq').raw().all();
  let [, previous] = rows[0] as [number, Buffer, Buffer];
  for (const [index, [seq, hash, bytes]] of rows.slice(1).entries()) {
    const text = bytes.subarray(2).toString();
    const changed = index === 0 ? Buffer.concat([bytes.subarray(0, 2), Buffer.from(change(text))]) : bytes;
    if (index === 0 && changed.equals(bytes)) throw new Error('nothing was changed');
    const fitting = forged ? entryHash(previous, seq, changed) : hash;
    sql.prepare('UPDATE log SET hash = ?, bytes = ? WHERE seq = ?').run(fitting, changed, seq);
    previous = fitting;
  }
  sql.close();
}

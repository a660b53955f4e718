/** The lines of the log output that say where the log and the audit trail end. */
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { sayChainHeads } from '../../server/app/chain-heads.ts';
import { accessWriter } from '../../server/store/embedded/admin.ts';
import { openChainDatabase, writing } from '../../server/store/embedded/connection.ts';
import { ManualClock } from '../gateway/support/manual-clock.ts';
import { removeTemporaryFolders, temporaryFolder } from './support.ts';

const HOUR_MS = 3_600_000;
afterEach(removeTemporaryFolders);

test('one at the start, one an hour, one at the end, and none after it; a read that fails costs one of them', async () => {
  const sql = openChainDatabase({ path: path.join(await temporaryFolder('heads'), 'chain.db') });
  const clock = new ManualClock(0);
  const said: object[] = [];
  const warned: object[] = [];
  let seq = 0;
  const heads = sayChainHeads({
    sql,
    lastEntry: () => ({ seq, hash: Buffer.alloc(32, seq) }),
    clock,
    logger: { info: (fields) => void said.push(fields), warn: (fields) => void warned.push(fields) },
  });
  expect(said).toEqual([{ logSeq: 0, logHash: '00'.repeat(32), auditId: 0, auditHash: '00'.repeat(32) }]);
  seq = 7;
  writing(sql, () =>
    accessWriter(sql)([
      ['appendAudit', [{ atMs: 1, actor: 'a', action: 'server.start', subject: 'host', details: {} }]],
    ]),
  );
  await clock.advance(HOUR_MS - 1);
  expect(said).toHaveLength(1);
  await clock.advance(1);
  const auditHash = (sql.prepare('SELECT hash FROM audit').pluck().get() as Buffer).toString('hex').toUpperCase();
  const now = { logSeq: 7, logHash: '07'.repeat(32), auditId: 1, auditHash };
  expect(said.slice(1)).toEqual([now]);
  sql.exec('ALTER TABLE audit RENAME TO away');
  await clock.advance(HOUR_MS);
  expect([said.length, warned.length]).toEqual([2, 1]);
  sql.exec('ALTER TABLE away RENAME TO audit');
  await clock.advance(HOUR_MS);
  expect(said.slice(2)).toEqual([now]);
  heads.stop();
  expect(said.slice(3)).toEqual([now]);
  await clock.advance(3 * HOUR_MS);
  expect(said).toHaveLength(4);
  sql.close();
});

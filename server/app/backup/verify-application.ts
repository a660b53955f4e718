/** Verifies an app.db: the hash of its accounts must equal the recorded one. The blocks are the node's. @module */
import { existsSync } from 'node:fs';
import { checkAppState } from '../../engine/cometbft/app/sqlite-app-check.ts';
import { openReadOnly } from '../../store/sqlite/library.ts';
import { StoreDamagedError } from '../../store/errors.ts';
import type { Verifier } from './verifier.ts';

export const verifyApplication: Verifier = async ({ files }) => {
  const { height, accounts } = checkAppState(files.app);
  for (const file of [files.app, files.snapshots]) {
    if (!existsSync(file)) continue;
    const sql = openReadOnly(file);
    try {
      const found = sql.prepare('PRAGMA integrity_check(1)').pluck().get();
      if (found !== 'ok') throw new StoreDamagedError(`${file} is damaged: ${String(found)}`);
    } finally {
      sql.close();
    }
  }
  return [`${accounts} accounts, which give the application hash of height ${height}`];
};

/**
 * An attacker who had the operator's terminal for a minute makes a token, binds an address, revokes the token, and then has the database
 * file: the trail must record what they did, and no statement may change or remove it.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { checkoutOfArguments, PAYEE, report, Target } from './target.ts';

const ATTEMPTS = [
  "update audit set actor = 'user:nobody@nowhere'",
  "update audit set details = '{}' where action = 'token.create'",
  'delete from audit',
  'delete from audit where id > 1',
  "insert or replace into audit (id, at_ms, actor, action, subject, details) values (1, 1, 'a', 'b', 'c', '{}')",
];

const target = await Target.start({ command: 'serve', checkout: checkoutOfArguments() });
try {
  const token = await target.txledger('token', 'create', '--owner', 'thief', '--scope', 'transactions:cancel-any');
  await target.txledger('address', 'bind', PAYEE.address, '--owner', 'thief');
  await target.txledger('token', 'revoke', token.split('_')[1] as string);

  // A build before chain.db kept the trail in gateway.db.
  const file = ['chain.db', 'gateway.db']
    .map((name) => path.join(target.dataDir, name))
    .find((each) => existsSync(each));
  const database = new Sqlite(file);
  const rows = (): string[] => {
    try {
      return database.prepare('select action from audit order by id').pluck().all() as string[];
    } catch {
      return []; // a build without a trail
    }
  };
  const before = rows();
  let succeeded = 0;
  for (const attempt of ATTEMPTS) {
    try {
      database.exec(attempt);
      succeeded += 1;
    } catch {
      // Refused.
    }
  }
  const kept = JSON.stringify(rows()) === JSON.stringify(before);
  database.close();
  const recorded = ['server.start', 'token.create', 'address.bind', 'token.revoke'].filter((action) =>
    before.includes(action),
  ).length;
  report('audit-trail', target, recorded === 4 && succeeded === 0 && kept, {
    actions: 4,
    recorded,
    attempts: ATTEMPTS.length,
    succeeded,
    kept,
  });
} finally {
  await target.stop();
}

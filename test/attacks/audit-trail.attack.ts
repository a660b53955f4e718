/**
 * An attacker who had the operator's terminal for a minute makes a token, binds an address, revokes the token, and then has the database
 * file: the trail must record what they did, and no statement may change or remove it. Strangers at many addresses send what is refused meanwhile: not
 * one row of the trail may come of it, in which the others would be hidden.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { ADDRESSES, Client, floodFrom } from './load.ts';
import { checkoutOfArguments, PAYEE, report, Target } from './target.ts';

const ATTEMPTS = [
  "update audit set actor = 'user:nobody@nowhere'",
  "update audit set details = '{}' where action = 'token.create'",
  'delete from audit',
  'delete from audit where id > 1',
  "insert or replace into audit (id, at_ms, actor, action, subject, details) values (1, 1, 'a', 'b', 'c', '{}')",
];

/** Of each address: with a token that does not exist, with one that was revoked, and without. */
const REFUSED_EACH = 60;

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
  const atFirst = rows();
  const strangers = Client.attackers(target, 2);
  const refused = await floodFrom(strangers, REFUSED_EACH, 2, (index) => {
    const made = `txl_${randomBytes(8).toString('hex')}_${randomBytes(32).toString('hex')}`;
    const authorization = `Bearer ${index % 3 === 0 ? token : made}`;
    return {
      method: 'DELETE',
      path: `/transactions/${randomBytes(32).toString('hex').toUpperCase()}`,
      headers: index % 3 === 2 ? {} : { authorization },
    };
  });
  for (const stranger of strangers) stranger.close();

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
  const held =
    recorded === 4 &&
    before.length === atFirst.length &&
    Object.keys(refused).join() === '401' &&
    succeeded === 0 &&
    kept;
  report('audit-trail', target, held, {
    actions: 4,
    recorded,
    rowsOfRefusals: before.length - atFirst.length,
    addresses: ADDRESSES,
    refused,
    attempts: ATTEMPTS.length,
    succeeded,
    kept,
  });
} finally {
  await target.stop();
}

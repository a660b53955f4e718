/**
 * Checks that tokens, bindings and the audit trail are complete. No block contains anything of them; but the trail has no gaps, and every
 * token and binding that it names exists.
 */
import { type ChainContext, parseAddress } from '../../ledger/index.ts';
import { StoreDamagedError } from '../errors.ts';
import type { SqliteConnection } from '../sqlite/library.ts';

const SECRET_HASH_BYTES = 32;

interface TokenRow {
  id: string;
  secret: Uint8Array;
  owner: string;
  scopes: string;
}

/** The tables have the same names on a chain.db and on a gateway.db. Throws StoreDamagedError. */
export function checkAccess(sql: SqliteConnection, chain: Pick<ChainContext, 'addressPrefix'>): void {
  const [count, first, last] = sql
    .prepare('SELECT count(*), coalesce(min(id), 1), coalesce(max(id), 0) FROM audit')
    .raw()
    .get() as [number, number, number];
  if (first !== 1 || last !== count)
    throw new StoreDamagedError(`the audit trail has ${count} entries from ${first} to ${last}: some were removed`);
  for (const { id, secret, owner, scopes } of sql
    .prepare('SELECT id, secret_sha256 AS secret, owner, scopes FROM tokens')
    .iterate() as Iterable<TokenRow>) {
    if (!/^[A-Za-z0-9]+$/.test(id) || secret.length !== SECRET_HASH_BYTES || owner === '' || !isTextList(scopes))
      throw new StoreDamagedError(`the token ${JSON.stringify(id)} is not one that this program wrote`);
  }
  const lost = sql
    .prepare(
      `SELECT id AS entry, made AS subject FROM
         (SELECT id, CASE action WHEN 'token.create' THEN subject ELSE json_extract(details, '$.madeId') END AS made FROM audit WHERE action IN ('token.create', 'token.rotate'))
       WHERE NOT EXISTS (SELECT 1 FROM tokens t WHERE t.id = made) LIMIT 1`,
    )
    .get() as { entry: number; subject: string } | undefined;
  if (lost !== undefined)
    throw new StoreDamagedError(
      `the audit trail says in entry ${lost.entry} that the token ${lost.subject} was made, and it is not there`,
    );
  for (const { address, owner } of sql.prepare('SELECT address, owner FROM address_bindings').iterate() as Iterable<{
    address: string;
    owner: string;
  }>) {
    const change = sql
      .prepare(
        "SELECT action FROM audit WHERE subject = ? AND action IN ('address.bind', 'address.unbind') ORDER BY id DESC LIMIT 1",
      )
      .pluck()
      .get(address);
    if (!parseAddress(address, chain.addressPrefix).ok || owner === '' || change !== 'address.bind')
      throw new StoreDamagedError(
        `the address ${JSON.stringify(address)} is bound to ${JSON.stringify(owner)}, and the audit trail does not say so`,
      );
  }
  const unbound = sql
    .prepare(
      `SELECT a.subject FROM audit a WHERE a.action = 'address.bind' AND NOT EXISTS (SELECT 1 FROM address_bindings b WHERE b.address = a.subject)
       AND NOT EXISTS (SELECT 1 FROM audit u WHERE u.action = 'address.unbind' AND u.subject = a.subject AND u.id > a.id) LIMIT 1`,
    )
    .pluck()
    .get();
  if (unbound !== undefined)
    throw new StoreDamagedError(`the audit trail says that the address ${String(unbound)} was bound, and it is not`);
}

function isTextList(text: string): boolean {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((each) => typeof each === 'string');
  } catch {
    return false;
  }
}

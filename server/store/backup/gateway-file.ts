/** Counts of a gateway.db. */
import { type SqliteConnection } from '../sqlite/library.ts';
import {
  countsSql,
  type CountsRow,
  FOLLOWER_SQL,
  type FollowerRow,
  gatewayFacts,
  type GatewayFacts,
} from './gateway-tables.ts';

/** Undefined for a database that has followed no chain yet. */
export function factsOfGateway(sql: SqliteConnection): GatewayFacts | undefined {
  const has = (table: string): boolean =>
    sql.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
  if (!has('follower')) return undefined;
  const follower = sql.prepare(FOLLOWER_SQL).get() as FollowerRow | undefined;
  if (follower === undefined) return undefined;
  let supply = 0n;
  for (const balance of sql
    .prepare('SELECT balance FROM accounts WHERE on_chain = 1')
    .pluck()
    .iterate() as Iterable<string>)
    supply += BigInt(balance);
  return gatewayFacts(
    follower,
    sql.prepare(countsSql({ webhooks: has('webhooks'), pending: has('pending') })).get() as CountsRow,
    supply,
  );
}

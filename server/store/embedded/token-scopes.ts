/** Scopes of one token, read without changing chain.db. */
import type { Scope } from '../../gateway/types.ts';
import type { ChainConnection } from './connection.ts';

/** Undefined where there is no such token, and in a file that no version has finished making. */
export function tokenScopes(sql: ChainConnection, id: string): readonly Scope[] | undefined {
  if (sql.pragma('user_version', { simple: true }) === 0) return undefined;
  const scopes = sql.prepare<[string], string>('SELECT scopes FROM tokens WHERE id = ?').pluck().get(id);
  return scopes === undefined ? undefined : (JSON.parse(scopes) as Scope[]);
}

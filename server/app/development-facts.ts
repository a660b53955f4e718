/**
 * Facts of a development start for its user, in dev.json and on the terminal: the accounts, the addresses and a token.
 *
 * @module
 */
import { readToken } from '../gateway/access/token-text.ts';
import type { Administration, Scope } from '../gateway/index.ts';
import { DEVELOPMENT_CHAIN_ID, developmentAccounts } from './dev-accounts.ts';
import { keepDevelopmentFile, readDevelopmentFile, urlsOf, type DevelopmentFile } from './dev-file.ts';

/** Every scope but that for cancelling the transfers of others, which is an operator's right. */
const DEVELOPMENT_SCOPES: readonly Scope[] = [
  'transactions:read',
  'transactions:write',
  'rpc:broadcast',
  'webhooks:manage',
];
const DEVELOPMENT_OWNER = 'dev';

/**
 * Keeps dev.json, and makes the token when it does not exist yet.
 * @param options.file the path of dev.json.
 * @param options.onDatabase runs its argument on the database of the gateway.
 */
export async function keepDevelopmentFacts(options: {
  file: string;
  host: string;
  /** With 0 the free port is known once the service listens, and the file is written only then. */
  port: number;
  scheme?: 'http' | 'https';
  onDatabase: (work: (access: Administration) => Promise<string>) => Promise<string>;
  /** Returns the scopes of a token, without opening the database for writing; undefined if they cannot be read. */
  scopesOf?: (tokenId: string) => readonly Scope[] | undefined;
}): Promise<DevelopmentFile> {
  const { file, host, port, scheme, onDatabase, scopesOf } = options;
  const kept = readDevelopmentFile(file)?.token;
  const id = kept === undefined ? undefined : readToken(kept)?.id;
  const known = id === undefined ? undefined : scopesOf?.(id);
  const token =
    kept !== undefined && known !== undefined && DEVELOPMENT_SCOPES.every((scope) => known.includes(scope))
      ? kept
      : await onDatabase(async (access) => {
          if (kept === undefined)
            return (await access.createToken({ owner: DEVELOPMENT_OWNER, scopes: DEVELOPMENT_SCOPES })).token;
          // A token that an earlier version made gets the scopes that this version adds.
          if (id !== undefined) await access.extendToken(id, DEVELOPMENT_SCOPES);
          return kept;
        });
  const facts = {
    ...urlsOf(host, port, scheme),
    chainId: DEVELOPMENT_CHAIN_ID,
    token,
    accounts: developmentAccounts(),
  };
  if (port !== 0) keepDevelopmentFile(file, facts);
  return facts;
}

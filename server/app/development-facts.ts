/**
 * What a development start tells its user, in dev.json and on the terminal: the accounts, the addresses and a token.
 *
 * @module
 */
import type { Administration, Scope } from '../gateway/index.ts';
import { DEVELOPMENT_CHAIN_ID, developmentAccounts } from './dev-accounts.ts';
import { keepDevelopmentFile, readDevelopmentFile, urlsOf, type DevelopmentFile } from './dev-file.ts';

/** Everything but cancelling what others submitted, which is an operator's right. */
const DEVELOPMENT_SCOPES: readonly Scope[] = ['transactions:read', 'transactions:write', 'rpc:broadcast'];
const DEVELOPMENT_OWNER = 'dev';

/**
 * Keeps dev.json, and makes the token when there is none yet.
 * @param options.file the path of dev.json.
 * @param options.onDatabase runs its argument on the database of the gateway.
 */
export async function keepDevelopmentFacts(options: {
  file: string;
  host: string;
  port: number;
  scheme?: 'http' | 'https';
  onDatabase: (work: (access: Administration) => Promise<string>) => Promise<string>;
}): Promise<DevelopmentFile> {
  const { file, host, port, scheme, onDatabase } = options;
  const token =
    readDevelopmentFile(file)?.token ??
    (await onDatabase(async (access) => {
      const created = await access.createToken({ owner: DEVELOPMENT_OWNER, scopes: DEVELOPMENT_SCOPES });
      return created.token;
    }));
  const facts = { ...urlsOf(host, port, scheme), chainId: DEVELOPMENT_CHAIN_ID, token, accounts: developmentAccounts() };
  keepDevelopmentFile(file, facts);
  return facts;
}

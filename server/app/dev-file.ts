/**
 * DATA_DIR/dev.json: everything a program on this machine needs to use the development chain.
 *
 * @module
 */
import { existsSync, readFileSync } from 'node:fs';
import { createSecretFile, writeSecretFile } from './secret-file.ts';
import type { DevelopmentAccount } from './dev-accounts.ts';
import { StartError } from './start-error.ts';

export interface DevelopmentFile {
  /** Base URL of the API, without a slash at the end. */
  baseUrl: string;
  rpcUrl: string;
  chainId: string;
  /** Every scope but `transactions:cancel-any`, no expiry. */
  token: string;
  accounts: DevelopmentAccount[];
}

/** @returns undefined when the file is missing. @throws StartError when it exists but cannot be used. */
export function readDevelopmentFile(file: string): DevelopmentFile | undefined {
  if (!existsSync(file)) return undefined;
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StartError(
      `${file} cannot be read as the JSON that a development start writes (${(error as Error).message}). ${REMEDY}`,
    );
  }
  if (!isDevelopmentFile(content))
    throw new StartError(`${file} is not the file that a development start writes. ${REMEDY}`);
  return content;
}

const REMEDY =
  'Remove it and run `npm start` again: it is made again, with a new token; the chain and its accounts stay.';

function isDevelopmentFile(content: unknown): content is DevelopmentFile {
  const texts = (from: unknown, ...names: string[]): boolean =>
    typeof from === 'object' &&
    from !== null &&
    names.every((name) => typeof (from as Record<string, unknown>)[name] === 'string');
  if (!texts(content, 'token', 'baseUrl', 'rpcUrl', 'chainId')) return false;
  const { baseUrl, accounts } = content as DevelopmentFile;
  return (
    URL.canParse(baseUrl) &&
    Array.isArray(accounts) &&
    accounts.every((account) => texts(account, 'name', 'address', 'seed'))
  );
}

/** The address at which this machine reaches a server that listens on every address. */
const LOOPBACK_OF: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export function urlsOf(
  listensOn: string,
  port: number,
  scheme: 'http' | 'https' | undefined = 'http',
): Pick<DevelopmentFile, 'baseUrl' | 'rpcUrl'> {
  const host = LOOPBACK_OF[listensOn] ?? listensOn;
  const baseUrl = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { baseUrl, rpcUrl: `${baseUrl}/rpc` };
}

/**
 * Writes the file if it is missing or if the addresses changed. Restarts on the same HOST and PORT keep it byte for byte; another PORT
 * changes only the two URLs, because readers of the old ones would reach no server.
 */
export function keepDevelopmentFile(file: string, content: DevelopmentFile): void {
  const existing = readDevelopmentFile(file);
  if (existing?.baseUrl === content.baseUrl && existing.rpcUrl === content.rpcUrl) return;
  const text = (written: DevelopmentFile): string => `${JSON.stringify(written, undefined, 2)}\n`;
  if (existing === undefined) createSecretFile(file, text(content));
  else writeSecretFile(file, text({ ...existing, baseUrl: content.baseUrl, rpcUrl: content.rpcUrl }));
}

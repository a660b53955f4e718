/**
 * The part of the configuration that says which engine stands behind the gateway, and what only one of them has: the
 * embedded engine makes blocks by itself and keeps everything in DATA_DIR; with `cometbft` the nodes make them, and a
 * PostgreSQL database lets several gateways share one list.
 *
 * A variable of the other engine is refused by name: silence would look like obedience.
 *
 * @module
 */
import type { ConfigReader, Environment } from './config-reader.ts';

export type EngineName = 'embedded' | 'cometbft';

export interface EngineConfig {
  engine: EngineName;
  /** Of the embedded engine; undefined where the nodes decide. */
  blockIntervalMs: number | undefined;
  /** Base URLs of the nodes' RPC, without a slash at the end; of those equally far the first answers reads. Empty with the embedded engine. */
  nodeUrls: readonly string[];
  /** The shared database; undefined when the gateway keeps an SQLite file in DATA_DIR. It holds a password. */
  databaseUrl: string | undefined;
}

/** More addresses than any set of validators that one would name by hand. */
export const NODE_URLS_MAX = 32;

/** Variables of `txledger app`. A server passes over them: on many machines both read one file of variables. */
export const APP_VARIABLES = ['ABCI_LISTEN', 'TXLEDGER_SNAPSHOT_INTERVAL', 'TXLEDGER_CHAIN_ID'] as const;

export const DATABASE_URL_EXPECTED = 'a URL such as postgres://user:password@host:5432/database';

/** @returns the URL without the slash at its end; undefined for one with a password, which no node asks for, or with a query. */
function parseNodeUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, search, hash } = new URL(text);
  const plain = (protocol === 'http:' || protocol === 'https:') && !username && !password && !search && !hash;
  return plain ? text.replace(/\/+$/, '') : undefined;
}

function parseNodeUrls(text: string): readonly string[] | undefined {
  const urls = text.split(',').map((item) => parseNodeUrl(item.trim()));
  const good = urls.filter((url) => url !== undefined);
  const distinct = new Set(good).size === urls.length;
  return distinct && urls.length <= NODE_URLS_MAX ? good : undefined;
}

/** @returns the text itself: what stands behind the database's name belongs to the driver. */
export function parseDatabaseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, pathname } = new URL(text);
  return (protocol === 'postgres:' || protocol === 'postgresql:') && hostname !== '' && pathname.length > 1 ? text : undefined;
}

/** The URL as it may be shown. */
export function withoutPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  if (url.password) url.password = '***';
  // A password may also stand among the driver's parameters.
  if (url.searchParams.has('password')) url.searchParams.set('password', '***');
  return url.href;
}

/** For commands that need nothing else of the configuration. @returns undefined when it is unset, and `{ ok: false }` when it is none. */
export function databaseUrlOf(env: Environment): { ok: true; url: string } | { ok: false } | undefined {
  const given = env['DATABASE_URL']?.trim();
  if (!given) return undefined;
  const url = parseDatabaseUrl(given);
  return url === undefined ? { ok: false } : { ok: true, url };
}

function refuse(read: ConfigReader, name: string, because: string): void {
  if (read.text(name) !== undefined) read.fault(name, `nothing: ${because}`);
}

/** @param interval bounds and default of BLOCK_INTERVAL_MS. */
export function readEngine(
  read: ConfigReader,
  options: { development: boolean; interval: { min: number; max: number; fallback: number } },
): EngineConfig {
  const { development, interval } = options;
  const engine = read.oneOf<EngineName>('ENGINE', ['embedded', 'cometbft'], 'embedded');
  const databaseUrl = read.value<string | undefined>('DATABASE_URL', parseDatabaseUrl, DATABASE_URL_EXPECTED, undefined);
  if (engine === 'embedded') {
    const blockIntervalMs = read.integer('BLOCK_INTERVAL_MS', { min: interval.min, max: interval.max, unit: 'milliseconds' }, interval.fallback);
    refuse(read, 'COMETBFT_RPC_URL', 'the embedded engine has no nodes; they belong to ENGINE=cometbft');
    if (databaseUrl !== undefined) refuse(read, 'DATABASE_URL', 'the embedded engine keeps its data in SQLite files in DATA_DIR; PostgreSQL belongs to ENGINE=cometbft');
    return { engine, blockIntervalMs, nodeUrls: [], databaseUrl: undefined };
  }
  if (development) read.fault('ENGINE', 'embedded: `start` runs a chain in one process; `npm run localnet` runs a network of nodes on one machine, `serve` a gateway of your own');
  refuse(read, 'BLOCK_INTERVAL_MS', 'with ENGINE=cometbft the nodes decide when they make a block (timeout_commit in their config.toml)');
  const nodesExpected = `1 to ${NODE_URLS_MAX} different http or https URLs of CometBFT nodes, comma-separated, without user or password, such as http://127.0.0.1:26657`;
  const nodeUrls = read.value('COMETBFT_RPC_URL', parseNodeUrls, nodesExpected, []);
  if (read.text('COMETBFT_RPC_URL') === undefined) read.fault('COMETBFT_RPC_URL', nodesExpected);
  return { engine, blockIntervalMs: undefined, nodeUrls, databaseUrl };
}

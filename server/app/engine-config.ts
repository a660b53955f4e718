/**
 * The part of the configuration that selects the engine behind the gateway, and the settings that only one engine has: the embedded engine
 * makes blocks itself and keeps everything in DATA_DIR; with `cometbft` the nodes make them, and several gateways can share one PostgreSQL
 * database.
 *
 * A variable of the other engine is refused by name: ignored silently, it would seem to have an effect.
 *
 * @module
 */
import { asksForPrimary, asksForRole, hostUrls, withAllHosts } from '../store/postgres/host-urls.ts';
import type { ConfigReader } from './config-reader.ts';
import { isLoopback } from './loopback.ts';

export const ENGINES = ['embedded', 'cometbft'] as const;
export type EngineName = (typeof ENGINES)[number];

export interface EngineConfig {
  engine: EngineName;
  /** Only of the embedded engine; undefined with CometBFT, whose nodes decide. */
  blockIntervalMs: number | undefined;
  /**
   * Interval of empty blocks of an idle chain. Over a network it is the value that the nodes are configured with
   * (create_empty_blocks_interval).
   */
  idleBlockIntervalS: number;
  /**
   * Base URLs of the nodes' RPC, without a slash at the end. Of several equally near nodes the first one answers reads. Empty with the
   * embedded engine.
   */
  nodeUrls: readonly string[];
  /** The shared database; undefined when the gateway keeps an SQLite file in DATA_DIR. It holds a password. */
  databaseUrl: string | undefined;
  /** Replicas of it that settled transfers may be read from; undefined when all are read from the primary. It holds a password. */
  readDatabaseUrl: string | undefined;
  /** True if the operator allows a database or nodes on another machine whose identity is not verified. */
  insecureDatabase: boolean;
  insecureNodes: boolean;
}

const IDLE_BLOCK_INTERVAL_S_DEFAULT = 60;
/** docs/NETWORK.md has nodes make an empty block every 5 s, and a height may take several rounds. */
const IDLE_BLOCK_INTERVAL_S_NETWORK = 10;
/** A chain that makes no block for longer looks dead to everyone who monitors it. */
const IDLE_BLOCK_INTERVAL_S_MAX = 3600;
const MS_PER_S = 1000;

/** More addresses than any set of validators that is configured by hand. */
export const NODE_URLS_MAX = 32;

/** Variables of `txledger app`. A server ignores them: on many machines both read one file of variables. */
export const APP_VARIABLES = ['ABCI_LISTEN', 'TXLEDGER_SNAPSHOT_INTERVAL', 'TXLEDGER_CHAIN_ID'] as const;

export const DATABASE_URL_EXPECTED =
  'a URL such as postgres://user:password@host:5432/database, or with several hosts postgres://user:password@host1:5432,host2:5432/database?target_session_attrs=read-write';

/** @returns the URL without the slash at its end; undefined for one with a password, which no node requires, or with a query. */
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

const READ_DATABASE_URL_EXPECTED =
  'the replicas of DATABASE_URL in one URL, such as postgres://user:password@host1:5432,host2:5432/database; without target_session_attrs, because each is asked what it is';

/** @returns the text itself: the part after the database's name is interpreted by the driver. */
export const parseDatabaseUrl = (text: string): string | undefined =>
  namesDatabase(text) && asksForPrimary(text) ? text : undefined;

const parseReadDatabaseUrl = (text: string): string | undefined =>
  namesDatabase(text) && !asksForRole(text) ? text : undefined;

function namesDatabase(text: string): boolean {
  const isDatabase = (url: string): boolean => {
    const { hostname, pathname } = new URL(url);
    return hostname !== '' && pathname.length > 1;
  };
  return hostUrls(text)?.every(isDatabase) ?? false;
}

/** Returns one URL for each host. Throws for a URL that parseDatabaseUrl refuses. */
function urlsOf(databaseUrl: string): readonly [URL, ...URL[]] {
  const [first, ...others] = (hostUrls(databaseUrl) ?? [databaseUrl]).map((each) => new URL(each));
  if (first === undefined) throw new TypeError('a database URL has a host');
  return [first, ...others];
}

/** Parameters of the driver that hold no secret. Any other is hidden: it may be a password. */
const SHOWN_PARAMETERS: readonly string[] = [
  'host',
  'port',
  'user',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'application_name',
];

/** Returns the URL in the form that may be shown. */
export function withoutPassword(databaseUrl: string): string {
  const [url] = urlsOf(databaseUrl);
  if (url.password) url.password = '***';
  for (const name of new Set(url.searchParams.keys())) {
    if (!SHOWN_PARAMETERS.includes(name)) url.searchParams.set(name, '***');
  }
  return withAllHosts(databaseUrl, url.href);
}

/** Returns every host that the URL may lead to; a path is a Unix socket. In the driver a parameter `host` overrides the URL's own. */
function hostsOf(databaseUrl: string): string[] {
  return urlsOf(databaseUrl)
    .flatMap(({ hostname, searchParams }) => [hostname, ...searchParams.getAll('host')])
    .map((host) => {
      try {
        return decodeURIComponent(host);
      } catch {
        return host;
      }
    });
}

/**
 * True if a password and every transfer that goes to this database can be read or changed on the way: it is on another machine, and the URL
 * does not set `sslmode=verify-full`, which checks its certificate and its name. The driver takes the last of several values, others the
 * first, so each must be that value; `ssl` would be a second setting of the same.
 */
export function isInsecureDatabase(databaseUrl: string): boolean {
  if (hostsOf(databaseUrl).every((host) => isLoopback(host) || host.startsWith('/'))) return false;
  const [{ searchParams }] = urlsOf(databaseUrl);
  const modes = searchParams.getAll('sslmode');
  return (
    modes.length === 0 ||
    modes.some((mode) => mode !== 'verify-full') ||
    searchParams.has('ssl') ||
    searchParams.has('uselibpqcompat')
  );
}

/** True if answers of a node at this address, or requests to it, can be changed on the way. */
export function isInsecureNode(nodeUrl: string): boolean {
  const { protocol, hostname } = new URL(nodeUrl);
  return protocol !== 'https:' && !isLoopback(hostname);
}

const DATABASE_SECURED =
  'a database on this machine, or one whose certificate is verified: add ?sslmode=verify-full to the URL, and &sslrootcert=FILE where its CA is your own; ' +
  'or TXLEDGER_INSECURE_DATABASE=1 to send the password and every transfer in the clear';

const NODES_SECURED =
  'nodes on this machine or https URLs; or TXLEDGER_INSECURE_NODES=1 to believe anything that answers at these addresses';

/** True if a switch that lowers a protection is set. Only `1` sets it. */
const readConsent = (read: ConfigReader, name: 'TXLEDGER_INSECURE_DATABASE' | 'TXLEDGER_INSECURE_NODES'): boolean =>
  read.oneOf(name, ['1', '0'], '0') === '1';

/**
 * The database of the gateways, for a server, and for commands that need no other part of the configuration.
 * @returns undefined when it is unset, and after a fault.
 */
export function readDatabaseUrl(read: ConfigReader): { databaseUrl: string | undefined; insecureDatabase: boolean } {
  const insecureDatabase = readConsent(read, 'TXLEDGER_INSECURE_DATABASE');
  const databaseUrl = read.value<string | undefined>(
    'DATABASE_URL',
    parseDatabaseUrl,
    DATABASE_URL_EXPECTED,
    undefined,
  );
  if (databaseUrl !== undefined && isInsecureDatabase(databaseUrl) && !insecureDatabase)
    read.fault('DATABASE_URL', DATABASE_SECURED);
  return { databaseUrl, insecureDatabase };
}

/** Undefined when it is unset, and after a fault. */
function readReplicasUrl(
  read: ConfigReader,
  { databaseUrl, insecureDatabase }: Pick<EngineConfig, 'databaseUrl' | 'insecureDatabase'>,
): string | undefined {
  const url = read.value<string | undefined>(
    'TXLEDGER_READ_DATABASE_URL',
    parseReadDatabaseUrl,
    READ_DATABASE_URL_EXPECTED,
    undefined,
  );
  if (url === undefined) return undefined;
  if (isInsecureDatabase(url) && !insecureDatabase) read.fault('TXLEDGER_READ_DATABASE_URL', DATABASE_SECURED);
  if (databaseUrl === undefined && read.text('DATABASE_URL') === undefined)
    read.fault('TXLEDGER_READ_DATABASE_URL', 'nothing without DATABASE_URL, which names the primary of these replicas');
  return url;
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
  const engine = read.oneOf<EngineName>('ENGINE', ENGINES, 'embedded');
  const idleDefault = engine === 'embedded' ? IDLE_BLOCK_INTERVAL_S_DEFAULT : IDLE_BLOCK_INTERVAL_S_NETWORK;
  const idleBlockIntervalS = read.integer(
    'IDLE_BLOCK_INTERVAL_S',
    { min: 1, max: IDLE_BLOCK_INTERVAL_S_MAX, unit: 'seconds' },
    idleDefault,
  );
  if (engine === 'embedded') {
    const blockIntervalMs = read.integer(
      'BLOCK_INTERVAL_MS',
      { min: interval.min, max: interval.max, unit: 'milliseconds' },
      interval.fallback,
    );
    if (idleBlockIntervalS * MS_PER_S < blockIntervalMs)
      read.fault(
        'IDLE_BLOCK_INTERVAL_S',
        `at least BLOCK_INTERVAL_MS, which is ${blockIntervalMs} ms: an idle chain is not faster than a busy one`,
      );
    refuse(read, 'COMETBFT_RPC_URL', 'the embedded engine has no nodes; they belong to ENGINE=cometbft');
    refuse(
      read,
      'DATABASE_URL',
      'the embedded engine keeps its data in SQLite files in DATA_DIR; PostgreSQL belongs to ENGINE=cometbft',
    );
    refuse(
      read,
      'TXLEDGER_READ_DATABASE_URL',
      'the embedded engine has no replicas; they belong to ENGINE=cometbft with PostgreSQL',
    );
    const insecureDatabase = readConsent(read, 'TXLEDGER_INSECURE_DATABASE');
    const insecureNodes = readConsent(read, 'TXLEDGER_INSECURE_NODES');
    return {
      engine,
      blockIntervalMs,
      idleBlockIntervalS,
      nodeUrls: [],
      databaseUrl: undefined,
      readDatabaseUrl: undefined,
      insecureDatabase,
      insecureNodes,
    };
  }
  const database = readDatabaseUrl(read);
  const readFrom = readReplicasUrl(read, database);
  const insecureNodes = readConsent(read, 'TXLEDGER_INSECURE_NODES');
  if (development)
    read.fault(
      'ENGINE',
      'embedded: `start` runs a chain in one process; `npm run localnet` runs a network of nodes on one machine, `serve` a gateway of your own',
    );
  refuse(
    read,
    'BLOCK_INTERVAL_MS',
    'with ENGINE=cometbft the nodes decide when they make a block (timeout_commit in their config.toml)',
  );
  const nodesExpected = `1 to ${NODE_URLS_MAX} different http or https URLs of CometBFT nodes, comma-separated, without user or password, such as http://127.0.0.1:26657`;
  const nodeUrls = read.value('COMETBFT_RPC_URL', parseNodeUrls, nodesExpected, []);
  if (read.text('COMETBFT_RPC_URL') === undefined) read.fault('COMETBFT_RPC_URL', nodesExpected);
  if (nodeUrls.some(isInsecureNode) && !insecureNodes) read.fault('COMETBFT_RPC_URL', NODES_SECURED);
  return {
    engine,
    blockIntervalMs: undefined,
    idleBlockIntervalS,
    nodeUrls,
    ...database,
    readDatabaseUrl: readFrom,
    insecureNodes,
  };
}

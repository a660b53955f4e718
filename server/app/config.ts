/**
 * The configuration: environment variables to one value, or to the list of everything that is wrong with them.
 *
 * A function of its arguments, and of the files that `_FILE` variables name. Variables that other programs have too have plain names; all
 * others start with TXLEDGER_, so that a misspelt one can be distinguished from a variable of another program and be refused.
 *
 * @module
 */
import { isIP, BlockList } from 'node:net';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { distance } from 'fastest-levenshtein';
import type * as Embedded from '../engine/embedded/index.ts';
import type * as Http from '../http/limits.ts';
import type { JwtSettings } from '../gateway/access/jwt-settings.ts';
import { PENDING_MAX_DEFAULT, PENDING_PER_OWNER_MAX_DEFAULT } from '../gateway/limits.ts';
import { parseAllowedTarget } from '../gateway/webhooks/target.ts';
import { WS_CONNECTIONS_MAX, WS_CONNECTIONS_PER_IP_DEFAULT } from '../http/limits.ts';
import { dataDirOf } from './data-dir-path.ts';
import { createConfigReader, type ConfigFault, type ConfigReader, type Environment } from './config-reader.ts';
import { APP_VARIABLES, readEngine, type EngineConfig, type EngineName } from './engine-config.ts';
import { LOG_FORMATS, type LogFormat } from './log-format.ts';
import { JWT_VARIABLES, readJwtConfig } from './jwt-config.ts';
import { parseGroup } from './key-file-group.ts';
import { isLoopback } from './loopback.ts';
import { readTracing, SHOWN_TRACING_VARIABLES, type TracingConfig } from './tracing/config.ts';
import { SECRET_COMMAND_VARIABLES, SECRET_VARIABLES, withSecretFiles } from './secret-variables.ts';

/** `development` is `npm start`: loopback only unless configured otherwise, keys made on the spot. `production` is `npm run serve`. */
export type Mode = 'development' | 'production';
export type RpcAccess = 'open' | 'reads' | 'token';
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Files that the operator of a production start brings; development makes its own inside `dataDir`. */
export interface KeyFiles {
  genesis: string;
  /** Undefined with ENGINE=cometbft: the nodes hold the validators' keys. */
  validatorKey: string | undefined;
  operatorKey: string;
}

export interface Config extends EngineConfig {
  mode: Mode;
  /** A development chain that other machines may reach (--public-dev), although its keys are public. */
  publicDev: boolean;
  host: string;
  port: number;
  /** Threads that serve HTTP, the main thread among them. */
  httpThreads: number;
  /** Absolute. */
  dataDir: string;
  rpcAccess: RpcAccess;
  /** Websockets that one client address may have open. */
  websocketsPerIpMax: number;
  /** Time for which a transfer may stay pending, in block time and in uptime, seconds. */
  pendingTtlS: number;
  /** Transfers pending at once: of one owner, and altogether. */
  pendingPerOwnerMax: number;
  pendingMax: number;
  /** Values of the Host header that are answered, lower case: a name allows every port, `name:port` for one. */
  allowedHosts: readonly string[];
  /** Origins such as https://pay.example that browsers may call from. */
  corsOrigins: readonly string[];
  /** Addresses or CIDR blocks whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[];
  /** HTTPS with this certificate; undefined: HTTP, for loopback or for a proxy that speaks TLS. Absolute paths. */
  tls: { certificate: string; key: string } | undefined;
  /** URI for reports of vulnerabilities, in /.well-known/security.txt. */
  securityContact: string | undefined;
  /** The base URL for clients, with a slash at its end. */
  publicUrl: string | undefined;
  /** Time for which everything is served after a signal while /readyz already answers 503, seconds. */
  drainDelayS: number;
  /** Number of the group that may read key files beside their owner. */
  keyFileGroup: number | undefined;
  /** Addresses, networks and names of hosts that webhooks may be sent to beside public addresses. */
  webhookAllowPrivate: readonly string[];
  /** Connections open at one time: altogether, and of one client address. */
  connectionsMax: number;
  connectionsPerIpMax: number;
  /** `on`: the explorer is at `/`. */
  explorer: 'on' | 'off';
  /** Rules for JWTs that are accepted beside opaque tokens; undefined: JWTs are refused. */
  jwt: JwtSettings | undefined;
  logLevel: LogLevel;
  /** JSON for programs, or text for people. */
  logFormat: LogFormat;
  /** Requests a second of one token and of one client address; undefined where nothing is limited: in development, unless one of the two is set. */
  rateLimits: { perTokenPerS: number; perIpPerS: number } | undefined;
  /** Check every answer against the contract; for tests, since it costs time. */
  validateResponses: boolean;
  /** Undefined: nothing is traced. */
  tracing: TracingConfig | undefined;
  /** A second file that names the last entry of the log: restoring the whole folder restores the first file too. Absolute. */
  logWitnessFile: string | undefined;
  /** Only in production. */
  keyFiles: KeyFiles | undefined;
}

/** The embedded engine's own default, which the compiler compares: importing it would load an engine into every thread. */
const BLOCK_INTERVAL_MS_DEFAULT: typeof Embedded.BLOCK_INTERVAL_MS_DEFAULT = 1000;
const BLOCK_INTERVAL_MS_MIN: typeof Embedded.BLOCK_INTERVAL_MS_MIN = 10;
const PORT_DEFAULT = 8080;
const PORT_MAX = 65_535;
/** No machine has use for more: the one writer is the limit long before. */
const HTTP_THREADS_MAX = 64;
/** As long as a cancel or a receipt waits for its block. */
const BLOCK_INTERVAL_MS_MAX = 10_000;
/** A minute is long enough for a balancer; five minutes are more than any supervisor waits. */
const DRAIN_DELAY_S_MAX = 300;
const DRAIN_DELAY_S_PRODUCTION = 5;
const PENDING_TTL_S_DEFAULT = 86_400;
const PENDING_TTL_S_MAX = 365 * 86_400;
const PENDING_MAX_MAX = 10_000_000;
const RATE_PER_TOKEN_PER_S_DEFAULT = 1000;
const RATE_PER_IP_PER_S_DEFAULT = 2000;
const RATE_PER_S_MAX = 1_000_000;
const RATE_VARIABLES = ['TXLEDGER_RATE_PER_TOKEN_PER_S', 'TXLEDGER_RATE_PER_IP_PER_S'] as const;
/** The HTTP layer's own numbers, compared by the compiler. */
const CONNECTIONS_MAX_DEFAULT: typeof Http.CONNECTIONS_MAX_DEFAULT = 8_192;
const CONNECTIONS_PER_IP_MAX_DEFAULT: typeof Http.CONNECTIONS_PER_ADDRESS_MAX_DEFAULT = 1_024;
/** More than a process can have open files. */
const CONNECTIONS_MAX_MAX = 1_000_000;

/** Names without the prefix; the did-you-mean of an unknown TXLEDGER_ variable looks among these too. */
export const PLAIN_VARIABLES = [
  'HOST',
  'PORT',
  'HTTP_THREADS',
  'DATA_DIR',
  'ENGINE',
  'BLOCK_INTERVAL_MS',
  'IDLE_BLOCK_INTERVAL_S',
  'LOG_WITNESS_FILE',
  'DATABASE_URL',
  'DATABASE_URL_FILE',
  'COMETBFT_RPC_URL',
  'COMETBFT_RPC_URL_FILE',
  'RPC_ACCESS',
  'PENDING_TTL_S',
  'ALLOWED_HOSTS',
  'CORS_ORIGINS',
  'TRUSTED_PROXIES',
  'PUBLIC_URL',
  'DRAIN_DELAY_S',
  'TLS_CERT_FILE',
  'TLS_KEY_FILE',
  'EXPLORER',
  'LOG_LEVEL',
  'GENESIS_FILE',
  'VALIDATOR_KEY_FILE',
  'OPERATOR_KEY_FILE',
] as const;

export const PREFIXED_VARIABLES = [
  ...JWT_VARIABLES,
  'TXLEDGER_PENDING_MAX',
  'TXLEDGER_PENDING_PER_OWNER_MAX',
  'TXLEDGER_RATE_PER_TOKEN_PER_S',
  'TXLEDGER_RATE_PER_IP_PER_S',
  'TXLEDGER_VALIDATE_RESPONSES',
  'TXLEDGER_READ_DATABASE_URL',
  'TXLEDGER_READ_DATABASE_URL_FILE',
  'TXLEDGER_INSECURE_DATABASE',
  'TXLEDGER_INSECURE_NODES',
  'TXLEDGER_SECURITY_CONTACT',
  'TXLEDGER_PUBLIC_URL',
  'TXLEDGER_KEY_FILE_GROUP',
  'TXLEDGER_WEBSOCKETS_PER_IP_MAX',
  'TXLEDGER_CONNECTIONS_MAX',
  'TXLEDGER_CONNECTIONS_PER_IP_MAX',
  'TXLEDGER_WEBHOOK_ALLOW_PRIVATE',
  'TXLEDGER_LOG_FORMAT',
] as const;

/** Variables that the other commands read. A server ignores them, because a shell that has them set may also start one. */
export const COMMAND_VARIABLES = ['TXLEDGER_URL', 'TXLEDGER_TOKEN', 'TXLEDGER_TOKEN_FILE'] as const;

const PREFIX = 'TXLEDGER_';
/** A database URL usually carries a password, a node's URL sometimes does, and an unknown variable may. */
export const isSecret = (name: string): boolean =>
  ([...SECRET_VARIABLES, ...SECRET_COMMAND_VARIABLES] as readonly string[]).includes(name) ||
  !([...PLAIN_VARIABLES, ...PREFIXED_VARIABLES, ...SHOWN_TRACING_VARIABLES] as readonly string[]).includes(name);
/** A name that differs by more than this share of its length is not taken as a misspelling. */
const DID_YOU_MEAN_DISTANCE_SHARE_MAX = 0.4;

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'] as const;
const EVERY_ADDRESS = '0.0.0.0';
const WILDCARD_HOSTS: readonly string[] = [EVERY_ADDRESS, '::'];
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

const parseListenHost = (text: string): string | undefined => (isIP(text) || HOST_NAME.test(text) ? text : undefined);

/** As in a Host header: an IPv6 address is in brackets, a port may follow. */
function parseAllowedHost(text: string): string | undefined {
  const host = text.toLowerCase();
  const [, bracketed, plain = '', port = '1'] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::([1-9][0-9]{0,4}))?$/.exec(host) ?? [];
  if (Number(port) > PORT_MAX) return undefined;
  return (bracketed === undefined ? HOST_NAME.test(plain) : isIP(bracketed) === 6) ? host : undefined;
}

const headerForm = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host.toLowerCase());

/** An origin as browsers send it: nothing after the port, lower case, default port left out. */
function parseOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && origin === text ? origin : undefined;
}

function parseProxy(text: string): string | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return undefined;
  if (bits === undefined) return text;
  if (!/^(0|[1-9][0-9]{0,2})$/.test(bits)) return undefined;
  try {
    new BlockList().addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
    return text;
  } catch {
    return undefined;
  }
}

function refuseUnknown(read: ConfigReader, env: Environment): void {
  const passedOver: readonly string[] = [...COMMAND_VARIABLES, ...APP_VARIABLES];
  const known: readonly string[] = [...PREFIXED_VARIABLES, ...PLAIN_VARIABLES, ...passedOver];
  for (const name of Object.keys(env)
    .filter((key) => key.startsWith(PREFIX))
    .toSorted()) {
    if (([...PREFIXED_VARIABLES, ...passedOver] as readonly string[]).includes(name)) continue;
    const bare = name.slice(PREFIX.length);
    const [nearest] = known
      .map((candidate) => ({ candidate, away: Math.min(distance(name, candidate), distance(bare, candidate)) }))
      .toSorted((a, b) => a.away - b.away);
    const meant =
      nearest && nearest.away <= name.length * DID_YOU_MEAN_DISTANCE_SHARE_MAX
        ? `; did you mean ${nearest.candidate}?`
        : '';
    read.fault(name, `no variable of this name${meant}`);
  }
}

function readWitnessFile(read: ConfigReader, engine: EngineName, cwd: string): string | undefined {
  const given = read.text('LOG_WITNESS_FILE');
  if (given !== undefined && engine !== 'embedded')
    read.fault('LOG_WITNESS_FILE', 'nothing: only the embedded engine has a log of its own');
  return given === undefined ? undefined : path.resolve(cwd, given);
}

/** Production names its files. Development makes its own: a named file would silently belong to another chain. */
function readKeyFiles(read: ConfigReader, mode: Mode, engine: EngineName, cwd: string): KeyFiles | undefined {
  const names = {
    genesis: 'GENESIS_FILE',
    validatorKey: 'VALIDATOR_KEY_FILE',
    operatorKey: 'OPERATOR_KEY_FILE',
  } as const;
  if (mode === 'development') {
    for (const name of Object.values(names)) {
      if (read.text(name) !== undefined)
        read.fault(name, 'nothing: `start` makes its own keys, use `serve` to run a chain of your own');
    }
    return undefined;
  }
  const file = (name: string, what: string): string => {
    const given = read.text(name);
    if (given === undefined) read.fault(name, `the path of ${what}`);
    return path.resolve(cwd, given ?? '');
  };
  if (engine === 'cometbft' && read.text(names.validatorKey) !== undefined) {
    read.fault(
      names.validatorKey,
      'nothing: with ENGINE=cometbft the nodes sign the blocks, and each holds its own key',
    );
  }
  return {
    genesis: file(names.genesis, "the chain's genesis.json"),
    validatorKey:
      engine === 'cometbft' ? undefined : file(names.validatorKey, "the validator's priv_validator_key.json"),
    operatorKey: file(names.operatorKey, "the operator's key file, mode 0600"),
  };
}

function readHosts(
  read: ConfigReader,
  { mode, publicDev }: Pick<Config, 'mode' | 'publicDev'>,
): { host: string; allowedHosts: readonly string[] } {
  const host = read.value(
    'HOST',
    parseListenHost,
    'an IP address or a host name to listen on',
    publicDev ? EVERY_ADDRESS : '127.0.0.1',
  );
  if (mode === 'development' && !publicDev && !isLoopback(host)) {
    read.fault(
      'HOST',
      'a loopback address (127.0.0.1, ::1, localhost): the keys of a development chain are public; use `serve` for any other, or in a container `start --public-dev`',
    );
  }
  const allowedHosts = read.list(
    'ALLOWED_HOSTS',
    parseAllowedHost,
    'host names such as ledger.example or ledger.example:8443',
    [...new Set([...LOOPBACK_HOSTS, ...(WILDCARD_HOSTS.includes(host) ? [] : [headerForm(host)])])],
  );
  // A container's port is usually published on the loopback of its host, so its clients use names of this machine.
  if (!publicDev && WILDCARD_HOSTS.includes(host) && read.text('ALLOWED_HOSTS') === undefined) {
    read.fault('ALLOWED_HOSTS', 'the host names that clients use, because HOST listens on every address');
  }
  return { host, allowedHosts };
}

/** Both files or neither. The start of the server reads them; this function reads only their names. */
function readTls(read: ConfigReader, cwd: string): Config['tls'] {
  const [certificate, key] = [read.text('TLS_CERT_FILE'), read.text('TLS_KEY_FILE')];
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined)
    read.fault(
      'TLS_CERT_FILE',
      'the path of the PEM file with the certificate of TLS_KEY_FILE and those that signed it',
    );
  if (key === undefined)
    read.fault('TLS_KEY_FILE', 'the path of the PEM file with the private key of TLS_CERT_FILE, mode 0600');
  return { certificate: path.resolve(cwd, certificate ?? ''), key: path.resolve(cwd, key ?? '') };
}

/** Refuses to send tokens in the clear: anyone on the network could read and use them, on a private network too. */
function refuseClearText(
  read: ConfigReader,
  { mode, host, tls, trustedProxies }: Pick<Config, 'mode' | 'host' | 'tls' | 'trustedProxies'>,
): void {
  if (mode === 'development' || isLoopback(host) || tls !== undefined || trustedProxies.length > 0) return;
  read.fault(
    'HOST',
    'a loopback address; or TLS_CERT_FILE and TLS_KEY_FILE, to speak HTTPS; or TRUSTED_PROXIES with the addresses of the proxy in front that does. Tokens would cross the network in the clear',
  );
}

const CONTACT_CHARACTERS_MAX = 200;

/** The first invalid entry is reported with its reason: a list from before owners and ports were named has to be written again. */
function readAllowedTargets(read: ConfigReader): readonly string[] {
  const name = 'TXLEDGER_WEBHOOK_ALLOW_PRIVATE';
  const entries = (read.text(name) ?? '').split(',').map((entry) => entry.trim());
  if (read.text(name) === undefined) return [];
  for (const entry of entries) {
    const parsed = parseAllowedTarget(entry);
    if (typeof parsed !== 'string') continue;
    read.fault(
      name,
      `a comma-separated list of owner@host:port, such as acme@10.1.0.0/16:8443, acme@[fd00::/8]:443 or acme@hooks.internal:443; ${JSON.stringify(entry)} ${parsed}`,
    );
    return [];
  }
  return entries;
}

/** Parses a contact as in RFC 9116 section 2.5.3: a URI, but not a web page over plain HTTP. */
function parseContact(text: string): string | undefined {
  if (!URL.canParse(text) || text.length > CONTACT_CHARACTERS_MAX || !/^[!-~]+$/.test(text)) return undefined;
  return /^(mailto:[^@]+@[^@]+$|https:\/\/)/.test(text) ? text : undefined;
}

/**
 * If the proxy does not strip the path, both `/ledger/docs` and `/docs` are answered: a base path that begins like one of our own paths
 * would be ambiguous. A test compares them with the contract and the pages.
 */
export const OWN_PATHS = [
  'accounts',
  'chain',
  'docs',
  'events',
  'explorer',
  'livez',
  'metrics',
  'readyz',
  'rpc',
  'transactions',
  'webhooks',
  'workflows',
  '.well-known',
  'access',
] as const;

/** The contract bounds the URLs that are made of it, such as a link of the API catalogue, which is also in a header. */
const PUBLIC_URL_CHARACTERS_MAX = 1024;

/** Parses the base URL of the service for its clients: without a part that belongs to one request. */
function parsePublicUrl(text: string): string | undefined {
  if (!URL.canParse(text) || text.length > PUBLIC_URL_CHARACTERS_MAX) return undefined;
  const { protocol, username, password, search, hash, href, pathname } = new URL(text);
  const isPlain = username === '' && password === '' && search === '' && hash === '' && !/[?#]/.test(text);
  if ((protocol !== 'https:' && protocol !== 'http:') || !isPlain) return undefined;
  const [, first = ''] = pathname.split('/');
  // An empty segment or an escape has more than one spelling, and a proxy may use another one.
  if ((OWN_PATHS as readonly string[]).includes(first) || /\/\/|%/.test(pathname)) return undefined;
  return href.endsWith('/') ? href : `${href}/`;
}

const PUBLIC_URL_EXPECTED =
  'the base URL that clients use, such as https://ledger.example or https://example.org/ledger, whose path begins with none of the paths of the API';

/** Accepts the name of the variable before contract 1.6.0 too. */
function readPublicUrl(read: ConfigReader, warnings: string[]): string | undefined {
  const [name, before] = ['PUBLIC_URL', 'TXLEDGER_PUBLIC_URL'];
  const isBefore = read.text(before) !== undefined;
  if (isBefore) warnings.push(`${before} is called ${name} now; the old name still works.`);
  const [now, then] = [name, before].map((each) =>
    read.value<string | undefined>(each, parsePublicUrl, PUBLIC_URL_EXPECTED, undefined),
  );
  if (isBefore && read.text(name) !== undefined && now !== then)
    read.fault(before, `nothing, or the value of ${name}, which replaces it`);
  return now ?? then;
}

/**
 * @param options.cwd the folder that relative paths start from.
 * @param options.cores number of the machine's processors.
 * @param options.publicDev lets a development chain listen on any address; production ignores it.
 * @returns the configuration and warnings for the log, or every fault at once.
 */
export function readConfig(
  env: Environment,
  options: { mode: Mode; cwd: string; cores?: number; publicDev?: boolean },
): { ok: true; config: Config; warnings: readonly string[] } | { ok: false; faults: readonly ConfigFault[] } {
  const { mode, cwd, cores = availableParallelism() } = options;
  const publicDev = mode === 'development' && options.publicDev === true;
  const keyFileGroup = createConfigReader(env, isSecret).value<number | undefined>(
    'TXLEDGER_KEY_FILE_GROUP',
    parseGroup,
    '',
    undefined,
  );
  const secrets = withSecretFiles(env, SECRET_VARIABLES, { cwd, group: keyFileGroup });
  const read = createConfigReader(secrets.env, isSecret);
  read.faults.push(...secrets.faults);
  const warnings: string[] = [];
  const interval = { min: BLOCK_INTERVAL_MS_MIN, max: BLOCK_INTERVAL_MS_MAX, fallback: BLOCK_INTERVAL_MS_DEFAULT };
  const rate = { min: 1, max: RATE_PER_S_MAX, unit: 'requests a second' };
  const connections = { min: 1, max: CONNECTIONS_MAX_MAX, unit: 'connections' };
  const hosts = readHosts(read, { mode, publicDev });
  const port = read.integer('PORT', { min: 0, max: PORT_MAX }, PORT_DEFAULT);
  const engine = readEngine(read, { development: mode === 'development', interval });
  const config: Config = {
    mode,
    publicDev,
    ...hosts,
    port,
    // One core is left to the writer and to the engine.
    httpThreads: read.integer(
      'HTTP_THREADS',
      { min: 1, max: HTTP_THREADS_MAX, unit: 'threads' },
      Math.min(HTTP_THREADS_MAX, Math.max(1, cores - 1)),
    ),
    dataDir: dataDirOf(env, cwd),
    ...engine,
    // The RPC shows every payment with its signature: it is open to anyone only on a development chain, or if the operator configures that.
    rpcAccess: read.oneOf('RPC_ACCESS', ['open', 'reads', 'token'], mode === 'production' ? 'token' : 'reads'),
    websocketsPerIpMax: read.integer(
      'TXLEDGER_WEBSOCKETS_PER_IP_MAX',
      { min: 1, max: WS_CONNECTIONS_MAX, unit: 'websockets' },
      WS_CONNECTIONS_PER_IP_DEFAULT,
    ),
    pendingTtlS: read.integer(
      'PENDING_TTL_S',
      { min: 1, max: PENDING_TTL_S_MAX, unit: 'seconds' },
      PENDING_TTL_S_DEFAULT,
    ),
    pendingPerOwnerMax: read.integer(
      'TXLEDGER_PENDING_PER_OWNER_MAX',
      { min: 1, max: PENDING_MAX_MAX, unit: 'transfers' },
      PENDING_PER_OWNER_MAX_DEFAULT,
    ),
    pendingMax: read.integer(
      'TXLEDGER_PENDING_MAX',
      { min: 1, max: PENDING_MAX_MAX, unit: 'transfers' },
      PENDING_MAX_DEFAULT,
    ),
    corsOrigins: read.list('CORS_ORIGINS', parseOrigin, 'origins such as https://pay.example', []),
    trustedProxies: read.list('TRUSTED_PROXIES', parseProxy, 'IP addresses or CIDR blocks such as 10.0.0.0/8', []),
    tls: readTls(read, cwd),
    securityContact: read.value<string | undefined>(
      'TXLEDGER_SECURITY_CONTACT',
      parseContact,
      'an address such as mailto:security@ledger.example or https://ledger.example/security',
      undefined,
    ),
    publicUrl: readPublicUrl(read, warnings),
    drainDelayS: read.integer(
      'DRAIN_DELAY_S',
      { min: 0, max: DRAIN_DELAY_S_MAX, unit: 'seconds' },
      mode === 'production' ? DRAIN_DELAY_S_PRODUCTION : 0,
    ),
    keyFileGroup: read.value<number | undefined>(
      'TXLEDGER_KEY_FILE_GROUP',
      parseGroup,
      'the number of a group, or the name of one in /etc/group',
      undefined,
    ),
    webhookAllowPrivate: readAllowedTargets(read),
    connectionsMax: read.integer('TXLEDGER_CONNECTIONS_MAX', connections, CONNECTIONS_MAX_DEFAULT),
    connectionsPerIpMax: read.integer('TXLEDGER_CONNECTIONS_PER_IP_MAX', connections, CONNECTIONS_PER_IP_MAX_DEFAULT),
    jwt: readJwtConfig(read, cwd),
    explorer: read.oneOf('EXPLORER', ['on', 'off'], 'on'),
    logLevel: read.oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    logFormat: read.oneOf('TXLEDGER_LOG_FORMAT', LOG_FORMATS, mode === 'development' ? 'text' : 'json'),
    rateLimits: {
      perTokenPerS: read.integer('TXLEDGER_RATE_PER_TOKEN_PER_S', rate, RATE_PER_TOKEN_PER_S_DEFAULT),
      perIpPerS: read.integer('TXLEDGER_RATE_PER_IP_PER_S', rate, RATE_PER_IP_PER_S_DEFAULT),
    },
    validateResponses: read.oneOf('TXLEDGER_VALIDATE_RESPONSES', ['true', 'false'], 'false') === 'true',
    tracing: readTracing(read),
    logWitnessFile: readWitnessFile(read, engine.engine, cwd),
    keyFiles: readKeyFiles(read, mode, engine.engine, cwd),
  };
  refuseClearText(read, config);
  if (mode === 'production' && env['NODE_TLS_REJECT_UNAUTHORIZED']?.trim() === '0') {
    read.fault(
      'NODE_TLS_REJECT_UNAUTHORIZED',
      'nothing: it turns off the check of certificates of databases and nodes; NODE_EXTRA_CA_CERTS names a CA of your own',
    );
  }
  refuseUnknown(read, env);
  if (read.faults.length > 0) return { ok: false, faults: read.faults };
  return { ok: true, config: limitsRequests(mode, read) ? config : { ...config, rateLimits: undefined }, warnings };
}

/** Development has limits only if they are configured: a client can then be tested with 429. */
function limitsRequests(mode: Mode, read: ConfigReader): boolean {
  return mode === 'production' || RATE_VARIABLES.some((name) => read.text(name) !== undefined);
}

/**
 * Environment variables: those of the network, those passed on to the parts, and those that are refused.
 *
 * @module
 */
import { describeFaults } from '../../server/app/config-reader.ts';
import { COMMAND_VARIABLES, PLAIN_VARIABLES, PREFIXED_VARIABLES, readConfig } from '../../server/app/config.ts';
import { APP_VARIABLES } from '../../server/app/engine-config.ts';
import { LocalnetError } from './failure.ts';
import { LOCALNET_FOLDER_DEFAULT } from './folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The size of the nodes' mempools: for tests that need a mempool which fills up. */
export const MEMPOOL_SIZE_VARIABLE = 'TXLEDGER_LOCALNET_MEMPOOL_SIZE';
const MEMPOOL_SIZE_MAX = 1_000_000;

/** Variables that are passed on to the gateways unchanged. */
const HANDED_ON = [
  'EXPLORER',
  'LOG_LEVEL',
  'RPC_ACCESS',
  'PENDING_TTL_S',
  'CORS_ORIGINS',
  'TXLEDGER_PENDING_MAX',
  'TXLEDGER_PENDING_PER_OWNER_MAX',
  'TXLEDGER_VALIDATE_RESPONSES',
  'TXLEDGER_SNAPSHOT_INTERVAL',
  'TXLEDGER_SECURITY_CONTACT',
  'PUBLIC_URL',
  'TXLEDGER_PUBLIC_URL',
] as const;

/** Variables that the network sets by itself: a given value would contradict what runs. */
const DECIDED = [
  'ENGINE',
  'COMETBFT_RPC_URL',
  'COMETBFT_RPC_URL_FILE',
  'DATABASE_URL',
  'DATABASE_URL_FILE',
  'TXLEDGER_READ_DATABASE_URL',
  'TXLEDGER_READ_DATABASE_URL_FILE',
  'TXLEDGER_INSECURE_DATABASE',
  'TXLEDGER_INSECURE_NODES',
  'TLS_CERT_FILE',
  'TLS_KEY_FILE',
  'ABCI_LISTEN',
  'TXLEDGER_CHAIN_ID',
  'BLOCK_INTERVAL_MS',
  'IDLE_BLOCK_INTERVAL_S',
  'DRAIN_DELAY_S',
  'TXLEDGER_KEY_FILE_GROUP',
  'GENESIS_FILE',
  'VALIDATOR_KEY_FILE',
  'OPERATOR_KEY_FILE',
  'HOST',
  'ALLOWED_HOSTS',
  'TRUSTED_PROXIES',
  'TXLEDGER_RATE_PER_TOKEN_PER_S',
  'TXLEDGER_RATE_PER_IP_PER_S',
] as const;

/** No limit of rates is needed on a development machine. */
const RATE_PER_S = '1000000';
const PORT_LAST = 65_535;

export interface LocalnetVariables {
  /** As given, or the default. */
  dataDir: string;
  /** The port of the first gateway; the second has the next one. */
  port: number;
  mempoolSize: number | undefined;
  /** For every part: the machine's variables, and of the product's only those that are passed on. */
  base: Record<string, string>;
}

const textOf = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;

function mempoolSizeOf(env: Environment): number | undefined {
  const text = textOf(env, MEMPOOL_SIZE_VARIABLE);
  if (text === undefined) return undefined;
  const size = /^[1-9][0-9]{0,6}$/.test(text) ? Number(text) : 0;
  if (size < 1 || size > MEMPOOL_SIZE_MAX)
    throw new LocalnetError(
      `${MEMPOOL_SIZE_VARIABLE} is "${text}", expected a whole number from 1 to ${MEMPOOL_SIZE_MAX}.`,
    );
  return size;
}

/** @throws LocalnetError with everything that is wrong. */
export function readVariables(env: Environment): LocalnetVariables {
  const decided = DECIDED.filter((name) => textOf(env, name) !== undefined);
  if (decided.length > 0)
    throw new LocalnetError(
      `${decided.join(', ')} cannot be set: npm run localnet decides about that by itself. Unset what is set.`,
    );
  const mempoolSize = mempoolSizeOf(env);
  // The rest is validated as for a gateway, which will read it.
  const known = Object.fromEntries(Object.entries(env).filter(([name]) => name !== MEMPOOL_SIZE_VARIABLE));
  const result = readConfig(known, { mode: 'development', cwd: process.cwd() });
  if (!result.ok) throw new LocalnetError(describeFaults(result.faults));
  const { port } = result.config;
  if (port >= PORT_LAST)
    throw new LocalnetError(
      `PORT is ${port}, expected at most ${PORT_LAST - 1}: the second gateway listens on the next one.`,
    );
  const own: readonly string[] = [
    ...PLAIN_VARIABLES,
    ...PREFIXED_VARIABLES,
    ...COMMAND_VARIABLES,
    ...APP_VARIABLES,
    MEMPOOL_SIZE_VARIABLE,
  ];
  const handedOn: readonly string[] = HANDED_ON;
  const base = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (!own.includes(entry[0]) || handedOn.includes(entry[0])),
  );
  return {
    dataDir: textOf(env, 'DATA_DIR') ?? LOCALNET_FOLDER_DEFAULT,
    port,
    mempoolSize,
    // A development chain on this machine: its gateways allow reads without a token, as `npm start` does.
    base: { RPC_ACCESS: result.config.rpcAccess, ...Object.fromEntries(base) },
  };
}

/** The variables of `txledger serve`. */
export function gatewayVariables(options: {
  port: number;
  dataDir: string;
  databaseUrl: string;
  genesis: string;
  operatorKey: string;
  /** The node that answers reads first. */
  nodeUrls: readonly string[];
}): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PORT: String(options.port),
    DATA_DIR: options.dataDir,
    ENGINE: 'cometbft',
    COMETBFT_RPC_URL: options.nodeUrls.join(','),
    DATABASE_URL: options.databaseUrl,
    GENESIS_FILE: options.genesis,
    OPERATOR_KEY_FILE: options.operatorKey,
    // There is no load balancer that must notice the shutdown first.
    DRAIN_DELAY_S: '0',
    TXLEDGER_RATE_PER_TOKEN_PER_S: RATE_PER_S,
    TXLEDGER_RATE_PER_IP_PER_S: RATE_PER_S,
  };
}

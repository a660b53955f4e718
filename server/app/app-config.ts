/**
 * The configuration of `txledger app`, our application beside a CometBFT node: read as strictly as the server's, all faults at once.
 *
 * @module
 */
import { isIP } from 'node:net';
import type { AbciAddress } from '../engine/cometbft/app/socket-abci-server.ts';
import { CHAIN_ID_PATTERN } from '../ledger/index.ts';
import { COMMAND_VARIABLES, type LogLevel, PREFIXED_VARIABLES } from './config.ts';
import { createConfigReader, type ConfigFault, type Environment } from './config-reader.ts';
import { dataDirOf } from './data-dir-path.ts';
import { APP_VARIABLES } from './engine-config.ts';

export interface AppConfig {
  listen: AbciAddress;
  /** As it was written, for messages. */
  listenText: string;
  /** Absolute. */
  dataDir: string;
  logLevel: LogLevel;
  /** Blocks between two snapshots; 0 takes none. */
  snapshotIntervalBlocks: number;
  /** The only chain that is served, if given; required for state sync of a node. */
  chainId: string | undefined;
}

export const ABCI_LISTEN_DEFAULT = 'tcp://127.0.0.1:26658';
/** About every 17 minutes with blocks of a second. */
export const SNAPSHOT_INTERVAL_BLOCKS_DEFAULT = 1000;
const SNAPSHOT_INTERVAL_BLOCKS_MAX = 10_000_000;
const PORT_MAX = 65_535;
/** Length of sun_path of a Unix socket, without its closing zero. */
const SOCKET_PATH_BYTES_MAX = 107;

const PREFIX = 'TXLEDGER_';

/** Addresses as CometBFT writes them in `proxy_app`. */
export function parseAbciAddress(text: string): AbciAddress | undefined {
  const socket = /^unix:\/\/(\/.+)$/.exec(text)?.[1];
  if (socket !== undefined) return Buffer.byteLength(socket) <= SOCKET_PATH_BYTES_MAX ? { path: socket } : undefined;
  const [, bracketed, plain = '', port = ''] =
    /^tcp:\/\/(?:\[([^\]]+)\]|([^:[\]/]+)):([1-9][0-9]{0,4})$/.exec(text) ?? [];
  if (port === '' || Number(port) > PORT_MAX) return undefined;
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? { host: bracketed, port: Number(port) } : undefined;
  return isIP(plain) === 4 || plain === 'localhost' ? { host: plain, port: Number(port) } : undefined;
}

/** True if only processes of this machine can connect. */
export function isLocal(address: AbciAddress): boolean {
  return 'path' in address || address.host === 'localhost' || address.host === '::1' || address.host.startsWith('127.');
}

/** @param options.cwd the folder that a relative DATA_DIR starts from. */
export function readAppConfig(
  env: Environment,
  options: { cwd: string },
): { ok: true; config: AppConfig } | { ok: false; faults: readonly ConfigFault[] } {
  const known: readonly string[] = [...APP_VARIABLES, ...PREFIXED_VARIABLES, ...COMMAND_VARIABLES];
  const unknown = Object.keys(env).filter((name) => name.startsWith(PREFIX) && !known.includes(name));
  const read = createConfigReader(env, (name) => unknown.includes(name));
  const listenText = read.text('ABCI_LISTEN') ?? ABCI_LISTEN_DEFAULT;
  const config: AppConfig = {
    listenText,
    listen: read.value(
      'ABCI_LISTEN',
      parseAbciAddress,
      'an address such as tcp://127.0.0.1:26658 or unix:///run/txledger/abci.sock',
      {
        host: '127.0.0.1',
        port: Number(new URL(ABCI_LISTEN_DEFAULT).port),
      },
    ),
    dataDir: dataDirOf(env, options.cwd),
    logLevel: read.oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    snapshotIntervalBlocks: read.integer(
      'TXLEDGER_SNAPSHOT_INTERVAL',
      { min: 0, max: SNAPSHOT_INTERVAL_BLOCKS_MAX, unit: 'blocks; 0 takes no snapshots' },
      SNAPSHOT_INTERVAL_BLOCKS_DEFAULT,
    ),
    chainId: read.value<string | undefined>(
      'TXLEDGER_CHAIN_ID',
      (text) => (CHAIN_ID_PATTERN.test(text) ? text : undefined),
      `a chain id, ${CHAIN_ID_PATTERN.source}`,
      undefined,
    ),
  };
  for (const name of unknown.toSorted())
    read.fault(name, `no variable of this name; this command reads DATA_DIR, LOG_LEVEL, ${APP_VARIABLES.join(', ')}`);
  return read.faults.length > 0 ? { ok: false, faults: read.faults } : { ok: true, config };
}

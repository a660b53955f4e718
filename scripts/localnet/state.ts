/**
 * DATA_DIR/localnet.json (mode 0600): what runs where. Tests and tools read it to find, and to kill, a part; the next
 * start reads it to use the same ports, and to end what a killed supervisor left behind.
 *
 * @module
 */
import { existsSync, readFileSync } from 'node:fs';
import { writeSecretFile } from '../../server/app/secret-file.ts';
import { LocalnetError } from './failure.ts';

export type PartKind = 'postgres' | 'app' | 'node' | 'gateway';

export interface PartState {
  /** postgres, app-0, node-0, ..., gateway-0, ... */
  name: string;
  kind: PartKind;
  /** Null while it is not running. It leads a process group of its own. */
  pid: number | null;
  /** Tells this process from a later one with the same number; null while it is not running. */
  startedAt: string | null;
  /** By what they are for: rpc, p2p, abci, http, postgres. All on 127.0.0.1. */
  ports: Record<string, number>;
  /** Its own folder. */
  home: string;
  log: string;
  /** How often this run started it again. */
  restarts: number;
}

export interface LocalnetState {
  version: 1;
  /** The process of `npm run localnet`. */
  supervisorPid: number;
  chainId: string;
  /** Base URLs. */
  gateways: string[];
  /** The file that holds DATABASE_URL. */
  databaseUrlFile: string;
  /** In the order in which they are started. */
  parts: PartState[];
}

const VERSION = 1;

/** @returns undefined when nothing has been started in this folder yet. */
export function readState(file: string): LocalnetState | undefined {
  if (!existsSync(file)) return undefined;
  let state: Partial<LocalnetState> | null;
  try {
    state = JSON.parse(readFileSync(file, 'utf8')) as typeof state;
  } catch {
    throw new LocalnetError(
      `${file} is not JSON: it is not what npm run localnet wrote. Put it back, or name another DATA_DIR.`,
    );
  }
  if (state?.version !== VERSION || !Array.isArray(state.parts)) {
    throw new LocalnetError(
      `${file} is of another version of npm run localnet (${String(state?.version)}, expected ${VERSION}). Name another DATA_DIR.`,
    );
  }
  return state as LocalnetState;
}

export function writeState(file: string, state: LocalnetState): void {
  writeSecretFile(file, `${JSON.stringify(state, undefined, 2)}\n`);
}

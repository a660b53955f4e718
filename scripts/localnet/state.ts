/**
 * DATA_DIR/localnet.json (mode 0600): the running parts. Tests and tools read it to find, and to kill, a part; the next
 * start reads it to use the same ports, and to end the parts that a killed supervisor left running.
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
  /** Null while the part is not running. The process is the leader of its own process group. */
  pid: number | null;
  /** Distinguishes this process from a later one with the same number; null while the part is not running. */
  startedAt: string | null;
  /** By purpose: rpc, p2p, abci, http, postgres. All on 127.0.0.1. */
  ports: Record<string, number>;
  /** Its own folder. */
  home: string;
  log: string;
  /** Number of restarts in this run. */
  restarts: number;
}

export interface LocalnetState {
  version: 1;
  /** The process of `npm run localnet`. */
  supervisorPid: number;
  chainId: string;
  /** Base URLs. */
  gateways: string[];
  /** The file with DATABASE_URL. */
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

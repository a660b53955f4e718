/**
 * The home of a node: its files, and whether a node works on it.
 *
 * @module
 */
import { spawnSync } from 'node:child_process';
import { existsSync, lchownSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { readSecretFile } from '../../app/secret-file.ts';
import { parseSignState } from '../../engine/embedded/sign-state.ts';
import { parseValidatorKey } from '../../engine/validator-key.ts';
import { CommandError } from '../failure.ts';
import { addressOf } from './plan.ts';

/** Paths below the home, with CometBFT's names. */
export const HOME_FILES = {
  config: 'config/config.toml',
  genesis: 'config/genesis.json',
  nodeKey: 'config/node_key.json',
  validatorKey: 'config/priv_validator_key.json',
  signState: 'data/priv_validator_state.json',
} as const;

/** File by which the node's block store is locked while a node, or a command that writes to it, runs. */
const STORE_LOCK = 'data/blockstore.db/LOCK';
/** Exit code of flock(1) if another process has the lock. */
const FLOCK_TAKEN = 1;
/** Error code if flock(1) is not installed. */
const NOT_FOUND = 'ENOENT';

export interface Signed {
  readonly height: number;
  readonly round: number;
  readonly step: number;
}

export const inHome = (home: string, file: keyof typeof HOME_FILES): string => path.join(home, HOME_FILES[file]);

export function homeOf(given: string): string {
  const home = path.resolve(given);
  if (!existsSync(inHome(home, 'config')))
    throw new CommandError(
      `${home} is not the home of a node: it has no ${HOME_FILES.config}. cometbft init --home makes one.`,
    );
  return home;
}

/** @throws CommandError while a node works on the home, or if that cannot be determined. */
export function assertStopped(home: string): void {
  const lock = path.join(home, STORE_LOCK);
  if (!existsSync(lock)) return;
  const { status, error } = spawnSync('flock', ['--nonblock', lock, 'true'], { stdio: 'ignore' });
  if (status === 0) return;
  if (status === FLOCK_TAKEN)
    throw new CommandError(`A node runs on ${home}. Stop it first (systemctl stop cometbft).`, 'usage', {
      code: 'node_running',
    });
  const why =
    (error as NodeJS.ErrnoException | undefined)?.code === NOT_FOUND
      ? 'the program flock (Debian: util-linux) is not installed'
      : `flock ended with ${status}`;
  throw new CommandError(`Whether a node runs on ${home} cannot be found out: ${why}.`);
}

export function validatorOf(keyFile: string): { readonly publicKey: string; readonly address: string } {
  const parsed = parseValidatorKey(readSecretFile(keyFile, "the validator's key"));
  if (!parsed.ok) throw new CommandError(`The validator's key at ${keyFile} ${parsed.message}.`);
  const publicKey = Buffer.from(parsed.key.publicKey).toString('hex');
  return { publicKey, address: addressOf(publicKey) };
}

/** Returns the last signature of the key in this file. @throws CommandError when the file is missing or invalid. */
export function signedOf(stateFile: string): Signed {
  if (!existsSync(stateFile))
    throw new CommandError(
      `${stateFile} is missing. It says what the validator has signed, and without it the key could sign a height a second time.`,
      'usage',
      { code: 'no_sign_state' },
    );
  try {
    return parseSignState(readFileSync(stateFile, 'utf8'));
  } catch (error) {
    throw new CommandError(`${stateFile} cannot be used: ${(error as Error).message}.`, 'usage', {
      code: 'no_sign_state',
    });
  }
}

export function chainIdOf(genesisFile: string): string {
  try {
    return (JSON.parse(readFileSync(genesisFile, 'utf8')) as { chain_id: string }).chain_id;
  } catch (error) {
    throw new CommandError(`${genesisFile} cannot be read: ${(error as Error).message}.`);
  }
}

/**
 * Gives files that root wrote into a folder of another user back to that user. Node and application have users of their own, and a command
 * that works on both runs as root.
 */
export function giveToOwner(folder: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, entry);
    const now = lstatSync(file);
    if (now.uid !== uid || now.gid !== gid) lchownSync(file, uid, gid);
  }
}

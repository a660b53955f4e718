/**
 * The home that a chain graduates into: its permitted content before, and the move of the made files into their place.
 *
 * Everything is made in a folder of its own inside the home and moved piece by piece; the validator's key comes last, after the seal,
 * because a home without it signs nothing.
 *
 * @module
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { syncPath } from '../../platform/disk-file.ts';
import { createSecretFile } from '../secret-file.ts';
import { GraduateError } from './graduate-error.ts';

const FOLDER_MODE = 0o700;
/** In the home, until everything is in its place. */
const STAGING = 'graduating';
/** Suffix of a file of `cometbft init` that was replaced. */
const REPLACED = '.before-graduation';

/** In the order in which they are put in their place. */
const CONFIG_PIECES = ['config.toml', 'genesis.json', 'node_key.json'] as const;
const DATA_PIECES = ['blockstore.db', 'state.db', 'cs.wal', 'priv_validator_state.json'] as const;
/** Databases that a node makes at its first start. */
const DATABASES = ['blockstore.db', 'state.db', 'tx_index.db', 'evidence.db', 'cs.wal'] as const;

export interface HomePlaces {
  readonly home: string;
  readonly key: string;
  readonly staging: string;
  readonly staged: { readonly config: string; readonly data: string };
  inConfig(name: string): string;
  inData(name: string): string;
}

export function homePlaces(home: string): HomePlaces {
  const staging = path.join(home, STAGING);
  return {
    home,
    key: path.join(home, 'config', 'priv_validator_key.json'),
    staging,
    staged: { config: path.join(staging, 'config'), data: path.join(staging, 'data') },
    inConfig: (name) => path.join(home, 'config', name),
    inData: (name) => path.join(home, 'data', name),
  };
}

/**
 * Checks the home before the seal: it must not exist, or `cometbft init` has made it and no node has run in it.
 * @throws GraduateError
 */
export function refuseUsedHome({ home, key, inData }: HomePlaces, publicKey: Uint8Array): void {
  const used = DATABASES.find((name) => existsSync(inData(name)));
  if (used !== undefined)
    throw new GraduateError(
      `${inData(used)} exists: a node has run in ${home}. Name a home that \`cometbft init\` has made, or a folder that does not exist yet.`,
    );
  const state = inData('priv_validator_state.json');
  if (existsSync(state) && Number(readJson(state)['height']) !== 0)
    throw new GraduateError(`${state} says that the key of ${home} has signed blocks. Name another home.`);
  if (existsSync(key) && publicKeyIn(key) === Buffer.from(publicKey).toString('base64')) {
    throw new GraduateError(
      `${key} is the key of this chain's validator: a node with it and without its blocks would sign the heights again. Remove it; this command puts it there when that is safe.`,
    );
  }
}

/** True if the validator's key is in its place, and so is everything before it. */
export function hasKey({ key }: HomePlaces, publicKey: Uint8Array): boolean {
  return existsSync(key) && publicKeyIn(key) === Buffer.from(publicKey).toString('base64');
}

export function clearStaging({ staging, staged }: HomePlaces): void {
  rmSync(staging, { recursive: true, force: true });
  for (const folder of Object.values(staged)) mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
}

/** True if all files were made, even if some of them are already moved. */
export function isStaged(places: HomePlaces): boolean {
  const { staged, inConfig, inData } = places;
  const isSomewhere = (folder: string, name: string, place: string): boolean =>
    existsSync(path.join(folder, name)) || existsSync(place);
  return (
    existsSync(places.staging) &&
    CONFIG_PIECES.every((name) => isSomewhere(staged.config, name, inConfig(name))) &&
    DATA_PIECES.every((name) => isSomewhere(staged.data, name, inData(name)))
  );
}

/** Moves everything but the key into its place. Files that were moved before stay. */
export function installStaged({ home, staged, inConfig, inData }: HomePlaces): void {
  for (const folder of [home, inConfig(''), inData('')]) mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const move = (from: string, to: string, keepsOld: boolean): void => {
    if (!existsSync(from)) return;
    if (keepsOld && existsSync(to)) renameSync(to, `${to}${REPLACED}`);
    try {
      renameSync(from, to);
    } catch (error) {
      throw new GraduateError(
        `${to} is in the way (${(error as Error).message}): a node was started in ${home} before it was complete. Stop it, remove ${to}, and run this command again.`,
      );
    }
  };
  for (const name of CONFIG_PIECES) move(path.join(staged.config, name), inConfig(name), true);
  for (const name of DATA_PIECES) move(path.join(staged.data, name), inData(name), false);
  for (const folder of [inConfig(''), inData(''), home]) syncPath(folder);
}

/** Installs the key: from here on the home can sign. */
export function installKey({ key }: HomePlaces, text: string): void {
  if (existsSync(key)) renameSync(key, `${key}${REPLACED}`);
  createSecretFile(key, text);
}

/** Removes the staging folder, once everything is in its place. */
export function removeStaging({ staging, home }: HomePlaces): void {
  rmSync(staging, { recursive: true, force: true });
  syncPath(home);
}

function readJson(file: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    throw new GraduateError(`${file} cannot be read: ${(error as Error).message}. Name another home.`);
  }
}

function publicKeyIn(file: string): unknown {
  return (readJson(file)['pub_key'] as { value?: unknown } | undefined)?.value;
}

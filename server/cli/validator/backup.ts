/**
 * `txledger validator backup` and `restore`: back up keys, configuration and sign state of a validator, so that the key never signs a
 * height twice.
 *
 * A backup has no blocks, because every other node has them. Key and sign state must belong together, and no signature may have been made
 * between the copy and its use. The first is ensured here; the second can only be read from the chain.
 *
 * @module
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { createSecretFile, refuseSharedPlace } from '../../app/secret-file.ts';
import { syncPath } from '../../platform/disk-file.ts';
import { formatSignState } from '../../engine/embedded/sign-state.ts';
import { CommandError } from '../failure.ts';
import { facts, note, print } from '../output.ts';
import { progressBar } from '../progress.ts';
import { assertStopped, chainIdOf, HOME_FILES, homeOf, inHome, type Signed, signedOf, validatorOf } from './home.ts';
import { type NodeAddress, nodeAddress, nodeFacts } from './node.ts';
import { signsNext } from './observe.ts';
import { type LastSigned, lastSigned, RECENT_BLOCKS } from './signatures.ts';
import { withoutStatesync } from './statesync.ts';

const MANIFEST = 'validator-backup.json';
const FORMAT = 1;
const FOLDER_MODE = 0o700;
const FILES = Object.values(HOME_FILES);
/**
 * Heights above the chain to which `--old-node-is-gone` sets the sign state. The lost node may have signed at the height that was being
 * decided. The chain reaches this height in seconds, and until then the validator only misses blocks.
 */
const HEIGHTS_AHEAD = 10;
/** Longest wait for a block. An idle chain makes one every 5 s with the settings of this ledger, and every minute with some others. */
const NEXT_BLOCK_MS_MAX = 90_000;

interface Manifest {
  readonly format: number;
  readonly chainId: string;
  readonly address: string;
  readonly publicKey: string;
  readonly signed: Signed;
  readonly takenAt: string;
}

/** Copies the files of one folder to another one, each synced; the folder gets its name last. */
function copyTo(target: string, from: string, extra: Readonly<Record<string, string>>): void {
  const parent = path.dirname(target);
  refuseSharedPlace(target);
  mkdirSync(parent, { recursive: true, mode: FOLDER_MODE });
  const temporary = mkdtempSync(`${target}.part-`);
  for (const folder of ['config', 'data']) mkdirSync(path.join(temporary, folder), { mode: FOLDER_MODE });
  const contents = {
    ...Object.fromEntries(FILES.map((file) => [file, readFileSync(path.join(from, file), 'utf8')])),
    ...extra,
  };
  for (const [file, content] of Object.entries(contents)) createSecretFile(path.join(temporary, file), content);
  syncPath(temporary);
  renameSync(temporary, target);
  syncPath(parent);
}

/** Returns the path of a new folder: nothing is ever overwritten. */
function newFolder(given: string): string {
  const folder = path.resolve(given);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new CommandError(`${folder} is not empty, and nothing is put over what is there.`);
  return folder;
}

export function backup(options: { readonly home: string; readonly out: string }): void {
  const home = homeOf(options.home);
  const out = newFolder(options.out);
  assertStopped(home);
  const missing = FILES.find((file) => file !== HOME_FILES.signState && !existsSync(path.join(home, file)));
  if (missing !== undefined) throw new CommandError(`${home} has no ${missing}.`);
  const signed = signedOf(inHome(home, 'signState'));
  const { address, publicKey } = validatorOf(inHome(home, 'validatorKey'));
  const { height, round, step } = signed;
  const chainId = chainIdOf(inHome(home, 'genesis'));
  const manifest: Manifest = {
    format: FORMAT,
    chainId,
    address,
    publicKey,
    signed: { height, round, step },
    takenAt: new Date().toISOString(),
  };
  copyTo(out, home, { [MANIFEST]: `${JSON.stringify(manifest, undefined, 2)}\n` });
  print({ folder: out, ...manifest }, [
    ...facts([
      ['folder', out],
      ['chain', chainId],
      ['validator', address],
      ['signed up to', `${height}`],
    ]),
    "It holds the validator's key: keep it offline. It can be restored as it is as long as the node signs nothing more; once the node runs again, its sign state is old, and restore says so.",
  ]);
}

function manifestOf(folder: string): Manifest {
  const file = path.join(folder, MANIFEST);
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
    if (manifest.format !== FORMAT)
      throw new Error(`its format is ${manifest.format}, and this program knows ${FORMAT}`);
    return manifest;
  } catch (error) {
    throw new CommandError(
      `${folder} is no backup of a validator: ${MANIFEST} cannot be used (${(error as Error).message}).`,
    );
  }
}

async function signedOnChain(chain: NodeAddress, address: string, above: number): Promise<LastSigned> {
  const bar = progressBar(`looking for signatures of ${address}`);
  try {
    return await lastSigned(chain, address, above, (checked, all) => bar.draw(checked, all));
  } finally {
    bar.clear();
  }
}

export interface RestoreOptions {
  readonly home: string;
  readonly chain: string;
  readonly oldNodeIsGone?: boolean;
}

/**
 * Watches the next blocks for signatures. A node that has just started, or whose vote was late, has signed heights that no commit shows
 * yet; the next blocks show them. A stopped chain makes no blocks, and may need this validator to continue: then there is no further
 * information.
 */
async function signsWhileWatched(chain: NodeAddress, address: string, above: number): Promise<number | undefined> {
  try {
    return await signsNext(chain, address, { above, count: RECENT_BLOCKS, timeoutMs: NEXT_BLOCK_MS_MAX });
  } catch (error) {
    if (!(error instanceof CommandError) || error.facts['code'] !== 'no_blocks') throw error;
    note(`${error.message.split('.')[0]}: a node that runs with this key would not be seen. Make sure that none does.`);
    return undefined;
  }
}

/** Returns the text of the restored node's first sign state. */
async function safeSignState(
  folder: string,
  { address, signed }: { address: string; signed: Signed },
  chain: NodeAddress,
  { oldNodeIsGone }: RestoreOptions,
): Promise<string> {
  const { height: found, top } = await signedOnChain(chain, address, signed.height);
  const known = `The backup knows signatures up to height ${signed.height}`;
  const refuseWhileSigning = (height: number): CommandError =>
    new CommandError(
      `${known}, and the chain holds one of ${address} at ${height}, one of its newest blocks: another node with this key runs. Stop it for good first, or leave this key and add a node with a key of its own (txledger validator add, then remove).`,
      'refused',
      { code: 'still_signing', height },
    );
  // Compared with the observed height, because the chain may have advanced far since.
  if (found !== undefined && top - found < RECENT_BLOCKS) throw refuseWhileSigning(found);
  if (found !== undefined && oldNodeIsGone !== true) {
    throw new CommandError(
      [
        `${known}, and the chain holds one of ${address} at ${found}: with this sign state the key could sign a height twice, for which the chain takes all of its power.`,
        'Copy data/priv_validator_state.json of the old machine into the backup, if that can still be read; or make a node with a key of its own and move the power to it (txledger validator rotate).',
        `If the old machine will never run again, say --old-node-is-gone: the restored node then signs nothing before it is ${HEIGHTS_AHEAD} blocks above the chain of now.`,
      ].join('\n'),
      'refused',
      { code: 'sign_state_too_old', height: found, known: signed.height },
    );
  }
  const next = await signsWhileWatched(chain, address, Math.max(top, signed.height));
  if (next !== undefined) throw refuseWhileSigning(next);
  if (found === undefined) return readFileSync(inHome(folder, 'signState'), 'utf8');
  return formatSignState({
    height: (await nodeFacts(chain)).height + HEIGHTS_AHEAD,
    round: 0,
    step: 0,
    signature: undefined,
    signBytes: undefined,
  });
}

export async function restore(from: string, options: RestoreOptions): Promise<void> {
  const folder = path.resolve(from);
  const home = newFolder(options.home);
  const manifest = manifestOf(folder);
  const signed = signedOf(inHome(folder, 'signState'));
  const { address } = validatorOf(inHome(folder, 'validatorKey'));
  if (address !== manifest.address)
    throw new CommandError(
      `${folder} is put together of two backups: its key is that of ${address}, and it says ${manifest.address}.`,
    );
  // A newer sign state, put there by hand, is accepted; an older one is what restore has to prevent.
  if (signed.height < manifest.signed.height)
    throw new CommandError(
      `${inHome(folder, 'signState')} says height ${signed.height}, and it was ${manifest.signed.height} when the backup was taken.`,
      'usage',
      { code: 'sign_state_too_old' },
    );
  const chain = nodeAddress(options.chain);
  const { chainId, isCatchingUp } = await nodeFacts(chain);
  if (chainId !== manifest.chainId)
    throw new CommandError(
      `The backup is of ${manifest.chainId}, and the node at ${chain.url} is of ${chainId}.`,
      'usage',
      { code: 'wrong_chain' },
    );
  if (isCatchingUp)
    throw new CommandError(
      `The node at ${chain.url} is catching up, so that it does not know the newest signatures: ask one that is not.`,
      'unreachable',
      { code: 'not_synced', retriable: true },
    );
  const signState = await safeSignState(folder, { address, signed }, chain, options);
  // Its trusted block is old: the node would wait for a snapshot above it for as long as the others have none.
  const config = withoutStatesync(readFileSync(inHome(folder, 'config'), 'utf8'));
  copyTo(home, folder, {
    [HOME_FILES.signState]: signState,
    ...(config !== undefined && { [HOME_FILES.config]: config }),
  });
  const begins = JSON.parse(signState) as { height: string };
  print({ home, chainId, address, signsAbove: Number(begins.height), statesyncTurnedOff: config !== undefined }, [
    ...facts([
      ['home', home],
      ['chain', chainId],
      ['validator', address],
      ['signs above', begins.height],
    ]),
    ...(config === undefined
      ? []
      : [
          `State sync is turned off in ${HOME_FILES.config}, because its trusted block is of the past: the node begins at block 1. Where no other node has that any more, run txledger validator statesync --home ${home} --rpc URL,URL first.`,
        ]),
    'Start application and node: they fetch the blocks from the others. The backup must not be restored a second time.',
  ]);
}

/**
 * Takes the folder of an earlier version over into chain.db, at the first start.
 *
 * Earlier versions kept the chain in blocks.db, its accounts in ledger.db (made again from the blocks, so not needed here), and transfers,
 * tokens and the audit trail in gateway.db. chain.db is built under another name; the rename is the moment at which the folder is of this
 * version. Before it a kill leaves the old files, which only went on as their own version would have; after it only moving them away is left.
 *
 * priv_validator_state.json stays where it is: should someone start the earlier version on its old files, it refuses to sign again.
 *
 * @module
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseSignState } from '../../engine/embedded/sign-state.ts';
import { nsToMs, parseTime, upperHex } from '../../engine/encoding/index.ts';
import type { Clock, Logger } from '../../engine/ports.ts';
import { actorOfGateway } from '../../gateway/audit/entries.ts';
import { applyBlock } from '../../gateway/follow/apply-block.ts';
import { initialiseStore, WrongStoreError } from '../../gateway/initialise.ts';
import type { AccountRow, GenesisDocument } from '../../ledger/index.ts';
import { OldBlocks } from '../../store/embedded/old-blocks.ts';
import { ChainUpgrade } from '../../store/embedded/upgrade.ts';
import { openSqliteStore } from '../../store/sqlite/open.ts';
import type { FollowerState, Store } from '../../store/types.ts';
import { BEFORE_UPGRADE_FOLDER, type DataDirFile } from '../data-dir.ts';
import { StartError } from '../start-error.ts';
import { damaged, Replay, type Signed } from './replay.ts';

export interface UpgradeOptions {
  files: Readonly<Record<DataDirFile, string>>;
  genesis: GenesisDocument;
  clock: Clock;
  logger: Logger;
  onProgress?: (what: 'blocks' | 'transfers', done: number, of: number) => void;
  /** Called when a step is done: the places at which a kill leaves something else behind. */
  onStep?: (step: string) => void;
}

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const COMPANIONS = ['', '-wal', '-shm'];

/** @returns whether there was anything to do. Throws StartError when the old files do not fit together. */
export async function upgradeFolder(options: UpgradeOptions): Promise<boolean> {
  const { files, logger } = options;
  const old = [files.gateway, files.ledger, files.blocks];
  const folder = path.dirname(files.chain);
  const aside = path.join(folder, BEFORE_UPGRADE_FOLDER);
  if (existsSync(files.chain)) {
    // Without that folder no upgrade was under way, and a gateway.db belongs to somebody else: to a gateway before CometBFT nodes.
    if (!existsSync(aside)) return false;
    return moveAside(options, old, aside);
  }
  if (!existsSync(files.blocks) && !existsSync(files.gateway)) return false;
  logger.info({}, 'an earlier version wrote this DATA_DIR: taking everything over into chain.db');
  const temporary = `${files.chain}.tmp`;
  try {
    await build(options, temporary);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  mkdirSync(aside, { recursive: true, mode: FOLDER_MODE });
  syncDirectory(folder);
  options.onStep?.('built');
  renameSync(temporary, files.chain);
  syncDirectory(folder);
  options.onStep?.('renamed');
  moveAside(options, old, aside);
  logger.info({ folder: aside }, 'chain.db holds everything; the files of the earlier version may be deleted');
  return true;
}

async function build({ files, genesis, clock, onProgress, onStep }: UpgradeOptions, temporary: string): Promise<void> {
  // A journal beside it would be rolled back into the new one.
  for (const suffix of [...COMPANIONS, '-journal']) rmSync(`${temporary}${suffix}`, { force: true });
  closeSync(openSync(temporary, 'wx', FILE_MODE));
  const blocks = existsSync(files.blocks) ? new OldBlocks(files.blocks) : undefined;
  const upgrade = new ChainUpgrade(temporary);
  try {
    const recorded = readSigned(files.validatorState);
    const height = heightOf(genesis, blocks, recorded);
    const replay = new Replay(genesis, recorded);
    const store = await openSqliteStore({ path: files.gateway });
    try {
      onStep?.('migrated');
      const follower = await followerOf(store, genesis, blocks, height);
      let last;
      for (const block of blocks?.all() ?? []) {
        if (block.height > height) break;
        const { stored, committed } = replay.execute(block);
        upgrade.addBlock(stored);
        if (block.height > follower.height) {
          await applyBlock({ store, chain: genesis, actor: actorOfGateway('upgrade'), pendingTtlMs: Number.MAX_SAFE_INTEGER, nowMs: clock.nowMs(), uptimeMs: follower.uptimeMs, broadcastSeqs: [] }, committed);
          onStep?.(`followed ${block.height}`);
        }
        last = stored;
        onProgress?.('blocks', block.height, height);
      }
      if (last !== undefined) replay.finish(last);
    } finally {
      await store.close();
    }
    onStep?.('replayed');
    const chain = {
      chainId: genesis.chainId,
      genesisHash: genesis.hash,
      genesisTimeMs: nsToMs(parseTime(genesis.genesisTime) ?? 0n),
      accounts: accountsOf(replay.state.leaves()),
      governance: JSON.stringify(replay.state.governance()),
      signed: replay.signed,
    };
    upgrade.takeOver(files.gateway, chain, (done, of) => onProgress?.('transfers', done, of));
  } finally {
    upgrade.close();
    blocks?.close();
  }
  syncFile(temporary);
}

function* accountsOf(leaves: Iterable<AccountRow>) {
  for (const { address, leaf, account } of leaves) {
    yield { address, leaf, balance: account.balance.toString(), nonce: account.nonce, voids: account.voids === 0n ? '' : account.voids.toString(16) };
  }
}

/** Undefined when nothing was ever signed. */
function readSigned(file: string): Signed | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const { signature, signBytes, ...last } = parseSignState(readFileSync(file, 'utf8'));
    return signature === undefined || signBytes === undefined ? undefined : { ...last, signature, signBytes };
  } catch (error) {
    throw damaged(`${file}, which says what the validator signed last, is unreadable (${(error as Error).message})`);
  }
}

/**
 * How high the chain is. A block that was stored and signed counts: its commit is made of the signature. One that was not signed was never
 * seen by anyone; what was in it is pending still.
 */
function heightOf(genesis: GenesisDocument, blocks: OldBlocks | undefined, recorded: Signed | undefined): number {
  const [stored, committed, signed] = [blocks?.stored ?? 0, blocks?.committed ?? 0, recorded?.height ?? 0];
  if (blocks !== undefined && (blocks.chainId !== genesis.chainId || blocks.genesisHash !== genesis.hash)) {
    throw new StartError(`blocks.db belongs to chain ${blocks.chainId} with genesis ${blocks.genesisHash}, but the genesis file is of chain ${genesis.chainId} with hash ${genesis.hash}: use the genesis file and the data directory that belong together.`);
  }
  if (stored < committed || stored > committed + 1 || signed > stored || signed < committed) {
    throw damaged(`blocks.db holds blocks to height ${stored} and commits to ${committed}, and priv_validator_state.json says that height ${signed} was signed last`);
  }
  return signed;
}

async function followerOf(store: Store, genesis: GenesisDocument, blocks: OldBlocks | undefined, height: number): Promise<FollowerState> {
  let follower: FollowerState;
  try {
    follower = await initialiseStore(store, genesis);
  } catch (error) {
    if (error instanceof WrongStoreError) throw damaged(`gateway.db is of another chain: ${error.message}`);
    throw error;
  }
  const hash = follower.height === 0 ? '' : upperHex(blocks?.hashOf(follower.height) ?? new Uint8Array(0));
  if (follower.height > height || hash !== follower.hash) {
    throw damaged(
      `gateway.db stands at block ${follower.height} with hash ${follower.hash}, which is not in blocks.db. If it belongs to a gateway before CometBFT nodes, set ENGINE=cometbft`,
    );
  }
  return follower;
}

/** blocks.db last: it says to older and newer programs which version the folder is of. */
function moveAside({ onStep }: UpgradeOptions, old: readonly string[], aside: string): boolean {
  let moved = false;
  for (const file of old.flatMap((each) => COMPANIONS.map((suffix) => `${each}${suffix}`))) {
    const target = path.join(aside, path.basename(file));
    if (!existsSync(file) || existsSync(target)) continue;
    renameSync(file, target);
    moved = true;
    onStep?.(`moved ${path.basename(file)}`);
  }
  if (moved) for (const folder of [aside, path.dirname(aside)]) syncDirectory(folder);
  return moved;
}

function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function syncDirectory(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

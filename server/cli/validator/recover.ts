/**
 * `txledger validator recover`: recovers a node whose application computed another result than the chain.
 *
 * Such a node has written a wrong app hash into its own state, and halts at the next block. Removing the application's data alone does not
 * help: the replay ends at the right hash, the node's state still has the wrong one, and the node panics. So its state goes back by one
 * block as well (`cometbft rollback`), and the application is made again by a replay of the node's own blocks. If those do not reach back
 * to block 1, node and application begin at a snapshot of other nodes. In both cases key and sign state stay unchanged, so that no height
 * is signed twice.
 *
 * @module
 */
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { dataDirFiles, DATA_DIR_FILES } from '../../app/data-dir-files.ts';
import { lockFolder } from '../../app/folder-lock.ts';
import { syncPath } from '../../platform/disk-file.ts';
import { asker } from '../ask.ts';
import { CommandError } from '../failure.ts';
import { note, print } from '../output.ts';
import { assertStopped, giveToOwner, HOME_FILES, homeOf, inHome, signedOf } from './home.ts';
import { askNode, nodeAddress, type NodeAddress, nodeFacts, NodeRefusal, signedHeaderAt } from './node.ts';
import { pause } from './observe.ts';
import { nodesNamed, statesyncSettings, writeSettings } from './statesync.ts';
import { inspecting, rollback } from './stopped-node.ts';
import { trustedBlock } from './trusted-block.ts';

/** Longest wait for a block. An idle chain makes one every 5 s with the settings of this ledger, and every minute with some others. */
const NEXT_BLOCK_MS_MAX = 90_000;

export interface RecoverOptions {
  readonly home: string;
  /** The data folder of the application beside it. */
  readonly dataDir: string;
  readonly rpc: readonly string[];
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

interface BlockResults {
  readonly txs_results:
    | readonly {
        readonly code: number;
        readonly data: string | null;
        readonly gas_wanted: string;
        readonly gas_used: string;
      }[]
    | null;
  readonly validator_updates: unknown;
  readonly consensus_param_updates: unknown;
  /** Base64. */
  readonly app_hash: string;
}

/** The part of a block's results that later blocks commit to. */
const committed = ({
  txs_results: results,
  validator_updates: validators,
  consensus_param_updates: params,
  app_hash: appHash,
}: BlockResults): string =>
  JSON.stringify([
    (results ?? []).map(({ code, data, gas_wanted: wanted, gas_used: used }) => [code, data, wanted, used]),
    validators ?? null,
    params ?? null,
    appHash,
  ]);

const upperHexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex').toUpperCase();

interface Finding {
  /** The last block that the application executed. */
  readonly height: number;
  readonly ours: string;
  readonly chains: string;
  readonly isWrong: boolean;
  /** True if the node has every block from the first one on. */
  readonly isWhole: boolean;
}

async function lastExecuted(stopped: NodeAddress): Promise<{ height: number; results: BlockResults; hash: string }> {
  const { last_height: last } = await askNode<{ last_height: string }>(stopped, 'blockchain');
  // A node that died between storing a block and executing it has one more block than results.
  for (const height of [Number(last), Number(last) - 1]) {
    const results = await askNode<BlockResults>(stopped, 'block_results', { height: String(height) }).catch(
      (error: unknown) => {
        if (error instanceof NodeRefusal) return undefined;
        throw error;
      },
    );
    if (results !== undefined)
      return {
        height,
        results,
        hash: (await askNode<{ block_id: { hash: string } }>(stopped, 'block', { height: String(height) })).block_id
          .hash,
      };
  }
  throw new CommandError(
    `The node has ${last} blocks and kept no results of the last ones (discard_abci_responses), so that what its application computed cannot be compared.`,
    'usage',
    { code: 'no_results' },
  );
}

/** Waits for the block after a height, which may be the next one that the chain makes. */
async function untilAbove(healthy: NodeAddress, height: number): Promise<void> {
  const endMs = performance.now() + NEXT_BLOCK_MS_MAX;
  while ((await nodeFacts(healthy)).height <= height) {
    if (performance.now() > endMs)
      throw new CommandError(
        `The node at ${healthy.url} has no block above ${height}, so that nothing says yet what the chain did in it. Run the same command again when it has one.`,
        'unreachable',
        { code: 'no_blocks', height, retriable: true },
      );
    await pause();
  }
}

async function compare(stopped: NodeAddress, healthy: NodeAddress): Promise<Finding> {
  const { height, results, hash } = await lastExecuted(stopped);
  await untilAbove(healthy, height);
  const block = await askNode<{ block_id: { hash: string } }>(healthy, 'block', { height: String(height) });
  if (block.block_id.hash !== hash)
    throw new CommandError(
      `Block ${height} is ${hash} here and ${block.block_id.hash} at ${healthy.url}: that is another chain, and no application mends it.`,
      'refused',
      { code: 'wrong_chain', height },
    );
  const theirs = await askNode<BlockResults>(healthy, 'block_results', { height: String(height) });
  // The validators signed the header of the next block; the results are only the answer of one node.
  const { header } = await signedHeaderAt(healthy, height + 1);
  if (upperHexOf(theirs.app_hash) !== header.app_hash)
    throw new CommandError(
      `The node at ${healthy.url} contradicts the block after: its application is wrong itself. Ask another one.`,
      'refused',
      { code: 'false_answer', node: healthy.url },
    );
  const isWhole = await askNode(stopped, 'block', { height: '1' }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof NodeRefusal) return false;
      throw error;
    },
  );
  return {
    height,
    ours: upperHexOf(results.app_hash),
    chains: header.app_hash,
    isWrong: committed(results) !== committed(theirs),
    isWhole,
  };
}

/** Moves everything in a folder, except the entries that stay, into a new folder in it. @returns that folder. */
function setAside(folder: string, height: number, stays: (entry: string) => boolean): string {
  const aside = path.join(folder, `before-recovery-${height}`);
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(folder)) {
    if (!stays(entry) && !entry.startsWith('before-recovery-'))
      renameSync(path.join(folder, entry), path.join(aside, entry));
  }
  syncPath(folder);
  return aside;
}

const SIGN_STATE = path.basename(HOME_FILES.signState);
const isLock = (entry: string): boolean => entry.startsWith(DATA_DIR_FILES.lock);

async function agree(options: RecoverOptions): Promise<void> {
  if (options.yes === true) return;
  const ask = asker();
  if (ask === undefined)
    throw new CommandError('There is no terminal to ask at: look at what was found (--dry-run), then say --yes.');
  if (!(await ask('Do this?'))) throw new CommandError('Nothing was changed.', 'refused', { code: 'not_agreed' });
}

function lockApplication(dataDir: string): () => void {
  if (!existsSync(dataDir))
    throw new CommandError(
      `There is no folder ${dataDir}: --data-dir is the DATA_DIR of the application beside the node.`,
    );
  return lockFolder({ file: dataDirFiles(dataDir).lock, why: 'execute blocks twice' });
}

export async function recover(options: RecoverOptions): Promise<void> {
  const home = homeOf(options.home);
  const dataDir = path.resolve(options.dataDir);
  const urls = nodesNamed(options.rpc, 1);
  assertStopped(home);
  signedOf(inHome(home, 'signState'));
  const unlock = lockApplication(dataDir);
  try {
    const found = await inspecting(home, (stopped) => compare(stopped, nodeAddress(urls[0] as string)));
    const { height, ours, chains, isWrong, isWhole } = found;
    if (!isWrong) {
      throw new CommandError(
        `After block ${height} the node recorded what the chain did (app hash ${chains}): nothing is to be taken back. If the application's data is damaged, move ${dataDir} away and start both: it is made again from the node's blocks.`,
        'refused',
        { code: 'nothing_wrong', height, appHash: chains },
      );
    }
    const plan = isWhole
      ? `The node's state goes back to block ${height - 1}, the application's data is set aside, and the application executes blocks 1 to ${height} again.`
      : `The node lacks the first blocks, so both begin at a snapshot: data of node and application are set aside, key and sign state stay, and ${HOME_FILES.config} gets a [statesync] section.`;
    for (const line of [
      `After block ${height} the chain has app hash ${chains}, and the application of this node computed ${ours === chains ? 'the same, with other results' : ours}.`,
      plan,
    ])
      note(line);
    if (options.dryRun === true) return print({ ...found, dryRun: true }, ['Nothing was changed (--dry-run).']);
    await agree(options);
    // The trusted block first: without it no file is moved.
    const trusted = isWhole ? undefined : await trustedBlock(nodesNamed(urls, 2).map(nodeAddress));
    const aside: string[] = [];
    if (trusted === undefined) {
      const now = rollback(home);
      if (now !== height - 1)
        throw new CommandError(
          `The node's state is at ${now}, and ${height - 1} was expected; it had stored a block that it had not executed. Take that away (cometbft rollback --hard --home ${home}), then run the same command again.`,
          'unknown',
          { code: 'state_moved', height: now },
        );
    } else {
      aside.push(setAside(path.join(home, 'data'), height, (entry) => entry === SIGN_STATE));
      writeSettings(home, statesyncSettings(trusted, urls));
    }
    aside.push(setAside(dataDir, height, isLock));
    for (const folder of [home, dataDir]) giveToOwner(folder);
    print({ ...found, aside }, [
      ...aside.map((folder) => `Set aside: ${folder}`),
      'Start the application with the version that the other nodes run, then the node. If it halts again at the same height, the application is still the wrong one. Remove what was set aside once it signs.',
    ]);
  } finally {
    unlock();
  }
}

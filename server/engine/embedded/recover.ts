/**
 * Brings the three stores to one height at start, as CometBFT's handshake does.
 *
 * The signing state and the block store say what was decided; the ledger state is caught up from the blocks, one
 * height or all of them. Every block on the way is checked: its hash, its parent, our own signature under it, and that
 * its header names the application hash and results which the ledger computes. Anything else than the few states a
 * crash can leave behind refuses to start with what was found, because every repair would be a guess.
 */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import {
  decodeCommit,
  EMPTY_ROOT,
  precommitSignBytes,
  upperHex,
  type Block,
  type Commit,
} from '../encoding/index.ts';
import { LedgerState, processBlock, type GenesisDocument } from '../../ledger/index.ts';
import type { Clock, Logger } from '../ports.ts';
import { EngineStartError } from '../start-error.ts';
import type { ValidatorKey } from '../validator-key.ts';
import { BLOCK_LIMITS } from './block-limits.ts';
import { Chain } from './chain.ts';
import type { ChainConstants } from './chain-constants.ts';
import { readBlock, sameBytes } from './history-check.ts';
import { genesisTip, type Tip } from './next-block.ts';
import { PrecommitSigner } from './precommit-signer.ts';
import type { BlockStore, SignStateStore, StateStore, StoredBlock } from './stores.ts';

export interface RecoverParts {
  genesis: GenesisDocument;
  constants: ChainConstants;
  key: ValidatorKey;
  blocks: BlockStore;
  states: StateStore;
  signState: SignStateStore;
  clock: Clock;
  logger: Logger;
}

export function recover(parts: RecoverParts): Chain {
  const { genesis, constants, blocks, states, logger } = parts;
  const signer = new PrecommitSigner(constants.chainId, parts.key, parts.signState);
  const { state, resultsHash } = loadState(genesis, states);
  checkHeights(blocks, signer.lastHeight, state.height);

  const verifyCommit = commitVerifier(constants);
  const tip = state.height === 0 ? genesisTip(state.appHash) : tipAt(state.height, parts, state.appHash, resultsHash, verifyCommit);
  const chain = new Chain({ constants, blocks, states, state, signer, clock: parts.clock }, tip);

  for (let height = state.height + 1; height <= blocks.commitHeight(); height++) {
    const { stored, block } = readBlock(blocks, height);
    checkFollows(block, chain.tip);
    chain.execute(stored, block.transactions, verifyCommit(stored, blocks.commit(height)));
    logger.debug({ height }, 'executed a stored block again');
  }
  const unfinished = blocks.blockHeight();
  if (unfinished > blocks.commitHeight()) {
    const { stored, block } = readBlock(blocks, unfinished);
    checkFollows(block, chain.tip);
    // No signature vouches for it yet, so it is examined like a proposal of somebody else.
    const judged = processBlock(state, block.transactions, BLOCK_LIMITS);
    if (!judged.ok) {
      throw new EngineStartError(
        `blocks.db is damaged: transaction ${judged.index} of block ${unfinished}, which is not signed yet, is refused: ${judged.refusal.log}`,
      );
    }
    chain.finishBlock(stored, block.transactions);
    logger.info({ height: unfinished }, 'finished the block that a crash had left without a commit');
  }
  return chain;
}

const MAKE_LEDGER_AGAIN = 'Move ledger.db away: it is made again from the blocks';

/** The saved state, or the genesis state, saved at once so that height 0 exists in the store. */
function loadState(genesis: GenesisDocument, states: StateStore): { state: LedgerState; resultsHash: Uint8Array } {
  const snapshot = states.load();
  if (snapshot === undefined) {
    const state = LedgerState.fromGenesis(genesis);
    states.save({
      height: 0,
      appHash: state.appHash,
      resultsHash: EMPTY_ROOT,
      results: [],
      transactions: [],
      accounts: [...state.leaves()],
      governance: state.governance(),
    });
    return { state, resultsHash: EMPTY_ROOT };
  }
  let state: LedgerState;
  try {
    state = LedgerState.restore(genesis, snapshot);
  } catch (error) {
    throw new EngineStartError(`ledger.db is damaged: ${(error as Error).message}. ${MAKE_LEDGER_AGAIN}`);
  }
  if (!sameBytes(state.appHash, snapshot.appHash)) {
    throw new EngineStartError(
      `ledger.db is damaged: its accounts give the application hash ${upperHex(state.appHash)} at height ${snapshot.height}, ` +
        `where ${upperHex(snapshot.appHash)} was recorded. ${MAKE_LEDGER_AGAIN}`,
    );
  }
  return { state, resultsHash: snapshot.resultsHash };
}

/** Refuses every combination of heights that no crash of this program leaves behind. */
function checkHeights(blocks: BlockStore, signed: number, executed: number): void {
  const stored = blocks.blockHeight();
  const committed = blocks.commitHeight();
  const found = `blocks.db holds blocks to height ${stored} and commits to ${committed}, priv_validator_state.json height ${signed}, ledger.db height ${executed}`;
  if (stored !== committed && stored !== committed + 1) throw new EngineStartError(`blocks.db is damaged: ${found}`);
  if (signed > stored) {
    throw new EngineStartError(
      `blocks.db is missing or an old copy: ${found}. The validator signed blocks that are not there, and signing others ` +
        'at these heights would let two histories verify. Put the blocks.db back that belongs to the signing state',
    );
  }
  if (signed < committed) {
    throw new EngineStartError(
      `priv_validator_state.json is missing or an old copy: ${found}. Put the file back that belongs to blocks.db`,
    );
  }
  if (executed > committed) {
    throw new EngineStartError(
      `blocks.db is missing or an old copy: ${found}. The ledger executed blocks that are not there; put the blocks.db back that belongs to ledger.db`,
    );
  }
}

function tipAt(
  height: number,
  { blocks }: RecoverParts,
  appHash: Uint8Array,
  resultsHash: Uint8Array,
  verifyCommit: CommitVerifier,
): Tip {
  const { stored } = readBlock(blocks, height);
  const commit = verifyCommit(stored, blocks.commit(height));
  return { height, id: stored.id, headerTimeNs: stored.timeNs, commit, appHash, resultsHash };
}

/** A block to be executed must follow the tip, and its header must name what the ledger computed up to there. */
function checkFollows({ header }: Block, tip: Tip): void {
  const { height } = header;
  if (!sameBytes(header.lastBlockId.hash, tip.id.hash)) {
    throw new EngineStartError(`blocks.db is damaged: block ${height} does not follow block ${tip.height}`);
  }
  if (!sameBytes(header.appHash, tip.appHash)) {
    throw new EngineStartError(
      `the ledger computes the application hash ${upperHex(tip.appHash)} after height ${tip.height}, but block ${height} ` +
        `says ${upperHex(header.appHash)}: the ledger rules of this version differ from those that made the chain, or a store is damaged`,
    );
  }
  if (!sameBytes(header.lastResultsHash, tip.resultsHash)) {
    throw new EngineStartError(
      `the ledger computes the results hash ${upperHex(tip.resultsHash)} for height ${tip.height}, but block ${height} ` +
        `says ${upperHex(header.lastResultsHash)}: the ledger rules of this version differ from those that made the chain`,
    );
  }
}

type CommitVerifier = (stored: StoredBlock, bytes: Uint8Array | undefined) => Commit;

/** Reads a commit and verifies that it is this validator's, for this very block. */
function commitVerifier(constants: ChainConstants): CommitVerifier {
  const key: KeyObject = createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(constants.validatorPublicKey).toString('base64url') },
  });
  return (stored, bytes) => {
    if (bytes === undefined) throw new EngineStartError(`blocks.db is damaged: there is no commit for block ${stored.height}`);
    const commit = decodeCommit(bytes);
    const [sig] = commit.signatures;
    const holds =
      sig !== undefined &&
      commit.height === stored.height &&
      verify(
        null,
        precommitSignBytes({
          chainId: constants.chainId,
          height: stored.height,
          round: commit.round,
          blockId: stored.id,
          timestampNs: sig.timestampNs,
        }),
        key,
        sig.signature,
      );
    if (!holds) throw new EngineStartError(`blocks.db is damaged: the commit of block ${stored.height} is not signed by this validator`);
    return commit;
  };
}

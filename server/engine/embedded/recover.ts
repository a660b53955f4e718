/**
 * Loads the stored chain at a start. A block, its commit, its signature and its changes are written in one step, so no crash leaves one
 * without the other, and there is nothing to catch up: the stored state is that of the last block, or the file was changed by another
 * program. On any contradiction the engine refuses to start and reports it, because every repair would be a guess.
 */
import { createPublicKey, verify } from 'node:crypto';
import {
  decodeCommit,
  EMPTY_ROOT,
  nsToMs,
  precommitSignBytes,
  resultsHash,
  upperHex,
  type Block,
  type Commit,
} from '../encoding/index.ts';
import { assertRulesKnown, LedgerState, type GenesisDocument } from '../../ledger/index.ts';
import type { Clock } from '../ports.ts';
import { EngineStartError } from '../start-error.ts';
import type { ValidatorKey } from '../validator-key.ts';
import { Chain, type ChainParts } from './chain.ts';
import type { ChainConstants } from './chain-constants.ts';
import { readBlock, sameBytes } from './history-check.ts';
import { genesisTip, type Tip } from './next-block.ts';
import { PrecommitSigner } from './precommit-signer.ts';
import { codesOf } from '../results.ts';
import { isAfter } from './sign-state.ts';
import type { ChainStore, Executed, LastSigned, SignStateFile, StoredBlock } from './stores.ts';

export interface RecoverParts {
  genesis: GenesisDocument;
  constants: ChainConstants;
  key: ValidatorKey;
  store: ChainStore;
  signStateFile: SignStateFile;
  clock: Clock;
  settle: ChainParts['settle'];
}

const RESTORE = 'Put a backup of chain.db back';

export function recover(parts: RecoverParts): Chain {
  const { genesis, constants, store } = parts;
  const last = store.lastSigned();
  checkSignStateFile(parts.signStateFile.read(), last);
  const { state, recorded } = loadState(genesis, constants, store);
  const tip = recorded === undefined ? genesisTip(state.appHash) : tipAt(state.height, recorded, last, parts);
  if (recorded === undefined && last !== undefined)
    throw damaged(`it holds a signature at height ${last.height} and no block`);
  const signer = new PrecommitSigner(constants.chainId, parts.key, last);
  return new Chain({ constants, store, state, signer, clock: parts.clock, settle: parts.settle }, tip);
}

/**
 * Checks that the signature exported when the chain started or stopped is not ahead of the database: the blocks in between would be signed
 * a second time.
 */
function checkSignStateFile(exported: LastSigned | undefined, last: LastSigned | undefined): void {
  if (exported === undefined) return;
  const found = `priv_validator_state.json says height ${exported.height}, round ${exported.round}, step ${exported.step}, and the last block of chain.db is ${last?.height ?? 0}`;
  if (isAfter(exported, last)) {
    throw new EngineStartError(
      `chain.db is missing or an old copy: ${found}. The validator signed blocks that are not there, and signing others at these heights ` +
        'would let two histories verify. Put the chain.db back that belongs to priv_validator_state.json',
    );
  }
  if (
    exported.height === last?.height &&
    exported.signature !== undefined &&
    !sameBytes(exported.signature, last.signature ?? NO_BYTES)
  ) {
    throw new EngineStartError(
      `chain.db is of another history: ${found}, but with another signature. The validator signed another block at this height. Put the ` +
        'chain.db back that belongs to priv_validator_state.json',
    );
  }
}

const NO_BYTES = new Uint8Array(0);

/** Returns the stored state, or the genesis state, stored at once so that height 0 exists. */
function loadState(
  genesis: GenesisDocument,
  constants: ChainConstants,
  store: ChainStore,
): { state: LedgerState; recorded: Executed | undefined } {
  const stored = store.load();
  if (stored === undefined) {
    const state = LedgerState.fromGenesis(genesis);
    const genesisTimeMs = nsToMs(constants.genesisTimeNs);
    store.initialise({
      chainId: genesis.chainId,
      genesisHash: genesis.hash,
      genesisTimeMs,
      accounts: state.leaves(),
      governance: state.governance(),
    });
    return { state, recorded: undefined };
  }
  if (stored.chainId !== genesis.chainId || stored.genesisHash !== genesis.hash) {
    throw new EngineStartError(
      `chain.db belongs to chain ${stored.chainId} with genesis ${stored.genesisHash}, but the genesis file is of chain ${genesis.chainId} ` +
        `with hash ${genesis.hash}: use the genesis file and the data directory that belong together`,
    );
  }
  let state: LedgerState;
  try {
    state = LedgerState.restore(genesis, stored);
  } catch (error) {
    throw damaged((error as Error).message);
  }
  const expected = stored.recorded?.appHash ?? LedgerState.fromGenesis(genesis).appHash;
  if (!sameBytes(state.appHash, expected)) {
    throw damaged(
      `its accounts give the application hash ${upperHex(state.appHash)} at height ${stored.height}, where ${upperHex(expected)} was recorded`,
    );
  }
  try {
    assertRulesKnown(state.governance(), state.height + 1);
  } catch (error) {
    throw new EngineStartError((error as Error).message);
  }
  return { state, recorded: stored.recorded };
}

/**
 * Reads the last block and verifies everything about it that can be: its bytes, its signature, its results, and that it follows the one
 * before.
 */
function tipAt(
  height: number,
  recorded: Executed,
  last: LastSigned | undefined,
  { genesis, constants, store }: RecoverParts,
): Tip {
  const { stored, block } = readBlock(store, height);
  const commit = verifiedCommit(constants, stored, store.commit(height));
  checkSigned(last, constants, stored, commit);
  const results = codesOf(stored.transactionCount, recorded.failures).map((code) => ({
    code,
    data: NO_BYTES,
    gasWanted: 0n,
    gasUsed: 0n,
  }));
  if (!sameBytes(resultsHash(results), recorded.resultsHash))
    throw damaged(`the results of block ${height} do not give the hash that was recorded with them`);
  const before =
    height === 1
      ? { appHash: LedgerState.fromGenesis(genesis).appHash, resultsHash: EMPTY_ROOT }
      : store.executed(height - 1);
  if (before === undefined) throw damaged(`there is no block ${height - 1}`);
  checkFollows(block, before);
  return {
    height,
    id: stored.id,
    headerTimeNs: stored.timeNs,
    commit,
    appHash: recorded.appHash,
    resultsHash: recorded.resultsHash,
  };
}

/** Checks that the recorded signature is the one under the last block: any other would mean that another block was signed at its height. */
function checkSigned(
  last: LastSigned | undefined,
  constants: ChainConstants,
  stored: StoredBlock,
  commit: Commit,
): void {
  const [sig] = commit.signatures;
  const holds =
    last !== undefined &&
    last.height === stored.height &&
    sig !== undefined &&
    sameBytes(last.signature ?? NO_BYTES, sig.signature) &&
    sameBytes(last.signBytes ?? NO_BYTES, signBytesOf(constants, stored, commit.round, sig.timestampNs));
  if (!holds)
    throw damaged(
      `the signature that it recorded last, at height ${last?.height ?? 0}, is not the one under its last block, ${stored.height}`,
    );
}

/** Checks that a header names the results of executing the blocks before it. */
function checkFollows({ header }: Block, before: Pick<Executed, 'appHash' | 'resultsHash'>): void {
  const { height } = header;
  if (!sameBytes(header.appHash, before.appHash)) {
    throw damaged(
      `block ${height} names the application hash ${upperHex(header.appHash)}, where ${upperHex(before.appHash)} was recorded after block ${height - 1}`,
    );
  }
  if (!sameBytes(header.lastResultsHash, before.resultsHash)) {
    throw damaged(
      `block ${height} names the results hash ${upperHex(header.lastResultsHash)}, where ${upperHex(before.resultsHash)} was recorded for block ${height - 1}`,
    );
  }
}

/** Reads a commit and verifies that it is this validator's, for this very block. */
function verifiedCommit(constants: ChainConstants, stored: StoredBlock, bytes: Uint8Array | undefined): Commit {
  const x = Buffer.from(constants.validatorPublicKey).toString('base64url');
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  let commit: Commit;
  try {
    commit = decodeCommit(bytes ?? NO_BYTES);
  } catch (error) {
    throw damaged(`the commit of block ${stored.height} cannot be read: ${(error as Error).message}`);
  }
  const [sig] = commit.signatures;
  const holds =
    sig !== undefined &&
    commit.height === stored.height &&
    verify(null, signBytesOf(constants, stored, commit.round, sig.timestampNs), key, sig.signature);
  if (!holds) throw damaged(`the commit of block ${stored.height} is not signed by this validator`);
  return commit;
}

function signBytesOf(
  { chainId }: ChainConstants,
  { height, id }: StoredBlock,
  round: number,
  timestampNs: bigint,
): Buffer {
  return precommitSignBytes({ chainId, height, round, blockId: id, timestampNs });
}

const damaged = (found: string): EngineStartError => new EngineStartError(`chain.db is damaged: ${found}. ${RESTORE}`);

/**
 * Executes the blocks of an earlier version again, from genesis, and checks each against the ones around it: its bytes give its hash, it
 * names the block and the commit before it, and its header names what executing the blocks before it gives here. So nothing but blocks and
 * genesis has to be believed.
 *
 * @module
 */
import { createPublicKey, verify } from 'node:crypto';
import {
  BLOCK_ID_FLAG_COMMIT,
  blockId,
  commitHash,
  dataHash,
  decodeBlock,
  decodeCommit,
  EMPTY_COMMIT,
  EMPTY_ROOT,
  encodeCommit,
  formatTime,
  nsToMs,
  precommitSignBytes,
  resultsHash,
  upperHex,
  type Block,
} from '../../engine/encoding/index.ts';
import { readPrecommitTimeNs } from '../../engine/encoding/vote-time.ts';
import type { CommittedBlock } from '../../engine/port.ts';
import { decodeTransaction, finalizeBlock, type GenesisDocument, isExecuted, LedgerState, txHash } from '../../ledger/index.ts';
import type { OldBlock } from '../../store/embedded/old-blocks.ts';
import type { UpgradedBlock } from '../../store/embedded/upgrade.ts';
import { StartError } from '../start-error.ts';

/** What the validator signed last, with its signature. */
export interface Signed {
  height: number;
  round: number;
  step: number;
  signature: Uint8Array;
  signBytes: Uint8Array;
}

export interface Replayed {
  /** As chain.db holds it. */
  stored: UpgradedBlock;
  /** As a gateway sees it. */
  committed: CommittedBlock;
}

const ROUND = 0;
const STEP_PRECOMMIT = 3;

export class Replay {
  readonly state: LedgerState;
  /** The signature under the last block. */
  signed: Signed | undefined;
  readonly #genesis: GenesisDocument;
  readonly #recorded: Signed | undefined;
  #before: { hash: Uint8Array; commitHash: Uint8Array; resultsHash: Uint8Array } = { hash: new Uint8Array(0), commitHash: commitHash(EMPTY_COMMIT), resultsHash: EMPTY_ROOT };

  /** `recorded`: what priv_validator_state.json says. */
  constructor(genesis: GenesisDocument, recorded: Signed | undefined) {
    this.state = LedgerState.fromGenesis(genesis);
    this.#genesis = genesis;
    this.#recorded = recorded;
  }

  /** The next block. Throws StartError when it is not what was signed, or not what this ledger makes of it. */
  execute(old: OldBlock): Replayed {
    const block = this.#read(old);
    const commit = old.commit ?? this.#commitOf(old);
    const { transactions, header } = block;
    // The commit carries the validator's signature, and it verifies every transaction before it signs.
    const finalized = finalizeBlock(this.state, transactions, header, { signatureVerified: () => true });
    const { appHash } = this.state.commit(finalized);
    const hashOfResults = resultsHash(finalized.results);
    this.#before = { hash: old.hash, commitHash: commitHash(decodeCommit(commit)), resultsHash: hashOfResults };
    const codes = finalized.results.map(({ code }) => code);
    return {
      stored: {
        ...old,
        commit,
        appHash,
        resultsHash: hashOfResults,
        failures: finalized.results.flatMap(({ code, log }, index) => (code === 0 ? [] : [[index, code, log] as const])),
        executed: executedOf(transactions, codes),
      },
      committed: {
        chainId: this.#genesis.chainId,
        height: old.height,
        hash: upperHex(old.hash),
        parentHash: upperHex(header.lastBlockId.hash),
        time: formatTime(old.timeNs),
        timeMs: nsToMs(old.timeNs),
        timeNs: old.timeNs,
        transactions: [...transactions],
        codes,
        logs: finalized.results.map(({ log }) => log),
        appHash: upperHex(appHash),
      },
    };
  }

  /** Of the last block: no other vouches for its commit. */
  finish(last: UpgradedBlock): void {
    const commit = decodeCommit(last.commit);
    const [sig] = commit.signatures;
    const signBytes = sig && this.#signBytes(last, sig.timestampNs);
    if (sig === undefined || signBytes === undefined || !this.#holds(signBytes, sig.signature)) throw damaged(`the commit of block ${last.height} is not signed by the validator of genesis`);
    this.signed = { height: last.height, round: ROUND, step: STEP_PRECOMMIT, signature: sig.signature, signBytes };
  }

  #read(old: OldBlock): Block {
    const height = this.state.height + 1;
    let block: Block;
    try {
      block = decodeBlock(old.bytes);
    } catch (error) {
      throw damaged(`block ${old.height} is unreadable (${(error as Error).message})`);
    }
    const { header, transactions } = block;
    const id = blockId(header, old.bytes);
    const isWhole = same(id.hash, old.hash) && same(id.parts.hash, old.parts.hash) && same(dataHash(transactions), header.dataHash);
    if (old.height !== height || header.height !== height || !isWhole) throw damaged(`the bytes of block ${old.height} do not give its hash, or block ${height} is missing`);
    if (!same(header.lastBlockId.hash, this.#before.hash) || !same(header.lastCommitHash, this.#before.commitHash)) {
      throw damaged(`block ${height} does not follow block ${height - 1} and its commit`);
    }
    if (!same(header.appHash, this.state.appHash) || !same(header.lastResultsHash, this.#before.resultsHash)) {
      throw damaged(`block ${height} names another application hash or other results than its blocks give by the rules of the ledger`);
    }
    return block;
  }

  /** The process died between signing and storing the commit: the very signature that was recorded is the one that counts. */
  #commitOf(old: OldBlock): Uint8Array {
    const recorded = this.#recorded;
    const timestampNs = recorded && readPrecommitTimeNs(recorded.signBytes);
    const signBytes = timestampNs === undefined ? undefined : this.#signBytes(old, timestampNs);
    if (recorded === undefined || timestampNs === undefined || signBytes === undefined || !same(signBytes, recorded.signBytes) || !this.#holds(signBytes, recorded.signature)) {
      throw damaged(`priv_validator_state.json says that height ${old.height} was signed, but not that block of it`);
    }
    const validatorAddress = decodeBlock(old.bytes).header.proposerAddress;
    return encodeCommit({
      height: old.height,
      round: ROUND,
      blockId: { hash: old.hash, parts: old.parts },
      signatures: [{ blockIdFlag: BLOCK_ID_FLAG_COMMIT, validatorAddress, timestampNs, signature: recorded.signature }],
    });
  }

  #signBytes({ height, hash, parts }: Pick<OldBlock, 'height' | 'hash' | 'parts'>, timestampNs: bigint): Buffer {
    return precommitSignBytes({ chainId: this.#genesis.chainId, height, round: ROUND, blockId: { hash, parts }, timestampNs });
  }

  #holds(signBytes: Uint8Array, signature: Uint8Array): boolean {
    const x = Buffer.from(this.#genesis.validators[0]?.publicKey ?? '', 'hex').toString('base64url');
    return verify(null, signBytes, createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } }), signature);
  }
}

function executedOf(transactions: readonly Uint8Array[], codes: readonly number[]): UpgradedBlock['executed'] {
  return transactions.flatMap((raw, position) => {
    if (!isExecuted(codes[position] as number)) return [];
    const decoded = decodeTransaction(raw);
    return decoded.ok ? [{ hash: Buffer.from(txHash(raw), 'hex'), position, isTransfer: decoded.tx.kind === 'transfer' }] : [];
  });
}

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

export const damaged = (found: string): StartError => new StartError(`The files of an earlier version in DATA_DIR do not fit together: ${found}. Restore them from a backup, all from the same moment.`);

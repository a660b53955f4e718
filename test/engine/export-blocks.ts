/**
 * Exports a chain to a file of JSON lines, for judges that share no code with us: first the genesis, then one line a
 * block with its bytes, commit, results and proofs. All bytes are base64.
 *
 *   node test/engine/export-blocks.ts OUTPUT              a sample chain, made for the purpose
 *   node test/engine/export-blocks.ts OUTPUT DATA_DIR     the chain of a stopped server
 *   node test/engine/export-blocks.ts OUTPUT --governed   a chain of several validators with every kind of governance
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  APP_PROTOCOL_VERSION,
  type BlockId,
  decodeBlock,
  encodeBlock,
  encodeCommit,
  transactionProof,
} from '../../server/engine/encoding/index.ts';
import type { ChainStore } from '../../server/engine/embedded/index.ts';
import { resultsOf } from '../../server/engine/results.ts';
import {
  finalizeBlock,
  LedgerState,
  parseGenesis,
  type GenesisDocument,
  type StoreName,
} from '../../server/ledger/index.ts';
import { withChain } from './support/chain-file.ts';
import { makeGovernedChain } from './support/governed-chain.ts';
import { makeSampleChain } from './support/sample-chain.ts';

/** Of a block's transactions and changed accounts, at most this many are proved: proofs of a tree repeat each other. */
const PROOFS_PER_BLOCK_MAX = 20;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

function stateProof(state: LedgerState, store: StoreName, key: Uint8Array) {
  const proof = state.prove(store, key);
  if (proof === undefined) throw new Error(`no proof of ${Buffer.from(key).toString()} in ${store}`);
  const ops = proof.ops.map((op) => ({ type: op.type, key: base64(op.key), data: base64(op.data) }));
  return { store, key: base64(key), value: base64(proof.value), ops };
}

/** A block as it is stored, wherever it comes from. */
interface StoredChainBlock {
  readonly bytes: Uint8Array;
  readonly id: BlockId;
  /** As protobuf. */
  readonly commit: Uint8Array;
  readonly results: readonly object[];
  /** After it. */
  readonly appHash: Uint8Array;
}

/** Every leaf of the governance store. */
const GOVERNANCE_KEYS = [
  'cancellers',
  'currency',
  'governors',
  'openingMinimum',
  'rules',
  'sequence',
  'threshold',
  'validators',
];

function* storedBlocks(store: ChainStore): Iterable<StoredChainBlock> {
  for (let height = 1; height <= store.height(); height++) {
    const stored = store.block(height);
    const commit = store.commit(height);
    const executed = store.executed(height);
    if (!stored || !commit || !executed) throw new Error(`height ${height} is not complete`);
    const { transactions } = decodeBlock(stored.bytes);
    yield {
      bytes: stored.bytes,
      id: stored.id,
      commit,
      results: resultsOf(transactions, executed.failures),
      appHash: executed.appHash,
    };
  }
}

export function exportChain(dataDir: string, genesis: GenesisDocument, write: (line: object) => void): void {
  withChain(dataDir, (store) => exportBlocks(storedBlocks(store), genesis, write));
}

function exportBlocks(
  blocks: Iterable<StoredChainBlock>,
  genesis: GenesisDocument,
  write: (line: object) => void,
): void {
  const state = LedgerState.fromGenesis(genesis);
  write({ genesis: base64(genesis.bytes), appVersion: APP_PROTOCOL_VERSION, appHash: base64(state.appHash) });
  for (const { bytes, id, commit, results, appHash } of blocks) {
    const { header, transactions } = decodeBlock(bytes);
    const finalized = finalizeBlock(state, transactions, header);
    state.commit(finalized);
    const changed = [...finalized.accounts.keys()].slice(0, PROOFS_PER_BLOCK_MAX);
    write({
      height: header.height,
      block: base64(bytes),
      blockId: { hash: base64(id.hash), total: id.parts.total, partsHash: base64(id.parts.hash) },
      commit: base64(commit),
      results,
      validatorUpdates: finalized.validatorUpdates.map(({ publicKey, power }) => ({
        publicKey: base64(Buffer.from(publicKey, 'hex')),
        power,
      })),
      appHash: base64(appHash),
      transactionProofs: transactions.slice(-PROOFS_PER_BLOCK_MAX).map((raw, i, last) => {
        const proof = transactionProof(transactions, transactions.length - last.length + i);
        return { ...proof, raw: base64(raw), leafHash: base64(proof.leafHash), aunts: proof.aunts.map(base64) };
      }),
      stateProofs: [
        ...changed.map((address) => stateProof(state, 'accounts', Buffer.from(address))),
        ...GOVERNANCE_KEYS.map((key) => stateProof(state, 'governance', Buffer.from(key))),
      ],
    });
  }
}

function exportGoverned(write: (line: object) => void): void {
  const { genesis, blocks } = makeGovernedChain();
  const stored = blocks.map(({ block, id, commit, results, appHash }) => ({
    bytes: encodeBlock(block),
    id,
    commit: encodeCommit(commit),
    results: results.map(({ code, codespace, log, events }) => ({ code, codespace, log, events })),
    appHash,
  }));
  exportBlocks(stored, genesis, write);
}

async function main([output, dataDir]: string[]): Promise<void> {
  if (output === undefined) throw new Error('usage: export-blocks.ts OUTPUT [DATA_DIR | --governed]');
  const file = openSync(output, 'w');
  const write = (line: object) => void writeSync(file, `${JSON.stringify(line)}\n`);
  if (dataDir === '--governed') exportGoverned(write);
  else if (dataDir !== undefined) {
    const parsed = parseGenesis(readFileSync(join(dataDir, 'genesis.json')));
    if (!parsed.ok) throw new Error(parsed.errors.join('\n'));
    exportChain(dataDir, parsed.genesis, write);
  } else {
    const sampleDir = mkdtempSync(join(tmpdir(), 'txledger-sample-'));
    try {
      const { genesis } = await makeSampleChain(sampleDir);
      exportChain(sampleDir, genesis, write);
    } finally {
      rmSync(sampleDir, { recursive: true, force: true });
    }
  }
  closeSync(file);
}

if (import.meta.main) await main(process.argv.slice(2));

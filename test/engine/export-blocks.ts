/**
 * Exports a chain to a file of JSON lines, for judges that share no code with us: first the genesis, then one line a
 * block with its bytes, commit, results and proofs. All bytes are base64.
 *
 *   node test/engine/export-blocks.ts OUTPUT              a sample chain, made for the purpose
 *   node test/engine/export-blocks.ts OUTPUT DATA_DIR     the chain of a stopped server
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { APP_PROTOCOL_VERSION, decodeBlock, transactionProof } from '../../server/engine/encoding/index.ts';
import type { ChainStore } from '../../server/engine/embedded/index.ts';
import { resultsOf } from '../../server/engine/embedded/results.ts';
import { finalizeBlock, LedgerState, parseGenesis, type GenesisDocument, type StoreName } from '../../server/ledger/index.ts';
import { withChain } from './support/chain-file.ts';
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

export function exportChain(dataDir: string, genesis: GenesisDocument, write: (line: object) => void): void {
  withChain(dataDir, (store) => exportStore(store, genesis, write));
}

function exportStore(store: ChainStore, genesis: GenesisDocument, write: (line: object) => void): void {
  const state = LedgerState.fromGenesis(genesis);
  write({ genesis: base64(genesis.bytes), appVersion: APP_PROTOCOL_VERSION, appHash: base64(state.appHash) });
  for (let height = 1; height <= store.height(); height++) {
    const stored = store.block(height);
    const commit = store.commit(height);
    const executed = store.executed(height);
    if (!stored || !commit || !executed) throw new Error(`height ${height} is not complete`);
    const { header, transactions } = decodeBlock(stored.bytes);
    const finalized = finalizeBlock(state, transactions, header);
    state.commit(finalized);
    const changed = [...finalized.accounts.keys()].slice(0, PROOFS_PER_BLOCK_MAX);
    write({
      height,
      block: base64(stored.bytes),
      blockId: { hash: base64(stored.id.hash), total: stored.id.parts.total, partsHash: base64(stored.id.parts.hash) },
      commit: base64(commit),
      results: resultsOf(transactions, executed.failures),
      appHash: base64(executed.appHash),
      transactionProofs: transactions.slice(-PROOFS_PER_BLOCK_MAX).map((raw, i, last) => {
        const proof = transactionProof(transactions, transactions.length - last.length + i);
        return { ...proof, raw: base64(raw), leafHash: base64(proof.leafHash), aunts: proof.aunts.map(base64) };
      }),
      stateProofs: [
        ...changed.map((address) => stateProof(state, 'accounts', Buffer.from(address))),
        ...['cancellers', 'currency', 'governors', 'openingMinimum', 'rules', 'sequence', 'threshold', 'validators'].map((key) => stateProof(state, 'governance', Buffer.from(key))),
      ],
    });
  }
}

async function main([output, dataDir]: string[]): Promise<void> {
  if (output === undefined) throw new Error('usage: export-blocks.ts OUTPUT [DATA_DIR]');
  const file = openSync(output, 'w');
  const write = (line: object) => void writeSync(file, `${JSON.stringify(line)}\n`);
  if (dataDir !== undefined) {
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

import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  accountKey,
  EMPTY_ACCOUNT,
  finalizeBlock,
  LedgerState,
  StateHistory,
  VectorTree,
  type VerifiedTransaction,
} from '../../server/ledger/index.ts';
import { TreeUndo } from '../../server/ledger/tree-undo.ts';
import { leaf, rootFromPath, rootOf, runProofOps } from './reference-tree.ts';
import {
  BLOCK,
  DEV_BALANCE,
  devAddress,
  operatorAddress,
  signedCancel,
  signedGovernance,
  signedTransfer,
  testGenesis,
} from './support.ts';

const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
const run = (state: LedgerState, ...block: VerifiedTransaction[]) =>
  state.commit(
    finalizeBlock(
      state,
      block.map(({ raw }) => raw),
      BLOCK,
    ),
  );

describe('earlier versions of a tree', () => {
  /** A batch of writes: each overwrites a leaf (by a share of the size) or appends one. */
  const batches = fc.array(fc.array(fc.option(fc.double({ min: 0, max: 0.999, noNaN: true })), { maxLength: 12 }), {
    minLength: 1,
    maxLength: 12,
  });

  test('have the roots and the proofs they had, whatever was written since', () => {
    fc.assert(
      fc.property(batches, (history) => {
        const tree = new VectorTree();
        const leaves: Buffer[] = [];
        const versions: Buffer[][] = [[]];
        const undos: TreeUndo[] = [];
        let written = 0;
        for (const batch of history) {
          for (const share of batch) {
            const index = share === null ? leaves.length : Math.floor(share * leaves.length);
            leaves[index] = leaf(Buffer.from(String(written++)));
            tree.set(index, leaves[index]!);
          }
          undos.push(tree.checkpoint());
          versions.push([...leaves]);
        }
        versions.forEach((then, version) => {
          const since = undos.slice(version);
          const root = rootOf(then);
          expect(hex(tree.root(since))).toBe(hex(root));
          then.forEach((leafHash, index) => {
            const proof = tree.proof(index, since)!;
            expect(proof).toMatchObject({ total: then.length, index });
            expect(hex(proof.leafHash)).toBe(hex(leafHash));
            expect(hex(rootFromPath(index, then.length, proof.leafHash, proof.aunts))).toBe(hex(root));
          });
          expect(tree.proof(then.length, since)).toBeUndefined();
        });
      }),
      { numRuns: 300 },
    );
  });
});

describe('earlier versions of the state', () => {
  function history(): { state: LedgerState; appHashes: string[] } {
    const state = LedgerState.fromGenesis(testGenesis());
    const appHashes = [hex(state.appHash)!];
    const commit = (...block: VerifiedTransaction[]) => appHashes.push(hex(run(state, ...block).appHash)!);
    commit(signedTransfer({ nonce: 0, amount: 5n }));
    commit();
    commit(signedTransfer({ nonce: 1, to: operatorAddress(5), amount: 7n }), signedCancel({ from: 2, nonce: 3 }));
    commit(signedGovernance());
    commit(
      signedTransfer({ nonce: 2, to: operatorAddress(6), amount: 11n }),
      signedTransfer({ from: 3, to: operatorAddress(5), amount: 1n }),
    );
    return { state, appHashes };
  }

  test('have their balances, their governance and their application hash', () => {
    const { state, appHashes } = history();
    expect(appHashes.map((_, height) => hex(state.at(height)?.appHash))).toEqual(appHashes);
    const sent = [0n, 5n, 5n, 12n, 12n, 23n];
    expect(sent.map((_, height) => state.at(height)?.account(devAddress(0))?.balance)).toEqual(
      sent.map((sum) => DEV_BALANCE - sum),
    );
    expect([2, 3, 5].map((height) => state.at(height)?.account(operatorAddress(5)))).toEqual([
      undefined,
      { ...EMPTY_ACCOUNT, balance: 7n },
      { ...EMPTY_ACCOUNT, balance: 8n },
    ]);
    expect([3, 4, 5].map((height) => state.at(height)?.governance().sequence)).toEqual([0, 1, 1]);
  });

  test('prove every value against their own application hash', () => {
    const { state, appHashes } = history();
    for (const [height, appHash] of appHashes.entries()) {
      const version = state.at(height)!;
      for (const [store, key] of [
        ['accounts', accountKey(devAddress(0))],
        ['accounts', accountKey(devAddress(9))],
        ['governance', Buffer.from('cancellers')],
      ] as const) {
        const { value, ops } = version.prove(store, key)!;
        expect(hex(runProofOps(value, ops))).toBe(appHash);
      }
    }
    expect(text(state.at(1)!.prove('accounts', accountKey(devAddress(0)))!.value)).toBe(
      `{"balance":"${DEV_BALANCE - 5n}","nonce":1,"void":""}`,
    );
    expect(state.at(2)!.prove('accounts', accountKey(operatorAddress(5)))).toBeUndefined();
    expect(state.at(2)!.prove('governance', Buffer.from('nothing'))).toBeUndefined();
  });

  test('exist only for heights that are kept and reached', () => {
    const { state } = history();
    expect([-1, 6, 0.5].map((height) => state.at(height))).toEqual([undefined, undefined, undefined]);
    expect(state.oldestHeight).toBe(0);
    const restored = LedgerState.restore(state.chain, {
      accounts: state.leaves(),
      governance: state.governance(),
      height: 5,
    });
    expect(restored.at(4)).toBeUndefined();
    expect(restored.oldestHeight).toBe(5);
    expect(hex(restored.at(5)?.appHash)).toBe(hex(state.appHash));
  });
});

describe('the history', () => {
  const undo = (bytes: number) => {
    const tree = new TreeUndo(0);
    tree.addLevel(new Uint32Array(0), Buffer.alloc(bytes));
    return {
      accounts: new Map(),
      governance: { ...LedgerState.fromGenesis(testGenesis()).governance(), sequence: bytes },
      accountTree: tree,
      governanceTree: new TreeUndo(0),
    };
  };

  test('keeps a bounded number of versions', () => {
    const kept = new StateHistory(3, 1_000_000);
    for (let i = 1; i <= 5; i++) kept.push(undo(i));
    expect(kept.last(3)?.map(({ governance }) => governance.sequence)).toEqual([3, 4, 5]);
    expect(kept.last(4)).toBeUndefined();
  });

  test('keeps bounded bytes, and the last version whatever it takes', () => {
    const kept = new StateHistory(100, 1000);
    kept.push(undo(400));
    kept.push(undo(500));
    expect(kept.length).toBe(1);
    kept.push(undo(300));
    kept.push(undo(9000));
    expect(kept.last(1)?.map(({ governance }) => governance.sequence)).toEqual([9000]);
    expect(kept.length).toBe(1);
  });
});

import { describe, expect, test } from '@jest/globals';
import {
  accountValue,
  type FinalizedBlock,
  finalizeBlock,
  LedgerState,
  StateRoot,
  type VerifiedTransaction,
} from '../../server/ledger/index.ts';
import { heapBytes } from '../support/heap-bytes.ts';
import { leaf, rootOf, runProofOps } from './reference-tree.ts';
import { createHash } from 'node:crypto';
import {
  BLOCK,
  DEV_BALANCE,
  devAddress,
  governorAddress,
  operatorAddress,
  signedCancel,
  signedGovernance,
  signedTransfer,
  testGenesis,
  validatorKey,
} from './support.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const pair = (key: string, value: Uint8Array) =>
  leaf(Buffer.concat([Buffer.of(key.length), Buffer.from(key), Buffer.of(32), sha256(value)]));

/** The app hash from nothing but the documented encoding and the reference tree. */
function appHashFromScratch(state: LedgerState): string {
  const accounts = [...state.leaves()].map(({ address, account }) => {
    const value = `{"balance":"${account.balance}","nonce":${account.nonce},"void":"${account.voids === 0n ? '' : account.voids.toString(16)}"}`;
    return pair(address, Buffer.from(value));
  });
  const { cancellers, currency, governors, openingMinimum, rules, sequence, threshold, validators } =
    state.governance();
  const governance = [
    pair('cancellers', Buffer.from(JSON.stringify(cancellers))),
    pair('currency', Buffer.from(JSON.stringify({ code: currency.code, scale: currency.scale }))),
    pair('governors', Buffer.from(JSON.stringify(governors))),
    pair('openingMinimum', Buffer.from(JSON.stringify(openingMinimum))),
    pair('rules', Buffer.from(JSON.stringify(rules.map(({ version, height }) => ({ height, version }))))),
    pair('sequence', Buffer.from(String(sequence))),
    pair('threshold', Buffer.from(String(threshold))),
    pair('validators', Buffer.from(JSON.stringify(validators.map(({ publicKey, power }) => ({ power, publicKey }))))),
  ];
  return hex(rootOf([pair('accounts', rootOf(accounts)), pair('governance', rootOf(governance))]));
}

const run = (state: LedgerState, ...block: VerifiedTransaction[]) =>
  state.commit(
    finalizeBlock(
      state,
      block.map(({ raw }) => raw),
      BLOCK,
    ),
  );

describe('the committed state', () => {
  test('commits to accounts and governance as documented, from genesis on', () => {
    const state = LedgerState.fromGenesis(testGenesis());
    expect(hex(state.appHash)).toBe(appHashFromScratch(state));
    run(state, signedCancel({ nonce: 3 }), signedGovernance(), signedTransfer({ to: operatorAddress(5), amount: 5n }));
    expect(hex(state.appHash)).toBe(appHashFromScratch(state));
    run(state, signedTransfer({ nonce: 1, to: operatorAddress(6), amount: 5n }));
    expect(hex(state.appHash)).toBe(appHashFromScratch(state));
  });

  test('gives a new account the next leaf and keeps it', () => {
    const state = LedgerState.fromGenesis(testGenesis());
    const first = run(
      state,
      signedTransfer({ to: operatorAddress(5) }),
      signedTransfer({ from: 1, to: operatorAddress(6) }),
    );
    expect(first.accounts.map(({ leaf }) => leaf)).toEqual([0, 10, 1, 11]);
    const second = run(state, signedTransfer({ from: 2, to: operatorAddress(5) }));
    expect(second.accounts.map(({ leaf }) => leaf)).toEqual([2, 10]);
    expect([...state.leaves()].map(({ leaf }) => leaf)).toEqual(Array.from({ length: 12 }, (_, i) => i));
  });

  test.each(['opens', 'changes'])('keeps nothing of the text in which an address came that it %s', (what) => {
    const state = LedgerState.fromGenesis(testGenesis());
    const textChars = 100_000;
    const blocks = 50;
    const addressOf = (i: number) => (what === 'opens' ? operatorAddress(i) : devAddress(i % 10));
    // Made before, because these are kept by the helpers themselves.
    const addresses = Array.from({ length: blocks }, (_, i) => addressOf(i));
    const before = heapBytes();
    for (const [nonce, address] of addresses.entries()) {
      const cutOut = `${'x'.repeat(textChars)}${nonce}${address}`.slice(-address.length);
      state.commit({ accounts: new Map([[cutOut, { balance: 1n, nonce, voids: 0n }]]) } as unknown as FinalizedBlock);
    }
    expect((heapBytes() - before) / blocks).toBeLessThan(textChars / 5);
    expect(state.height).toBe(blocks);
  });

  test('hands out exactly the rows that changed', () => {
    const state = LedgerState.fromGenesis(testGenesis());
    const rows = run(state, signedTransfer({ amount: 5n }));
    expect(rows).toEqual({
      appHash: state.appHash,
      accounts: [
        { address: devAddress(0), leaf: 0, account: { balance: DEV_BALANCE - 5n, nonce: 1, voids: 0n } },
        { address: devAddress(1), leaf: 1, account: { balance: DEV_BALANCE + 5n, nonce: 0, voids: 0n } },
      ],
    });
    expect(run(state, signedGovernance()).governance).toEqual(state.governance());
    expect(run(state).accounts).toEqual([]);
  });

  test('an empty block changes the height only', () => {
    const state = LedgerState.fromGenesis(testGenesis());
    const before = hex(state.appHash);
    run(state);
    expect(hex(state.appHash)).toBe(before);
    expect(state.height).toBe(1);
  });

  test('is restored from its rows in any order', () => {
    const state = LedgerState.fromGenesis(testGenesis());
    run(state, signedCancel({ nonce: 900 }), signedTransfer({ to: operatorAddress(5) }));
    const rows = [...state.leaves()].reverse();
    const restored = LedgerState.restore(state.chain, {
      accounts: rows,
      governance: state.governance(),
      height: state.height,
    });
    expect(hex(restored.appHash)).toBe(hex(state.appHash));
    expect(restored.height).toBe(1);
    expect(restored.account(devAddress(0))).toEqual(state.account(devAddress(0)));
  });

  test('refuses rows with a hole, a doubled leaf or a doubled address', () => {
    const state = LedgerState.fromGenesis(testGenesis());
    const rows = [...state.leaves()];
    const restore = (accounts: typeof rows) => () =>
      LedgerState.restore(state.chain, { accounts, governance: state.governance(), height: 0 });
    expect(restore(rows)).not.toThrow();
    expect(restore(rows.slice(1))).toThrow(/damaged at leaf 0/);
    expect(restore(rows.filter(({ leaf }) => leaf !== 4))).toThrow(/damaged at leaf 4/);
    expect(restore([...rows, { ...rows[3]!, address: operatorAddress(7) }])).toThrow(/damaged/);
    expect(restore([...rows, { ...rows[3]!, leaf: 10 }])).toThrow(/damaged at leaf 10/);
    expect(restore(rows.map((row) => ({ ...row, leaf: row.leaf - 1 })))).toThrow(/damaged/);
  });

  test('the supply is the sum of all balances', () => {
    const state = LedgerState.fromGenesis(testGenesis());
    run(state, signedTransfer({ to: operatorAddress(5), amount: 123n }));
    expect(state.supply()).toBe(10n * DEV_BALANCE);
  });

  test('an account value is canonical JSON, voids in hex without leading zeros', () => {
    expect(accountValue({ balance: 5n, nonce: 7, voids: 0n })).toBe('{"balance":"5","nonce":7,"void":""}');
    expect(accountValue({ balance: 0n, nonce: 0, voids: 0b10100n })).toBe('{"balance":"0","nonce":0,"void":"14"}');
    expect(accountValue({ balance: 0n, nonce: 0, voids: 1n << 1023n })).toBe(
      `{"balance":"0","nonce":0,"void":"8${'0'.repeat(255)}"}`,
    );
  });
});

test('the app hash of accounts that come one by one is that of the state which holds them, whatever their number', () => {
  const genesis = testGenesis();
  const governance = LedgerState.fromGenesis(genesis).governance();
  const root = new StateRoot();
  const accounts = Array.from({ length: 70 }, (_, i) => ({
    address: `account-${i}`,
    leaf: i,
    account: { balance: BigInt(i) ** 9n, nonce: i, voids: BigInt(i % 3) },
  }));
  for (let count = 0; count <= accounts.length; count++) {
    const state = LedgerState.restore(genesis, { accounts: accounts.slice(0, count), governance, height: 1 });
    expect([root.leaves, Buffer.from(root.appHash(governance)).toString('hex')]).toEqual([
      count,
      Buffer.from(state.appHash).toString('hex'),
    ]);
    const next = accounts[count];
    if (next) root.add(next.address, next.account);
  }
});

describe('state proofs', () => {
  const state = LedgerState.fromGenesis(testGenesis());
  run(state, signedGovernance(), signedTransfer({ to: operatorAddress(5), amount: 5n }));

  test('lead from every account to the app hash, outwards through the store', () => {
    for (const { address, account } of state.leaves()) {
      const proof = state.prove('accounts', Buffer.from(address))!;
      expect(text(proof.value)).toBe(accountValue(account));
      expect(proof.ops.map(({ key }) => text(key))).toEqual([address, 'accounts']);
      expect(hex(runProofOps(proof.value, proof.ops))).toBe(hex(state.appHash));
    }
  });

  test('lead from governance to the app hash', () => {
    const keys = [
      'cancellers',
      'currency',
      'governors',
      'openingMinimum',
      'rules',
      'sequence',
      'threshold',
      'validators',
    ];
    const values = keys.map((key) => {
      const proof = state.prove('governance', Buffer.from(key))!;
      expect(hex(runProofOps(proof.value, proof.ops))).toBe(hex(state.appHash));
      return JSON.parse(text(proof.value)) as unknown;
    });
    expect(values).toEqual([
      [operatorAddress(0), operatorAddress(1)].sort(),
      { code: 'TST', scale: 2 },
      [governorAddress(0)],
      '1',
      [{ height: 1, version: 1 }],
      1,
      1,
      [{ power: 10, publicKey: validatorKey(0) }],
    ]);
  });

  test('fail for another value, another key, or a changed byte anywhere', () => {
    const proof = state.prove('accounts', Buffer.from(devAddress(0)))!;
    const other = state.prove('accounts', Buffer.from(devAddress(1)))!;
    expect(() => runProofOps(other.value, proof.ops)).toThrow(/leaf/);
    expect(() =>
      runProofOps(proof.value, [{ ...proof.ops[0]!, key: Buffer.from(devAddress(1)) }, proof.ops[1]!]),
    ).toThrow(/key/);
    const inner = proof.ops[0]!;
    // From the leaf hash on, each flipped byte must stop or lead elsewhere. (The total before it is not bound by a path: several sizes of
    // tree share one.)
    const hashes = Buffer.from(inner.data).indexOf(Buffer.of(0x1a, 32));
    expect(hashes).toBeGreaterThan(devAddress(0).length);
    for (let at = hashes; at < inner.data.length; at++) {
      const data = Uint8Array.from(inner.data);
      data[at]! ^= 1;
      let root: string;
      try {
        root = hex(runProofOps(proof.value, [{ ...inner, data }, proof.ops[1]!]));
      } catch {
        continue;
      }
      expect(root).not.toBe(hex(state.appHash));
    }
  });

  test('there is none for a key that does not exist', () => {
    expect(state.prove('accounts', Buffer.from(operatorAddress(9)))).toBeUndefined();
    expect(state.prove('governance', Buffer.from('nothing'))).toBeUndefined();
    expect(state.prove('accounts', Buffer.from([0xff]))).toBeUndefined();
  });
});

/**
 * A small chain: its genesis, then blocks with the code of every transaction and the app hash after each, then proofs in the last state.
 *
 * Some blocks hold what no honest proposer would include, because execution must still have one outcome on every replica.
 */
import {
  CODES,
  type CodeName,
  finalizeBlock,
  LedgerState,
  NONCE_WINDOW,
  type StoreName,
  type VerifiedTransaction,
} from '../../server/ledger/index.ts';
import {
  devAddress,
  devSeed,
  operatorAddress,
  operatorSeed,
  signedCancel,
  signedGovernance,
  signedTransfer,
  testGenesis,
  validatorKey,
} from '../../test/ledger/support.ts';
import { expectEqual, toHex } from './expect.ts';

type Entry = readonly [transaction: VerifiedTransaction, expected: CodeName];

const STRANGER = operatorSeed(8);
const NEW_ACCOUNT = operatorAddress(8);

const GENESIS = testGenesis({
  accounts: [
    { address: devAddress(0), balance: 1000n },
    { address: devAddress(1), balance: 50n },
    { address: devAddress(2), balance: 0n },
  ],
});

const power = (subject: number, value: number, sequence: number, signer = operatorSeed(0)) =>
  signedGovernance({ action: 'validator_power', subject: validatorKey(subject), power: value, sequence, signer });

/** Blocks are a second apart. */
const SECONDS = 1_790_000_000;
const VALID_UNTIL = SECONDS + 7;

const BLOCKS: readonly (readonly [title: string, entries: readonly Entry[]])[] = [
  ['an empty block', []],
  [
    'transfers: to an account, to a new one, to oneself, two in sequence',
    [
      [signedTransfer({ from: 0, nonce: 0, to: 1, amount: 100n }), 'ok'],
      [signedTransfer({ from: 0, nonce: 1, to: NEW_ACCOUNT, amount: 7n }), 'ok'],
      [signedTransfer({ from: 1, nonce: 0, to: 1, amount: 150n }), 'ok'],
    ],
  ],
  [
    'too little money: in the block, failed, nonce used',
    [
      [signedTransfer({ from: 2, nonce: 0, to: 0, amount: 1n }), 'insufficient_funds'],
      [signedTransfer({ from: 1, nonce: 1, to: 2, amount: 151n }), 'insufficient_funds'],
      [signedTransfer({ from: 1, nonce: 2, to: 2, amount: 150n }), 'ok'],
      [signedTransfer({ from: 1, nonce: 3, to: 1, amount: 1n }), 'insufficient_funds'],
    ],
  ],
  [
    'nonces: used, ahead, and a key without an account',
    [
      [signedTransfer({ from: 0, nonce: 1, to: 2, amount: 1n }), 'nonce_too_low'],
      [signedTransfer({ from: 0, nonce: 3, to: 2, amount: 1n }), 'nonce_gap'],
      [signedTransfer({ from: operatorSeed(9), nonce: 0, to: 2, amount: 1n }), 'unknown_account'],
      [signedTransfer({ from: STRANGER, nonce: 0, to: 2, amount: 7n }), 'ok'],
    ],
  ],
  [
    'cancels: ahead, at the nonce, repeated, outside the window, by the wrong key',
    [
      [signedCancel({ from: 0, nonce: 3 }), 'ok'],
      [signedCancel({ from: 0, nonce: 4, signer: devSeed(0) }), 'ok'],
      [signedCancel({ from: 0, nonce: 6 }), 'ok'],
      [signedCancel({ from: 0, nonce: 3, signer: devSeed(0) }), 'cancel_without_effect'],
      [signedCancel({ from: 0, nonce: 1 }), 'cancel_outside_window'],
      [signedCancel({ from: 0, nonce: 2 + NONCE_WINDOW }), 'cancel_outside_window'],
      [signedCancel({ from: 0, nonce: 1 + NONCE_WINDOW }), 'ok'],
      [signedCancel({ from: 0, nonce: 7, signer: devSeed(1) }), 'signer_not_allowed'],
      [signedCancel({ from: operatorAddress(9), nonce: 0 }), 'unknown_account'],
      [signedTransfer({ from: 0, nonce: 3, to: 1, amount: 1n }), 'nonce_void'],
    ],
  ],
  [
    'the nonce moves past every void that follows',
    [
      [signedTransfer({ from: 0, nonce: 2, to: 1, amount: 1n }), 'ok'],
      [signedTransfer({ from: 0, nonce: 3, to: 1, amount: 1n }), 'nonce_too_low'],
      [signedTransfer({ from: 0, nonce: 5, to: 1, amount: 1n }), 'ok'],
      [signedTransfer({ from: 0, nonce: 7, to: 1, amount: 1n }), 'ok'],
      [signedCancel({ from: 0, nonce: 8 }), 'ok'],
    ],
  ],
  [
    'validUntil: in its last second, past it, and behind one that is past',
    [
      [signedTransfer({ from: 0, nonce: 9, to: 1, amount: 1n, reference: 'INV-1', validUntil: VALID_UNTIL }), 'ok'],
      [signedTransfer({ from: 0, nonce: 10, to: 1, amount: 1n, validUntil: VALID_UNTIL - 1 }), 'validity_passed'],
      [signedTransfer({ from: 0, nonce: 11, to: 1, amount: 1n }), 'nonce_gap'],
    ],
  ],
  [
    'governance: operators, sequence, rights',
    [
      [signedGovernance({ sequence: 1 }), 'governance_sequence'],
      [signedGovernance({ signer: devSeed(0) }), 'signer_not_allowed'],
      [signedGovernance({ action: 'canceller_remove', subject: operatorAddress(0) }), 'governance_last_one'],
      [signedGovernance({ subject: operatorAddress(0) }), 'governance_without_effect'],
      [signedGovernance({ subject: operatorAddress(1), sequence: 0 }), 'ok'],
      [signedGovernance({ action: 'canceller_remove', subject: operatorAddress(0), sequence: 1, signer: operatorSeed(1) }), 'ok'],
      [signedCancel({ from: 1, nonce: 4, signer: operatorSeed(0) }), 'signer_not_allowed'],
      [signedCancel({ from: 1, nonce: 4, signer: operatorSeed(1) }), 'ok'],
    ],
  ],
  [
    'governance: voting power, net for the block',
    [
      [power(0, 0, 2, operatorSeed(1)), 'governance_last_one'],
      [power(0, 10, 2, operatorSeed(1)), 'governance_without_effect'],
      [power(1, 5, 2, operatorSeed(1)), 'ok'],
      [power(2, 9, 3, operatorSeed(1)), 'ok'],
      [power(2, 0, 4, operatorSeed(1)), 'ok'],
      [power(1, 6, 5, operatorSeed(1)), 'ok'],
    ],
  ],
  ['a validator removed', [[power(0, 0, 6, operatorSeed(1)), 'ok']]],
];

export function chainVectors() {
  const state = LedgerState.fromGenesis(GENESIS);
  const genesisAppHash = toHex(state.appHash);
  const blocks = BLOCKS.map(([title, entries], index) => {
    const block = finalizeBlock(
      state,
      entries.map(([{ raw }]) => raw),
      { height: index + 1, timeNs: BigInt(SECONDS + index + 1) * 1_000_000_000n },
    );
    entries.forEach(([, expected], i) => expectEqual(`${title}, transaction ${i}`, block.results[i]?.code, CODES[expected]));
    state.commit(block);
    return {
      height: index + 1,
      time: SECONDS + index + 1,
      title,
      transactions: entries.map(([{ raw }], i) => ({ raw: Buffer.from(raw).toString('latin1'), code: block.results[i]?.code })),
      validatorUpdates: block.validatorUpdates,
      appHash: toHex(state.appHash),
    };
  });
  const proof = (store: StoreName, key: string) => {
    const proved = state.prove(store, Buffer.from(key));
    if (!proved) throw new Error(`no proof of ${key}`);
    return {
      store,
      key,
      value: Buffer.from(proved.value).toString('latin1'),
      ops: proved.ops.map((op) => ({ type: op.type, key: Buffer.from(op.key).toString('latin1'), data: toHex(op.data) })),
    };
  };
  return {
    genesis: Buffer.from(GENESIS.bytes).toString('utf8'),
    genesisHash: GENESIS.hash,
    genesisAppHash,
    blocks,
    proofs: [
      proof('accounts', devAddress(0)),
      proof('accounts', devAddress(2)),
      proof('accounts', NEW_ACCOUNT),
      proof('governance', 'operators'),
      proof('governance', 'sequence'),
      proof('governance', 'validators'),
    ],
  };
}

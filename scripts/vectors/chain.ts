/**
 * A small chain: its genesis, then blocks with the code of every transaction and the app hash after each, then proofs in the last state.
 *
 * Some blocks have transactions that no honest proposer would include, because execution must still have one outcome on every replica.
 */
import {
  CODES,
  type CodeName,
  finalizeBlock,
  type GovernanceAction,
  LedgerState,
  type Misbehavior,
  NONCE_WINDOW,
  type StoreName,
  validatorAddress,
  type VerifiedTransaction,
} from '../../server/ledger/index.ts';
import {
  devAddress,
  devSeed,
  governorAddress,
  governorSeed,
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
const SECOND_ACCOUNT = operatorAddress(7);

const GENESIS = testGenesis({
  accounts: [
    { address: devAddress(0), balance: 1000n },
    { address: devAddress(1), balance: 50n },
    { address: devAddress(2), balance: 0n },
  ],
  governors: [governorAddress(0), governorAddress(1)],
  validators: [20, 10, 10].map((power, i) => ({ publicKey: validatorKey(i), power, name: '' })),
  openingMinimum: 5n,
});

const ONE = [governorSeed(0)];
const BOTH = [governorSeed(0), governorSeed(1)];

const govern = (sequence: number, action: GovernanceAction, subject: string, power = 0, signers = BOTH) =>
  signedGovernance({ action, subject, power, sequence, signers });
const power = (subject: number, value: number, sequence: number) =>
  govern(sequence, 'validator_power', validatorKey(subject), value);

/** Blocks are a second apart. */
const SECONDS = 1_790_000_000;
const VALID_UNTIL = SECONDS + 7;

const proved = (i: number): Misbehavior => ({
  kind: 'duplicate_vote',
  validatorAddress: validatorAddress(Buffer.from(validatorKey(i), 'hex')),
  height: 1,
});

const BLOCKS: readonly (readonly [title: string, entries: readonly Entry[], misbehavior?: readonly Misbehavior[]])[] = [
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
    'the opening minimum: too little for an address without an account fails, enough opens it, and then little is fine',
    [
      [signedTransfer({ from: 1, nonce: 4, to: SECOND_ACCOUNT, amount: 4n }), 'below_opening_minimum'],
      [signedTransfer({ from: 1, nonce: 5, to: SECOND_ACCOUNT, amount: 5n }), 'insufficient_funds'],
      [signedTransfer({ from: 2, nonce: 1, to: SECOND_ACCOUNT, amount: 5n }), 'ok'],
      [signedTransfer({ from: 2, nonce: 2, to: SECOND_ACCOUNT, amount: 1n }), 'ok'],
    ],
  ],
  [
    'governance: roles, threshold, sequence, rights',
    [
      [govern(1, 'canceller_add', operatorAddress(1), 0, ONE), 'governance_sequence'],
      [govern(0, 'canceller_add', operatorAddress(1), 0, [operatorSeed(0)]), 'signer_not_allowed'],
      [govern(0, 'canceller_add', operatorAddress(1), 0, [governorSeed(0), governorSeed(5)]), 'signer_not_allowed'],
      [govern(0, 'canceller_remove', operatorAddress(0), 0, ONE), 'governance_last_one'],
      [govern(0, 'canceller_add', operatorAddress(0), 0, ONE), 'governance_without_effect'],
      [govern(0, 'canceller_add', operatorAddress(1), 0, ONE), 'ok'],
      [govern(1, 'canceller_remove', operatorAddress(0), 0, BOTH), 'ok'],
      [signedCancel({ from: 1, nonce: 6, signer: operatorSeed(0) }), 'signer_not_allowed'],
      [signedCancel({ from: 1, nonce: 6, signer: governorSeed(0) }), 'signer_not_allowed'],
      [signedCancel({ from: 1, nonce: 6, signer: operatorSeed(1) }), 'ok'],
      [govern(2, 'threshold', '', 3, ONE), 'governance_unreachable'],
      [govern(2, 'threshold', '', 2, ONE), 'ok'],
      [govern(3, 'governor_add', governorAddress(2), 0, ONE), 'governance_threshold'],
      [govern(3, 'governor_remove', governorAddress(1)), 'governance_unreachable'],
      [govern(3, 'governor_add', governorAddress(2)), 'ok'],
      [govern(4, 'governor_remove', governorAddress(2), 0, [governorSeed(0), governorSeed(2)]), 'ok'],
    ],
  ],
  [
    'governance: voting power, net for the block, less than a third of what it was before',
    [
      [power(0, 20, 5), 'governance_without_effect'],
      [power(3, 2 ** 53 - 1, 5), 'governance_power_bound'],
      [power(3, 14, 5), 'governance_power_bound'],
      [power(3, 5, 5), 'ok'],
      [power(4, 8, 6), 'ok'],
      [power(1, 9, 7), 'governance_power_bound'],
      [power(4, 0, 7), 'ok'],
      [power(3, 6, 8), 'ok'],
    ],
  ],
  ['a validator removed', [[power(2, 0, 9), 'ok']]],
  [
    'rules: the next version far enough ahead, put off before it counts',
    [
      [govern(10, 'rules_version', '3', 10_000), 'governance_rules_version'],
      [govern(10, 'rules_version', '1', 10_000), 'governance_rules_version'],
      [govern(10, 'rules_version', '2', 100), 'governance_rules_height'],
      [govern(10, 'rules_version', '2', 10_000), 'ok'],
      [govern(11, 'rules_version', '2', 10_000), 'governance_without_effect'],
      [govern(11, 'rules_version', '2', 20_000), 'ok'],
    ],
  ],
  [
    'evidence: power 0 whatever the bound, also against a transaction of the block that raises it',
    [[power(1, 12, 12), 'ok']],
    [proved(1)],
  ],
  ['evidence against a stranger, and against all: the strongest stays', [], [proved(9), proved(0), proved(3)]],
  ['the last validator stays', [[power(0, 0, 13), 'governance_last_one']], [proved(0)]],
];

export function chainVectors() {
  const state = LedgerState.fromGenesis(GENESIS);
  const genesisAppHash = toHex(state.appHash);
  const blocks = BLOCKS.map(([title, entries, misbehavior = []], index) => {
    const block = finalizeBlock(
      state,
      entries.map(([{ raw }]) => raw),
      { height: index + 1, timeNs: BigInt(SECONDS + index + 1) * 1_000_000_000n, misbehavior },
    );
    entries.forEach(([, expected], i) =>
      expectEqual(`${title}, transaction ${i}`, block.results[i]?.code, CODES[expected]),
    );
    state.commit(block);
    return {
      height: index + 1,
      time: SECONDS + index + 1,
      title,
      transactions: entries.map(([{ raw }], i) => ({
        raw: Buffer.from(raw).toString('latin1'),
        code: block.results[i]?.code,
      })),
      ...(misbehavior.length > 0 && { misbehavior }),
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
      ops: proved.ops.map((op) => ({
        type: op.type,
        key: Buffer.from(op.key).toString('latin1'),
        data: toHex(op.data),
      })),
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
      ...['cancellers', 'currency', 'governors', 'openingMinimum', 'rules', 'sequence', 'threshold', 'validators'].map(
        (key) => proof('governance', key),
      ),
    ],
  };
}

/**
 * A chain of four validators on which everything is governed that can be: each kind of governance takes effect, one is in a block without
 * effect, and the validators are replaced one by one until no first one is left. Made block by block and signed with real keys.
 */
import { CODES, type GovernanceAction, validatorAddress } from '../../../server/ledger/index.ts';
import {
  governorAddress,
  governorSeed,
  operatorAddress,
  signedGovernance,
  signedTransfer,
  testGenesis,
  validatorKey,
} from '../../ledger/support.ts';
import { type ChainBlock, SignedChain } from './signed-chain.ts';

/** As a commit names a validator. */
const addressOf = (publicKey: string): string => validatorAddress(Buffer.from(publicKey, 'hex')).toLowerCase();

const FIRST = 4;
const POWER = 10;

/** The time that a stock node demands of a block: the median of those who signed the one before, weighted by power (types/block.go, v0.38). */
function medianTime({ commit }: ChainBlock, powers: ReadonlyMap<string, number>): bigint {
  const votes = commit.signatures.map(({ timestampNs, validatorAddress: address }) => ({
    timestampNs,
    power: powers.get(Buffer.from(address).toString('hex')) ?? 0,
  }));
  votes.sort((a, b) => (a.timestampNs < b.timestampNs ? -1 : 1));
  let left = Math.floor(votes.reduce((sum, { power }) => sum + power, 0) / 2);
  for (const { timestampNs, power } of votes) {
    if (left <= power) return timestampNs;
    left -= power;
  }
  throw new Error('no one signed');
}

export function makeGovernedChain(): Pick<SignedChain, 'genesis' | 'blocks'> {
  const genesis = testGenesis({
    validators: Array.from({ length: FIRST }, (_, i) => ({ publicKey: validatorKey(i), power: POWER, name: '' })),
    governors: [0, 1, 2].map(governorAddress),
    threshold: 2,
  });
  const chain = new SignedChain(genesis);
  let sequence = 0;
  let threshold = 2;
  const governance = (action: GovernanceAction, subject: string, power = 0): Uint8Array => {
    const signers = Array.from({ length: threshold }, (_, i) => governorSeed(i));
    if (action === 'threshold') threshold = power;
    return signedGovernance({ action, subject, power, sequence: sequence++, signers }).raw;
  };
  const add = (...transactions: Uint8Array[]): void => {
    const last = chain.blocks.at(-1);
    const powers = new Map(chain.signersAt(chain.height).map(({ publicKey, power }) => [addressOf(publicKey), power]));
    const { results } = chain.add(
      transactions,
      last === undefined ? {} : { header: { timeNs: medianTime(last, powers) } },
    );
    const refused = results.find(({ code }) => code !== CODES.ok && code !== CODES.governance_threshold);
    if (refused) throw new Error(`a transaction of the governed chain was refused: ${refused.log}`);
  };

  add();
  // Two in a block, with a transfer behind them.
  add(
    governance('canceller_add', operatorAddress(1)),
    governance('governor_add', governorAddress(3)),
    signedTransfer({ from: 0 }).raw,
  );
  add(governance('canceller_remove', operatorAddress(0)));
  add(governance('threshold', '', 3));
  add(governance('governor_remove', governorAddress(3)));
  // One governor is too few: in the block, without effect, and its code is in the next header.
  add(
    signedGovernance({ action: 'threshold', subject: '', power: 1, sequence, signers: [governorSeed(0)] }).raw,
    signedTransfer({ from: 0, nonce: 1 }).raw,
  );
  add(governance('threshold', '', 2));
  add(governance('rules_version', '2', 1_000_000));
  add(governance('validator_power', validatorKey(0), POWER + 3));
  // One in, one out, until all are others. Two changes of one block count together.
  for (let i = 0; i < FIRST; i++) {
    add(governance('validator_power', validatorKey(FIRST + i), POWER));
    if (i === 0)
      add(
        governance('validator_power', validatorKey(0), POWER - 1),
        governance('validator_power', validatorKey(1), POWER - 1),
      );
    add(governance('validator_power', validatorKey(i), 0));
    add();
  }
  for (let i = 0; i < 3; i++) add();
  return chain;
}

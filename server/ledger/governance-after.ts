/**
 * Governance along a chain without its accounts: it gives a follower the validators whose signatures make the next blocks.
 *
 * A governance transaction reads and changes nothing but governance, so the other transactions of a block need not be executed for it. The
 * rules are FinalizeBlock's own: a second implementation of them could differ.
 */
import type { BlockContext } from './block-context.ts';
import { latin1Bytes } from './bytes.ts';
import type { ChainContext } from './chain.ts';
import { decodeTransaction } from './decode.ts';
import { finalizeBlock } from './finalize.ts';
import type { GenesisDocument } from './genesis.ts';
import { assertRulesKnown } from './rules.ts';
import type { GovernanceState, StateView, ValidatorPower } from './state.ts';
import { sortValidators } from './validators.ts';

/** Canonical bytes begin with their first key, and only a transfer has this one. */
const TRANSFER_START = latin1Bytes('{"amount":');

function isGovernance(raw: Uint8Array): boolean {
  if (TRANSFER_START.every((byte, i) => raw[i] === byte)) return false;
  const decoded = decodeTransaction(raw);
  return decoded.ok && decoded.tx.kind === 'governance';
}

/**
 * Validators that a block decides sign from the second block after it on: the next one only announces them (CometBFT v0.38,
 * state/execution.go).
 */
export const BLOCKS_UNTIL_SIGNING = 2;

type GenesisGovernance = Pick<
  GenesisDocument,
  'cancellers' | 'governors' | 'threshold' | 'validators' | 'rules' | 'currency' | 'openingMinimum'
>;

/** Before the first block. */
export function genesisGovernance({
  cancellers,
  governors,
  threshold,
  validators,
  rules,
  currency,
  openingMinimum,
}: GenesisGovernance): GovernanceState {
  return {
    cancellers: [...cancellers].sort(),
    governors: [...governors].sort(),
    threshold,
    validators: sortValidators(validators.map(({ publicKey, power }) => ({ publicKey, power }))),
    sequence: 0,
    rules: rules.map(({ version, height }) => ({ version, height })),
    currency: { code: currency.code, scale: currency.scale },
    openingMinimum: String(openingMinimum),
  };
}

/** After a block with these transactions and this evidence; the very same object when nothing changed it. */
export function governanceAfter(
  chain: ChainContext,
  governance: GovernanceState,
  raws: readonly Uint8Array[],
  block: BlockContext,
): GovernanceState {
  const changes = raws.filter(isGovernance);
  if (changes.length === 0 && (block.misbehavior ?? []).length === 0) {
    assertRulesKnown(governance, block.height);
    return governance;
  }
  const view: StateView = {
    chain,
    account: () => undefined,
    governance: () => governance,
    governanceBefore: () => governance,
  };
  return finalizeBlock(view, changes, block).governance ?? governance;
}

/** True when two sets, both sorted by key, name the same validators with the same power. */
export function sameValidators(a: readonly ValidatorPower[], b: readonly ValidatorPower[]): boolean {
  return (
    a === b ||
    (a.length === b.length &&
      a.every(({ publicKey, power }, i) => publicKey === b[i]?.publicKey && power === b[i]?.power))
  );
}

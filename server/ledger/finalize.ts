/**
 * Executes a decided block: FinalizeBlock.
 *
 * By now the block is a fact, so this is total: transactions run in the order given, one that `step` refuses gets its code and no effect,
 * and nothing throws. Limits and order are not checked again: they are conditions for voting, and a block that was decided in spite of them
 * must still have one outcome on every replica. Only a block under rules that this program does not have throws: it has no outcome here.
 */
import type { Account } from './account.ts';
import type { BlockContext } from './block-context.ts';
import { CODES, CODESPACE } from './codes.ts';
import type { Effect } from './effect.ts';
import { punish } from './evidence.ts';
import { eventsOf, type LedgerEvent } from './event.ts';
import { Overlay } from './overlay.ts';
import type { GovernanceState, StateView, ValidatorPower } from './state.ts';
import { assertRulesKnown } from './rules.ts';
import { step } from './step.ts';
import type { Transaction } from './transaction.ts';
import { validatorChanges } from './validators.ts';
import { type ReadOptions, readTransaction } from './verify.ts';

/** ABCI's ExecTxResult. Only code, data, gasWanted and gasUsed are hashed into the next header. */
export interface TxResult {
  readonly code: number;
  /** Empty for code 0. */
  readonly codespace: string;
  readonly log: string;
  readonly data: Uint8Array;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  readonly events: readonly LedgerEvent[];
}

export interface FinalizedBlock {
  /** One for each transaction, in order. */
  readonly results: readonly TxResult[];
  /** The accounts that changed as they are afterwards, in the order of first write. */
  readonly accounts: ReadonlyMap<string, Account>;
  /** The governance record when it changed. */
  readonly governance: GovernanceState | undefined;
  /** Validator updates for CometBFT: the net change of this block, each validator at most once, sorted by key. */
  readonly validatorUpdates: readonly ValidatorPower[];
  /** Events of the block itself: the effects of its evidence. */
  readonly events: readonly LedgerEvent[];
}

export type FinalizeOptions = ReadOptions;

const NO_DATA = new Uint8Array(0);

/** Events are made on first access: callers that settle a block or keep its codes never read them. */
function txResult(code: number, log: string, executed?: Transaction): TxResult {
  return {
    code,
    codespace: code === CODES.ok ? '' : CODESPACE,
    log,
    data: NO_DATA,
    gasWanted: 0n,
    gasUsed: 0n,
    get events() {
      return executed === undefined ? [] : eventsOf(executed, code);
    },
  };
}

/** Runs one transaction after those that `overlay` holds, and keeps its changes there. */
function execute(overlay: Overlay, tx: Transaction, block: BlockContext): TxResult {
  const result = step(overlay, tx, block);
  if (!result.ok) return txResult(result.refusal.code, result.refusal.log);
  overlay.apply(result.effect);
  return resultOf(tx, result.effect);
}

export function resultOf(tx: Transaction, { code, log }: Effect): TxResult {
  return txResult(code, log, tx);
}

/** Outcome of a block whose changes `overlay` holds, on top of `view`. */
export function finalized(
  view: StateView,
  overlay: Overlay,
  results: readonly TxResult[],
  { misbehavior = [] }: BlockContext,
): FinalizedBlock {
  const before = view.governance();
  // After all transactions, so that none of them gives a power back that the evidence takes.
  const { governance, events } = punish(overlay.changedGovernance() ?? before, misbehavior);
  return {
    results,
    accounts: overlay.changedAccounts(),
    governance: governance === before ? undefined : governance,
    validatorUpdates: validatorChanges(before.validators, governance.validators),
    events,
  };
}

/** Runs the block's transactions on top of `view`, which is left as it is. */
export function finalizeBlock(
  view: StateView,
  raws: readonly Uint8Array[],
  block: BlockContext,
  options: FinalizeOptions = {},
): FinalizedBlock {
  assertRulesKnown(view.governance(), block.height);
  const overlay = new Overlay(view);
  const results = raws.map((raw) => {
    const checked = readTransaction(view.chain, raw, options);
    return checked.ok
      ? execute(overlay, checked.verified.tx, block)
      : txResult(checked.refusal.code, checked.refusal.log);
  });
  return finalized(view, overlay, results, block);
}

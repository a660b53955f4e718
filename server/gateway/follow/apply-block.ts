/**
 * Applies one block to the store, in one transaction that begins with a compare-and-set on (height, parent hash).
 *
 * The block is executed here again by the ledger's own rules. When the outcome differs from the engine's, one of the two is wrong about
 * money, and nothing is settled until an operator has determined which one.
 */
import type { CommittedBlock } from '../../engine/port.ts';
import type { ChainContext, FinalizedBlock, GovernanceState } from '../../ledger/index.ts';
import { BLOCKS_UNTIL_SIGNING, lastPast, sameValidators } from '../../ledger/index.ts';
import type {
  AuditEntry,
  EventRow,
  NewTransfer,
  OwnerSettled,
  ReservedIds,
  Settlement,
  Store,
  StoredAccount,
  StoredTransfer,
  StoredValidatorSet,
  WriteTransaction,
} from '../../store/index.ts';
import { StoreConflictError } from '../../store/errors.ts';
import { ShardNumbers } from '../../store/shards.ts';
import { governanceEntry } from '../audit/entries.ts';
import { EXPIRED_PER_BLOCK_MAX, NO_OWNER } from '../limits.ts';
import type { BlockEffects, BlockTransaction, SeenTransfer } from './block-effects.ts';
import { ContradictionError, effectsOfBlock } from './block-effects.ts';
import { type Projection, slotKey } from './projection.ts';
import type { BlockReading, LockedReading, PendingAt } from './read-block.ts';
import { isEmpty, readAgain, readAhead, readBlock } from './read-block.ts';

export interface ApplyContext {
  store: Store;
  chain: ChainContext;
  /** Name of this gateway in the audit trail. */
  actor: string;
  pendingTtlMs: number;
  nowMs: number;
  uptimeMs: number;
  /** Time of the first broadcast of a transfer, where memory has it. */
  broadcastAtMs(seq: number): number | undefined;
  /**
   * All governance sets that the blocks before this one decided, where the store does not have them: an older version followed those
   * blocks.
   */
  validatorSets?: readonly StoredValidatorSet[] | undefined;
}

export interface AppliedBlock {
  settled: { transfer: StoredTransfer; settlement: Settlement }[];
  seen: number;
  /** Rows whose cancel is to be broadcast because their validity or their time to live is over. */
  expiring: number[];
  accounts: StoredAccount[];
  governanceChanged: boolean;
}

/** The store is not at the block's parent: another gateway has applied blocks, or this is another history. */
export class NotNextError extends Error {
  override readonly name = 'NotNextError';
}

/**
 * The part of the work that needs no lock: done before `applyBlock`, it shortens the time in which nothing can be accepted. Undefined where
 * there is nothing to do.
 */
export async function prepareBlock(
  { store, chain }: Pick<ApplyContext, 'store' | 'chain'>,
  block: CommittedBlock,
  pendingAt: PendingAt,
): Promise<BlockReading | undefined> {
  return isEmpty(block) ? undefined : await store.read((tx) => readAhead(tx, chain, block, pendingAt));
}

export async function applyBlock(
  context: ApplyContext,
  block: CommittedBlock,
  ahead?: BlockReading,
): Promise<AppliedBlock> {
  const ids = await context.store.ids.reserve({
    accounts: block.transactions.length * ADDRESSES_PER_TRANSACTION,
    owners: 0,
  });
  try {
    return await applyWith(context, block, ids, ahead);
  } catch (error) {
    // Rows that were read ahead may be of a database that was set back since: only rows read under the lock prove a contradiction.
    if (ahead !== undefined && error instanceof ContradictionError) return await applyBlock(context, block);
    // No other writer makes accounts while this transaction has all shards: an id that is not free was assigned before the database was set
    // back.
    if (error instanceof StoreConflictError) context.store.ids.forget();
    throw error;
  } finally {
    ids.done();
  }
}

async function applyWith(
  context: ApplyContext,
  block: CommittedBlock,
  ids: ReservedIds,
  ahead: BlockReading | undefined,
): Promise<AppliedBlock> {
  return await context.store.write(async (tx) => {
    // Requested together, so that they cost one round trip. What was not read ahead is executed only where the block is next.
    const [, again] = await Promise.all([advance(tx, context, block), ahead && readAgain(tx, ahead)]);
    if (context.validatorSets !== undefined) await tx.saveValidatorSets(context.validatorSets);
    const expire = (): Promise<number[]> => requestExpiries(tx, context, block);
    const applied = isEmpty(block)
      ? { ...NOTHING, expiring: await expire() }
      : await settleBlock(tx, context, block, ids, again ?? (await readBlock(tx, context.chain, block)), expire);
    await tx.announce({ kind: 'applied', height: block.height });
    return applied;
  });
}

async function advance(
  tx: WriteTransaction,
  context: ApplyContext,
  { chainId, height, hash, timeMs, parentHash }: CommittedBlock,
): Promise<void> {
  const verifiedFromGenesis = context.validatorSets !== undefined;
  const advanced = await tx.advanceFollower(
    { chainId, height, hash, blockTimeMs: timeMs, uptimeMs: context.uptimeMs, verifiedFromGenesis },
    parentHash,
  );
  if (!advanced) throw new NotNextError(`the follower does not stand at the parent of block ${height}`);
}

/** Transfers that no block will take from now on, or that have waited for too long. */
async function requestExpiries(
  tx: WriteTransaction,
  { uptimeMs, pendingTtlMs, nowMs }: ApplyContext,
  { timeMs, timeNs }: CommittedBlock,
): Promise<number[]> {
  const found = await Promise.all([
    tx.requestValidityExpiry(lastPast(timeNs), EXPIRED_PER_BLOCK_MAX, nowMs),
    tx.requestExpiry(
      { uptimeMsMax: uptimeMs - pendingTtlMs, blockMsMax: timeMs - pendingTtlMs },
      EXPIRED_PER_BLOCK_MAX,
      nowMs,
    ),
  ]);
  return found.flat();
}

/** Sender and receiver. */
const ADDRESSES_PER_TRANSACTION = 2;

const NOTHING = { settled: [], seen: 0, accounts: [], governanceChanged: false };

/** Calls `expire` behind its own changes: what the block settles does not expire. */
async function settleBlock(
  tx: WriteTransaction,
  context: ApplyContext,
  block: CommittedBlock,
  ids: ReservedIds,
  reading: LockedReading,
  expire: () => Promise<number[]>,
): Promise<AppliedBlock> {
  const { transactions, governance, view, finalized, rows, shards } = reading;
  const numbers = new ShardNumbers(shards);
  const effects = effectsOfBlock(block, transactions, (from, nonce) => rows.get(slotKey({ from, nonce })) ?? []);
  const accounts = accountsAfter(view, finalized, effects, ids);
  const idOf = (address: string): number => {
    const account = accounts.get(address) ?? view.stored(address);
    if (account === undefined)
      throw new ContradictionError(`block ${block.height} names ${address}, which is not in the projection`);
    return account.id;
  };
  const seen = effects.seen.map((each) => ({ ...each, seq: numbers.takeSeq(each.tx.from) }));
  const rowsSeen = seen.map((each) => rowOfSeen(each, context, block, idOf));
  const ownersSettled = countSettled(effects, numbers);
  const isKnown = (account: StoredAccount): boolean => view.stored(account.address) !== undefined;
  const [known, unknown] = [
    [...accounts.values()].filter(isKnown),
    [...accounts.values()].filter((account) => !isKnown(account)),
  ];
  // Sent together, they cost one round trip. They are carried out in this order.
  const changes = [
    tx.saveAccounts(known),
    tx.insertAccounts(unknown),
    settleRows(tx, context, effects),
    tx.takeFromOwners(ownersSettled),
    tx.insertTransfers(rowsSeen),
    tx.saveShards(numbers.changed()),
    tx.appendEvents(
      {
        height: block.height,
        blockTimeMs: block.timeMs,
        rows: [...seen.map(({ seq, index }) => ({ seq, index })), ...eventRows(effects)],
      },
      idOf,
    ),
    finalized.governance && saveGovernance(tx, block.height, governance, finalized.governance),
    tx.appendAudit(governanceOf(transactions, context, block.height)),
  ];
  const [expiring] = await Promise.all([expire(), ...changes]);
  return {
    settled: effects.settled,
    seen: effects.seen.length,
    expiring,
    accounts: [...accounts.values()],
    governanceChanged: finalized.governance !== undefined,
  };
}

async function saveGovernance(
  tx: WriteTransaction,
  height: number,
  before: GovernanceState,
  after: GovernanceState,
): Promise<void> {
  await tx.saveGovernance(after);
  if (sameValidators(before.validators, after.validators)) return;
  await tx.saveValidatorSets([{ height: height + BLOCKS_UNTIL_SIGNING, validators: after.validators }]);
}

/** With its code: a transaction that the rules refused is in the block without an effect. */
function governanceOf(
  transactions: readonly BlockTransaction[],
  { actor, nowMs }: ApplyContext,
  height: number,
): AuditEntry[] {
  return transactions.flatMap(({ tx, hash, code }) =>
    tx?.kind === 'governance'
      ? [governanceEntry('governance.commit', { tx, hash, actor, atMs: nowMs }, { height, code })]
      : [],
  );
}

/** Every account that the block changed, or names in a transfer new to this store, as it is afterwards. */
function accountsAfter(
  view: Projection,
  finalized: FinalizedBlock,
  effects: BlockEffects,
  ids: ReservedIds,
): Map<string, StoredAccount> {
  const released = new Map<string, bigint>();
  for (const { transfer } of effects.settled)
    released.set(transfer.from, (released.get(transfer.from) ?? 0n) + transfer.amount);
  const accounts = new Map<string, StoredAccount>();
  for (const [address, { balance, nonce, voids }] of finalized.accounts) {
    const stored = view.stored(address);
    const reserved = (stored?.reserved ?? 0n) - (released.get(address) ?? 0n);
    accounts.set(address, { id: stored?.id ?? ids.account(), address, onChain: true, balance, nonce, voids, reserved });
  }
  for (const { tx } of effects.seen) {
    if (accounts.has(tx.to) || view.stored(tx.to) !== undefined) continue;
    // The receiver of a transfer that failed: no account on the chain, but the row names it.
    accounts.set(tx.to, {
      id: ids.account(),
      address: tx.to,
      onChain: false,
      balance: 0n,
      nonce: 0,
      voids: 0n,
      reserved: 0n,
    });
  }
  return accounts;
}

async function settleRows(tx: WriteTransaction, context: ApplyContext, { settled }: BlockEffects): Promise<void> {
  const settlements = settled.map(({ settlement }) => ({
    ...settlement,
    broadcastAtMs: context.broadcastAtMs(settlement.seq),
  }));
  const written = await tx.settleTransfers(settlements);
  if (written !== settlements.length)
    throw new ContradictionError(
      `${settlements.length - written} rows were settled by somebody else than the follower`,
    );
}

/** By owner and shard. Subtracts them from the pending counts of the shards. */
function countSettled({ settled }: BlockEffects, numbers: ShardNumbers): OwnerSettled[] {
  const byOwner = new Map<string, OwnerSettled>();
  for (const { transfer } of settled) {
    numbers.addPending(transfer.from, -1);
    const owner = transfer.owner ?? NO_OWNER;
    const shard = numbers.shardOf(transfer.from);
    const counted = byOwner.get(`${shard}/${owner}`);
    if (counted === undefined) byOwner.set(`${shard}/${owner}`, { owner, shard, count: 1 });
    else counted.count += 1;
  }
  return [...byOwner.values()];
}

/** Settled rows that existed before the block, and the voids that matched none. */
function eventRows({ settled, voided }: BlockEffects): EventRow[] {
  return [
    ...settled.map(({ transfer: { seq }, index }) => ({ seq, index })),
    ...voided.map(({ index, ...nonce }) => ({ index, voided: nonce })),
  ];
}

function rowOfSeen(
  { seq, tx, hash, status, reason }: SeenTransfer & { seq: number },
  context: ApplyContext,
  block: CommittedBlock,
  idOf: (address: string) => number,
): NewTransfer {
  return {
    seq,
    hash,
    fromId: idOf(tx.from),
    toId: idOf(tx.to),
    amount: tx.amount,
    nonce: tx.nonce,
    reference: tx.reference,
    validUntil: tx.validUntil,
    signature: tx.signature,
    ownerId: undefined,
    status,
    reason,
    firstSeenAtMs: context.nowMs,
    seenBlockMs: block.timeMs,
    seenUptimeMs: context.uptimeMs,
    height: block.height,
    blockTimeMs: block.timeMs,
  };
}

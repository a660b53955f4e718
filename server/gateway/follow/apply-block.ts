/**
 * Applies one block to the store, in one transaction that begins with a compare-and-set on (height, parent hash).
 *
 * The block is executed here again by the ledger's own rules. When the outcome differs from the engine's, one of the
 * two is wrong about money, and nothing is settled before it is known which.
 */
import type { CommittedBlock } from '../../engine/port.ts';
import type { ChainContext, FinalizedBlock, GovernanceState } from '../../ledger/index.ts';
import { BLOCKS_UNTIL_SIGNING, decodeTransaction, finalizeBlock, lastPast, sameValidators, txHash, verifyTransaction } from '../../ledger/index.ts';
import type { AuditEntry, EventRow, OwnerSettled, ReservedIds, Settlement, Store, StoredAccount, StoredTransfer, StoredValidatorSet, WriteTransaction } from '../../store/index.ts';
import { StoreConflictError } from '../../store/errors.ts';
import { ShardNumbers } from '../../store/shards.ts';
import { governanceEntry } from '../audit/entries.ts';
import { EXPIRED_PER_BLOCK_MAX, NO_OWNER } from '../limits.ts';
import type { BlockEffects, BlockTransaction } from './block-effects.ts';
import { ContradictionError, effectsOfBlock } from './block-effects.ts';
import { addressesTouched, Projection, slotsTouched } from './projection.ts';

export interface ApplyContext {
  store: Store;
  chain: ChainContext;
  /** This gateway, as the audit trail names it. */
  actor: string;
  pendingTtlMs: number;
  nowMs: number;
  uptimeMs: number;
  /** When a transfer was broadcast first, where memory knows. */
  broadcastAtMs(seq: number): number | undefined;
  /** Every set that the blocks before this one decided, where the store has them not: an older version followed them. */
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

/** The follower does not stand at the block's parent: somebody else was there, or this is another history. */
export class NotNextError extends Error {
  override readonly name = 'NotNextError';
}

/** The ledger's rules give other codes than the engine says: one of the two is wrong about money. Nothing was written. */
export class ResultsContradictionError extends ContradictionError {
  override readonly name = 'ResultsContradictionError';
}

export async function applyBlock(context: ApplyContext, block: CommittedBlock): Promise<AppliedBlock> {
  const ids = await context.store.ids.reserve({ accounts: block.transactions.length * ADDRESSES_PER_TRANSACTION, owners: 0 });
  try {
    return await applyWith(context, block, ids);
  } catch (error) {
    // No one else makes accounts while this transaction has all shards: an id that is not free was given before the database was set back.
    if (error instanceof StoreConflictError) context.store.ids.forget();
    throw error;
  } finally {
    ids.done();
  }
}

async function applyWith(context: ApplyContext, block: CommittedBlock, ids: ReservedIds): Promise<AppliedBlock> {
  return await context.store.write(async (tx) => {
    const { chainId, height, hash, timeMs } = block;
    const verifiedFromGenesis = context.validatorSets !== undefined;
    const advanced = await tx.advanceFollower({ chainId, height, hash, blockTimeMs: timeMs, uptimeMs: context.uptimeMs, verifiedFromGenesis }, block.parentHash);
    if (!advanced) throw new NotNextError(`the follower does not stand at the parent of block ${height}`);
    if (context.validatorSets !== undefined) await tx.saveValidatorSets(context.validatorSets);
    // Evidence changes validators without a transaction.
    const applied = block.transactions.length === 0 && block.misbehavior === undefined ? NOTHING : await execute(tx, context, block, ids);
    const ttl = { uptimeMsMax: context.uptimeMs - context.pendingTtlMs, blockMsMax: timeMs - context.pendingTtlMs };
    const late = await tx.requestValidityExpiry(lastPast(block.timeNs), EXPIRED_PER_BLOCK_MAX, context.nowMs);
    const aged = late.length === EXPIRED_PER_BLOCK_MAX ? [] : await tx.requestExpiry(ttl, EXPIRED_PER_BLOCK_MAX - late.length, context.nowMs);
    const expiring = [...late, ...aged];
    await tx.announce({ kind: 'applied', height });
    return { ...applied, expiring };
  });
}

/** Sender and receiver. */
const ADDRESSES_PER_TRANSACTION = 2;

const NOTHING = { settled: [], seen: 0, accounts: [], governanceChanged: false };

async function execute(tx: WriteTransaction, context: ApplyContext, block: CommittedBlock, ids: ReservedIds): Promise<Omit<AppliedBlock, 'expiring'>> {
  const decoded = block.transactions.map((raw) => decodeTransaction(raw));
  const transactions: BlockTransaction[] = decoded.map((result, index) => ({
    tx: result.ok ? result.tx : undefined,
    hash: txHash(block.transactions[index] as Uint8Array),
    code: block.codes[index] ?? Number.NaN,
  }));
  const parsed = transactions.map((transaction) => transaction.tx);
  const governance = await tx.governance();
  if (governance === undefined) throw new ContradictionError('the store has no governance record: it was never initialised');
  const [touched, found, shards] = await Promise.all([tx.accountsByAddress(addressesTouched(parsed)), tx.transfersAt(slotsTouched(parsed)), tx.shards()]);
  const view = new Projection(context.chain, governance, touched);
  const rows = groupBySlot(found);
  const numbers = new ShardNumbers(shards);

  const finalized = finalizeChecked(view, block, transactions, rows);
  const effects = effectsOfBlock(block, transactions, (from, nonce) => rows.get(`${from}/${nonce}`) ?? []);
  const accounts = accountsAfter(view, finalized, effects, ids);
  const isKnown = (account: StoredAccount): boolean => view.stored(account.address) !== undefined;
  await tx.saveAccounts([...accounts.values()].filter(isKnown));
  await tx.insertAccounts([...accounts.values()].filter((account) => !isKnown(account)));
  await writeSettlements(tx, context, effects, numbers);
  const idOf = (address: string): number => {
    const account = accounts.get(address) ?? view.stored(address);
    if (account === undefined) throw new ContradictionError(`block ${block.height} names ${address}, which is not in the projection`);
    return account.id;
  };
  const seen = await insertSeen(tx, context, block, effects, idOf, numbers);
  await tx.saveShards(numbers.changed());
  await tx.appendEvents({ height: block.height, blockTimeMs: block.timeMs, rows: [...seen, ...eventRows(effects)] }, idOf);
  if (finalized.governance !== undefined) await saveGovernance(tx, block.height, governance, finalized.governance);
  await tx.appendAudit(governanceOf(transactions, context, block.height));
  return { settled: effects.settled, seen: effects.seen.length, accounts: [...accounts.values()], governanceChanged: finalized.governance !== undefined };
}

async function saveGovernance(tx: WriteTransaction, height: number, before: GovernanceState, after: GovernanceState): Promise<void> {
  await tx.saveGovernance(after);
  if (sameValidators(before.validators, after.validators)) return;
  await tx.saveValidatorSets([{ height: height + BLOCKS_UNTIL_SIGNING, validators: after.validators }]);
}

/** With its code: one that the rules refused is in the block without an effect. */
function governanceOf(transactions: readonly BlockTransaction[], { actor, nowMs }: ApplyContext, height: number): AuditEntry[] {
  return transactions.flatMap(({ tx, hash, code }) =>
    tx?.kind === 'governance' ? [governanceEntry('governance.commit', { tx, hash, actor, atMs: nowMs }, { height, code })] : [],
  );
}

function groupBySlot(transfers: readonly StoredTransfer[]): Map<string, StoredTransfer[]> {
  return Map.groupBy(transfers, (transfer) => `${transfer.from}/${transfer.nonce}`);
}

/** A row of this store was verified when it was accepted, so the signature of the very same bytes needs no second check. Nothing is decoded again. */
function finalizeChecked(
  view: Projection,
  block: CommittedBlock,
  transactions: readonly BlockTransaction[],
  rows: ReadonlyMap<string, readonly StoredTransfer[]>,
): FinalizedBlock {
  const verified = new Set([...rows.values()].flat().map((row) => row.hash));
  const read = new Map(block.transactions.map((raw, index) => [raw, transactions[index] as BlockTransaction]));
  const finalized = finalizeBlock(view, block.transactions, block, {
    read: (raw) => {
      const { tx, hash } = read.get(raw) as BlockTransaction;
      return verifyTransaction(view.chain, raw, { hash, signatureVerified: verified.has(hash), ...(tx && { tx }) });
    },
  });
  const ours = finalized.results.map((result) => result.code);
  if (ours.length !== block.codes.length || ours.some((code, index) => code !== block.codes[index])) {
    throw new ResultsContradictionError(`block ${block.height} executes here with the codes [${ours}], the engine says [${block.codes}]`);
  }
  return finalized;
}

/** Every account that the block changed, or names in a transfer new to this store, as it is afterwards. */
function accountsAfter(view: Projection, finalized: FinalizedBlock, effects: BlockEffects, ids: ReservedIds): Map<string, StoredAccount> {
  const released = new Map<string, bigint>();
  for (const { transfer } of effects.settled) released.set(transfer.from, (released.get(transfer.from) ?? 0n) + transfer.amount);
  const accounts = new Map<string, StoredAccount>();
  for (const [address, { balance, nonce, voids }] of finalized.accounts) {
    const stored = view.stored(address);
    const reserved = (stored?.reserved ?? 0n) - (released.get(address) ?? 0n);
    accounts.set(address, { id: stored?.id ?? ids.account(), address, onChain: true, balance, nonce, voids, reserved });
  }
  for (const { tx } of effects.seen) {
    if (accounts.has(tx.to) || view.stored(tx.to) !== undefined) continue;
    // The receiver of a transfer that failed: no account on the chain, but the row names it.
    accounts.set(tx.to, { id: ids.account(), address: tx.to, onChain: false, balance: 0n, nonce: 0, voids: 0n, reserved: 0n });
  }
  return accounts;
}

async function writeSettlements(tx: WriteTransaction, context: ApplyContext, effects: BlockEffects, numbers: ShardNumbers): Promise<void> {
  const settlements = effects.settled.map(({ settlement }) => ({ ...settlement, broadcastAtMs: context.broadcastAtMs(settlement.seq) }));
  const written = await tx.settleTransfers(settlements);
  if (written !== settlements.length) throw new ContradictionError(`${settlements.length - written} rows were settled by somebody else than the follower`);
  const byOwner = new Map<string, OwnerSettled>();
  for (const { transfer } of effects.settled) {
    numbers.addPending(transfer.from, -1);
    const owner = transfer.owner ?? NO_OWNER;
    const shard = numbers.shardOf(transfer.from);
    const settled = byOwner.get(`${shard}/${owner}`);
    if (settled === undefined) byOwner.set(`${shard}/${owner}`, { owner, shard, count: 1 });
    else settled.count += 1;
  }
  await tx.takeFromOwners([...byOwner.values()]);
}

/** What the block settled of the rows that were there, and the voids that met none. */
function eventRows({ settled, voided }: BlockEffects): EventRow[] {
  return [...settled.map(({ transfer: { seq }, index }) => ({ seq, index })), ...voided.map(({ index, ...nonce }) => ({ index, voided: nonce }))];
}

/** Where the new rows stand in the event log. */
async function insertSeen(
  tx: WriteTransaction,
  context: ApplyContext,
  block: CommittedBlock,
  effects: BlockEffects,
  idOf: (address: string) => number,
  numbers: ShardNumbers,
): Promise<EventRow[]> {
  const numbered = effects.seen.map((seen) => ({ ...seen, seq: numbers.takeSeq(seen.tx.from) }));
  await tx.insertTransfers(
    numbered.map(({ seq, tx: transfer, hash, status, reason }) => ({
      seq,
      hash,
      fromId: idOf(transfer.from),
      toId: idOf(transfer.to),
      amount: transfer.amount,
      nonce: transfer.nonce,
      reference: transfer.reference,
      validUntil: transfer.validUntil,
      signature: transfer.signature,
      ownerId: undefined,
      status,
      reason,
      firstSeenAtMs: context.nowMs,
      seenBlockMs: block.timeMs,
      seenUptimeMs: context.uptimeMs,
      height: block.height,
      blockTimeMs: block.timeMs,
    })),
  );
  return numbered.map(({ seq, index }) => ({ seq, index }));
}

/**
 * Accepts a group of submissions in one database transaction: lock, load, check each after those before it, write, one fsync.
 *
 * On a database server that is two round trips: the first locks the shards of the senders and reads all that the checks need, the second
 * writes and commits. So no read may depend on the result of another read of the group.
 */
import type {
  NonceRun,
  ReadTransaction,
  ReservedIds,
  Store,
  StoredAccount,
  StoredShard,
  StoredTransfer,
  WriteTransaction,
} from '../../store/index.ts';
import { StoreConflictError } from '../../store/errors.ts';
import { ShardNumbers, shardOf } from '../../store/shards.ts';
import { viewsOf } from '../account-view.ts';
import { checkedSubmission } from '../check.ts';
import type { CheckedSubmission, Submission } from '../core-api.ts';
import type { GapOf } from '../gaps.ts';
import { gapsIn } from '../gaps.ts';
import { GROUP_ATTEMPTS_MAX, NO_OWNER } from '../limits.ts';
import type { AccountView } from '../types.ts';
import type { AcceptedRow, GroupMoment, GroupRows } from './group.ts';
import { Group } from './group.ts';
import type { JudgedChain, JudgeLimits, Judgement } from './judge.ts';
import { judge } from './judge.ts';
import { takenIn, type TakenNonces } from './places.ts';

export interface AcceptContext {
  store: Store;
  chain: JudgedChain;
  limits: JudgeLimits;
  moment(): GroupMoment;
  /** Pending nonces of an account that memory holds; absent where only the rows have them. */
  takenBy?(account: StoredAccount): TakenNonces | undefined;
}

/** Transfers that a group added to a shard: all with a seq above `before`, up to `after`. */
export interface ShardStep {
  id: number;
  before: number;
  after: number;
}

export interface AcceptedGroup {
  /** One for each submission, in order; undefined for one that was left because another writer has the shard of its sender. */
  judgements: (Judgement | undefined)[];
  accepted: { transfer: StoredTransfer; sender: StoredAccount }[];
  steps: ShardStep[];
  /** Nonce gaps of the senders, these transfers included; absent where memory has them. */
  gapOf?: GapOf;
}

/**
 * Resolves when what was accepted is durable. When another writer took a slot in between (a unique index fails), the group is checked
 * again, and the row of that writer answers. Unless it `waits`, it takes only the shards that are free.
 */
export async function acceptGroup(
  context: AcceptContext,
  submissions: readonly Submission[],
  waits = true,
): Promise<AcceptedGroup> {
  const { store } = context;
  const shards = [...new Set(submissions.map(({ from }) => shardOf(from, store.shards)))];
  for (let attempt = 1; ; attempt++) {
    // At most as many ids as the group can need, so that no group reserves ids while it holds locks.
    const ids = await store.ids.reserve({ accounts: submissions.length, owners: submissions.length });
    try {
      return await store.write((tx) => acceptIn(tx, context, submissions, ids), { shards, waits });
    } catch (error) {
      if (!(error instanceof StoreConflictError) || attempt === GROUP_ATTEMPTS_MAX) throw error;
      if (attempt > 1) store.ids.forget();
    } finally {
      ids.done();
    }
  }
}

async function acceptIn(
  tx: WriteTransaction,
  context: AcceptContext,
  submissions: readonly Submission[],
  ids: ReservedIds,
): Promise<AcceptedGroup> {
  const [locked, { rows, shards, runs }] = await Promise.all([tx.locked(), loadGroup(tx, context, submissions)]);
  const numbers = new ShardNumbers(shards);
  const group = new Group({ ...rows, numbers: groupNumbers(numbers, ids) }, context.moment());
  const isOurs = new Set(locked);
  const judgements = submissions.map((submission) =>
    isOurs.has(numbers.shardOf(submission.from)) ? judge(group, submission, context.chain, context.limits) : undefined,
  );
  const { accepted, senders, newAccounts, newOwners } = group.changes();
  if (accepted.length > 0) {
    const transfers = accepted.map(({ transfer, ...submitted }) => ({ ...transfer, ...submitted }));
    const rowsToSave = {
      shards: numbers.changed(),
      senders,
      newAccounts,
      newOwners,
      ownerChanges: ownerChanges(accepted, numbers),
      transfers,
    };
    await Promise.all([tx.saveAccepted(rowsToSave), tx.announce({ kind: 'accepted' })]);
  }
  const before = new Map(shards.map(({ id, lastSeq }) => [id, lastSeq]));
  return {
    judgements,
    accepted: accepted.flatMap(({ transfer }) => {
      const sender = group.account(transfer.from);
      return sender === undefined ? [] : [{ transfer, sender }];
    }),
    steps: numbers.changed().map(({ id, lastSeq }) => ({ id, before: before.get(id) ?? 0, after: lastSeq })),
    ...(runs && {
      gapOf: gapsIn(rows.accounts, [
        ...runs,
        ...accepted.map(({ transfer }) => ({ fromId: transfer.fromId, first: transfer.nonce, count: 1 })),
      ]),
    }),
  };
}

const groupNumbers = (numbers: ShardNumbers, ids: Pick<ReservedIds, 'account' | 'owner'>): GroupRows['numbers'] => ({
  get pending() {
    return numbers.pending;
  },
  takeSeq: (from) => numbers.takeSeq(from),
  addPending: (from, count) => numbers.addPending(from, count),
  takeAccountId: ids.account,
  takeOwnerId: ids.owner,
});

function ownerChanges(
  accepted: readonly AcceptedRow[],
  numbers: ShardNumbers,
): { ownerId: number; shard: number; count: number }[] {
  const changes = new Map<string, { ownerId: number; shard: number; count: number }>();
  for (const { countedUnder: ownerId, transfer } of accepted) {
    const shard = numbers.shardOf(transfer.from);
    const change = changes.get(`${ownerId}/${shard}`);
    if (change === undefined) changes.set(`${ownerId}/${shard}`, { ownerId, shard, count: 1 });
    else change.count += 1;
  }
  return [...changes.values()];
}

/** A check writes nothing, so a transfer that would be accepted has no number here. */
const NO_IDS = { account: () => 0, owner: () => 0 };

/**
 * Checks one submission as `acceptGroup` would now, from the rows of one snapshot and with no effect. It waits for no writer, and does not
 * use memory, which may be ahead of the snapshot.
 */
export async function checkSubmission(
  { store, chain, limits, moment }: Omit<AcceptContext, 'takenBy'>,
  submission: Submission,
): Promise<CheckedSubmission> {
  return await store.read(async (tx) => {
    const { rows, shards, runs = [] } = await loadGroup(tx, {}, [submission]);
    const group = new Group({ ...rows, numbers: groupNumbers(new ShardNumbers(shards), NO_IDS) }, moment());
    const judgement = judge(group, submission, chain, limits);
    const sender = rows.accounts.filter(({ address }) => address === submission.from);
    const [account] = viewsOf([submission.from], rows.follower, sender, runs).accounts;
    return checkedSubmission(
      submission,
      { judgement, boundTo: group.boundTo(submission.from) },
      account as AccountView,
      gapsIn(sender, runs),
    );
  });
}

interface LoadedGroup {
  rows: Omit<GroupRows, 'numbers'>;
  shards: StoredShard[];
  /** Only those whose pending nonces memory does not hold. */
  runs: NonceRun[] | undefined;
}

async function loadGroup(
  tx: ReadTransaction,
  context: Pick<AcceptContext, 'takenBy'>,
  submissions: readonly Submission[],
): Promise<LoadedGroup> {
  const senders = unique(submissions.map(({ from }) => from));
  const keys = submissions.flatMap(({ owner, idempotencyKey: key }) =>
    owner === undefined || key === undefined ? [] : [{ owner, key }],
  );
  const [standing, transfers, keyed, runs] = await Promise.all([
    tx.groupStanding({
      addresses: unique([...senders, ...submissions.map(({ to }) => to)]),
      senders,
      owners: unique(submissions.map(({ owner }) => owner ?? NO_OWNER)),
    }),
    tx.transfersAt(submissions),
    keys.length === 0 ? [] : tx.transfersByKey(keys),
    context.takenBy === undefined ? tx.pendingNoncesOf(senders) : undefined,
  ]);
  const { shards, follower, accounts, bindings, owners } = standing;
  if (follower === undefined) throw new Error('the store has no follower state: it was never initialised');
  const taken = context.takenBy?.bind(context) ?? takenInRuns(runs ?? []);
  return {
    rows: { follower, accounts, transfers: uniqueBySeq(transfers), keyed, bindings, owners, taken },
    shards,
    runs,
  };
}

function takenInRuns(runs: readonly NonceRun[]): GroupRows['taken'] {
  const byAccount = Map.groupBy(runs, ({ fromId }) => fromId);
  return (account) => takenIn(account, byAccount.get(account.id) ?? []);
}

const unique = (values: readonly string[]): string[] => [...new Set(values)];

/** Removes duplicates: the rows of a slot are read once for each submission that names it. */
function uniqueBySeq(transfers: readonly StoredTransfer[]): StoredTransfer[] {
  return [...new Map(transfers.map((transfer) => [transfer.seq, transfer])).values()];
}

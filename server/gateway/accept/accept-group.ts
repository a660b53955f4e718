/**
 * Accepts a group of submissions in one database transaction: lock, load, judge each after those before it, write, one fsync.
 */
import type { NonceRun, ReadTransaction, Store, StoredAccount, StoredTransfer, WriteTransaction } from '../../store/index.ts';
import { StoreConflictError } from '../../store/errors.ts';
import { viewsOf } from '../account-view.ts';
import { checkedSubmission } from '../check.ts';
import type { CheckedSubmission, Submission } from '../core-api.ts';
import type { GapOf } from '../gaps.ts';
import { gapsIn } from '../gaps.ts';
import { GROUP_ATTEMPTS_MAX, NO_OWNER } from '../limits.ts';
import type { AccountView } from '../types.ts';
import type { GroupMoment, GroupRows } from './group.ts';
import { Group } from './group.ts';
import type { JudgedChain, JudgeLimits, Judgement } from './judge.ts';
import { judge } from './judge.ts';
import { takenIn, type TakenNonces } from './places.ts';

export interface AcceptContext {
  store: Store;
  chain: JudgedChain;
  limits: JudgeLimits;
  moment(): GroupMoment;
  /** What an account has pending, where memory knows it; absent where only the rows do. */
  takenBy?(account: StoredAccount): TakenNonces | undefined;
}

export interface AcceptedGroup {
  /** One for each submission, in order. */
  judgements: Judgement[];
  accepted: { transfer: StoredTransfer; sender: StoredAccount }[];
  /** How far the senders' transfers run, these included; absent where memory tells it. */
  gapOf?: GapOf;
}

/**
 * Resolves when what was accepted is durable. A unique index that another writer filled in between is no error: the
 * group is judged again, and then the winner's row answers.
 */
export async function acceptGroup(context: AcceptContext, submissions: readonly Submission[]): Promise<AcceptedGroup> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await context.store.write((tx) => acceptIn(tx, context, submissions));
    } catch (error) {
      if (!(error instanceof StoreConflictError) || attempt === GROUP_ATTEMPTS_MAX) throw error;
    }
  }
}

async function acceptIn(tx: WriteTransaction, context: AcceptContext, submissions: readonly Submission[]): Promise<AcceptedGroup> {
  const { rows, runs } = await loadGroup(tx, context, submissions);
  const group = new Group(rows, context.moment());
  const judgements = submissions.map((submission) => judge(group, submission, context.chain, context.limits));
  const { accepted, accounts, owners } = group.changes();
  if (accepted.length > 0) {
    const transfers = accepted.map(({ transfer, ...submitted }) => ({ ...transfer, ...submitted }));
    await Promise.all([tx.saveAccepted({ counters: group.counters, accounts, owners, transfers }), tx.announce({ kind: 'accepted' })]);
  }
  return {
    judgements,
    accepted: accepted.flatMap(({ transfer }) => {
      const sender = group.account(transfer.from);
      return sender === undefined ? [] : [{ transfer, sender }];
    }),
    ...(runs && { gapOf: gapsIn(rows.accounts, [...runs, ...accepted.map(({ transfer }) => ({ fromId: transfer.fromId, first: transfer.nonce, count: 1 }))]) }),
  };
}

/**
 * How `acceptGroup` would judge one submission now, from the rows of one snapshot and with no effect: it waits for no writer, and memory, which
 * may be ahead of the snapshot, is not asked.
 */
export async function checkSubmission({ store, chain, limits, moment }: Omit<AcceptContext, 'takenBy'>, submission: Submission): Promise<CheckedSubmission> {
  return await store.read(async (tx) => {
    const { rows, runs = [] } = await loadGroup(tx, {}, [submission]);
    const group = new Group(rows, moment());
    const judgement = judge(group, submission, chain, limits);
    const sender = rows.accounts.filter(({ address }) => address === submission.from);
    const [account] = viewsOf([submission.from], rows.follower, sender, runs).accounts;
    return checkedSubmission(submission, { judgement, boundTo: group.boundTo(submission.from) }, account as AccountView, gapsIn(sender, runs));
  });
}

/** In two steps, because slots are found by the ids of their senders. `runs` only where memory does not know them. */
async function loadGroup(tx: ReadTransaction, context: Pick<AcceptContext, 'takenBy'>, submissions: readonly Submission[]): Promise<{ rows: GroupRows; runs: NonceRun[] | undefined }> {
  const senders = unique(submissions.map(({ from }) => from));
  const { counters, follower, accounts, bindings, owners } = await tx.groupStanding({
    addresses: unique([...senders, ...submissions.map(({ to }) => to)]),
    senders,
    owners: unique(submissions.map(({ owner }) => owner ?? NO_OWNER)),
  });
  if (follower === undefined) throw new Error('the store has no follower state: it was never initialised');
  const ids = new Map(accounts.map((account) => [account.address, account.id]));
  const slots = submissions.flatMap(({ from, nonce }) => {
    const fromId = ids.get(from);
    return fromId === undefined ? [] : [{ fromId, nonce }];
  });
  const keys = submissions.flatMap(({ owner, idempotencyKey: key }) => (owner === undefined || key === undefined ? [] : [{ owner, key }]));
  const [transfers, keyed, runs] = await Promise.all([
    tx.transfersAt(slots),
    keys.length === 0 ? [] : tx.transfersByKey(keys),
    context.takenBy === undefined ? tx.pendingNonces(senders.flatMap((sender) => ids.get(sender) ?? [])) : undefined,
  ]);
  const taken = context.takenBy?.bind(context) ?? takenInRuns(runs ?? []);
  return { rows: { counters, follower, accounts, transfers: uniqueBySeq(transfers), keyed, bindings, owners, taken }, runs };
}

function takenInRuns(runs: readonly NonceRun[]): GroupRows['taken'] {
  const byAccount = Map.groupBy(runs, ({ fromId }) => fromId);
  return (account) => takenIn(account, byAccount.get(account.id) ?? []);
}

const unique = (values: readonly string[]): string[] => [...new Set(values)];

/** A slot that several submissions name is found once for each. */
function uniqueBySeq(transfers: readonly StoredTransfer[]): StoredTransfer[] {
  return [...new Map(transfers.map((transfer) => [transfer.seq, transfer])).values()];
}

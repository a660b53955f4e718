/**
 * Accepts a group of submissions in one database transaction: lock, load, judge each after those before it, write, one fsync.
 */
import type { ChainContext } from '../../ledger/index.ts';
import type { Store, StoredAccount, StoredTransfer, WriteTransaction } from '../../store/index.ts';
import { StoreConflictError } from '../../store/index.ts';
import type { Submission } from '../core-api.ts';
import { GROUP_ATTEMPTS_MAX } from '../limits.ts';
import type { GroupMoment } from './group.ts';
import { Group } from './group.ts';
import type { JudgeLimits, Judgement } from './judge.ts';
import { judge } from './judge.ts';

export interface AcceptContext {
  store: Store;
  chain: ChainContext;
  limits: JudgeLimits;
  moment(): GroupMoment;
}

export interface AcceptedGroup {
  /** One for each submission, in order. */
  judgements: Judgement[];
  accepted: { transfer: StoredTransfer; sender: StoredAccount }[];
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
  const group = await loadGroup(tx, context, submissions);
  const judgements = submissions.map((submission) => judge(group, submission, context.chain, context.limits));
  const { accepted, accounts, owners } = group.changes();
  if (accepted.length === 0) return { judgements, accepted: [] };
  await tx.saveAccounts(accounts);
  await tx.saveOwners(owners);
  await tx.insertTransfers(accepted.map(({ transfer, ownerId }) => ({ ...transfer, ownerId })));
  await tx.saveCounters(group.counters);
  await tx.announce({ kind: 'accepted' });
  return {
    judgements,
    accepted: accepted.flatMap(({ transfer }) => {
      const sender = group.account(transfer.from);
      return sender === undefined ? [] : [{ transfer, sender }];
    }),
  };
}

async function loadGroup(tx: WriteTransaction, context: AcceptContext, submissions: readonly Submission[]): Promise<Group> {
  const counters = await tx.lockCounters();
  const follower = await tx.follower();
  if (follower === undefined) throw new Error('the store has no follower state: it was never initialised');
  const senders = unique(submissions.map(({ from }) => from));
  const accounts = await tx.accountsByAddress(unique([...senders, ...submissions.map(({ to }) => to)]));
  const ids = new Map(accounts.map((account) => [account.address, account.id]));
  const slots = submissions.flatMap(({ from, nonce }) => {
    const fromId = ids.get(from);
    return fromId === undefined ? [] : [{ fromId, nonce }];
  });
  const rows = {
    counters,
    follower,
    accounts,
    transfers: uniqueBySeq(await tx.transfersAt(slots)),
    bindings: await tx.bindings(senders),
    owners: await tx.ownersByName(unique(submissions.flatMap(({ owner }) => owner ?? []))),
  };
  return new Group(rows, context.moment());
}

const unique = (values: readonly string[]): string[] => [...new Set(values)];

/** A slot that several submissions name is found once for each. */
function uniqueBySeq(transfers: readonly StoredTransfer[]): StoredTransfer[] {
  return [...new Map(transfers.map((transfer) => [transfer.seq, transfer])).values()];
}

/** What a group changes, from the rows that a test has, and a number that all writers count with. */
import type { AcceptedRows, ReadTransaction, WriteTransaction } from '../../../server/store/index.ts';

type Rows = Partial<Omit<AcceptedRows, 'newAccounts' | 'newOwners'>> & {
  accounts?: AcceptedRows['newAccounts'];
  owners?: AcceptedRows['newOwners'];
};

export const acceptedRows = ({
  shards = [],
  senders = [],
  accounts = [],
  owners = [],
  ownerChanges = [],
  transfers = [],
}: Rows): AcceptedRows => ({
  shards,
  senders,
  newAccounts: accounts,
  newOwners: owners,
  ownerChanges,
  transfers,
});

/** The last seq of the first shard, which starts at 0 in every database. */
export const lastSeq = async (tx: Pick<ReadTransaction, 'shards'>): Promise<number> => (await tx.shards())[0]!.lastSeq;

/** Adds one to it. */
export async function countOn(tx: WriteTransaction): Promise<number> {
  const [first] = await tx.shards();
  const next = first!.lastSeq + 1;
  await tx.saveShards([{ ...first!, lastSeq: next }]);
  return next;
}

export const pendingCount = async (tx: Pick<ReadTransaction, 'shards'>): Promise<number> =>
  (await tx.shards()).reduce((sum, { pending }) => sum + pending, 0);

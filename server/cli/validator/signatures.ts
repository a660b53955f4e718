/**
 * Reads from the commits of the chain which validators sign. A commit lists every validator of its height: with a vote for the block,
 * absent, or with a vote for nil.
 *
 * @module
 */
import { BLOCK_ID_FLAG_ABSENT, BLOCK_ID_FLAG_COMMIT } from '../../engine/encoding/index.ts';
import { type CommitJson, type NodeAddress, NodeRefusal, signedHeaderAt } from './node.ts';

/** Commits that decide who is online: a validator that follows misses one now and then, but not five in a row. */
export const RECENT_BLOCKS = 5;
/** Commits that are requested at one time. */
const AT_ONCE = 16;

const flagOf = ({ signatures }: CommitJson, address: string): number | undefined =>
  signatures.find(({ validator_address: each }) => each === address)?.block_id_flag;

/** True if the validator signed this block. */
export const signsBlock = (commit: CommitJson, address: string): boolean =>
  flagOf(commit, address) === BLOCK_ID_FLAG_COMMIT;

/** True if it signed any vote at this height. A vote for nil counts too, because its key was used. */
export const signsAnything = (commit: CommitJson, address: string): boolean =>
  (flagOf(commit, address) ?? BLOCK_ID_FLAG_ABSENT) !== BLOCK_ID_FLAG_ABSENT;

/** Addresses of the validators that signed at least one of the newest blocks, in upper-case hex. */
export async function onlineValidators(node: NodeAddress): Promise<ReadonlySet<string>> {
  const newest = (await signedHeaderAt(node)).commit;
  const top = Number(newest.height);
  const heights = Array.from({ length: Math.min(RECENT_BLOCKS, top) - 1 }, (_, i) => top - 1 - i);
  const commits = [
    newest,
    ...(await Promise.all(heights.map((height) => signedHeaderAt(node, height)))).map(({ commit }) => commit),
  ];
  return new Set(
    commits.flatMap(({ signatures }) =>
      signatures
        .filter(({ block_id_flag: flag }) => flag === BLOCK_ID_FLAG_COMMIT)
        .map(({ validator_address: address }) => address),
    ),
  );
}

export interface LastSigned {
  /** The highest height with a signature of the validator on the chain; undefined without one. */
  readonly height: number | undefined;
  /** The newest height that was read. */
  readonly top: number;
}

/** Reads all heights above `above`, newest first, because a validator that signed since then has usually signed recently. */
export async function lastSigned(
  node: NodeAddress,
  address: string,
  above: number,
  tell: (checked: number, all: number) => void = () => undefined,
): Promise<LastSigned> {
  const top = Number((await signedHeaderAt(node)).commit.height);
  for (let from = top; from > above; from -= AT_ONCE) {
    const heights = Array.from({ length: Math.min(AT_ONCE, from - above) }, (_, i) => from - i);
    const commits = await Promise.all(
      heights.map((height) => signedHeaderAt(node, height).then(({ commit }) => commit, absentBelowBase)),
    );
    const signed = commits.find((commit) => commit !== undefined && signsAnything(commit, address));
    if (signed !== undefined) return { height: Number(signed.height), top };
    if (commits.includes(undefined))
      throw new NodeRefusal(
        node.url,
        `it lacks blocks above ${above}, so that it cannot say whether the validator signed them: ask a node that has them all`,
      );
    tell(top - from, top - above);
  }
  return { height: undefined, top };
}

/** A node refuses a height that it does not have, or no longer has. */
function absentBelowBase(error: unknown): undefined {
  if (!(error instanceof NodeRefusal)) throw error;
  return undefined;
}

/**
 * Who signs blocks, by the commits of the chain. A commit names every validator of its height: present, absent, or present for no block.
 *
 * @module
 */
import { BLOCK_ID_FLAG_ABSENT, BLOCK_ID_FLAG_COMMIT } from '../../engine/encoding/index.ts';
import { type CommitJson, type NodeAddress, NodeRefusal, signedHeaderAt } from './node.ts';

/** Commits that say who is online: a validator that is there misses one now and then, and none of five in a row. */
export const RECENT_BLOCKS = 5;
/** Commits that are asked for at one time. */
const AT_ONCE = 16;

const flagOf = ({ signatures }: CommitJson, address: string): number | undefined =>
  signatures.find(({ validator_address: each }) => each === address)?.block_id_flag;

/** Whether the validator signed this block. */
export const signsBlock = (commit: CommitJson, address: string): boolean =>
  flagOf(commit, address) === BLOCK_ID_FLAG_COMMIT;

/** Whether it signed anything at this height; for no block counts, because its key was used. */
export const signsAnything = (commit: CommitJson, address: string): boolean =>
  (flagOf(commit, address) ?? BLOCK_ID_FLAG_ABSENT) !== BLOCK_ID_FLAG_ABSENT;

/** Addresses of those that signed one of the newest blocks at least, upper-case hex. */
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
  /** The highest height at which the chain holds a signature of the validator; undefined when it holds none. */
  readonly height: number | undefined;
  /** The newest height that was looked at. */
  readonly top: number;
}

/** Looks at all heights above `above`, newest first, because a validator that signed at all since then usually signed of late. */
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

/** A node refuses a height that it has not (any more). */
function absentBelowBase(error: unknown): undefined {
  if (!(error instanceof NodeRefusal)) throw error;
  return undefined;
}

/**
 * Chooses the primary of several servers. Pure.
 *
 * A promotion begins a new timeline, so of two servers that both take writes the one on the older timeline was the primary before: the
 * other never has what it confirms now. A server of another cluster (system identifier) is not a copy at all.
 */

export interface ServerFacts {
  /** Its place in the list of hosts. */
  readonly index: number;
  readonly systemId: string;
  readonly timeline: number;
}

export interface Choice {
  readonly chosen: ServerFacts | undefined;
  /** Servers that take writes and must not be used, and why. */
  readonly refused: readonly { readonly index: number; readonly why: string }[];
}

/** @param primaries servers that take writes; `known`: the one used so far, with the highest timeline seen. */
export function choosePrimary(primaries: readonly ServerFacts[], known: ServerFacts | undefined): Choice {
  const systemId = known?.systemId ?? primaries[0]?.systemId;
  const strangers = primaries.filter((each) => each.systemId !== systemId);
  if (known === undefined && strangers.length > 0) {
    return {
      chosen: undefined,
      refused: primaries.map(({ index, systemId: own }) => ({
        index,
        why: `the hosts are primaries of different clusters, this one of system identifier ${own}`,
      })),
    };
  }
  const ofCluster = primaries.filter((each) => each.systemId === systemId);
  const newest = Math.max(known?.timeline ?? 0, ...ofCluster.map(({ timeline }) => timeline));
  const old = ofCluster.filter(({ timeline }) => timeline < newest);
  const candidates = ofCluster.filter(({ timeline }) => timeline === newest);
  const chosen =
    candidates.length === 1
      ? candidates[0]
      : candidates.find(({ index, timeline }) => index === known?.index && timeline === known.timeline);
  return {
    chosen,
    refused: [
      ...strangers.map(({ index, systemId: own }) => ({
        index,
        why: `it belongs to another cluster: its system identifier is ${own}, expected ${systemId}`,
      })),
      ...old.map(({ index, timeline }) => ({
        index,
        why: `its timeline ${timeline} is older than ${newest}: another server was promoted after it, and lacks what this one confirms`,
      })),
      ...candidates
        .filter((each) => each !== chosen)
        .map(({ index, timeline }) => ({
          index,
          why: `another host is a primary on the same timeline ${timeline}: two were promoted, or two names lead to one server`,
        })),
    ],
  };
}

/** One of the things that are compared: its processes, how it is given transactions, and what a round with it costs. */
import { call } from '../../e2e/support/server.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { requestBytes } from '../load/request-bytes.ts';
import { machineUs, sum, threadTimes, type ThreadTimes, usedBetween } from '../measure/processor.ts';
import { percentile } from '../measure/statistics.ts';
import { until } from './programs.ts';

export interface Side {
  name: string;
  /** For people. */
  title: string;
  /** The RPC of a node that sees all blocks. */
  node: string;
  /** By what they are: `node`, `application`, `gateway`, `postgres`. Asked at the begin and the end of a round, because a database starts processes while it works. */
  pids(): Record<string, number[]>;
  /** The requests of one round, ready to be sent: `count` transactions that were in no round before. */
  bodies(count: number): string[];
  /** Where the requests go, in turns. */
  ports: readonly number[];
  path: string;
  token?: string;
  /** Transactions of each request. */
  perRequest: number;
  /** What an answer says once for each transaction that was accepted. */
  accepted: string;
}

export interface RoundFigures {
  acceptedPerS: number;
  committedPerS: number;
  p50Ms: number;
  p99Ms: number;
  /** Microseconds of a transaction, of all processes together. */
  cpuUs: number;
  /** The same, in verifications by node:crypto. */
  cpuVerifications: number;
  /** The same by process and thread. */
  threadsUs: Record<string, Record<string, number>>;
  /** What other programs took of the machine. */
  othersCores: number;
  loaderCores: number;
}

const COMMIT_MS_MAX = 240_000;
const MS_PER_S = 1000;
const US_PER_MS = 1000;
/** A node answers 20 headers at most. */
const HEADERS_MAX = 20;

export const heightOf = async (node: string): Promise<number> =>
  Number((await call(`${node}/status`)).body.result.sync_info.latest_block_height);

/** Transactions in the blocks above `from`. */
async function transactionsSince(node: string, from: number): Promise<number> {
  let count = 0;
  const top = await heightOf(node);
  for (let low = from + 1; low <= top; low += HEADERS_MAX) {
    const { body } = await call(
      `${node}/blockchain?minHeight=${low}&maxHeight=${Math.min(low + HEADERS_MAX - 1, top)}`,
    );
    for (const meta of body.result.block_metas as { num_txs: string }[]) count += Number(meta.num_txs);
  }
  return count;
}

/** A process of a database may have ended since it was listed. */
function timesOf(pid: number): ThreadTimes {
  try {
    return threadTimes(pid);
  } catch {
    return new Map();
  }
}

/** Processor time of all threads of all processes, by what these are. */
function times(side: Side): Record<string, ThreadTimes> {
  return Object.fromEntries(
    Object.entries(side.pids()).map(([name, pids]) => [name, new Map(pids.flatMap((pid) => [...timesOf(pid)]))]),
  );
}

/** @returns the latencies of all acknowledgements, sorted. */
async function send(side: Side, bodies: readonly string[], connections: number): Promise<Float64Array> {
  const { ports, path, token, accepted, perRequest } = side;
  const accepts = (_: number, body: Buffer): boolean => body.toString().split(accepted).length - 1 === perRequest;
  const loops = ports.map(async (port, at) => {
    const requests = bodies
      .filter((_, i) => i % ports.length === at)
      .map((body) => requestBytes({ port, method: 'POST', path, body, ...(token === undefined ? {} : { token }) }));
    const each = Math.ceil(connections / ports.length);
    const { refusals, latenciesMs } = await closedLoop({
      port,
      connections: each,
      count: requests.length,
      request: (index) => requests[index]!,
      accepts,
    });
    if (Object.keys(refusals).length > 0) throw new Error(`${side.name}: not accepted: ${JSON.stringify(refusals)}`);
    return [...latenciesMs];
  });
  return Float64Array.from((await Promise.all(loops)).flat()).toSorted();
}

/** Sends one round's transactions and waits until blocks have all of them. @param verificationUs what one verification took just before. */
export async function runRound(
  side: Side,
  count: number,
  connections: number,
  verificationUs: number,
): Promise<RoundFigures> {
  if (count % side.perRequest !== 0)
    throw new RangeError(`${count} transactions are no whole number of batches of ${side.perRequest}`);
  const bodies = side.bodies(count);
  const from = await heightOf(side.node);
  const before = times(side);
  const machine = machineUs();
  const own = process.cpuUsage();
  const startMs = performance.now();
  const latenciesMs = await send(side, bodies, connections);
  const acceptedMs = performance.now() - startMs;
  await until(
    `${side.name}: the commit`,
    async () => (await transactionsSince(side.node, from)) >= count,
    COMMIT_MS_MAX,
  );
  const committedMs = performance.now() - startMs;
  const after = times(side);
  const threadsUs = Object.fromEntries(
    Object.entries(after).map(([name, threads]) => [
      name,
      Object.fromEntries(
        Object.entries(usedBetween(before[name] ?? new Map(), threads)).map(([group, us]) => [group, us / count]),
      ),
    ]),
  );
  const cpuUs = Object.values(threadsUs).reduce((total, threads) => total + sum(threads), 0);
  const used = process.cpuUsage(own);
  const loaderUs = used.user + used.system;
  const wallUs = committedMs * US_PER_MS;
  return {
    acceptedPerS: count / (acceptedMs / MS_PER_S),
    committedPerS: count / (committedMs / MS_PER_S),
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    cpuUs,
    cpuVerifications: cpuUs / verificationUs,
    threadsUs,
    othersCores: Math.max(0, machineUs() - machine - loaderUs - cpuUs * count) / wallUs,
    loaderCores: loaderUs / wallUs,
  };
}

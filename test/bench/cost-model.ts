/**
 * What the measured processor times of a transfer make of more cores: pure arithmetic over a few stated assumptions, for docs/PERFORMANCE.md.
 *
 * The work of HTTP threads (main, http, and verifier, which verifies batches) is spread over as many threads as the build can have; every other named thread is one stage that a
 * transfer passes, and no stage does more than one core can. V8's helper threads take what cores are left.
 */
export interface Costs {
  /** Microseconds of a transfer by thread. */
  threadsUs: Record<string, number>;
  diskBytes: number;
  /** Whether HTTP_THREADS can be raised. */
  httpThreadsScale: boolean;
}

export interface Predicted {
  cores: number;
  httpThreads: number;
  ratePerS: number;
  /** What the rate is bound by: `all cores`, `HTTP threads` or a thread by name. */
  boundBy: string;
  diskMibPerS: number;
}

export const CORES = [1, 2, 4, 16, 64] as const;
export const VALIDATORS = 4;
const US_PER_S = 1_000_000;
const BYTES_PER_MIB = 1024 * 1024;
const HTTP = ['main', 'http', 'verifier'];
const HELPERS = ['v8', 'libuv'];

const total = (threadsUs: Record<string, number>): number => Object.values(threadsUs).reduce((sum, us) => sum + us, 0);
const httpUs = (threadsUs: Record<string, number>): number =>
  HTTP.reduce((sum, group) => sum + (threadsUs[group] ?? 0), 0);

interface Bound {
  name: string;
  ratePerS: number;
}

function lowest(bounds: readonly Bound[]): Bound {
  return bounds.reduce((least, bound) => (bound.ratePerS < least.ratePerS ? bound : least));
}

/** Each thread that is one of its kind. */
function stages(threadsUs: Record<string, number>): Bound[] {
  return Object.entries(threadsUs)
    .filter(([group, us]) => us > 0 && !HTTP.includes(group) && !HELPERS.includes(group))
    .map(([name, us]) => ({ name, ratePerS: US_PER_S / us }));
}

export function onOneMachine({ threadsUs, diskBytes, httpThreadsScale }: Costs, cores: number): Predicted {
  const httpThreads = httpThreadsScale ? Math.max(1, cores - 1) : 1;
  const { name, ratePerS } = lowest([
    { name: 'all cores', ratePerS: (cores * US_PER_S) / total(threadsUs) },
    { name: 'HTTP threads', ratePerS: (httpThreads * US_PER_S) / httpUs(threadsUs) },
    ...stages(threadsUs),
  ]);
  return { cores, httpThreads, ratePerS, boundBy: name, diskMibPerS: (ratePerS * diskBytes) / BYTES_PER_MIB };
}

/** Microseconds of a transfer by process and thread, in one process of each kind; `postgres` is on a machine of its own. */
export type NetworkCosts = Record<'gateway' | 'application' | 'node', Record<string, number>> & {
  postgres?: Record<string, number>;
};

/** What all processes of a measured network took together. */
export interface MeasuredNetwork {
  threadsUs: Record<string, Record<string, number>>;
  validators: number;
  gateways: number;
}

/** From the sums over all processes of a kind to one process. A transfer enters through one gateway, so the HTTP work of all gateways together is that of one transfer. */
export function perProcess({ threadsUs, validators, gateways }: MeasuredNetwork): NetworkCosts {
  const divided = (threads: Record<string, number> = {}, by: number): Record<string, number> =>
    Object.fromEntries(Object.entries(threads).map(([thread, us]) => [thread, us / by]));
  const { gateway = {}, application, node, postgres } = threadsUs;
  const http = Object.fromEntries(Object.entries(gateway).filter(([thread]) => HTTP.includes(thread)));
  return {
    gateway: { ...divided(gateway, gateways), ...http },
    application: divided(application, validators),
    node: divided(node, validators),
    ...(postgres && { postgres }),
  };
}

/**
 * Four machines, each with a node, its application and a gateway. A transfer enters through one gateway, so a quarter of the HTTP work falls on
 * each machine; node, application and the rest of the gateway see every transfer on every machine.
 */
export function onNetwork(
  { gateway, application, node, postgres = {} }: NetworkCosts,
  cores: number,
  httpThreadsScale: boolean,
): Omit<Predicted, 'diskMibPerS'> {
  const share = 1 / VALIDATORS;
  const http = httpUs(gateway) * share;
  const others = total(gateway) - httpUs(gateway);
  const httpThreads = httpThreadsScale ? Math.max(1, cores - 1) : 1;
  const database = total(postgres);
  const { name, ratePerS } = lowest([
    { name: 'all cores', ratePerS: (cores * US_PER_S) / (http + others + total(application) + total(node)) },
    { name: 'HTTP threads', ratePerS: (httpThreads * US_PER_S) / http },
    { name: 'application', ratePerS: US_PER_S / httpUs(application) },
    ...(database > 0 ? [{ name: 'PostgreSQL', ratePerS: (cores * US_PER_S) / database }] : []),
    ...stages(gateway),
  ]);
  return { cores, httpThreads, ratePerS, boundBy: name };
}

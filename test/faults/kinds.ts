/** The kinds of faults: what each does to the network, how that ends, and what shows that it did anything. */
import { readFileSync } from 'node:fs';
import { VALIDATORS } from '../../scripts/localnet/nodes.ts';
import { GATEWAYS } from '../../scripts/localnet/parts.ts';
import type { Random } from '../gateway/support/random.ts';
import { BOTH, type Direction, type Link } from './link.ts';
import { Clock, type Network } from './network.ts';

/** One fault, chosen and not begun. */
export interface Fault {
  readonly target: string;
  begin(): Promise<void> | void;
  /** Undoes it, or does what an operator does about it. From here on the time counts until service is back. */
  end(): Promise<void> | void;
  /** Afterwards, when service is back: what else makes the network whole again. */
  repair?(): Promise<void>;
  /** Why it did not do what it says; asked before `end`. */
  fault?(): string | undefined | Promise<string | undefined>;
  /** The database forgets what it acknowledges from the beginning of the fault on. */
  readonly isForgetful?: boolean;
}

export type Kind = (net: Network, random: Random) => Fault;

/** Ways to cut: mostly all, as a cable does; one direction is what a firewall does. */
const CUTS: readonly (readonly Direction[])[] = [BOTH, ['up'], ['down']];
const DELAY_MS_MIN = 50;
const DELAY_MS_SPAN = 350;
const SKEWS_S = [5, 60, 3600, 172_800] as const;
/** Several looks of a gateway at its hosts. */
const BESIDE_MS = 3000;

const pickOf = <T>(random: Random, values: readonly T[]): T => random.pick(values) as T;

const killed =
  (part: string): Kind =>
  (net, random) => {
    const target = `${part}-${random.below(part === 'gateway' ? GATEWAYS : VALIDATORS)}`;
    let before = 0;
    return {
      target,
      begin: () => {
        before = net.pidOf(target);
        net.kill(target);
      },
      end: () => undefined,
      fault: () => (net.isProcess(target, before) ? `${target} is the process that it was` : undefined),
    };
  };

/** `T` in /proc/PID/stat, behind the name in parentheses, is a process that was stopped. */
const runs = (target: string, pid: number | undefined): string | undefined =>
  /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')) ? undefined : `${target} runs`;

const paused =
  (part: string): Kind =>
  (net, random) => {
    const target = `${part}-${random.below(part === 'gateway' ? GATEWAYS : VALIDATORS)}`;
    let pid = 0;
    return {
      target,
      begin: () => {
        pid = net.pidOf(target);
        process.kill(pid, 'SIGSTOP');
      },
      end: () => void process.kill(pid, 'SIGCONT'),
      fault: () => runs(target, pid),
    };
  };

/** What was moved while the links were cut in these directions, or that nobody tried to move anything. */
function watch(links: readonly Link[], directions: readonly Direction[]): () => string | undefined {
  const moved = (): number =>
    links.reduce((sum, link) => sum + directions.reduce((bytes, direction) => bytes + link.moved[direction], 0), 0);
  const before = moved();
  return () =>
    moved() === before
      ? undefined
      : `${moved() - before} bytes went through ${links.map(({ name }) => name).join(', ')}`;
}

function cutOf(target: string, links: readonly Link[], directions: readonly Direction[]): Fault {
  let fault = (): string | undefined => undefined;
  return {
    target: `${target} (${directions.join(' and ')})`,
    begin: () => {
      for (const link of links) link.cut(directions);
      fault = watch(links, directions);
    },
    end: async () => void (await Promise.all(links.map((link) => link.heal()))),
    fault: () => fault(),
  };
}

interface Group {
  readonly target: string;
  readonly links: readonly Link[];
}

const groups = {
  'a node from its peers': (net: Network, random: Random): Group => {
    const node = random.below(VALIDATORS);
    return { target: `node-${node}`, links: net.linksOfNode(node) };
  },
  'an application from its node': (net: Network, random: Random): Group => {
    const node = random.below(VALIDATORS);
    return { target: `app-${node}`, links: net.abci.slice(node, node + 1) };
  },
  'a gateway from its first node': (net: Network, random: Random): Group => {
    const gateway = random.below(GATEWAYS);
    return { target: `gateway-${gateway}`, links: (net.rpc[gateway] ?? []).slice(gateway, gateway + 1) };
  },
  'a gateway from all nodes': (net: Network, random: Random): Group => {
    const gateway = random.below(GATEWAYS);
    return { target: `gateway-${gateway}`, links: net.rpc[gateway] ?? [] };
  },
  'a gateway from the primary': (net: Network, random: Random): Group => {
    const gateway = random.below(GATEWAYS);
    return {
      target: `gateway-${gateway}`,
      links: (net.database[gateway] ?? []).slice(net.databases.primaryAt, net.databases.primaryAt + 1),
    };
  },
  'both gateways from the primary': (net: Network): Group => ({
    target: 'both',
    links: net.database.map((links) => links[net.databases.primaryAt]),
  }),
  'the standby from the primary': (net: Network): Group => ({ target: 'the stream', links: [net.databases.stream] }),
} as const;
type GroupName = keyof typeof groups;

const cut =
  (name: GroupName): Kind =>
  (net, random) => {
    const { target, links } = groups[name](net, random);
    return cutOf(target, links, pickOf(random, CUTS));
  };

/** Of any group; `of` those that survive it. */
const onGroup =
  (
    names: readonly GroupName[],
    does: (links: readonly Link[], random: Random) => Pick<Fault, 'begin' | 'fault'>,
  ): Kind =>
  (net, random) => {
    const name = pickOf(random, names);
    const { target, links } = groups[name](net, random);
    return {
      target: `${name}: ${target}`,
      ...does(links, random),
      end: async () => void (await Promise.all(links.map((link) => link.heal()))),
    };
  };

const GROUP_NAMES = Object.keys(groups) as GroupName[];
/** A node ends without its application, and a stock node never asks whether it still answers: on one machine no connection is forgotten. */
const REMOTE_GROUPS = GROUP_NAMES.filter((name) => name !== 'an application from its node');
/** A node notices a silent peer after 45 s; to wait for that after each of them would be most of a run. */
const SOON_NOTICED_GROUPS = REMOTE_GROUPS.filter((name) => name !== 'a node from its peers');

const reset = onGroup(GROUP_NAMES, (links) => ({ begin: () => links.forEach((link) => link.reset()) }));
const refused = onGroup(REMOTE_GROUPS, (links) => ({ begin: () => links.forEach((link) => link.refuse()) }));
const forgotten = onGroup(SOON_NOTICED_GROUPS, (links) => {
  let connections = 0;
  return {
    begin: () => links.forEach((link) => (connections += link.forget())),
    fault: () => (connections === 0 ? 'there was no connection to forget' : undefined),
  };
});
const delayed = onGroup(GROUP_NAMES, (links, random) => {
  const delayMs = DELAY_MS_MIN + random.below(DELAY_MS_SPAN);
  return { begin: () => links.forEach((link) => (link.delayMs = delayMs)) };
});

const split: Kind = (net, random) => {
  const other = 1 + random.below(VALIDATORS - 1);
  return cutOf(`nodes 0 and ${other} from the others`, net.linksBetween([0, other]), BOTH);
};

/** Each gateway sees one of the servers, and not the same one. */
const crossed: Kind = (net, random) => {
  const first = random.below(2);
  return cutOf(
    `gateway-0 from database ${first}, gateway-1 from the other`,
    net.database.map((links, gateway) => links[(first + gateway) % 2] as Link),
    BOTH,
  );
};

const standStill: Kind = (net, random) => {
  const first = random.below(VALIDATORS);
  const parts = [first, (first + 1) % VALIDATORS].flatMap((index) => [`node-${index}`, `app-${index}`]);
  const all = (signal: 'SIGSTOP' | 'SIGCONT') => () => parts.forEach((part) => net.signal(part, signal));
  return {
    target: parts.join(', '),
    begin: all('SIGSTOP'),
    end: all('SIGCONT'),
    fault: () => parts.map((part) => runs(part, net.pidOf(part))).find((fault) => fault !== undefined),
  };
};

const validatorDown: Kind = (net, random) => {
  const index = random.below(VALIDATORS);
  return { target: `validator-${index}`, begin: () => net.stopValidator(index), end: () => net.startValidator(index) };
};

const databaseKilled =
  (which: 'primary' | 'standby'): Kind =>
  ({ databases }) => {
    const server = databases[which];
    return { target: which, begin: () => server.kill9(), end: () => server.restart() };
  };

const databasePaused =
  (which: 'primary' | 'standby'): Kind =>
  ({ databases }) => {
    const server = databases[which];
    return {
      target: which,
      begin: () => server.signal('SIGSTOP'),
      end: () => server.signal('SIGCONT'),
      fault: () => runs(which, server.pid),
    };
  };

/** What has the old primary's place is made a standby when service is back. */
const makeStandby = (net: Network) => (): Promise<void> => net.databases.makeStandby();

const failOver: Kind = (net) => ({
  target: 'the primary is killed',
  begin: () => net.databases.primary.kill9(),
  end: () => net.databases.promote(),
  repair: makeStandby(net),
});

/**
 * The old primary comes back when service is back, beside the new one, and takes writes: no gateway may give it any. Earlier nobody could hold that against a gateway, which
 * looks for a newer primary every second: fencing is the operator's (docs/NETWORK.md).
 */
const unfenced =
  (how: 'killed' | 'paused'): Kind =>
  ({ databases }) => ({
    target: `the primary is ${how} and comes back`,
    begin: () => (how === 'killed' ? databases.primary.kill9() : databases.primary.signal('SIGSTOP')),
    end: () => databases.promote(),
    repair: async () => {
      databases.standby.signal('SIGCONT');
      if (await databases.runOldPrimary(BESIDE_MS)) throw new Error('a gateway wrote to the old primary');
      await databases.makeStandby();
    },
  });

const staleFailOver: Kind = (net) => ({
  target: 'the standby lags, the primary is killed',
  isForgetful: true,
  begin: () => net.databases.letStandbyLag(),
  end: async () => {
    await net.databases.primary.kill9();
    await net.databases.promote();
  },
  repair: makeStandby(net),
});

const restored: Kind = (net) => {
  const { databases } = net;
  let copy: Awaited<ReturnType<typeof databases.backup>>;
  let target = '';
  return {
    target: 'base backup and WAL archive',
    isForgetful: true,
    begin: async () => {
      copy = await databases.backup();
      target = await databases.mark();
    },
    end: () => databases.restore(copy, target),
    repair: makeStandby(net),
  };
};

const skewed =
  (part: 'gateway' | 'app'): Kind =>
  (net, random) => {
    const name = `${part}-${random.below(part === 'gateway' ? GATEWAYS : VALIDATORS)}`;
    const seconds = (random.chance(50) ? 1 : -1) * pickOf(random, SKEWS_S);
    const skew = (by: number) => () => net.clocks.get(name)?.skew(by);
    return {
      target: `${name} by ${seconds} s`,
      begin: skew(seconds),
      end: skew(0),
      fault: () => (part === 'gateway' ? net.lacksSkew(Number(name.slice(-1)), seconds) : undefined),
    };
  };

export const KINDS: Readonly<Record<string, Kind>> = {
  'node killed': killed('node'),
  'application killed': killed('app'),
  'gateway killed': killed('gateway'),
  'primary killed': databaseKilled('primary'),
  'standby killed': databaseKilled('standby'),
  'node paused': paused('node'),
  'application paused': paused('app'),
  'gateway paused': paused('gateway'),
  'primary paused': databasePaused('primary'),
  'standby paused': databasePaused('standby'),
  'validator down': validatorDown,
  'two validators paused': standStill,
  ...Object.fromEntries(GROUP_NAMES.map((name) => [`cut: ${name}`, cut(name)])),
  'cut: two nodes from two': split,
  'cut: each gateway from another database': crossed,
  'connections reset': reset,
  'connections refused': refused,
  'connections forgotten': forgotten,
  'links slow': delayed,
  'fail-over': failOver,
  'fail-over, the killed primary returns': unfenced('killed'),
  'fail-over, the paused primary returns': unfenced('paused'),
  'fail-over to a standby that lags': staleFailOver,
  'restore to an earlier moment': restored,
  ...(Clock.isThere ? { 'clock of a gateway': skewed('gateway'), 'clock of an application': skewed('app') } : {}),
};

/**
 * Gateways on one log whose server loses answers, sessions and, at a fail-over, entries: random lives, all of a life in one process. Nothing that was
 * acknowledged is lost or twice in the log, all apply the same, and a read has what was acknowledged before it (protocol.md, rules 27, 28, 30, 31).
 */
import { describe, expect, test } from '@jest/globals';
import type { Clock, Logger } from '../../server/engine/ports.ts';
import { ENTRY_FORMAT, firstEntry, type LogEntry, type LogPlace } from '../../server/log/log.ts';
import { LogTrimmedError, SharedLog } from '../../server/log/shared-log.ts';
import { cases } from '../support/many-cases.ts';
import { type Faults, FailingServers, Turns } from './support/failing-servers.ts';

const FIRST = firstEntry({ chainId: 'shared-log-test', genesisHash: 'AB'.repeat(32) });
const GATEWAYS = 3;
const PAYMENTS = 12;
const STEPS_MAX = 40_000;
const LIVES = cases(60, 2000);
const NO_FAULTS: Faults = { unsent: 0, unanswered: 0, ended: 0 };
const QUIET: Logger = { debug: noop, info: noop, warn: noop, error: noop } as unknown as Logger;
function noop(): void {
  // A life says what it found by its result.
}

interface Life {
  isSynchronous: boolean;
  failOvers: number;
  /** How often the standby gets one more entry, in percent of the turns. */
  copied: number;
  /** No process outlives a fail-over, so nobody holds what it lost. */
  allEnd?: boolean;
  faults?: Faults;
}

/** A payment takes the next nonce, by the state after all that is applied. */
class Gateway {
  readonly number: number;
  readonly #servers: FailingServers;
  readonly #clock: Clock;
  applied: LogEntry[] = [];
  log: SharedLog;
  restarts = 0;

  constructor(number: number, servers: FailingServers, clock: Clock) {
    this.number = number;
    this.#servers = servers;
    this.#clock = clock;
    this.log = this.#open();
  }

  /** Its files are made again from the log. */
  restart(): void {
    this.log.close();
    this.restarts += 1;
    this.log = this.#open();
  }

  pay(): Promise<LogPlace | undefined> {
    const { applied, number } = this;
    return this.log.append(() =>
      Buffer.concat([Buffer.of(ENTRY_FORMAT), Buffer.from(`${applied.length} of ${number}`)]),
    );
  }

  #open(): SharedLog {
    const applied = [FIRST];
    this.applied = applied;
    return new SharedLog({
      log: this.#servers.session(),
      at: FIRST,
      apply: (entry) => void applied.push(entry),
      clock: this.#clock,
      logger: QUIET,
    });
  }
}

const textOf = ({ bytes }: LogEntry): string => Buffer.from(bytes).subarray(1).toString();
const texts = (entries: readonly LogEntry[]): string[] => entries.slice(1).map(textOf);

/** @returns what it found wrong. */
async function live(
  seed: number,
  { isSynchronous, failOvers, copied, allEnd = false, faults }: Life,
): Promise<string[]> {
  const turns = new Turns(seed);
  const servers = new FailingServers(turns, FIRST, isSynchronous);
  if (faults !== undefined) servers.faults = faults;
  const clock = { setTimer: (fn: () => void) => void turns.wait().then(fn) } as unknown as Clock;
  const gateways = Array.from({ length: GATEWAYS }, (_, number) => new Gateway(number, servers, clock));
  const acknowledged: LogPlace[] = [];
  /** Answers rested on these, whoever appended them. */
  const rested: LogPlace[] = [];
  const faulty: string[] = [];
  const isDown = (error: unknown): boolean => (error as Error).name === 'LogUnavailableError';
  const restartIfBroken = (gateway: Gateway): void => {
    if (gateway.log.broken !== undefined) gateway.restart();
  };

  const working = gateways.map(async (gateway) => {
    for (let paid = 0; paid < PAYMENTS;) {
      const { log } = gateway;
      try {
        const place = await gateway.pay();
        if (place !== undefined) acknowledged.push(place);
        paid += 1;
        if (!turns.chance(30)) continue;
        // Of another gateway: it has all that was acknowledged before, and may rest on all that it has.
        const reader = gateways[(gateway.number + 1) % GATEWAYS] as Gateway;
        const before = acknowledged.at(-1)?.seq ?? 0;
        const { restarts } = reader;
        await reader.log.caughtUp();
        const at = reader.log.head;
        await reader.log.confirmed();
        if (reader.restarts === restarts) rested.push(at);
        if (reader.restarts === restarts && reader.log.head.seq < before)
          faulty.push(`a read had ${reader.log.head.seq} entries after ${before} were acknowledged`);
      } catch (error) {
        if (!isDown(error) && log.broken === undefined && !gateways.some((one) => one.log.broken === error))
          throw error;
        restartIfBroken(gateway);
        await turns.wait();
      }
    }
  });
  const failing = (async () => {
    for (let at = 0; at < failOvers; at += 1) {
      for (let pause = 0; pause < 60; pause += 1) await turns.wait();
      servers.failOver();
      if (allEnd) for (const gateway of gateways) gateway.restart();
      // As long as everyone needs who holds more than the log has.
      await Promise.all(
        gateways.map(async (gateway) => {
          for (let asked = false; !asked;)
            try {
              await gateway.log.catchUp();
              asked = true;
            } catch {
              restartIfBroken(gateway);
              await turns.wait();
            }
        }),
      );
      servers.settled();
    }
  })();
  const all = Promise.all([...working, failing]);
  all.catch((error: unknown) => faulty.push(String(error)));
  const hasEnded = await turns.run(STEPS_MAX, () => {
    if (turns.chance(copied)) servers.copy();
  });
  if (!hasEnded) return [...faulty, `nothing came to an end in ${STEPS_MAX} steps`];

  servers.faults = NO_FAULTS;
  const ending = Promise.all(
    gateways.map(async (gateway) => {
      await gateway.log.caughtUp().catch(() => restartIfBroken(gateway));
      await gateway.log.caughtUp();
    }),
  );
  ending.catch((error: unknown) => faulty.push(String(error)));
  await turns.run(STEPS_MAX, () => servers.copy());

  const there = texts(servers.entries);
  for (const { seq, hash } of [...acknowledged, ...rested])
    if (!Buffer.from(servers.entries[seq]?.hash ?? []).equals(hash))
      faulty.push(`entry ${seq} was acknowledged or shown, and is lost`);
  if (new Set(acknowledged.map(({ seq }) => seq)).size !== acknowledged.length)
    faulty.push('one place was acknowledged twice');
  for (const [at, text] of there.entries())
    if (!text.startsWith(`${at + 1} `)) faulty.push(`entry ${at + 1} is ${text}: decided by another state`);
  // What was refused was not written: each payment is there once.
  for (const { number, restarts } of gateways)
    if (restarts === 0 && there.filter((text) => text.endsWith(` of ${number}`)).length !== PAYMENTS)
      faulty.push(`gateway ${number} paid otherwise than ${PAYMENTS} times: ${there.join()}`);
  for (const { applied, number } of gateways)
    if (texts(applied).join() !== there.join()) faulty.push(`gateway ${number} applied ${texts(applied).join()}`);
  return faulty;
}

const WORLDS: Record<string, Life> = {
  'answers are lost': { isSynchronous: false, failOvers: 0, copied: 25 },
  'sessions end while a commit waits for the standby': { isSynchronous: true, failOvers: 0, copied: 60 },
  'the synchronous standby is promoted': { isSynchronous: true, failOvers: 3, copied: 60 },
  'the synchronous standby is promoted, and no gateway lives on': {
    isSynchronous: true,
    failOvers: 6,
    copied: 3,
    allEnd: true,
    faults: { unsent: 5, unanswered: 5, ended: 40 },
  },
  'a standby is promoted that is behind, and gateways hold what it lacks': {
    isSynchronous: false,
    failOvers: 3,
    copied: 25,
  },
};

describe.each(Object.entries(WORLDS))('%s', (_, world) => {
  test(`nothing acknowledged is lost in ${LIVES} lives`, async () => {
    for (let seed = 1; seed <= LIVES; seed += 1)
      expect({ seed, faulty: await live(seed, world) }).toEqual({ seed, faulty: [] });
  });
});

describe('a gateway that cannot go on', () => {
  const clock = {
    setTimer: (fn: () => void) => void setTimeout(fn, 0),
  } as unknown as Clock;

  test('stops when the log has other entries than it applied, and says what is lost', async () => {
    const turns = new Turns(1);
    const servers = new FailingServers(turns, FIRST, false);
    servers.faults = NO_FAULTS;
    const [one, other] = [new Gateway(0, servers, clock), new Gateway(1, servers, clock)];
    const done = (async () => {
      await one.pay();
      await one.pay();
      servers.failOver();
      servers.settled();
      await other.pay();
      await one.log.caughtUp();
    })();
    const failure = done.catch((error: Error) => error);
    await turns.run(STEPS_MAX, noop);
    expect(String(await failure)).toMatch(
      /LogBrokenError: the log ends with an entry 1 that this gateway does not have: .* up to entry 2 is lost/,
    );
    await expect(one.pay()).rejects.toThrow(/is lost/);
  });

  test('stops when it held too little to append again', async () => {
    const turns = new Turns(1);
    const servers = new FailingServers(turns, FIRST, false);
    servers.faults = NO_FAULTS;
    const log = new SharedLog({
      log: servers.session(),
      at: FIRST,
      apply: noop,
      clock,
      logger: QUIET,
      heldBytesMax: 30,
    });
    const done = (async () => {
      await log.append(() => Buffer.from('\u0001first'));
      servers.copy();
      for (const letter of ['a', 'b', 'c']) await log.append(() => Buffer.from(`\u0001${letter.repeat(20)}`));
      servers.failOver();
      await log.caughtUp();
    })();
    const failure = done.catch((error: Error) => error);
    await turns.run(STEPS_MAX, noop);
    expect(String(await failure)).toMatch(
      /LogBrokenError: the log ends with an entry 1 that this gateway does not have/,
    );
  });

  test('says that it begins with a snapshot when the log was trimmed', async () => {
    const turns = new Turns(1);
    const session = new FailingServers(turns, FIRST, false).session();
    const log = new SharedLog({
      log: { ...session, tail: async () => undefined },
      at: FIRST,
      apply: noop,
      clock,
      logger: QUIET,
    });
    await expect(log.caughtUp()).rejects.toThrow(LogTrimmedError);
  });
});

/**
 * Rules 30, 32, 35, 36 and 39: gateways that are made again from snapshots, a log whose beginning is dropped, versions side by side, a log that
 * moves from one process to a network, and the place of webhook deliveries.
 */
import type { Model, Step } from './explore.ts';

export type CopiesRule =
  | 'a snapshot of another history is not believed'
  | 'a snapshot is believed by its SHA-256'
  | 'entries are dropped below a snapshot'
  | 'a process below the base fetches a snapshot'
  | 'a newer entry stops the process'
  | 'a new kind of entry waits until every process reads it'
  | 'the seal is synced before the key moves'
  | 'the place of deliveries is an entry';

export interface CopiesScenario {
  /** Entries that are appended, and whether one more of a new kind is. */
  entries: number;
  hasNewKind: boolean;
  faults: { folderLost: number; stepBack: number; forged: number; away: number };
  without?: CopiesRule;
}

/** Of the first entries of a log. `isForged`: changed where only the file says what is right, such as in a token. */
interface Snapshot {
  history: readonly string[];
  isForged: boolean;
  isFromOperator: boolean;
}

interface Gateway {
  applied: readonly string[];
  /** What is wrong with the snapshot that it began with. */
  wrong: '' | 'was changed on its way' | 'has another history than the log';
  isNew: boolean;
  isStopped: boolean;
  /** Not there, or there again: the log does not wait for its version. */
  away: 'never' | 'now' | 'once';
}

interface Copies {
  log: readonly string[];
  base: number;
  made: number;
  gateways: readonly Gateway[];
  snapshots: readonly Snapshot[];
  faults: CopiesScenario['faults'];
}

const NEW_KIND = 'new';

/** Two gateways of an old version, one of which loses its folder; both can be upgraded. */
export function copiesModel({ entries, hasNewKind, faults, without }: CopiesScenario): Model<Copies> {
  const keeps = (rule: CopiesRule): boolean => rule !== without;
  const gateway: Gateway = { applied: [], wrong: '', isNew: false, isStopped: false, away: 'never' };
  const initial: Copies = { log: [], base: 0, made: 0, gateways: [gateway, gateway], snapshots: [], faults };
  const changed = (state: Copies, index: number, change: Partial<Gateway>): Copies => ({
    ...state,
    gateways: state.gateways.map((one, at) => (at === index ? { ...one, ...change } : one)),
  });
  const isStartOf = (start: readonly string[], log: readonly string[]): boolean =>
    start.every((entry, at) => log[at] === entry);

  const wrongWith = (history: readonly string[], isForged: boolean, log: readonly string[]): Gateway['wrong'] => {
    if (isForged) return 'was changed on its way';
    return isStartOf(history, log) ? '' : 'has another history than the log';
  };

  function* steps(state: Copies): Generator<Step<Copies>> {
    const { log, base, made, gateways, snapshots, faults: left } = state;
    const isPast = (number: number): boolean => gateways.every(({ applied }) => applied.length >= number);
    if (made < entries)
      yield {
        name: `entry ${made + 1} is appended`,
        next: { ...state, made: made + 1, log: [...log, `e${made + 1}`] },
      };
    const isAgreed =
      gateways.every(({ isNew, away }) => isNew || away === 'now') ||
      !keeps('a new kind of entry waits until every process reads it');
    if (hasNewKind && isAgreed && made === entries && !log.includes(NEW_KIND))
      yield { name: 'an entry of a new kind is appended', next: { ...state, log: [...log, NEW_KIND] } };

    for (const [index, { applied, isNew, isStopped, away }] of gateways.entries()) {
      if (away === 'now') {
        yield { name: `${index} is there again`, next: changed(state, index, { away: 'once' }) };
        continue;
      }
      if (hasNewKind && !isNew)
        yield { name: `${index} is upgraded`, next: changed(state, index, { isNew: true, isStopped: false }) };
      if (isStopped) continue;
      const entry = log[applied.length];
      const isReadable = entry !== NEW_KIND || isNew;
      if (!isStartOf(applied, log))
        yield {
          name: `${index} has another history, and is made again`,
          next: changed(state, index, { applied: [], wrong: '' }),
        };
      else if (entry !== undefined && applied.length >= base) {
        if (isReadable)
          yield { name: `${index} applies ${entry}`, next: changed(state, index, { applied: [...applied, entry] }) };
        else if (keeps('a newer entry stops the process'))
          yield { name: `${index} meets a newer entry, and stops`, next: changed(state, index, { isStopped: true }) };
        else
          yield {
            name: `${index} passes over a newer entry`,
            next: changed(state, index, { applied: [...applied, 'skipped'] }),
          };
      }
      const isUseful = applied.length > 0 && !snapshots.some(({ history }) => history.length >= applied.length);
      const isClean = (gateways[index] as Gateway).wrong === '';
      if (isUseful && isClean)
        yield {
          name: `${index} makes a snapshot of ${applied.length} entries`,
          next: { ...state, snapshots: [...snapshots, { history: applied, isForged: false, isFromOperator: false }] },
        };
      if (applied.length >= base && applied.length > 0) continue;
      if (applied.length < base && !keeps('a process below the base fetches a snapshot')) continue;
      for (const { history, isForged, isFromOperator } of snapshots) {
        if (history.length < base || history.length <= applied.length) continue;
        const isKnown = isFromOperator ? true : !isForged || !keeps('a snapshot is believed by its SHA-256');
        const isSame = isStartOf(history, log) || !keeps('a snapshot of another history is not believed');
        if (isKnown && isSame)
          yield {
            name: `${index} takes a snapshot of ${history.length} entries`,
            next: changed(state, index, { applied: history, wrong: wrongWith(history, isForged, log) }),
          };
      }
    }

    const newest = Math.max(
      0,
      ...snapshots
        .filter(({ history, isForged }) => !isForged && isStartOf(history, log))
        .map(({ history }) => history.length),
    );
    const limit = keeps('entries are dropped below a snapshot') ? newest : log.length;
    if (limit > base) {
      if (isPast(limit)) yield { name: `entries up to ${limit} are dropped`, next: { ...state, base: limit } };
      else
        yield {
          name: `entries up to ${limit} are dropped, of which a gateway that was away has not all`,
          next: { ...state, base: limit },
          isFault: true,
        };
    }
    if (left.folderLost > 0)
      yield {
        name: '1 loses its folder',
        next: {
          ...changed(state, 1, { applied: [], wrong: '', isStopped: false }),
          faults: { ...left, folderLost: left.folderLost - 1 },
        },
        isFault: true,
      };
    if (left.away > 0 && gateways[1]?.away === 'never') {
      const away = { ...state, faults: { ...left, away: left.away - 1 } };
      yield { name: '1 is away', next: changed(away, 1, { away: 'now' }), isFault: true };
    }
    if (left.forged > 0 && log.length > 0)
      yield {
        name: 'a snapshot is changed on its way',
        next: {
          ...state,
          snapshots: [...snapshots, { history: log, isForged: true, isFromOperator: false }],
          faults: { ...left, forged: left.forged - 1 },
        },
        isFault: true,
      };
    if (left.stepBack > 0 && log.length > base) {
      // The operator has a snapshot of what the log had then.
      const copy = { history: log, isForged: false, isFromOperator: true };
      yield {
        name: 'the operator keeps a snapshot, and the log loses its last entry',
        next: {
          ...state,
          log: log.slice(0, -1),
          snapshots: [...snapshots, copy],
          faults: { ...left, stepBack: left.stepBack - 1 },
        },
        isFault: true,
      };
    }
  }

  function broken({ gateways }: Copies): string | undefined {
    for (const [index, { applied, wrong, isStopped, away }] of gateways.entries()) {
      if (wrong !== '') return `${index} believes a snapshot that ${wrong}`;
      if (applied.includes('skipped')) return `${index} has passed over an entry: its state is not what the log says`;
      if (isStopped && away === 'never') return `${index}, which is not upgraded yet, has stopped`;
    }
    return undefined;
  }

  function unsettled({ log, base, gateways }: Copies): string | undefined {
    for (const [index, { applied, isStopped }] of gateways.entries()) {
      if (isStopped) return `${index} is stopped`;
      if (applied.join() !== log.join())
        return `${index} has ${applied.length} of ${log.length} entries, where the log begins behind ${base}`;
    }
    return undefined;
  }

  return { initial, key: (state) => JSON.stringify(Object.values(state)), steps, broken, unsettled };
}

interface Graduation {
  /** The entry that ends the log of the one process, in its memory and on its disk. */
  seal: 'open' | 'written' | 'synced';
  hasKeyMoved: boolean;
  accepts: { process: boolean; network: boolean };
  power: number;
}

/** A chain of one process goes on as a network: its key moves, and payments are accepted on one side at a time. */
export function graduationModel({ without }: { without?: CopiesRule }): Model<Graduation> {
  const initial: Graduation = {
    seal: 'open',
    hasKeyMoved: false,
    accepts: { process: false, network: false },
    power: 1,
  };
  function* steps(state: Graduation): Generator<Step<Graduation>> {
    const { seal, hasKeyMoved, accepts, power } = state;
    if (seal === 'open') {
      if (!accepts.process)
        yield { name: 'the process accepts a payment', next: { ...state, accepts: { ...accepts, process: true } } };
      yield {
        name: 'the seal is written',
        next: { ...state, seal: 'written', accepts: { ...accepts, process: false } },
      };
    }
    if (seal === 'written') yield { name: 'the seal is synced', next: { ...state, seal: 'synced' } };
    const mayMove = seal === 'synced' || (seal === 'written' && without === 'the seal is synced before the key moves');
    if (mayMove && !hasKeyMoved) yield { name: 'the key moves', next: { ...state, hasKeyMoved: true } };
    if (hasKeyMoved && !accepts.network)
      yield { name: 'the network accepts a payment', next: { ...state, accepts: { ...accepts, network: true } } };
    if (power > 0) {
      const next = { ...state, seal: seal === 'synced' ? seal : 'open', power: 0 } as const;
      yield { name: 'the power is cut, and the process starts', next, isFault: true };
    }
  }
  return {
    initial,
    key: (state) => JSON.stringify(state),
    steps,
    broken: ({ accepts }) =>
      accepts.process && accepts.network ? 'the process and the network both accept payments' : undefined,
    unsettled: ({ accepts }) => (accepts.network ? undefined : 'the network does not accept payments'),
  };
}

interface Deliveries {
  events: number;
  /** Of each event, whether it was delivered. */
  delivered: readonly boolean[];
  /** How far the gateway that delivers is, and what the log says. */
  place: number;
  recorded: number;
  faults: number;
}

/** Webhooks are delivered by one gateway, and by another when it dies: each event at least once. */
export function deliveriesModel({ without }: { without?: CopiesRule }): Model<Deliveries> {
  const EVENTS = 3;
  const initial: Deliveries = { events: 0, delivered: [false, false, false], place: 0, recorded: 0, faults: 2 };
  const isRecorded = without !== 'the place of deliveries is an entry';
  function* steps(state: Deliveries): Generator<Step<Deliveries>> {
    const { events, delivered, place, recorded, faults } = state;
    if (events < EVENTS) yield { name: `event ${events + 1} comes`, next: { ...state, events: events + 1 } };
    if (place < events)
      yield {
        name: `event ${place + 1} is delivered`,
        next: { ...state, place: place + 1, delivered: delivered.map((done, at) => done || at === place) },
      };
    if (isRecorded && recorded < place)
      yield { name: `the place ${place} is appended`, next: { ...state, recorded: place } };
    if (faults > 0)
      yield {
        name: 'another gateway takes over',
        next: { ...state, faults: faults - 1, place: isRecorded ? recorded : events },
        isFault: true,
      };
  }
  return {
    initial,
    key: (state) => JSON.stringify(state),
    steps,
    broken: () => undefined,
    unsettled: ({ delivered }) =>
      delivered.every(Boolean) ? undefined : `event ${delivered.indexOf(false) + 1} is never delivered`,
  };
}

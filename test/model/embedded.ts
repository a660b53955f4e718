/**
 * Rules 28, 29, 31, 34, 35, 37 and 38 for one process: log.db, chain.db behind it, threads that read, and what kills, power cuts, a disk that fails
 * and files that are put back do to them.
 *
 * log.db is written and then synced; a kill leaves what was written, a power cut any part of what was not synced. A sync that failed leaves
 * pages that read as written and that no later sync brings to the disk (fsync(2), Linux): only writing them again does.
 */
import type { Model, Step } from './explore.ts';

export type EmbeddedRule =
  | 'an answer waits for the sync'
  | 'a block is shown when it is durable'
  | 'nothing above the durable number reaches chain.db'
  | 'a start makes durable what it read'
  | 'a start writes again what it read'
  | 'a failed sync ends the process'
  | 'a log that ends before chain.db goes on from chain.db'
  | 'files behind the witness are refused'
  | 'a transaction of chain.db names its entry'
  | 'entries are dropped when chain.db is synced'
  | 'a read takes the tail from the entry that its chain.db names'
  | 'a read waits for the least height of its caller'
  | 'history is asked again when the answer is older than what is held';

/** Payments. x and z have one `once` key, so that only one of them may be accepted; y has none. */
export type Payment = 'x' | 'y' | 'z';

export interface EmbeddedScenario {
  payments: readonly Payment[];
  blocks: number;
  reads: number;
  faults: { kill: number; power: number; sync: number; putBack: number; logLost: number };
  without?: EmbeddedRule;
}

interface State {
  /** log.db: entries from number `first` on, how many of all are on the disk, and whether a sync can still bring the rest there. */
  log: { first: number; entries: readonly string[]; durable: number; isBad: boolean };
  /** chain.db: the entries that were applied to it, the number that it names, and the same on the disk. */
  db: { entries: readonly string[]; named: number };
  synced: { entries: readonly string[]; named: number };
  /** What the process has in memory, if it runs: how much it believes durable, the first entry whose keys it holds, answers of chain.db on their way. */
  ledger: Ledger | undefined;
  /** Reads of one caller: what it has seen, and the chain.db that a read under way has opened. */
  read: { left: number; seen: number; opened: number | undefined; must: number };
  acknowledged: number;
  /** By height, the block that was shown. */
  shown: readonly string[];
  /** Blocks made, so that no two are the same. */
  made: number;
  witness: number;
  copy: { log: State['log']; db: State['db'] } | undefined;
  faults: EmbeddedScenario['faults'];
  isRefused: boolean;
  lie: string;
}

interface Ledger {
  applied: readonly string[];
  durable: number;
  answered: number;
  /** Keys of entries up to here were forgotten. */
  held: number;
  /** Whether chain.db has an entry that it does not name yet. */
  isNaming: boolean;
  /** For each payment: what chain.db said of its key, and at which entry. */
  asked: readonly ({ at: number; isFound: boolean } | undefined)[];
}

const isBlock = (entry: string): boolean => entry.startsWith('b');
/** `b2.5`: height 2, the fifth block that was ever made. */
const heightOf = (block: string): number => Number(block.slice(1, block.indexOf('.')));
const sameKey = (one: string, other: string): boolean => one === other || one + other === 'xz' || one + other === 'zx';

export function embeddedModel(scenario: EmbeddedScenario): Model<State> {
  const { payments, without } = scenario;
  const keeps = (rule: EmbeddedRule): boolean => rule !== without;
  const bit = (entry: string): number => 1 << payments.indexOf(entry as Payment);
  const endOf = ({ first, entries }: State['log']): number => first + entries.length;

  const initial: State = {
    log: { first: 0, entries: [], durable: 0, isBad: false },
    db: { entries: [], named: 0 },
    synced: { entries: [], named: 0 },
    ledger: { applied: [], durable: 0, answered: 0, held: 0, isNaming: false, asked: payments.map(() => undefined) },
    read: { left: scenario.reads, seen: 0, opened: undefined, must: 0 },
    acknowledged: 0,
    shown: [],
    made: 0,
    witness: 0,
    copy: undefined,
    faults: scenario.faults,
    isRefused: false,
    lie: '',
  };

  function* steps(state: State): Generator<Step<State>> {
    if (state.lie !== '') return;
    const { ledger } = state;
    if (ledger === undefined) {
      if (!state.isRefused) yield start(state);
    } else {
      yield* accepting(state, ledger);
      yield* answering(state, ledger);
      yield* writing(state, ledger);
      yield* reading(state, ledger);
    }
    yield* faults(state);
  }

  function start(state: State): Step<State> {
    const { log, db, witness } = state;
    const isBehind = endOf(log) < witness && db.named < witness;
    if (isBehind && keeps('files behind the witness are refused'))
      return {
        name: 'the start is refused: the files are older than the witness',
        next: { ...state, isRefused: true },
      };
    const isShort = endOf(log) < db.named;
    const from =
      isShort && keeps('a log that ends before chain.db goes on from chain.db')
        ? { ...log, first: db.named, entries: [] }
        : log;
    const applied = [
      ...db.entries.slice(0, Math.max(db.named, from.first)),
      ...from.entries.slice(Math.max(0, db.named - from.first)),
    ];
    const end = endOf(from);
    const isSynced =
      keeps('a start makes durable what it read') && (keeps('a start writes again what it read') || !from.isBad);
    const now = isSynced ? { ...from, durable: end, isBad: false } : from;
    const ledger = {
      applied: applied.slice(0, Math.max(end, isShort ? end : 0)),
      durable: end,
      answered: 0,
      held: Math.min(db.named, end),
      isNaming: false,
      asked: payments.map(() => undefined),
    };
    return { name: 'the process starts', next: { ...state, log: now, ledger } };
  }

  function append(state: State, ledger: Ledger, entry: string, change?: Partial<State>): State {
    const log = { ...state.log, entries: [...state.log.entries, entry] };
    return { ...state, log, ledger: { ...ledger, applied: [...ledger.applied, entry] }, ...change };
  }

  function* accepting(state: State, ledger: Ledger): Generator<Step<State>> {
    const { applied, held, asked } = ledger;
    for (const [index, payment] of payments.entries()) {
      if (applied.includes(payment)) continue;
      const answer = asked[index];
      const withAnswer = (change: (typeof asked)[number]): Ledger => ({
        ...ledger,
        asked: asked.map((one, at) => (at === index ? change : one)),
      });
      if (answer === undefined) {
        const { named, entries } = state.db;
        const isFound = entries.some((entry) => sameKey(entry, payment));
        yield {
          name: `a thread asks chain.db, at entry ${named}, for the key of ${payment}`,
          next: { ...state, ledger: withAnswer({ at: named, isFound }) },
        };
        continue;
      }
      if (answer.at < held && keeps('history is asked again when the answer is older than what is held')) {
        yield { name: `the answer for ${payment} is too old`, next: { ...state, ledger: withAnswer(undefined) } };
        continue;
      }
      const isKnown = answer.isFound || applied.slice(held).some((entry) => sameKey(entry, payment));
      if (!isKnown)
        yield { name: `${payment} is written to the log`, next: append(state, withAnswer(undefined), payment) };
    }
    const height = applied.filter(isBlock).length + 1;
    const last = applied.findLastIndex(isBlock);
    if (height <= scenario.blocks && last < applied.length - 1) {
      const block = `b${height}.${state.made + 1}`;
      yield {
        name: `block ${block} is signed and written to the log`,
        next: append(state, ledger, block, { made: state.made + 1 }),
      };
    }
    const { named } = state.db;
    if (named > held)
      yield { name: `keys up to entry ${named} are forgotten`, next: { ...state, ledger: { ...ledger, held: named } } };
  }

  function* answering(state: State, ledger: Ledger): Generator<Step<State>> {
    const { applied, durable, answered } = ledger;
    const end = endOf(state.log);
    if (durable < end) {
      const log = state.log.isBad ? state.log : { ...state.log, durable: end };
      yield { name: `the log is synced up to ${end}`, next: { ...state, log, ledger: { ...ledger, durable: end } } };
    }
    const entry = applied[answered];
    if (entry === undefined) return;
    const waits = isBlock(entry) ? keeps('a block is shown when it is durable') : keeps('an answer waits for the sync');
    if (waits && answered >= durable) return;
    const next = { ...state, ledger: { ...ledger, answered: answered + 1 } };
    if (!isBlock(entry)) {
      yield { name: `${entry} is acknowledged`, next: { ...next, acknowledged: state.acknowledged | bit(entry) } };
      return;
    }
    const height = heightOf(entry);
    const before = state.shown[height - 1];
    const lie =
      before !== undefined && before !== entry ? `blocks ${before} and ${entry} of one height were both shown` : '';
    const shown =
      before === undefined ? [...state.shown.slice(0, height - 1), entry, ...state.shown.slice(height)] : state.shown;
    yield { name: `block ${entry} is shown`, next: { ...next, shown, lie } };
  }

  /** What follows the log: chain.db, its checkpoints, dropping, the witness and backups. */
  function* writing(state: State, ledger: Ledger): Generator<Step<State>> {
    const { db, synced, log, witness } = state;
    const { durable, answered } = ledger;
    const limit = keeps('nothing above the durable number reaches chain.db') ? durable : endOf(log);
    const entry = log.entries[db.named - log.first];
    if (ledger.isNaming) {
      const next = { ...state, db: { ...db, named: db.named + 1 }, ledger: { ...ledger, isNaming: false } };
      yield { name: `chain.db names entry ${db.named + 1}`, next };
    } else if (entry !== undefined && db.named < limit) {
      const isNaming = !keeps('a transaction of chain.db names its entry');
      const taken = { entries: [...db.entries, entry], named: isNaming ? db.named : db.named + 1 };
      yield { name: `chain.db takes ${entry}`, next: { ...state, db: taken, ledger: { ...ledger, isNaming } } };
    }
    if (synced.entries.length < db.entries.length || synced.named < db.named)
      yield { name: `chain.db is checkpointed and synced at ${db.named}`, next: { ...state, synced: db } };
    const safe = keeps('entries are dropped when chain.db is synced') ? synced.named : db.named;
    const first = Math.min(safe, endOf(log) - 1);
    if (first > log.first)
      yield {
        name: `the log drops entries up to ${first}`,
        next: { ...state, log: { ...log, first, entries: log.entries.slice(first - log.first) } },
      };
    if (state.faults.putBack > 0) {
      if (answered > witness) yield { name: `the witness says ${answered}`, next: { ...state, witness: answered } };
      if (state.copy === undefined)
        yield {
          name: 'the files are copied',
          next: { ...state, copy: { log: { ...log, durable: endOf(log) }, db } },
          isFault: true,
        };
    }
  }

  /** A caller reads again and again, each time by a thread that has its own chain.db open. */
  function* reading(state: State, ledger: Ledger): Generator<Step<State>> {
    const { read, db } = state;
    if (read.opened === undefined) {
      if (read.left === 0) return;
      // A thread may have opened it a while ago, for another read.
      for (let at = db.named; at >= Math.max(0, db.named - 1); at--)
        yield {
          name: `a read opens chain.db at entry ${at}`,
          next: { ...state, read: { ...read, left: read.left - 1, opened: at, must: state.acknowledged } },
          isFault: true,
        };
      return;
    }
    const ended = { ...read, opened: undefined, must: 0 };
    // The tail begins where the ledger has forgotten: an older chain.db does not reach it.
    const isGap = read.opened < ledger.held;
    if (isGap && keeps('a read takes the tail from the entry that its chain.db names')) {
      yield { name: 'the read opens chain.db again', next: { ...state, read: { ...read, opened: db.named } } };
    } else {
      const entries = [
        ...ledger.applied.slice(0, read.opened),
        ...ledger.applied.slice(Math.max(read.opened, ledger.held), ledger.durable),
      ];
      const missing = payments.find((payment) => (read.must & bit(payment)) !== 0 && !entries.includes(payment));
      const lie = missing === undefined ? '' : `a read does not show ${missing}, which was acknowledged before it came`;
      yield {
        name: 'the read is answered from chain.db and the tail',
        next: { ...state, read: { ...ended, seen: Math.max(read.seen, ledger.durable) }, lie },
      };
    }
    // A filtered list, events, statements: from chain.db alone.
    const isBack = read.opened < read.seen;
    if (isBack && keeps('a read waits for the least height of its caller')) {
      if (db.named > read.opened)
        yield { name: 'the list waits for chain.db', next: { ...state, read: { ...read, opened: db.named } } };
      return;
    }
    // A payment that was shown may be relied on.
    const seen = payments.filter((payment) => db.entries.slice(0, read.opened).includes(payment));
    const acknowledged = seen.reduce((bits, payment) => bits | bit(payment), state.acknowledged);
    const lie = isBack ? `a list shows entry ${read.opened} after its caller has seen entry ${read.seen}` : '';
    yield {
      name: 'a list is answered from chain.db',
      next: { ...state, acknowledged, read: { ...ended, seen: Math.max(read.seen, read.opened) }, lie },
    };
  }

  function* faults(state: State): Generator<Step<State>> {
    const { faults: left, log, db, synced, ledger, copy } = state;
    const down: Partial<State> = { ledger: undefined, read: { ...state.read, opened: undefined, must: 0 } };
    const less = (kind: keyof typeof left): typeof left => ({ ...left, [kind]: left[kind] - 1 });
    if (left.kill > 0 && ledger !== undefined)
      yield { name: 'the process is killed', next: { ...state, ...down, faults: less('kill') }, isFault: true };
    if (left.power > 0)
      for (
        let end = Math.max(log.first, log.durable);
        end <= (log.isBad ? Math.max(log.first, log.durable) : endOf(log));
        end++
      )
        for (let entries = synced.entries.length; entries <= db.entries.length; entries++) {
          const kept = { first: log.first, entries: log.entries.slice(0, end - log.first), durable: end, isBad: false };
          const named = entries === db.entries.length ? db.named : Math.max(synced.named, Math.min(entries, db.named));
          const rows = { entries: db.entries.slice(0, entries), named };
          yield {
            name: `the power is cut: log.db has ${end} entries, chain.db ${entries}`,
            next: { ...state, ...down, log: kept, db: rows, synced: rows, faults: less('power') },
            isFault: true,
          };
        }
    if (left.sync > 0 && ledger !== undefined && ledger.durable < endOf(log)) {
      const bad = { ...state, log: { ...log, isBad: true }, faults: less('sync') };
      yield {
        name: 'a sync fails',
        next: keeps('a failed sync ends the process') ? { ...bad, ...down } : bad,
        isFault: true,
      };
    }
    // Later than the five seconds after which the witness is written.
    if (
      left.putBack > 0 &&
      copy !== undefined &&
      ledger !== undefined &&
      state.witness === ledger.answered &&
      ledger.answered === endOf(log)
    )
      yield {
        name: 'the process is stopped, and the copied files are put back',
        next: { ...state, ...down, log: copy.log, db: copy.db, synced: copy.db, faults: less('putBack') },
        isFault: true,
      };
    if (left.logLost > 0 && ledger !== undefined && db.named === endOf(log))
      yield {
        name: 'the process is stopped, and log.db is removed',
        next: {
          ...state,
          ...down,
          log: { first: 0, entries: [], durable: 0, isBad: false },
          synced: db,
          faults: less('logLost'),
        },
        isFault: true,
      };
  }

  function broken(state: State): string | undefined {
    const { lie, ledger, log, db, acknowledged } = state;
    if (lie !== '') return lie;
    const twice = db.entries.find((entry, at) => db.entries.indexOf(entry) < at);
    if (twice !== undefined) return `chain.db has applied ${twice} twice`;
    const heights = db.entries.filter(isBlock).map(heightOf);
    if (heights.some((height, at) => height !== at + 1)) return `chain.db has blocks of heights ${heights.join(', ')}`;
    if (ledger === undefined) return undefined;
    const { applied } = ledger;
    if (applied.includes('x') && applied.includes('z')) return 'two payments with one key were accepted';
    if (scenario.faults.putBack > 0 && keeps('files behind the witness are refused')) return undefined;
    for (const payment of payments)
      if ((acknowledged & bit(payment)) !== 0 && !applied.includes(payment))
        return `${payment} is acknowledged and lost`;
    const other = db.entries.findIndex((entry, at) => at < applied.length && applied[at] !== entry);
    if (other >= 0) return `entry ${other + 1} is ${db.entries[other]} in chain.db and ${applied[other]} in the log`;
    if (db.entries.length > endOf(log)) return `chain.db has an entry that the log does not have`;
    return undefined;
  }

  function unsettled(state: State): string | undefined {
    const { ledger, isRefused, db, log, synced } = state;
    if (isRefused) return undefined;
    if (ledger === undefined) return 'the process has not started';
    const open = payments.find((payment) => !ledger.applied.some((entry) => sameKey(entry, payment)));
    if (open !== undefined) return `${open} is not accepted`;
    if (ledger.answered < ledger.applied.length) return 'an entry has no answer';
    if (db.entries.length < ledger.applied.length || synced.entries.length < db.entries.length)
      return 'chain.db is behind';
    if (log.entries.length > 1) return 'the log has entries that chain.db holds';
    return undefined;
  }

  return { initial, key: (state) => JSON.stringify(Object.values(state)), steps, broken, unsettled };
}

/**
 * Rules 27 to 31, 33 and 37 for a network: gateways that append to one log in PostgreSQL, with a standby, beside a chain that makes blocks.
 *
 * Two gateways append requests, and both believe that they lead; two forward. Nothing here measures time: a gateway that is paused takes no step,
 * and wakes by taking one, so that every pause, slow link and late beat is among the interleavings. What a rule says of seconds is therefore not
 * needed for what is shown here, with one exception (`isPatient`).
 */
import type { Model, Step } from './explore.ts';

/** Each can be taken away, alone, to see what it is for. */
export type NetworkRule =
  | 'entry n has the hash that was applied'
  | 'entry n + 1 is not there'
  | 'found is not durable'
  | 'found is not durable, also with a session of its own that was never lost'
  | 'not found decides nothing'
  | 'no answer rests on an entry that may be lost'
  | 'a reference is applied with its block'
  | 'references follow each other'
  | 'times are in the entry'
  | 'the same bytes are appended again'
  | 'nothing else is appended meanwhile'
  | 'an append of unknown outcome waits too'
  | 'a different entry stops the process'
  | 'a head below what was applied answers no read'
  | 'a question for the head'
  | 'a question that was sent after the read came'
  | 'a request id that the log has is answered from it'
  | 'the token is checked again at the entry'
  | 'broadcast from an applied entry'
  | 'broadcast from a durable entry'
  | 'state changes when an entry is applied';

/** What a client wants. Two payments have one nonce: at most one of them can be accepted. */
export type RequestName = 'x' | 'y' | 'token' | 'revoke';

export interface NetworkScenario {
  /** Gateways that append; the first ones. */
  leaders: number;
  gateways: number;
  requests: readonly RequestName[];
  /** Whether an append is confirmed only when the standby has it. */
  isSynchronous: boolean;
  blocks: number;
  reads: number;
  /**
   * Whether all wait long enough after a change of server, so that what it lost is appended again first. What must never break does not rest on it:
   * without it a standby that is behind may lose what was acknowledged, and one that is not loses nothing.
   */
  isPatient: boolean;
  /** Whether clocks pass the validity of x, of each gateway at its own time. */
  hasClocks: boolean;
  faults: { crash: number; cut: number; failOver: number };
  without?: NetworkRule;
}

/** An insert of one entry on its way, until its outcome is known to who sent it. */
interface Statement {
  /** The gateway that waits for the outcome; -1: its session was lost. */
  of: number;
  /** The history behind which it belongs. */
  base: string;
  number: number;
  entry: string;
  isExecuted: boolean;
}

interface Gateway {
  /** Entries as they were applied: a reference with the block, `r1:x`. */
  applied: readonly string[];
  /** How many entries it knows to be durable. */
  confirmed: number;
  /** After a lost session or a new server, until an append of its own is confirmed. */
  isDoubtful: boolean;
  /** The entry whose append has no outcome yet, and whether it still waits for one. */
  append: { entry: string; number: number; isUnknown: boolean } | undefined;
  /** Blocks that it verified. */
  verified: number;
  isStopped: boolean;
  /** Whether its clock has passed the validity of x. */
  isLate: boolean;
  /** A read that waits for its answer: what was acknowledged before it came, bits; and a question for the head on its way. */
  read: number | undefined;
  question: { head: readonly string[] | undefined; applied: number; isForRead: boolean } | undefined;
  /** Where checking leaves a trace: the requests that were checked. */
  checked: number;
}

interface State {
  log: readonly string[];
  /** How many entries the standby has, and how many other sessions see. */
  copied: number;
  visible: number;
  wire: readonly Statement[];
  gateways: readonly Gateway[];
  /** For each request: how it was answered. */
  answers: readonly Answer[];
  /** Requests whose check of the token was passed by a gateway that forwards; bits. */
  passed: number;
  chain: readonly string[];
  /** Payments that nodes know; bits. */
  pool: number;
  reads: number;
  faults: { crash: number; cut: number; failOver: number };
  lie: string;
}

type Answer = '' | 'yes' | 'no' | 'not there';

const isPayment = (name: string): boolean => name === 'x' || name === 'y';
/** `x.0`: x, appended by gateway 0. `r1.2`: the reference of height 1, by gateway 2. Two entries are the same bytes only if one process made both. */
const nameOf = (entry: string): string => entry.slice(0, entry.indexOf('.'));
const isReference = (entry: string): boolean => /^r\d/.test(entry);
const heightOf = (entry: string): number => Number(nameOf(entry).slice(1));
const rawOf = (applied: string): string => applied.split(':')[0] as string;
const has = (entries: readonly string[], name: string): boolean => entries.some((entry) => nameOf(entry) === name);
const startsWith = (log: readonly string[], start: readonly string[]): boolean =>
  start.length <= log.length && start.every((entry, index) => rawOf(entry) === log[index]);
const historyOf = (log: readonly string[], length = log.length): string => log.slice(0, length).join(' ');

export function networkModel(scenario: NetworkScenario): Model<State> {
  const { leaders, requests, isSynchronous, without } = scenario;
  const keeps = (rule: NetworkRule): boolean => rule !== without;
  const bit = (name: string): number => 1 << requests.indexOf(name as RequestName);

  const fresh: Gateway = {
    applied: [],
    confirmed: 0,
    isDoubtful: false,
    append: undefined,
    verified: 0,
    isStopped: false,
    isLate: false,
    read: undefined,
    question: undefined,
    checked: 0,
  };
  const initial: State = {
    log: [],
    copied: 0,
    visible: 0,
    wire: [],
    gateways: Array.from({ length: scenario.gateways }, () => fresh),
    answers: requests.map(() => ''),
    passed: 0,
    chain: [],
    pool: 0,
    reads: scenario.reads,
    faults: scenario.faults,
    lie: '',
  };

  const changed = (state: State, index: number, change: Partial<Gateway>): State => ({
    ...state,
    gateways: state.gateways.map((gateway, at) => (at === index ? { ...gateway, ...change } : gateway)),
  });
  const answered = (state: State, request: number, answer: Answer): State =>
    state.answers[request] === ''
      ? { ...state, answers: state.answers.map((known, at) => (at === request ? answer : known)) }
      : state;

  function* steps(state: State): Generator<Step<State>> {
    if (state.lie !== '') return;
    yield* forwarding(state);
    yield* database(state);
    yield* chain(state);
    for (const [index, gateway] of state.gateways.entries()) {
      if (gateway.isStopped) {
        yield {
          name: `${index} starts from nothing`,
          next: changed(state, index, { ...fresh, isDoubtful: true, isLate: gateway.isLate }),
        };
        continue;
      }
      yield* tail(state, index, gateway);
      if (index < leaders) yield* answering(state, index, gateway);
      yield* blocks(state, index, gateway);
      yield* reading(state, index, gateway);
    }
    yield* faults(state);
  }

  /** Where a gateway that forwards checks the token, and the leader does not: the last one. */
  function* forwarding(state: State): Generator<Step<State>> {
    if (keeps('the token is checked again at the entry') || has((state.gateways.at(-1) as Gateway).applied, 'revoke'))
      return;
    for (const name of requests)
      if (isPayment(name) && (state.passed & bit(name)) === 0)
        yield {
          name: `the token of ${name} is checked by a gateway that forwards`,
          next: { ...state, passed: state.passed | bit(name) },
        };
  }

  function* database(state: State): Generator<Step<State>> {
    const { log, copied, visible, wire } = state;
    for (const statement of wire) {
      const { of, base, number, entry, isExecuted } = statement;
      const others = wire.filter((one) => one !== statement);
      if (isExecuted) {
        if (of < 0)
          yield {
            name: `the session that wrote ${entry} is ended, and all see it`,
            next: { ...state, visible: Math.max(visible, number), wire: others },
          };
        else if (!isSynchronous || copied >= number)
          yield {
            name: `${entry} is confirmed to ${of}`,
            next: confirm({ ...state, visible: Math.max(visible, number), wire: others }, of, number, entry),
          };
        continue;
      }
      if (of < 0) yield { name: `${entry} never arrives`, next: { ...state, wire: others } };
      // The insert waits for a transaction that has inserted this number and is not done.
      if (log.length >= number && visible < number) continue;
      const isFree = log.length === number - 1 || !keeps('entry n + 1 is not there');
      const isSame = historyOf(log, number - 1) === base || !keeps('entry n has the hash that was applied');
      if (isFree && isSame && visible >= number - 1) {
        const executed = { ...statement, isExecuted: true, number: log.length + 1 };
        const next = {
          ...state,
          log: [...log, entry],
          visible: isSynchronous ? visible : log.length + 1,
          wire: [...others, executed],
        };
        yield { name: `the log takes ${entry}`, next };
        continue;
      }
      const next = { ...state, wire: others };
      // What is there instead, or that it is there by the first try, is found out by reading.
      const reads = { append: { entry, number, isUnknown: true } };
      yield { name: `the log refuses ${entry}`, next: of < 0 ? next : changed(next, of, reads) };
    }
    if (copied < log.length)
      yield {
        name: 'the standby copies an entry',
        next: { ...state, copied: copied + 1, visible: Math.max(visible, copied + 1) },
      };
  }

  function confirm(state: State, index: number, number: number, entry: string): State {
    const gateway = state.gateways[index] as Gateway;
    const isApplied = gateway.applied.length >= number && rawOf(gateway.applied[number - 1] as string) === entry;
    const applied = isApplied ? gateway.applied : [...gateway.applied, formOf(state, gateway, entry)];
    const confirmed = isApplied ? number : applied.length;
    return changed(state, index, { applied, confirmed, isDoubtful: false, append: undefined });
  }

  /** What applying an entry makes of it. */
  function formOf({ chain: made }: State, { isLate, applied, verified }: Gateway, entry: string): string {
    if (isReference(entry)) return heightOf(entry) <= verified ? `${entry}:${made[heightOf(entry) - 1]}` : `${entry}:?`;
    return isLate && !keeps('times are in the entry') && has(applied, 'x') ? `${entry}:late` : entry;
  }

  /** Reading what others appended, and what the log has lost. */
  function* tail(state: State, index: number, gateway: Gateway): Generator<Step<State>> {
    const { append, applied } = gateway;
    if (append !== undefined && !append.isUnknown) return;
    const head = state.log.slice(0, state.visible);
    const isBehind = head.length < applied.length && startsWith(applied.map(rawOf), head);
    if (isBehind && keeps('the same bytes are appended again')) {
      const entry = rawOf(applied[head.length] as string);
      yield { name: `${index} appends ${entry}, which the log has lost`, next: send(state, index, head, entry) };
    } else if (!startsWith(head, applied)) {
      if (!isBehind && !keeps('a different entry stops the process')) return;
      const stopped = { ...fresh, isStopped: true, isLate: gateway.isLate };
      yield {
        name: `${index} has applied what the log does not have, and stops`,
        next: changed(state, index, stopped),
      };
    } else if (head.length > applied.length) {
      const read = readUpTo(state, gateway, head);
      if (read.applied.length === applied.length) return;
      yield { name: `${index} reads up to entry ${read.applied.length}`, next: changed(state, index, read) };
    } else if (append !== undefined && append.number <= head.length) {
      yield { name: `${index} sees that ${append.entry} is there`, next: changed(state, index, { append: undefined }) };
    } else if (append !== undefined) {
      if (keeps('not found decides nothing')) {
        if (keeps('an append of unknown outcome waits too') && !mayAppend(state)) return;
        yield { name: `${index} appends ${append.entry} again`, next: send(state, index, head, append.entry) };
        return;
      }
      const request = requests.indexOf(nameOf(append.entry) as RequestName);
      const next = changed(state, index, { append: undefined });
      yield {
        name: `${index} does not find ${append.entry} and says that it is not there`,
        next: answered(next, request, 'not there'),
      };
    }
  }

  function readUpTo(
    state: State,
    gateway: Gateway,
    head: readonly string[],
  ): Pick<Gateway, 'applied' | 'confirmed' | 'append'> {
    const applied = [...gateway.applied];
    for (const entry of head.slice(applied.length)) {
      const canApply = !isReference(entry) || heightOf(entry) <= gateway.verified;
      if (!canApply && keeps('a reference is applied with its block')) break;
      applied.push(formOf(state, { ...gateway, applied }, entry));
    }
    const isTrusted =
      !keeps('found is not durable') ||
      (!keeps('found is not durable, also with a session of its own that was never lost') && !gateway.isDoubtful);
    return {
      applied,
      confirmed: isTrusted ? applied.length : gateway.confirmed,
      // Another entry in its place, or this one: both say what became of it.
      append: applied.length > gateway.applied.length ? undefined : gateway.append,
    };
  }

  function send(state: State, index: number, base: readonly string[], entry: string): State {
    const statement = { of: index, base: historyOf(base), number: base.length + 1, entry, isExecuted: false };
    const append = { entry, number: statement.number, isUnknown: false };
    return changed({ ...state, wire: [...state.wire, statement] }, index, { append });
  }

  /** Whether a gateway lives that still has what the log has lost. */
  const isToBeRestored = ({ log, gateways }: State): boolean =>
    gateways.some(({ applied }) => applied.length > log.length && startsWith(applied.map(rawOf), log));

  const waits = scenario.isPatient && keeps('nothing else is appended meanwhile');
  const mayAppend = (state: State): boolean => !waits || !isToBeRestored(state);

  function* answering(state: State, index: number, gateway: Gateway): Generator<Step<State>> {
    const { append, confirmed, applied } = gateway;
    let needsConfirmation = false;
    for (const [request, name] of requests.entries()) {
      // A client that has no answer asks any gateway that appends, also a second one.
      if (state.answers[request] !== '') continue;
      const { verdict, at } = check(state, gateway, name);
      if (verdict === 'new') {
        if (append !== undefined || !mayAppend(state)) continue;
        const checked = keeps('state changes when an entry is applied') ? 0 : gateway.checked | bit(name);
        const pool = keeps('broadcast from an applied entry') || !isPayment(name) ? state.pool : state.pool | bit(name);
        const next = send({ ...state, pool }, index, applied, `${name}.${index}`);
        yield { name: `${index} appends ${name}.${index}`, next: changed(next, index, { checked }) };
      } else if (at < confirmed || (verdict === 'no' && !keeps('no answer rests on an entry that may be lost'))) {
        const next = answered(state, request, verdict);
        const isWrong = verdict === 'no' && !isReason(state.log, name);
        const lie = isWrong ? `${name} was refused because of an entry that the log does not have` : '';
        yield {
          name: `${index} answers ${name}: ${verdict}`,
          next: { ...next, lie },
        };
      } else needsConfirmation = true;
    }
    const waiting = applied.findIndex((entry) => isPayment(nameOf(entry)) && (state.pool & bit(nameOf(entry))) === 0);
    if (waiting >= confirmed) needsConfirmation = true;
    if (needsConfirmation && append === undefined && mayAppend(state) && confirmed < applied.length)
      yield { name: `${index} appends an empty entry`, next: send(state, index, applied, `empty.${index}`) };
    if (
      scenario.hasClocks &&
      keeps('times are in the entry') &&
      gateway.isLate &&
      append === undefined &&
      mayAppend(state) &&
      has(applied, 'x') &&
      !has(applied, 'late')
    )
      yield { name: `${index} appends that x is too late`, next: send(state, index, applied, `late.${index}`) };
  }

  /** What is answered, and the entry that says so. */
  function check(state: State, gateway: Gateway, name: RequestName): { verdict: 'yes' | 'no' | 'new'; at: number } {
    const { applied, checked } = gateway;
    const at = (wanted: string): number => applied.findIndex((entry) => nameOf(entry) === wanted);
    if (at(name) >= 0 && (name !== 'token' || keeps('a request id that the log has is answered from it')))
      return { verdict: 'yes', at: at(name) };
    if (!isPayment(name)) return { verdict: 'new', at: -1 };
    const isPassed = (state.passed & bit(name)) !== 0;
    if (at('revoke') >= 0 && !isPassed) return { verdict: 'no', at: at('revoke') };
    const other = name === 'x' ? 'y' : 'x';
    if (at(other) >= 0) return { verdict: 'no', at: at(other) };
    return (checked & bit(other)) === 0 ? { verdict: 'new', at: -1 } : { verdict: 'no', at: -1 };
  }

  const isReason = (log: readonly string[], name: string): boolean =>
    has(log, 'revoke') || has(log, name === 'x' ? 'y' : 'x');

  function* chain(state: State): Generator<Step<State>> {
    const { chain: made, pool } = state;
    if (made.length === scenario.blocks) return;
    yield { name: `block ${made.length + 1} is empty`, next: { ...state, chain: [...made, '-'] } };
    if (made.some(isPayment)) return;
    for (const name of requests)
      if ((pool & bit(name)) !== 0)
        yield { name: `block ${made.length + 1} has ${name}`, next: { ...state, chain: [...made, name] } };
  }

  /** Verifying blocks, appending references to them, and broadcasting. */
  function* blocks(state: State, index: number, gateway: Gateway): Generator<Step<State>> {
    const { append, applied, verified, confirmed } = gateway;
    if (verified < state.chain.length)
      yield {
        name: `${index} verifies block ${verified + 1}`,
        next: changed(state, index, { verified: verified + 1 }),
      };
    const references = applied.filter(isReference).length;
    const height = keeps('references follow each other') ? references + 1 : verified;
    const isDue = height > 0 && height <= verified && (keeps('references follow each other') || references < 2);
    if (isDue && append === undefined && mayAppend(state))
      yield {
        name: `${index} appends the reference of block ${height}`,
        next: send(state, index, applied, `r${height}.${index}`),
      };
    const durable = keeps('broadcast from a durable entry') ? confirmed : applied.length;
    for (const entry of applied.slice(0, index < leaders ? durable : 0)) {
      const name = nameOf(entry);
      if (isPayment(name) && (state.pool & bit(name)) === 0 && scenario.blocks > 0)
        yield { name: `${index} broadcasts ${name}`, next: { ...state, pool: state.pool | bit(name) } };
    }
  }

  function* reading(state: State, index: number, gateway: Gateway): Generator<Step<State>> {
    const { read, question, applied } = gateway;
    if (read === undefined && state.reads > 0) {
      const before = state.answers.reduce(
        (bits, answer, request) => (answer === 'yes' ? bits | (1 << request) : bits),
        0,
      );
      if (before > 0)
        yield {
          name: `a read comes to ${index}`,
          next: changed({ ...state, reads: state.reads - 1 }, index, { read: before }),
        };
    }
    if (read !== undefined && !keeps('a question for the head')) {
      yield { name: `${index} answers the read`, next: shown(state, index, applied, read) };
      return;
    }
    const mayAskForOthers = !keeps('a question that was sent after the read came') && state.reads > 0;
    if (question === undefined && (read !== undefined || mayAskForOthers))
      yield {
        name: `${index} asks for the head`,
        next: changed(state, index, {
          question: { head: undefined, applied: applied.length, isForRead: read !== undefined },
        }),
      };
    if (question === undefined) return;
    if (question.head === undefined) {
      yield {
        name: `the database answers ${index}`,
        next: changed(state, index, { question: { ...question, head: state.log.slice(0, state.visible) } }),
      };
      return;
    }
    const serves = question.isForRead || !keeps('a question that was sent after the read came');
    const { head } = question;
    const isBehind = head.length < question.applied && keeps('a head below what was applied answers no read');
    const isOther = !startsWith(head, applied) && !startsWith(applied.map(rawOf), head);
    if (isBehind || (isOther && keeps('a different entry stops the process'))) {
      yield {
        name: `${index} does not answer the read`,
        next: changed(state, index, { question: undefined, read: undefined }),
      };
      return;
    }
    // A process whose own append is under way applies it when it is confirmed, and reads on then.
    if (!isOther && head.length > applied.length && gateway.append !== undefined && !gateway.append.isUnknown) return;
    const now = isOther || head.length <= applied.length ? { applied } : readUpTo(state, gateway, head);
    if (!isOther && now.applied.length < head.length) return;
    const next = changed(state, index, { ...now, question: undefined });
    yield {
      name: `${index} learns the head`,
      next: read !== undefined && serves ? shown(next, index, now.applied, read) : next,
    };
  }

  /** The read is answered from these entries. */
  function shown(state: State, index: number, applied: readonly string[], before: number): State {
    const next = changed(state, index, { read: undefined });
    for (const [request, name] of requests.entries()) {
      const isShown = has(applied, name);
      if (isSynchronous && (before & (1 << request)) !== 0 && !isShown)
        return { ...next, lie: `a read does not show ${name}, which was acknowledged before it came` };
      if (isShown && !has(state.log, name))
        return { ...next, lie: `a read shows ${name}, which the log does not have` };
    }
    return next;
  }

  function* faults(state: State): Generator<Step<State>> {
    const { faults: left, gateways, wire } = state;
    const lost = (of: number): Statement[] => wire.map((one) => (one.of === of ? { ...one, of: -1 } : one));
    for (const [index, gateway] of gateways.entries()) {
      const { append, isStopped } = gateway;
      if (isStopped) continue;
      if (left.cut > 0 && append !== undefined && !append.isUnknown) {
        const next = { ...state, faults: { ...left, cut: left.cut - 1 }, wire: lost(index) };
        yield {
          name: `the session of ${index} is lost`,
          next: changed(next, index, {
            append: { ...append, isUnknown: true },
            isDoubtful: true,
            question: undefined,
            read: undefined,
          }),
          isFault: true,
        };
      }
      if (left.crash > 0) {
        const next = { ...state, faults: { ...left, crash: left.crash - 1 }, wire: lost(index) };
        const again: Partial<Gateway> = {
          confirmed: 0,
          isDoubtful: true,
          append: undefined,
          read: undefined,
          question: undefined,
          checked: 0,
        };
        yield { name: `${index} crashes and starts`, next: changed(next, index, again), isFault: true };
      }
    }
    if (left.failOver > 0) {
      const log = state.log.slice(0, state.copied);
      const next: State = {
        ...state,
        faults: { ...left, failOver: left.failOver - 1 },
        log,
        visible: log.length,
        wire: [],
        gateways: gateways.map((gateway) => ({
          ...gateway,
          confirmed: Math.min(gateway.confirmed, log.length),
          isDoubtful: true,
          append: gateway.append && { ...gateway.append, isUnknown: true },
          question: undefined,
          read: undefined,
        })),
      };
      yield { name: 'the standby takes over', next, isFault: true };
    }
    if (scenario.hasClocks)
      for (const [index, { isLate }] of gateways.entries())
        if (!isLate)
          yield {
            name: `the clock of ${index} passes the validity of x`,
            next: changed(state, index, { isLate: true }),
            isFault: true,
          };
  }

  function broken(state: State): string | undefined {
    const { lie, log, answers, gateways } = state;
    if (lie !== '') return lie;
    const is = (name: string, answer: Answer): boolean => answers[requests.indexOf(name as RequestName)] === answer;
    if (is('x', 'yes') && is('y', 'yes')) return 'both payments of one nonce are acknowledged';
    for (const name of requests) {
      if (is(name, 'yes') && !has(log, name) && isSynchronous) return `${name} is acknowledged and lost`;
      if (is(name, 'not there') && has(log, name)) return `${name} was said not to be there, and is`;
    }
    for (const name of state.chain)
      if (isPayment(name) && !has(log, name)) return `${name} was executed, and the log does not have it`;
    if (log.filter((entry) => nameOf(entry) === 'token').length > 1) return 'one request made two tokens';
    const heights = log.filter(isReference).map(heightOf);
    if (heights.some((height, at) => height !== at + 1)) return `blocks are applied in the order ${heights.join(', ')}`;
    const revoked = log.findIndex((entry) => nameOf(entry) === 'revoke');
    if (revoked >= 0 && log.slice(revoked).some((entry) => isPayment(nameOf(entry))))
      return 'a payment was accepted after its token was revoked';
    for (const [at, one] of gateways.entries())
      for (const other of gateways.slice(at + 1))
        for (const [number, entry] of one.applied.entries()) {
          const same = other.applied[number];
          if (same === undefined || rawOf(same) !== rawOf(entry)) break;
          if (same !== entry) return `the same entries are ${entry} in one gateway and ${same} in another`;
        }
    return undefined;
  }

  function unsettled(state: State): string | undefined {
    const { answers, log, gateways, chain: made } = state;
    const open = answers.findIndex((answer) => answer === '');
    if (open >= 0) return `${requests[open]} has no answer`;
    for (const [request, answer] of answers.entries())
      if (answer === 'yes' && !has(log, requests[request] as string))
        return `${requests[request]} is lost, although every gateway that had it lives`;
    if (log.filter(isReference).length < made.length) return 'a block has no reference';
    for (const [index, { applied, read }] of gateways.entries()) {
      if (applied.map(rawOf).join() !== log.join()) return `${index} has not applied the log`;
      if (read !== undefined) return `${index} has not answered a read`;
    }
    return undefined;
  }

  return { initial, key, steps, broken, unsettled };
}

function key(state: State): string {
  const { log, copied, visible, wire, gateways, answers, passed, chain, pool, reads, faults, lie } = state;
  const { crash, cut, failOver } = faults;
  let text = `${log.join()}|${answers.join()}|${chain.join()}|${lie}|${copied},${visible},${passed},${pool},${reads},${crash},${cut},${failOver}`;
  for (const { of, base, number, entry, isExecuted } of wire)
    text += `w${of},${base},${number},${entry},${isExecuted ? 1 : 0}`;
  for (const gateway of gateways) text += textOf(gateway);
  return text;
}

/** A step changes one gateway at most: the text of the others is known. */
const texts = new WeakMap<Gateway, string>();

function textOf(gateway: Gateway): string {
  const known = texts.get(gateway);
  if (known !== undefined) return known;
  const { applied, confirmed, isDoubtful, append, verified, isStopped, isLate, read, question, checked } = gateway;
  const flags = (isDoubtful ? 1 : 0) + (isStopped ? 2 : 0) + (isLate ? 4 : 0);
  const appending = append === undefined ? '' : `${append.entry},${append.number},${append.isUnknown ? 1 : 0}`;
  const asking =
    question === undefined ? '' : `${question.isForRead ? 1 : 0},${question.applied},${question.head?.join() ?? '?'}`;
  const text = `g${applied.join()}|${appending}|${asking}|${confirmed},${flags},${verified},${read ?? ''},${checked}`;
  texts.set(gateway, text);
  return text;
}

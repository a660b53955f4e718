/**
 * The log in PostgreSQL, for several gateways: one table, one row and one statement that commits by itself for each entry (protocol.md,
 * rules 27, 28, 30).
 *
 * An append succeeds behind the entry that its process applied, with its hash, and only where no other is: nothing else is a lock. An
 * append that was sent and not answered may be in the log, now or later, so the same entry is sent again until its place certainly holds it
 * or another one. Nothing on the server's side ends an append: a commit that is cancelled while it waits for a standby is visible although
 * the standby does not have it.
 */
import type { Logger } from '../../engine/ports.ts';
import { parseAddress } from '../../store/postgres/address.ts';
import { messageOf } from '../../store/postgres/failure.ts';
import { type PostgresClient, sqlState } from '../../store/postgres/library.ts';
import { Primary } from '../../store/postgres/primary.ts';
import {
  type Appended,
  checkAppended,
  checkEntry,
  entryHash,
  type LogChain,
  LogDamagedError,
  type LogEntry,
  type LogPlace,
  LogSteppedBackError,
  LogUnavailableError,
  LogVersionError,
  type RemoteLog,
  samePlace,
} from '../log.ts';
import { addPartition, dropPartitions, ensureTables } from './schema.ts';
import { LogSession } from './session.ts';

/** Longest that a caller waits for the outcome of an append or for an answer. The statement is left to run. */
export const LOG_ANSWER_MS_MAX = 5000;
/**
 * For this long after another server became the primary nothing new is appended: a process that holds entries which the server lacks
 * appends those again first (rule 30).
 */
export const LOG_SETTLE_MS = 2000;
/** Rows of one question of a tail. */
const TAIL_ENTRIES_MAX = 1000;

const IS_BEHIND = `exists (select from log where seq = $4::bigint and hash = $5::bytea)
  or exists (select from log_state where base_seq = $4::bigint and base_hash = $5::bytea)`;
const APPEND = {
  name: 'log_append',
  text: `insert into log (seq, hash, bytes) select $1::bigint, $2::bytea, $3::bytea where ${IS_BEHIND} on conflict do nothing`,
};
/** A commit that is confirmed as that of an append is, on a server whose history has this entry: so that entry is durable, and all before it. */
const CONFIRM = {
  name: 'log_confirm',
  text: 'update log_state set confirmed = confirmed + 1 where exists (select from log where seq = $1::bigint and hash = $2::bytea) or (base_seq = $1::bigint and base_hash = $2::bytea)',
};
/** Bytes come as hex: the driver would take their binary form for text. */
const HASH_AT = { name: 'log_hash_at', text: `select encode(hash, 'hex') as hash from log where seq = $1::bigint` };
const HEAD = {
  name: 'log_head',
  text: `select seq, encode(hash, 'hex') as hash from (
      (select seq, hash from log order by seq desc limit 1) union all select base_seq, base_hash from log_state
    ) as found order by seq desc limit 1`,
};
/** In one snapshot: the entry `after`, the base, and the entries behind it up to a sum of bytes, but at least one. */
const TAIL = {
  name: 'log_tail',
  text: `select seq, encode(hash, 'hex') as hash, case when seq > $1::bigint then encode(bytes, 'hex') else '' end as bytes from (
      select seq, hash, bytes, row_number() over (order by seq) as place, sum(case when seq > $1::bigint then octet_length(bytes) else 0 end) over (order by seq) as total
      from (select seq, hash, bytes from log where seq >= $1::bigint order by seq limit ${TAIL_ENTRIES_MAX}) as found
    ) as counted where seq <= $1::bigint + 1 or place = 1 or total <= $2::bigint
    union all select base_seq, encode(base_hash, 'hex'), null from log_state
    order by 1, 3 nulls first`,
};

/** The server refused the statement before anything of it was written: an error of a statement that could not begin its commit. */
const NOTHING_WRITTEN = /^(22|23|25|42|53|55)/;
const NO_PARTITION = '23514';
const READ_ONLY = '25006';

export interface PostgresLogOptions {
  /** `postgres://user:password@host:port/database`, several hosts in a list: the one that takes writes is found. */
  url: string;
  chain: LogChain;
  /** Place before the first entry of an empty log: for a chain that was begun elsewhere. */
  base?: LogPlace;
  logger?: Logger;
  /** LOG_ANSWER_MS_MAX when absent. */
  answerMs?: number;
  /** LOG_SETTLE_MS when absent. */
  settleMs?: number;
}

interface Row {
  seq: number;
  hash: string;
  bytes: string | null;
}

/** An entry that is on its way. */
interface Attempt {
  previous: LogPlace;
  place: LogPlace;
  bytes: Uint8Array;
  /** True when it was sent once without an answer. */
  isDoubtful: boolean;
  /** The log had it once. */
  isAgain: boolean;
  /** Undefined when the last try ended without an outcome. */
  running: Promise<Appended> | undefined;
}

export class PostgresLog implements RemoteLog {
  readonly #primary: Primary;
  readonly #where: string;
  readonly #answerMs: number;
  readonly #settleMs: number;
  #timeline: string | undefined;
  /** On the clock of `performance`. */
  #settledAtMs = 0;
  /** Appends, one at a time. */
  readonly #writing: LogSession;
  /** Questions, which do not wait behind an append. */
  readonly #asking: LogSession;
  #attempt: Attempt | undefined;

  /** Throws LogUnavailableError, and LogDamagedError or LogVersionError for a database that has another log. */
  static async open(options: PostgresLogOptions): Promise<PostgresLog> {
    const log = new PostgresLog(options);
    try {
      const { chain, base } = options;
      await log.#onSession(log.#writing, (client) => ensureTables(client, { chain, base, where: log.#where }));
      return log;
    } catch (error) {
      log.close();
      throw error;
    }
  }

  private constructor({ url, logger, answerMs = LOG_ANSWER_MS_MAX, settleMs = LOG_SETTLE_MS }: PostgresLogOptions) {
    const address = parseAddress(url);
    this.#primary = new Primary(address, logger);
    this.#where = `the log in PostgreSQL at ${address.text}`;
    this.#answerMs = answerMs;
    this.#settleMs = settleMs;
    const onServer = (timeline: string): void => {
      if (this.#timeline !== undefined && this.#timeline !== timeline)
        this.#settledAtMs = performance.now() + this.#settleMs;
      this.#timeline = timeline;
    };
    this.#writing = new LogSession(this.#primary, 'write', onServer);
    this.#asking = new LogSession(this.#primary, 'read', onServer);
  }

  /**
   * As `Log.append`. An append that is `unknown` has to be repeated, with the same place and bytes, before another one: throws TypeError
   * otherwise. Calls that wait for the same entry share its outcome.
   */
  async append(previous: LogPlace, bytes: Uint8Array): Promise<Appended> {
    checkAppended(bytes);
    const seq = previous.seq + 1;
    const place = { seq, hash: entryHash(previous.hash, seq, bytes) };
    this.#attempt ??= { previous, place, bytes, isDoubtful: false, isAgain: false, running: undefined };
    const attempt = this.#attempt;
    if (!samePlace(attempt.place, place))
      throw new TypeError(`entry ${attempt.place.seq} has no outcome yet: no other one is appended before it has`);
    attempt.running ??= this.#try(attempt);
    const appended = await this.#within(attempt.running);
    if (appended === undefined) {
      // The way there may be cut without a sign of it, so it is sent again over another session. The one before is left alone, on the server too.
      attempt.isDoubtful = true;
      attempt.running = undefined;
      this.#writing.lose();
      return { outcome: 'unknown', reason: this.#silent().message };
    }
    if (appended.outcome === 'unknown') attempt.running = undefined;
    else if (this.#attempt === attempt) this.#attempt = undefined;
    return appended;
  }

  /** Appends an entry that the log had and has lost. It waits for nothing, and may be repeated for as long as its outcome is unknown. */
  async appendAgain(previous: LogPlace, bytes: Uint8Array): Promise<Appended> {
    const seq = previous.seq + 1;
    const place = { seq, hash: entryHash(previous.hash, seq, bytes) };
    const attempt = { previous, place, bytes, isDoubtful: true, isAgain: true, running: undefined };
    const appended = await this.#within(this.#try(attempt));
    if (appended !== undefined) return appended;
    this.#writing.lose();
    return { outcome: 'unknown', reason: this.#silent().message };
  }

  /**
   * Confirms an entry that was found, not appended: a standby may not have it yet when another process appended it, or when it is there
   * after a session was lost. @returns false when the log does not have the entry. Throws LogUnavailableError: then it is as doubtful as
   * before.
   */
  async confirm({ seq, hash }: LogPlace): Promise<boolean> {
    const confirmed = await this.#within(
      this.#onSession(this.#writing, async (client) => {
        const { rowCount } = await client.query({ ...CONFIRM, values: [seq, Buffer.from(hash)] });
        return rowCount === 1;
      }),
    );
    if (confirmed !== undefined) return confirmed;
    this.#writing.lose();
    throw this.#silent();
  }

  settlesInMs(): number {
    return Math.max(0, this.#settledAtMs - performance.now());
  }

  async head(): Promise<LogPlace> {
    const [row] = await this.#ask(HEAD, []);
    if (row === undefined) throw new LogDamagedError(`${this.#where} has no row in log_state`);
    return placeOf(row);
  }

  /** As `Log.tail`; LogSteppedBackError when the log does not have `after`. */
  async tail(after: LogPlace, bytesMax: number): Promise<LogEntry[] | undefined> {
    const rows = await this.#ask(TAIL, [after.seq, Math.min(bytesMax, Number.MAX_SAFE_INTEGER)]);
    const base = rows.find(({ bytes }) => bytes === null);
    if (base === undefined) throw new LogDamagedError(`${this.#where} has no row in log_state`);
    if (after.seq < base.seq) return undefined;
    const there = rows.find(({ seq, bytes }) => seq === after.seq && (bytes !== null || base.seq === after.seq));
    if (there === undefined || !samePlace(placeOf(there), after)) throw await this.#steppedBack(after);
    let previous = after;
    const found: LogEntry[] = [];
    for (const row of rows) {
      if (row.seq <= after.seq || row.bytes === null) continue;
      const entry = { ...placeOf(row), bytes: Buffer.from(row.bytes, 'hex') };
      checkEntry(previous, entry, this.#where);
      found.push(entry);
      previous = entry;
    }
    return found;
  }

  /** Drops the entries before `seq`, in whole partitions. @returns the number of dropped partitions. Throws LogUnavailableError. */
  async prune(seq: number): Promise<number> {
    return await this.#onSession(this.#writing, (client) => dropPartitions(client, seq));
  }

  close(): void {
    this.#writing.close();
    this.#asking.close();
    this.#primary.close();
  }

  async #try(attempt: Attempt): Promise<Appended> {
    const notNow = (error: unknown): Appended => ({
      outcome: attempt.isDoubtful ? 'unknown' : 'held',
      reason: messageOf(error),
    });
    try {
      const client = await this.#writing.client();
      if (!attempt.isAgain && this.settlesInMs() > 0)
        return notNow(new Error(`${this.#where} is another server than before: what it lacks is appended again first`));
      return await this.#send(client, attempt, notNow);
    } catch (error) {
      if (error instanceof LogUnavailableError) return notNow(error);
      throw error;
    }
  }

  async #send(
    client: PostgresClient,
    attempt: Attempt,
    notNow: (error: unknown) => Appended,
    hasPartition = false,
  ): Promise<Appended> {
    const { previous, place, bytes } = attempt;
    const values = [place.seq, Buffer.from(place.hash), Buffer.from(bytes), previous.seq, Buffer.from(previous.hash)];
    const doubtful = (error: unknown): Appended => {
      attempt.isDoubtful = true;
      this.#writing.lose(client);
      this.#primary.suspect();
      return { outcome: 'unknown', reason: messageOf(error) };
    };
    try {
      const { rowCount } = await client.query({ ...APPEND, values });
      if (rowCount === 1) return { outcome: 'durable', place };
      if (!attempt.isDoubtful) return { outcome: 'taken' };
      // The entry there may be this one, sent before.
      return (await this.#isThere(client, place)) ? { outcome: 'durable', place } : { outcome: 'taken' };
    } catch (error) {
      const code = sqlState(error);
      if (code === undefined || !NOTHING_WRITTEN.test(code)) return doubtful(error);
      if (code === NO_PARTITION && !hasPartition) {
        try {
          await addPartition(client, place.seq);
          return await this.#send(client, attempt, notNow, true);
        } catch (refusal) {
          return doubtful(refusal);
        }
      }
      // A server that became a standby takes no writes: the next one is looked for.
      if (code === READ_ONLY) {
        this.#writing.lose(client);
        this.#primary.suspect();
      }
      return notNow(error);
    }
  }

  /** And durable: found alone is not. */
  async #isThere(client: PostgresClient, { seq, hash }: LogPlace): Promise<boolean> {
    const { rows } = await client.query<Pick<Row, 'hash'>>({ ...HASH_AT, values: [seq] });
    if (rows[0]?.hash !== Buffer.from(hash).toString('hex')) return false;
    const { rowCount } = await client.query({ ...CONFIRM, values: [seq, Buffer.from(hash)] });
    return rowCount === 1;
  }

  async #ask(question: { name: string; text: string }, values: readonly unknown[]): Promise<Row[]> {
    const answer = this.#onSession(
      this.#asking,
      async (client) => (await client.query<Row>({ ...question, values: [...values] })).rows,
    );
    const rows = await this.#within(answer);
    if (rows !== undefined) return rows;
    // The server, or the way there, is silent: the next question goes another way.
    this.#asking.lose();
    throw this.#silent();
  }

  async #onSession<T>(session: LogSession, work: (client: PostgresClient) => Promise<T>): Promise<T> {
    const client = await session.client();
    try {
      return await work(client);
    } catch (error) {
      if (error instanceof LogDamagedError || error instanceof LogVersionError) throw error;
      session.lose(client);
      throw new LogUnavailableError(`${this.#where}: ${messageOf(error)}`, { cause: error });
    }
  }

  async #steppedBack(after: LogPlace): Promise<LogSteppedBackError> {
    const head = await this.head();
    return new LogSteppedBackError(
      `${this.#where} does not have entry ${after.seq} as it was applied; its last entry is ${head.seq}`,
      head,
    );
  }

  #silent(): LogUnavailableError {
    return new LogUnavailableError(`${this.#where} did not answer within ${this.#answerMs} ms`);
  }

  /** Undefined when the time is over; the work goes on. */
  async #within<T>(work: Promise<T>): Promise<T | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), this.#answerMs);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
      work.catch(() => undefined);
    }
  }
}

const placeOf = ({ seq, hash }: Pick<Row, 'seq' | 'hash'>): LogPlace => ({ seq, hash: Buffer.from(hash, 'hex') });

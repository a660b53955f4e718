/**
 * Connections to chain.db whose commits a test can make fail, and that die like a killed process between any two of their steps.
 *
 * A failed commit is SQLite's own error, so that it is sorted as a real one. Nothing here waits: the one writer is synchronous.
 */
import Database from 'better-sqlite3';
import type { ChainConnection } from '../../../server/store/embedded/connection.ts';
import { StoreOutcomeUnknownError } from '../../../server/store/index.ts';
import type { Faults } from './faults.ts';

type Step = (...parameters: unknown[]) => unknown;

const BEGIN_WRITING = 'BEGIN IMMEDIATE';
const COMMIT = 'COMMIT';
/** An append to the log is a transaction of one statement. */
const APPEND = /^INSERT INTO log/;
const STEPS: ReadonlySet<PropertyKey> = new Set(['run', 'get', 'all', 'iterate']);

export class FaultyDatabase implements Faults {
  beforeCommit: (() => void) | undefined;
  beforeRead: (() => void) | undefined;
  dead = false;
  callsLeft = Number.POSITIVE_INFINITY;
  dieAfterCommit = false;
  writes = 0;
  /** SQL texts of the statements that ran, while a test listens. */
  ran: string[] | undefined;
  #writing = false;

  /** The connection with these faults in it. */
  on(sql: ChainConnection): ChainConnection {
    return new Proxy(sql, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        if (name === 'prepare') return (text: string) => this.#statement(target.prepare(text), text);
        if (name === 'close') return value.bind(target);
        return (...parameters: unknown[]) => {
          this.#live();
          if (name === 'exec' && parameters[0] === 'ROLLBACK') this.#writing = false;
          return Reflect.apply(value, target, parameters);
        };
      },
    });
  }

  #statement(statement: Database.Statement, text: string): Database.Statement {
    return new Proxy(statement, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        if (STEPS.has(name))
          return (...parameters: unknown[]) => this.#step(text, name, () => Reflect.apply(value, target, parameters));
        // pluck, raw and safeIntegers answer the statement itself.
        return (...parameters: unknown[]) => {
          Reflect.apply(value, target, parameters);
          return this.#statement(target, text);
        };
      },
    });
  }

  #step(text: string, name: PropertyKey, run: Step): unknown {
    this.#live();
    this.ran?.push(text);
    if (text === BEGIN_WRITING) {
      this.writes += 1;
      const begun = run();
      this.#writing = true;
      return begun;
    }
    if (APPEND.test(text)) {
      this.writes += 1;
      if (this.callsLeft-- <= 0) this.dead = true;
      this.#live();
      return this.#commit(run);
    }
    if (!this.#writing) {
      if (name !== 'run') this.beforeRead?.();
      return run();
    }
    if (this.callsLeft-- <= 0) this.dead = true;
    this.#live();
    if (text !== COMMIT) return run();
    this.#writing = false;
    return this.#commit(run);
  }

  #commit(run: Step): unknown {
    try {
      this.beforeCommit?.();
    } catch (error) {
      if (error instanceof Database.SqliteError) throw error;
      if (!(error instanceof StoreOutcomeUnknownError))
        throw new Database.SqliteError((error as Error).message, 'SQLITE_FULL');
      // The frame is in the file, and the disk did not say so.
      run();
      throw new Database.SqliteError(error.message, 'SQLITE_IOERR_FSYNC');
    }
    const committed = run();
    if (this.dieAfterCommit) this.dead = true;
    this.#live();
    return committed;
  }

  #live(): void {
    if (this.dead) throw new Error('killed');
  }
}

/**
 * One connection of a pool, as Kysely sees it: statements prepared once, errors sorted, and known to be lost or not.
 *
 * Statements are sent as they are asked for and answered in that order: what is asked for together is one round trip.
 */
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { losesConnection, statementFailure } from './failure.ts';
import type { PostgresPoolClient } from './library.ts';
import { PREPARED_STATEMENTS_MAX } from './limits.ts';
import type { SessionKind } from './session.ts';
import { setUpSession } from './session.ts';

/** Names by statement text, the same on every connection. */
const names = new Map<string, string>();

/** Undefined when there are too many already: such a statement works, prepared anew each time. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= PREPARED_STATEMENTS_MAX) return known;
  const name = `txledger_${names.size + 1}`;
  names.set(text, name);
  return name;
}

export class PostgresConnection implements DatabaseConnection {
  readonly #client: PostgresPoolClient;
  readonly #kind: SessionKind;
  #lost = false;
  #isSetUp = false;
  /** The answer to a `begin` that nobody waited for. */
  #begun: Promise<unknown> = Promise.resolve();

  constructor(client: PostgresPoolClient, kind: SessionKind) {
    this.#client = client;
    this.#kind = kind;
    // Without a listener an error that arrives between two statements, or before the first, would end the process.
    client.on('error', () => (this.#lost = true));
    client.on('end', () => (this.#lost = true));
  }

  /** True once nothing that is sent can arrive, or nothing that arrives can be trusted. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Before the first statement; once is enough. Throws as setUpSession does. */
  async setUp(): Promise<void> {
    if (this.#isSetUp) return;
    await setUpSession(this.#client, this.#kind);
    this.#isSetUp = true;
  }

  async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const name = this.#kind === 'migrate' ? undefined : nameOf(text);
    try {
      const answer = this.#client.query({ text, values: [...parameters], ...(name === undefined ? {} : { name }) });
      const [{ rows, rowCount }] = await Promise.all([answer, this.#begun]);
      return { rows, ...(rowCount === null ? {} : { numAffectedRows: BigInt(rowCount) }) };
    } catch (error) {
      if (losesConnection(error)) this.#lost = true;
      throw statementFailure(error);
    }
  }

  /** Several statements in one message, without parameters. Returns the last one's command tag. Throws the library's own error. */
  async run(text: string): Promise<string> {
    try {
      const results = await this.#client.query(text);
      const last = Array.isArray(results) ? results.at(-1) : results;
      return last?.command ?? '';
    } catch (error) {
      if (losesConnection(error)) this.#lost = true;
      throw error;
    }
  }

  /**
   * Sends the beginning of a transaction without waiting for its answer: if it fails, so does every statement after it.
   * For what only reads: those statements have run then, each by itself.
   */
  begin(text: string): void {
    this.#begun = this.run(text);
    this.#begun.catch(() => undefined);
  }

  /** Its state is unknown: it is closed instead of being used again. */
  giveUp(): void {
    this.#lost = true;
  }

  release(): void {
    this.#begun = Promise.resolve();
    this.#client.release(this.#lost);
  }

  // oxlint-disable-next-line require-yield -- the interface demands a generator, and nothing here streams
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('the store does not stream');
  }
}

/**
 * One connection of a pool, as Kysely sees it: statements are prepared once, errors sorted, and a lost connection is recognised.
 *
 * Statements are sent at once and answered in that order: those that are issued together cost one round trip.
 */
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { isSilence, losesConnection, statementFailure } from './failure.ts';
import type { PostgresPoolClient } from './library.ts';
import { destroyClient } from './library.ts';
import { PREPARED_STATEMENTS_MAX } from './limits.ts';
import type { SessionKind } from './session.ts';
import { setUpSession } from './session.ts';

/** Names by statement text, the same on every connection. */
const names = new Map<string, string>();

/** Undefined when there are too many already: such a statement works, prepared again each time. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= PREPARED_STATEMENTS_MAX) return known;
  const name = `txledger_${names.size + 1}`;
  names.set(text, name);
  return name;
}

const NOT_BEGUN: Promise<unknown[]> = Promise.resolve([]);

export class PostgresConnection implements DatabaseConnection {
  readonly #client: PostgresPoolClient;
  readonly #kind: SessionKind;
  readonly #onSilence: () => void;
  #isInUse = false;
  #lost = false;
  #isCut = false;
  #isSetUp = false;
  /** The answer to a `begin` that was not waited for: the rows of its last statement. */
  #begun: Promise<unknown[]> = NOT_BEGUN;

  /** @param onSilence a statement had no answer in time. */
  constructor(client: PostgresPoolClient, kind: SessionKind, onSilence: () => void = () => undefined) {
    this.#client = client;
    this.#kind = kind;
    this.#onSilence = onSilence;
    // Without a listener an error that arrives between two statements, or before the first, would end the process.
    client.on('error', () => (this.#lost = true));
    client.on('end', () => (this.#lost = true));
  }

  /** True once the connection is lost, or its answers can no longer be trusted. */
  get lost(): boolean {
    return this.#lost;
  }

  /** It must not be used again: its server is no longer the primary, or it was idle while another connection got no answer. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** True while a caller has it; the pool has it otherwise. */
  get isInUse(): boolean {
    return this.#isInUse;
  }

  use(): void {
    this.#isInUse = true;
  }

  #judge(error: unknown): void {
    if (losesConnection(error)) this.#lost = true;
    if (isSilence(error)) this.#onSilence();
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
      // A beginning that failed is the cause: for all statements after it the server reports only that the transaction is aborted, and
      // both answers may come at once.
      const cause = await this.#begun.then(
        () => error,
        (begin: unknown) => begin,
      );
      this.#judge(cause);
      throw statementFailure(cause);
    }
  }

  /** Several statements in one message, without parameters. Returns the last one's command tag. Throws the library's own error. */
  async run(text: string): Promise<string> {
    return (await this.#last(text)).command;
  }

  async #last(text: string): Promise<{ command: string; rows: unknown[] }> {
    try {
      const results = await this.#client.query(text);
      const last = Array.isArray(results) ? results.at(-1) : results;
      return { command: last?.command ?? '', rows: last?.rows ?? [] };
    } catch (error) {
      this.#judge(error);
      throw error;
    }
  }

  /**
   * Sends the beginning of a transaction without waiting for its answer: if it fails, so does every statement after it. Its first
   * statement begins the transaction even if the others fail, so the later statements are then refused and none of them runs by itself.
   */
  begin(text: string): void {
    this.#begun = this.#last(text).then(({ rows }) => rows);
    this.#begun.catch(() => undefined);
  }

  /** Ends its use: statements that wait for an answer fail now. */
  cut(): void {
    this.#isCut = true;
    this.#lost = true;
    destroyClient(this.#client);
  }

  /** Answer to the beginning of the transaction. */
  get begun(): Promise<unknown[]> {
    return this.#begun;
  }

  /** Its state is unknown: it is closed instead of being used again. */
  giveUp(): void {
    this.#lost = true;
  }

  release(): void {
    this.#begun = NOT_BEGUN;
    this.#isInUse = false;
    this.#client.release(this.#lost);
  }

  // oxlint-disable-next-line require-yield -- the interface demands a generator, and nothing here streams
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('the store does not stream');
  }
}

/**
 * One session with the server that is the primary: made when it is first needed, and again after it was lost. Whatever was sent over a session that is lost
 * may have been done or not.
 */
import { StoreUnavailableError } from '../../store/errors.ts';
import { connectFailure, type Host } from '../../store/postgres/address.ts';
import { createClient, destroyClient, type PostgresClient } from '../../store/postgres/library.ts';
import type { Primary } from '../../store/postgres/primary.ts';
import { type SessionKind, setUpSession } from '../../store/postgres/session.ts';
import { LogUnavailableError } from '../log.ts';

/** One row is read or written by its number: a plan that is made once is right forever, and planning costs more than the statement. */
const PLANS = 'set plan_cache_mode = auto';

/** As in store/postgres/host-probe.ts: also before the first checkpoint after a promotion. */
const TIMELINE = 'select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline';

export class LogSession {
  readonly #primary: Primary;
  readonly #kind: SessionKind;
  readonly #onServer: (timeline: string) => void;
  readonly #forget: () => void;
  #client: Promise<PostgresClient> | undefined;
  /** Once it is there: itself, and where it goes. */
  #established: { client: PostgresClient; host: Host } | undefined;
  #isClosed = false;

  /** @param onServer called with the timeline of each server that a session is made with, before the session is used: a promotion begins a new one. */
  constructor(primary: Primary, kind: SessionKind, onServer: (timeline: string) => void) {
    this.#primary = primary;
    this.#kind = kind;
    this.#onServer = onServer;
    this.#forget = primary.onMoved(() => {
      if (this.#established !== undefined && this.#established.host !== primary.host) this.lose();
    });
  }

  /** Throws LogUnavailableError, and nothing was sent then. */
  async client(): Promise<PostgresClient> {
    if (this.#isClosed) throw new LogUnavailableError('the log is closed');
    const connecting = (this.#client ??= this.#connect());
    try {
      return await connecting;
    } catch (error) {
      if (this.#client === connecting) this.#client = undefined;
      if (error instanceof StoreUnavailableError) throw new LogUnavailableError(error.message, { cause: error });
      throw error;
    }
  }

  /**
   * Stops using the connection: statements that wait for an answer fail now. With a client only where that one is still in use: another may
   * have replaced it.
   */
  lose(client?: PostgresClient): void {
    if (client !== undefined && this.#established?.client !== client) return;
    const lost = this.#client;
    this.#client = undefined;
    this.#established = undefined;
    lost?.then(destroyClient, () => undefined);
  }

  close(): void {
    this.#isClosed = true;
    this.#forget();
    this.lose();
  }

  async #connect(): Promise<PostgresClient> {
    const host = await this.#primary.find();
    const client = createClient(host.config);
    let isLost = false;
    const onLost = (): void => {
      isLost = true;
      this.lose(client);
    };
    // Without a listener a connection that breaks between two statements would end the process.
    client.on('error', onLost);
    client.on('end', onLost);
    try {
      await client.connect();
      await setUpSession(client, this.#kind);
      await client.query(PLANS);
      const { rows } = await client.query<{ timeline: string }>(TIMELINE);
      this.#onServer(rows[0]?.timeline ?? '');
    } catch (error) {
      destroyClient(client);
      this.#primary.suspect();
      throw error instanceof StoreUnavailableError ? error : connectFailure(host, error);
    }
    // While it was being made another server may have become the primary.
    if (isLost || this.#primary.host !== host) {
      destroyClient(client);
      throw new StoreUnavailableError(`the connection to PostgreSQL at ${host.text} was lost`);
    }
    this.#established = { client, host };
    return client;
  }
}

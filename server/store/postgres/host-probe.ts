/**
 * Queries the state of one server, on a connection of its own that is kept: a server whose other connections hang still answers, or shows
 * that it hangs.
 */
import type { Host } from './address.ts';
import type { PostgresClient } from './library.ts';
import { createClient, destroyClient } from './library.ts';
import { HOST_ANSWER_MS_MAX } from './limits.ts';

export interface HostAnswer {
  readonly standby: boolean;
  readonly systemId: string;
  readonly timeline: number;
}

/**
 * A standby has no timeline of its own to write on. The name of the current WAL file begins with the timeline, also before the first
 * checkpoint after a promotion.
 */
const QUESTION = `select pg_is_in_recovery() as standby, (select system_identifier::text from pg_control_system()) as system_id,
  case when pg_is_in_recovery() then '' else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`;

const HEX = 16;

export class HostProbe {
  readonly #host: Host;
  #client: PostgresClient | undefined;
  #asking: Promise<HostAnswer> | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Rejects when it does not answer in time; calls made meanwhile get the same answer. */
  ask(): Promise<HostAnswer> {
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  close(): void {
    if (this.#client !== undefined) destroyClient(this.#client);
    this.#client = undefined;
  }

  async #ask(): Promise<HostAnswer> {
    try {
      this.#client ??= await this.#connect();
      const { rows } = await this.#client.query<{ standby: boolean; system_id: string; timeline: string }>(QUESTION);
      const [row] = rows;
      return {
        standby: row?.standby ?? true,
        systemId: row?.system_id ?? '',
        timeline: Number.parseInt(row?.timeline || '0', HEX),
      };
    } catch (error) {
      this.close();
      throw error;
    }
  }

  async #connect(): Promise<PostgresClient> {
    const client = createClient({
      ...this.#host.config,
      connectionTimeoutMillis: HOST_ANSWER_MS_MAX,
      query_timeout: HOST_ANSWER_MS_MAX,
    });
    // Without a listener a connection that breaks would end the process; the next query sees that it is closed.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      destroyClient(client);
      throw error;
    }
  }
}

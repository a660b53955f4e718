/** How many endpoints there are, asked of an SQLite file once a second without what a whole store loads and keeps. */
import { existsSync } from 'node:fs';
import type { SqliteConnection } from '../sqlite/library.ts';
import { openReadOnly } from '../sqlite/library.ts';

export interface WebhookCounts {
  enabled: number;
  disabled: number;
}

export const NO_WEBHOOKS: WebhookCounts = { enabled: 0, disabled: 0 };

/** @throws the error of SQLite when the file is there and is no database, or its table of webhooks cannot be read. */
export function checkWebhooksFile(path: string): void {
  const counter = new WebhookCounter(path);
  try {
    counter.counts();
  } catch (error) {
    // A process that died may have left a file without tables: they are made with the next webhook.
    if (!/no such table/.test((error as Error).message)) throw error;
  } finally {
    counter.close();
  }
}

export class WebhookCounter {
  readonly #path: string;
  #sql: SqliteConnection | undefined;

  /** @param path of webhooks.db, or of the database of a gateway before CometBFT nodes; it need not be there yet. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Throws when the file cannot be read now: another thread may be making its tables. */
  counts(): WebhookCounts {
    if (this.#sql === undefined && !existsSync(this.#path)) return NO_WEBHOOKS;
    this.#sql ??= openReadOnly(this.#path);
    const rows = this.#sql
      .prepare<[], { status: string; count: number }>('SELECT status, count(*) AS count FROM webhooks GROUP BY status')
      .all();
    const of = (status: string): number => rows.find((row) => row.status === status)?.count ?? 0;
    return { enabled: of('enabled'), disabled: of('disabled') };
  }

  close(): void {
    this.#sql?.close();
    this.#sql = undefined;
  }
}

/**
 * Opens the store of webhooks before CometBFT nodes: the gateway's own database. Beside the embedded engine they are in chain.db
 * (store/embedded/webhooks.ts).
 *
 * Each thread that needs it opens its own, when it is first needed: writes are few, so one connection is enough, and writers take turns in
 * the database. On SQLite by its write lock, on PostgreSQL by a lock of webhooks alone: a transfer that is accepted never waits for one of
 * these.
 */
import { setTimeout as later } from 'node:timers/promises';
import { Kysely } from 'kysely';
import type { Logger } from '../../engine/ports.ts';
import { StoreUnavailableError } from '../errors.ts';
import { inTransaction } from '../in-transaction.ts';
import type { QueryContext } from '../queries/context.ts';
import type { Tables } from '../schema.ts';
import { webhookQuestions, webhookTransaction } from './queries.ts';
import type { WebhookQuestions, WebhookStore } from './types.ts';

/** A database that the gateway's store has brought up to date. */
export type WebhookLocation = { kind: 'gateway'; path: string } | { kind: 'postgres'; url: string };

/** Longest wait for another writer's transaction, which takes milliseconds, and how often it is looked for. */
const BUSY_MS_MAX = 5000;
const BUSY_LOOK_MS = 5;
/** One that writes, and one for questions meanwhile. */
const POSTGRES_CONNECTIONS = 2;

/** Loads what the database needs when it is opened: most services have no endpoint. */
export function openWebhookStore(location: WebhookLocation, logger?: Logger): Promise<WebhookStore> {
  return location.kind === 'postgres' ? openOnPostgres(location.url, logger) : openOnSqlite(location);
}

async function openOnSqlite({ path }: Exclude<WebhookLocation, { kind: 'postgres' }>): Promise<WebhookStore> {
  const [
    { StoreDialect, StoreDriver },
    { statementFailure },
    { sqliteFragments: fragments },
    { openConnection },
    { makeDurable },
  ] = await Promise.all([
    import('../sqlite/dialect.ts'),
    import('../sqlite/failure.ts'),
    import('../sqlite/fragments.ts'),
    import('../sqlite/library.ts'),
    import('../sqlite/pragmas.ts'),
  ]);
  const sorted = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw statementFailure(error);
    }
  };
  const connection = openConnection(path);
  makeDurable(connection);
  // SQLite would wait with the whole thread; `patiently` lets it do other things meanwhile.
  connection.pragma('busy_timeout = 0');
  const driver = new StoreDriver(connection, 'write');
  const dialect = new StoreDialect(driver, connection);
  await driver.init();
  const db = new Kysely<Tables>({ dialect });
  return {
    write: (work) =>
      patiently(() =>
        sorted(() => inTransaction(driver, dialect, ({ db: tx }) => work(webhookTransaction({ db: tx, fragments })))),
      ),
    now: throughout(webhookQuestions({ db, fragments }), sorted),
    close: () => driver.destroy(),
  };
}

/** Again while another connection writes: of a transaction that was refused for that, nothing is left. */
async function patiently<T>(transaction: () => Promise<T>): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += BUSY_LOOK_MS) {
    try {
      return await transaction();
    } catch (error) {
      const isBusy = error instanceof StoreUnavailableError && error.message.startsWith('SQLITE_BUSY');
      if (!isBusy || waitedMs >= BUSY_MS_MAX) throw error;
    }
    await later(BUSY_LOOK_MS);
  }
}

async function openOnPostgres(url: string, logger: Logger | undefined): Promise<WebhookStore> {
  const [{ parseAddress }, { StoreDialect, StoreDriver }, { postgresFragments }, { messageOf }, { Primary }] =
    await Promise.all([
      import('../postgres/address.ts'),
      import('../postgres/dialect.ts'),
      import('../postgres/fragments.ts'),
      import('../postgres/failure.ts'),
      import('../postgres/primary.ts'),
    ]);
  const onLost = (error: unknown): void =>
    logger?.warn(
      { err: new StoreUnavailableError(messageOf(error), { cause: error }) },
      'an idle connection to PostgreSQL was lost',
    );
  const primary = new Primary(parseAddress(url), logger);
  const driver = new StoreDriver({ primary, kind: 'webhooks', connectionsMax: POSTGRES_CONNECTIONS, onLost });
  const dialect = new StoreDialect(driver);
  // Announcements are the transfers' own, so this needs no name to sign them with.
  const context = (db: Kysely<Tables>): QueryContext => ({ db, fragments: postgresFragments('') });
  const db = new Kysely<Tables>({ dialect });
  return {
    write: (work) => inTransaction(driver, dialect, ({ db: tx }) => work(webhookTransaction(context(tx)))),
    now: webhookQuestions(context(db)),
    close: async () => {
      await db.destroy();
      primary.close();
    },
  };
}

function throughout(questions: WebhookQuestions, sorted: <T>(work: () => Promise<T>) => Promise<T>): WebhookQuestions {
  return {
    webhook: (id) => sorted(() => questions.webhook(id)),
    webhooksOf: (owner) => sorted(() => questions.webhooksOf(owner)),
    enabledWebhooks: () => sorted(() => questions.enabledWebhooks()),
    marks: () => sorted(() => questions.marks()),
    deliveries: (query) => sorted(() => questions.deliveries(query)),
    work: (webhookId) => sorted(() => questions.work(webhookId)),
    waitingAudit: (limit) => sorted(() => questions.waitingAudit(limit)),
  };
}

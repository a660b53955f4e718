/** The store of webhooks, opened when it is first needed: most services have no endpoint, and pay nothing for one. */
import { StoreOutcomeUnknownError } from '../../store/errors.ts';
import type { WebhookStore } from '../../store/webhooks/types.ts';

export class LazyStore {
  readonly #open: () => Promise<WebhookStore>;
  #opened: Promise<WebhookStore> | undefined;

  constructor(open: () => Promise<WebhookStore>) {
    this.#open = open;
  }

  async use<T>(work: (store: WebhookStore) => Promise<T>): Promise<T> {
    const opened = (this.#opened ??= this.#open());
    try {
      return await work(await opened);
    } catch (error) {
      // One that could not be opened is tried again; after a failed commit the file is read again by a new connection.
      const isLost = await opened.then(
        () => error instanceof StoreOutcomeUnknownError,
        () => true,
      );
      if (isLost && this.#opened === opened) await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.then(
      (store) => store.close(),
      () => undefined,
    );
  }
}

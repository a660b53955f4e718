/** Failures of a database, by the reaction that each needs: try later, read again, or stop. */

/** Nothing was written, for certain: the disk is full, the database is busy or unavailable. Worth trying again. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/** Nothing was written, because the server would not keep it through a power cut. The message is for the operator. */
export class StoreUnsafeError extends StoreUnavailableError {}

/** A row holds a value that this program never writes there: another program changed it. */
export class StoreDamagedError extends Error {
  override readonly name = 'StoreDamagedError';
}

/** A later version of this program wrote it, as the message says. Nothing in it was changed. */
export class LaterVersionError extends StoreDamagedError {}

/** The database is of a chain that this version cannot carry on. Nothing in it was changed. */
export class ChainFormatError extends Error {
  override readonly name = 'ChainFormatError';
}

/** The database holds less than it did: an older backup was restored, or a standby took over that had not received all. */
export class StoreSteppedBackError extends Error {
  override readonly name = 'StoreSteppedBackError';
}

/** The new address cannot take the place of the one before; a sentence for the operator. */
export class RelocationRefusedError extends Error {
  override readonly name = 'RelocationRefusedError';
}

/** A unique index held another writer's row. Nothing was written; read again and answer from the winner. */
export class StoreConflictError extends Error {
  override readonly name = 'StoreConflictError';
}

/**
 * The commit itself failed in a way that leaves open whether it is durable. A caller that continues from its memory may acknowledge a lost
 * write or forget a durable one.
 */
export class StoreOutcomeUnknownError extends Error {
  override readonly name = 'StoreOutcomeUnknownError';
  /**
   * True when the database is elsewhere (a server whose connection broke): reading everything again under the row lock of the counters,
   * which waits for whatever is still under way there, makes memory correct again. False when this process's own disk failed (after one
   * failed fsync, the next may report success falsely): the process has to end and start again.
   */
  readonly rereadable: boolean;

  constructor(message: string, options: { cause: unknown; rereadable: boolean }) {
    super(message, { cause: options.cause });
    this.rereadable = options.rereadable;
  }
}

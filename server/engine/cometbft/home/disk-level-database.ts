/**
 * Writes a LevelDB folder as a stock node opens it: CometBFT's default db_backend is goleveldb, and classic-level is LevelDB itself, so
 * both have one format (bytewise comparator, snappy).
 *
 * The package is loaded when a database is opened: it is machine code that no other command needs.
 */

/** One row of a database: key and value. */
export type LevelRow = readonly [key: string | Uint8Array, value: Uint8Array];

export interface LevelWriter {
  /** Writes rows in order, in one batch. `isLast` makes this batch, and with it every one before, durable. */
  put(rows: readonly LevelRow[], isLast?: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Creates a database. The folder must not exist. */
export async function createLevelDatabase(folder: string): Promise<LevelWriter> {
  const { ClassicLevel } = await import('classic-level');
  const database = new ClassicLevel<Uint8Array, Uint8Array>(folder, {
    keyEncoding: 'view',
    valueEncoding: 'view',
    errorIfExists: true,
  });
  await database.open();
  return {
    put: (rows, isLast = false) =>
      database.batch(
        rows.map(([key, value]) => ({ type: 'put', key: typeof key === 'string' ? Buffer.from(key) : key, value })),
        { sync: isLast },
      ),
    close: () => database.close(),
  };
}

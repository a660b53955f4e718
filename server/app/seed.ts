/**
 * Copies search.db and statements.db, which a gateway makes from every block, so that a new gateway need not read the chain from its first
 * block.
 *
 * The source may be the DATA_DIR of a gateway that runs. Each copy is of one moment and is checked, and gets its name only when it is
 * complete. The gateway that starts on them continues from their heights. Statements of another history, and an index of another chain or
 * ahead of it, are not used.
 *
 * @module
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { copyDatabase } from '../store/backup/copy-database.ts';
import { openReadOnly } from '../store/sqlite/library.ts';
import { openDataDir } from './data-dir.ts';
import { dataDirFiles } from './data-dir-files.ts';
import { ExplainedError } from './explained-error.ts';

const SEEDS = ['search', 'statements'] as const;
/** The source's log grows with every write during the copy; above this size it could fill the disk. */
const LOG_BYTES_MAX = 4 * 1024 ** 3;
const FOLDER_MODE = 0o700;

export class SeedError extends ExplainedError {
  override readonly name = 'SeedError';
}

export interface Seed {
  file: string;
  chainId: string;
  height: number;
}

export interface SeedOptions {
  from: string;
  to: string;
  /** True if `to` is the DATA_DIR of a gateway, which must not run meanwhile. */
  locks: boolean;
  onProgress?: (done: number, all: number) => void;
}

export async function copySeeds({ from, to, locks, onProgress }: SeedOptions): Promise<Seed[]> {
  const [sources, targets] = [dataDirFiles(from), dataDirFiles(to)];
  const there = SEEDS.filter((name) => existsSync(sources[name]));
  if (there.length === 0)
    throw new SeedError(
      `${from} has neither search.db nor statements.db: name the DATA_DIR of a gateway, or a folder that --to made.`,
    );
  const release = locks ? openDataDir(to).release : undefined;
  try {
    mkdirSync(to, { recursive: true, mode: FOLDER_MODE });
    const taken = there.find((name) => existsSync(targets[name]));
    if (taken !== undefined)
      throw new SeedError(`${targets[taken]} is there already. Move it away, or use it: a gateway goes on with it.`);
    const made: Seed[] = [];
    for (const name of there) {
      const temporary = `${targets[name]}.tmp`;
      rmSync(temporary, { force: true });
      await copyDatabase({
        from: sources[name],
        to: temporary,
        logBytesMax: LOG_BYTES_MAX,
        ...(onProgress && { onProgress }),
      });
      made.push({ ...factsOf(temporary), file: targets[name] });
    }
    const [first] = made;
    const other = made.find(({ chainId }) => chainId !== first?.chainId);
    if (other !== undefined)
      throw new SeedError(
        `${path.basename(other.file)} is of chain ${other.chainId}, and ${path.basename(first?.file ?? '')} of ${first?.chainId}: they do not belong together.`,
      );
    for (const { file } of made) renameSync(`${file}.tmp`, file);
    return made;
  } finally {
    for (const name of SEEDS) rmSync(`${targets[name]}.tmp`, { force: true });
    release?.();
  }
}

function factsOf(file: string): Omit<Seed, 'file'> {
  const sql = openReadOnly(file);
  try {
    const verdict = sql.pragma('quick_check', { simple: true });
    if (verdict !== 'ok')
      throw new SeedError(`${path.basename(file, '.tmp')} is damaged: ${String(verdict)}. Nothing was copied.`);
    return sql.prepare('SELECT chain_id AS chainId, height FROM chain, progress').get() as Omit<Seed, 'file'>;
  } finally {
    sql.close();
  }
}

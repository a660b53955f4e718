/**
 * Reads statements for an HTTP thread, over a connection of its own to statements.db.
 *
 * @module
 */
import { existsSync, writeFileSync } from 'node:fs';
import type { Logger } from '../../engine/ports.ts';
import { damagedMarker, StatementReader } from '../../engine/statements/index.ts';
import { Statements, type StatementsOptions } from '../../gateway/statements.ts';
import { wantStatements } from './statements-wanted.ts';

const DAMAGED = /^SQLITE_(NOTADB|CORRUPT)/;

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code);

/** True if the file, or its table, does not exist yet. */
function isMissing(error: unknown): boolean {
  return (
    codeOf(error) === 'SQLITE_CANTOPEN' ||
    (codeOf(error) === 'SQLITE_ERROR' && (error as Error).message.startsWith('no such table'))
  );
}

/** Marks the file as damaged for the thread that makes it. @returns false if the marker could not be written. */
function tellDamage(file: string, logger: Logger): boolean {
  try {
    writeFileSync(damagedMarker(file), '');
    return true;
  } catch (error) {
    logger.error(
      { err: error, file },
      'the statements are damaged, and the thread that makes them could not be told: delete the file while the server is stopped',
    );
    return false;
  }
}

export interface StatementReadsOptions extends Omit<StatementsOptions, 'open' | 'failure' | 'onBehind'> {
  /** File of statements.db. */
  file: string;
  /** Called for a block that a statement waits for: its source may not have the block yet. */
  want?: ((height: number) => void) | undefined;
}

export function statementReads({ file, want, ...options }: StatementReadsOptions): Statements {
  return new Statements({
    ...options,
    open: () => {
      // A damaged file is not read again: reads wait for the new one, which is made from the blocks.
      if (existsSync(damagedMarker(file))) return undefined;
      try {
        return new StatementReader(file);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    onBehind: (height) => {
      want?.(height);
      wantStatements();
    },
    failure: (error) => {
      if (!codeOf(error).startsWith('SQLITE_')) return undefined;
      return DAMAGED.test(codeOf(error)) && tellDamage(file, options.logger) ? 'made_again' : 'unreadable';
    },
  });
}

/**
 * Statements as an HTTP thread reads them: from a connection of its own to statements.db.
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

/** There is no such file yet, or no table in it. */
function isMissing(error: unknown): boolean {
  return (
    codeOf(error) === 'SQLITE_CANTOPEN' ||
    (codeOf(error) === 'SQLITE_ERROR' && (error as Error).message.startsWith('no such table'))
  );
}

/** @returns whether it could. */
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
  /** statements.db. */
  file: string;
  /** Called for a block that a statement waits for: its source may have it only later. */
  want?: ((height: number) => void) | undefined;
}

export function statementReads({ file, want, ...options }: StatementReadsOptions): Statements {
  return new Statements({
    ...options,
    open: () => {
      // A damaged file is not read again: its reads wait for the one that is made from the blocks.
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

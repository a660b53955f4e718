/**
 * The first steps of every process of ours, whatever it serves.
 *
 * @module
 */
import type { Logger } from '../engine/ports.ts';
import type { LogLevel } from './config.ts';
import { EXIT_DIED } from './lifetime.ts';
import { createLogger } from './logging.ts';
import { chooseSignatureLibrary } from './signatures.ts';

/** Keys, tokens and databases are for the owner of the process only. */
const UMASK = 0o077;

/** Files that it makes are its owner's, it has a log, it verifies signatures by the fastest library, and it ends when it meets a defect: memory may be wrong then. */
export function beginProcess(logLevel: LogLevel): { logger: Logger; die: (error: unknown) => void } {
  process.umask(UMASK);
  const logger = createLogger({ level: logLevel, thread: 'main' });
  const die = (error: unknown): void => {
    logger.error({ err: error }, 'a defect: the process ends');
    process.exit(EXIT_DIED);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  const signatures = chooseSignatureLibrary();
  if (signatures.name === 'node:crypto')
    logger.warn({ why: signatures.why }, 'signatures are verified by node:crypto, which is slower');
  return { logger, die };
}

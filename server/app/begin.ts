/**
 * The first steps of every process of this program.
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

/**
 * Sets the umask, opens the log and chooses the fastest library for signatures. `die` ends the process at a defect, after which its memory
 * may be wrong.
 */
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

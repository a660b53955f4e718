/**
 * What every process of ours begins with, whatever it serves.
 *
 * @module
 */
import { setFlagsFromString } from 'node:v8';
import type { Logger } from '../engine/ports.ts';
import type { LogLevel } from './config.ts';
import { EXIT_DIED } from './lifetime.ts';
import { createLogger } from './logging.ts';
import { chooseSignatureLibrary } from './signatures.ts';

/** Keys, tokens and databases are for the owner of the process only. */
const UMASK = 0o077;

/**
 * V8 notes which places in the program make objects that live long, and makes theirs in the old generation from then on, for good. Batches teach it
 * that of places that every request comes through, and what each read makes is garbage of the old generation after that.
 */
const MAKE_ALL_YOUNG = '--no-allocation-site-pretenuring';

/** Files that it makes are its owner's, it has a log, it verifies signatures by the fastest library, and it ends when it meets a defect: memory may be wrong then. */
export function beginProcess(logLevel: LogLevel): { logger: Logger; die: (error: unknown) => void } {
  process.umask(UMASK);
  setFlagsFromString(MAKE_ALL_YOUNG);
  const logger = createLogger({ level: logLevel, thread: 'main' });
  const die = (error: unknown): void => {
    logger.error({ err: error }, 'a defect: the process ends');
    process.exit(EXIT_DIED);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  const signatures = chooseSignatureLibrary();
  if (signatures.name === 'node:crypto') logger.warn({ why: signatures.why }, 'signatures are verified by node:crypto, which is slower');
  return { logger, die };
}

/**
 * Logs the last entries of the log and of the audit trail, with the hash of each: at the start, once an hour, and at the end. With these
 * lines on another machine an auditor sees whether earlier entries were changed since (protocol.md, rule 35).
 *
 * @module
 */
import type { Clock, Logger, Timer } from '../engine/ports.ts';
import { upperHex } from '../engine/encoding/index.ts';
import type { LogPlace } from '../log/log.ts';
import { auditHead } from '../store/embedded/audit-chain.ts';
import type { ChainConnection } from '../store/embedded/connection.ts';

const HEADS_MS = 3_600_000;

export interface ChainHeadsOptions {
  /** Reads chain.db. */
  sql: ChainConnection;
  /** Returns the last entry of the log. */
  lastEntry: () => LogPlace;
  clock: Pick<Clock, 'setTimer'>;
  logger: Pick<Logger, 'info' | 'warn'>;
}

/** Begins the logging. `stop` logs both entries once more. */
export function sayChainHeads({ sql, lastEntry, clock, logger }: ChainHeadsOptions): { stop(): void } {
  let timer: Timer | undefined;
  const say = (): void => {
    try {
      const { id, hash } = auditHead(sql);
      const { seq, hash: logHash } = lastEntry();
      logger.info(
        { logSeq: seq, logHash: upperHex(logHash), auditId: id, auditHash: hash },
        'the log and the audit trail end here',
      );
    } catch (error) {
      logger.warn({ err: error }, 'the last line of the audit trail could not be read');
    }
  };
  const again = (): void => {
    say();
    timer = clock.setTimer(again, HEADS_MS);
  };
  again();
  return {
    stop: () => {
      timer?.cancel();
      say();
    },
  };
}

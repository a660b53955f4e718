/**
 * JSON lines on standard output, one a fact, through pino. Each thread writes whole lines in one write call
 * (log-stream.ts), so lines of several threads do not mix within a line.
 *
 * @module
 */
import { pino, stdSerializers, stdTimeFunctions } from 'pino';
import type { Logger } from '../engine/ports.ts';
import type { LogLevel } from './config.ts';
import { withoutPath } from './engine-config.ts';
import { createLineStream, standardOutput } from './log-stream.ts';
import { withoutSecrets } from './log-secrets.ts';

export type ThreadName = 'main' | 'ledger' | 'gateway' | 'engine';

export function createLogger(options: { level: LogLevel; thread: ThreadName }): Logger {
  return linesWith(options.level, { thread: options.thread });
}

/** The stream `audit`. Only the level `silent` turns it off: an operator who logs errors alone still wants to know who made a token. */
export function createAuditLogger(options: { level: LogLevel; thread: ThreadName }): Logger {
  return linesWith(options.level === 'silent' ? 'silent' : 'info', { thread: options.thread, stream: 'audit' });
}

/** Only the main thread, which logs every request, gathers lines; the others log little and may be terminated at any moment. */
function linesWith(level: LogLevel, base: { thread: ThreadName; stream?: string }): Logger {
  const isMain = base.thread === 'main';
  return pino(
    {
      level,
      base,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
      serializers: {
        // Parts name a node by its address, whose path may be the key of a hosted one.
        node: (node: unknown) => (typeof node === 'string' && URL.canParse(node) ? withoutPath(node) : node),
        err: (error: Error) => withoutSecrets(stdSerializers.err(error)),
      },
    },
    isMain ? createLineStream() : standardOutput(),
  );
}

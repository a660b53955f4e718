/**
 * JSON lines on standard output, one a fact, through pino. Each thread writes its own lines in one write call, so lines
 * of several threads do not mix within a line.
 *
 * @module
 */
import { pino, destination, stdTimeFunctions } from 'pino';
import type { Logger } from '../engine/ports.ts';
import type { LogLevel } from './config.ts';
import { withoutPath } from './engine-config.ts';

export type ThreadName = 'main' | 'gateway' | 'engine';

const STDOUT = 1;

export function createLogger(options: { level: LogLevel; thread: ThreadName }): Logger {
  return linesWith(options.level, { thread: options.thread });
}

/** The stream `audit`. Only the level `silent` turns it off: an operator who logs errors alone still wants to know who made a token. */
export function createAuditLogger(options: { level: LogLevel; thread: ThreadName }): Logger {
  return linesWith(options.level === 'silent' ? 'silent' : 'info', { thread: options.thread, stream: 'audit' });
}

function linesWith(level: LogLevel, base: object): Logger {
  return pino(
    {
      level,
      base,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // Parts name a node by its address, whose path may be the key of a hosted one.
      serializers: { node: (node: unknown) => (typeof node === 'string' && URL.canParse(node) ? withoutPath(node) : node) },
      // A last line of defence: no part logs these, and if one ever does they still do not reach the disk.
      redact: ['authorization', 'token', 'signature', 'seed', '*.authorization', '*.token', '*.signature', '*.seed'],
    },
    // Synchronous, because the line that says why a process died must be written before it dies.
    destination({ fd: STDOUT, sync: true }),
  );
}

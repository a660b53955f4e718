/**
 * Log lines on standard output, one for each fact: JSON through pino, or text for people (text-line.ts). Each thread writes whole lines in
 * one write call (log-stream.ts), so lines of several threads do not mix within a line.
 *
 * @module
 */
import { BroadcastChannel, isMainThread } from 'node:worker_threads';
import { pino, stdSerializers, stdTimeFunctions, type Logger as PinoLogger } from 'pino';
import type { Logger, Timer } from '../engine/ports.ts';
import type { LogLevel } from './config.ts';
import { shownNode } from '../engine/cometbft/nodes/node-port.ts';
import { createClock } from './environment.ts';
import type { LineMirror } from './log-mirror.ts';
import { logFormat } from './log-format.ts';
import { createLineStream, standardOutput } from './log-stream.ts';
import { SECRETS, withoutSecrets } from './log-secrets.ts';
import { foldingOutages, type OutageFault, Outages } from './outages.ts';
import { plainLine } from './plain-line.ts';
import { textLine } from './text-line.ts';
import { escapedJson } from './visible-text.ts';

type LineWriter = ReturnType<typeof createLineStream | typeof standardOutput>;

export type ThreadName = 'main' | 'ledger' | 'chain' | 'gateway' | 'engine' | 'statements' | `http-${number}`;

/** The timer of a line does not keep the process alive. */
const clock = {
  ...createClock(),
  setTimer: (fn: () => void, delayMs: number) => timerOf(setTimeout(fn, delayMs).unref()),
};
const timerOf = (handle: NodeJS.Timeout): Timer => ({ cancel: () => clearTimeout(handle) });

/** @param options.lines only of an HTTP thread other than the main one. */
export function createLogger(options: { level: LogLevel; thread: ThreadName; lines?: LineMirror }): Logger {
  const logger = linesWith(options.level, { thread: options.thread }, options.lines);
  return foldingOutages(logger, isMainThread ? outagesOfProcess(logger) : toMainThread());
}

/** Channel between all threads of the process. It does not keep them alive. */
const OUTAGES_CHANNEL = 'txledger-outages';

function outagesOfProcess(logger: Logger): (fault: OutageFault) => void {
  const outages = new Outages(logger, clock);
  const channel = new BroadcastChannel(OUTAGES_CHANNEL);
  channel.addEventListener('message', (message) => outages.add((message as MessageEvent).data as OutageFault));
  channel.unref();
  return (fault) => outages.add(fault);
}

function toMainThread(): (fault: OutageFault) => void {
  let port: BroadcastChannel | undefined;
  return (fault) => {
    port ??= new BroadcastChannel(OUTAGES_CHANNEL);
    port.unref();
    port.postMessage(fault);
  };
}

/** Logs the stream `audit`. Only the level `silent` turns it off: an operator who logs errors alone still needs to see who made a token. */
export function createAuditLogger(options: { level: LogLevel; thread: ThreadName }): Logger {
  return linesWith(options.level === 'silent' ? 'silent' : 'info', { thread: options.thread, stream: 'audit' });
}

/** Fields whose value is shown in another form, or not at all. */
const SPECIAL: ReadonlySet<string> = new Set(['node', 'err', ...SECRETS]);

/** Only the HTTP threads, which log every request, gather lines. The others log little and may be terminated at any moment. */
function linesWith(level: LogLevel, base: { thread: ThreadName; stream?: string }, lines?: LineMirror): Logger {
  const stream = base.thread === 'main' || lines !== undefined ? createLineStream(undefined, lines) : standardOutput();
  const log = pino(
    {
      level,
      base,
      timestamp: stdTimeFunctions.isoTime,
      hooks: { streamWrite: escapedJson },
      formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
      serializers: {
        // Other parts name a node by its address, whose path may be the key of a hosted node.
        node: (node: unknown) => (typeof node === 'string' && URL.canParse(node) ? shownNode(node) : node),
        err: (error: Error) => withoutSecrets(stdSerializers.err(error)),
      },
    },
    stream,
  );
  const { format, hasColours } = logFormat();
  if (format === 'text') return textLogger(log, stream, hasColours);
  const common = JSON.stringify(base).slice(1, -1);
  const at = (name: keyof Logger) => {
    if (!log.isLevelEnabled(name)) return () => undefined;
    const rank = log.levels.values[name] ?? 0;
    return (fields: object, message: string): void => {
      const line = plainLine({ level: name, nowMs: Date.now(), base: common, fields, message, except: SPECIAL });
      if (line === undefined) log[name](fields, message);
      else writeLine(stream, line, rank);
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Here pino decides only about levels. */
function textLogger(log: PinoLogger, stream: LineWriter, hasColours: boolean): Logger {
  const at = (level: keyof Logger) => {
    if (!log.isLevelEnabled(level)) return () => undefined;
    const rank = log.levels.values[level] ?? 0;
    return (fields: object, message: string): void => {
      // The members of a request's line are fixed, and none of them is a secret.
      const shown = message === 'request' ? fields : withoutSecrets(fields);
      writeLine(stream, textLine({ level, nowMs: Date.now(), fields: shown, message, hasColours }), rank);
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** The same decision as pino's. */
function writeLine(stream: LineWriter, line: string, rank: number): void {
  if ('lastLevel' in stream) stream.lastLevel = rank;
  stream.write(line);
}

/** Reads the body of an answer after its status: a bounded number of bytes within a bounded time. Keeps the beginning. */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../engine/ports.ts';
import { visibleText } from '../visible-text.ts';

/** More is not read: the connection is closed, and the receiver gets a new one for the next message. */
export const ANSWER_BYTES_MAX = 64 * 1024;
/** Longest time for a body, however slowly it arrives. The status has already decided, and the next message waits. */
export const ANSWER_MS_MAX = 1000;
/** Bytes of an answer that the delivery log shows. The contract promises it. */
export const EXCERPT_BYTES_MAX = 1024;

export class AnswerReader {
  readonly #response: IncomingMessage;
  readonly #clock: Clock;

  constructor(response: IncomingMessage, clock: Clock) {
    this.#response = response;
    this.#clock = clock;
  }

  /** Never rejects: a missing rest of a body changes nothing. Undefined if there was no body. */
  read(): Promise<string | undefined> {
    const response = this.#response;
    return new Promise((resolve) => {
      let bytes = 0;
      let excerpt = Buffer.alloc(0);
      const cut = this.#clock.setTimer(() => response.destroy(), ANSWER_MS_MAX);
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (excerpt.length < EXCERPT_BYTES_MAX)
          excerpt = Buffer.concat([excerpt, chunk.subarray(0, EXCERPT_BYTES_MAX - excerpt.length)]);
        if (bytes > ANSWER_BYTES_MAX) response.destroy();
      });
      response.on('error', () => undefined);
      response.once('close', () => {
        cut.cancel();
        resolve(excerpt.length === 0 ? undefined : textOf(excerpt));
      });
    });
  }
}

/** Replaces characters that are unsafe for a log or a terminal; removes a character that was cut in two. */
const textOf = (bytes: Buffer): string => visibleText(bytes.toString('utf8').replace(/\uFFFD$/, ''));

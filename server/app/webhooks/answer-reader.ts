/** Reads an answer whose status has come: a bounded number of bytes within a bounded time, and keeps the beginning. */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../engine/ports.ts';
import { visibleText } from '../visible-text.ts';

/** More is not read: the connection is closed, which costs the receiver a new one for the next message. */
export const ANSWER_BYTES_MAX = 64 * 1024;
/** The same for what has not come by then, however it drips. The status has decided by now, and the next message waits. */
export const ANSWER_MS_MAX = 1000;
/** What of an answer is shown in the delivery log. The contract promises it. */
export const EXCERPT_BYTES_MAX = 1024;

export class AnswerReader {
  readonly #response: IncomingMessage;
  readonly #clock: Clock;

  constructor(response: IncomingMessage, clock: Clock) {
    this.#response = response;
    this.#clock = clock;
  }

  /** Never rejects: what is missing of a body changes nothing. Undefined when there was none. */
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

/** What no log and no terminal should take is replaced; a character that was cut in two goes. */
const textOf = (bytes: Buffer): string => visibleText(bytes.toString('utf8').replace(/\uFFFD$/, ''));

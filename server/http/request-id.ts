/**
 * `X-Request-Id`: names one request in the answer, in its problem document and in the log line.
 *
 * A sane incoming id is echoed, so that a client can follow its request through several services. Anything else is
 * replaced, because the id is written into logs and must not carry line breaks, markup or a kilobyte of text.
 */
import { REQUEST_ID_CHARS_MAX } from './limits.ts';

const SANE = new RegExp(`^[A-Za-z0-9._-]{1,${REQUEST_ID_CHARS_MAX}}$`);

/** Makes ids that no other process makes: `prefix` is random per process, the rest counts. */
export class RequestIds {
  readonly prefix: string;
  count = 0;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  of(incoming: string | string[] | undefined): string {
    if (typeof incoming === 'string' && SANE.test(incoming)) return incoming;
    this.count += 1;
    return `${this.prefix}-${this.count.toString(36)}`;
  }
}

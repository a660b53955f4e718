/**
 * `X-Request-Id`: names one request in the answer, in its problem document and in the log line.
 *
 * A valid incoming id is echoed, so that a client can follow its request through several services. Any other id is replaced, because it is
 * written to logs and must not contain line breaks, markup or a kilobyte of text.
 */
import { REQUEST_ID_CHARS_MAX } from './limits.ts';

const SANE = new RegExp(`^[A-Za-z0-9._-]{1,${REQUEST_ID_CHARS_MAX}}$`);

/** Makes ids that are unique among processes: `prefix` is random for each process, and the rest is a counter. */
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

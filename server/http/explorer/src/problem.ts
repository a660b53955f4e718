/** The service could not be reached. */
export const NO_ANSWER = 0;
/** The fault is in the page itself. */
export const NOT_ASKED = -1;
/** Statuses of proxies without a service behind them, and of a service that waits for its own parts. */
const AWAY: readonly number[] = [NO_ANSWER, 502, 503, 504];

/** The error as a sentence for people. */
export class Problem extends Error {
  override readonly name = 'Problem';
  /** NO_ANSWER, NOT_ASKED, or the status of the answer. */
  readonly status: number;
  /** Code of the catalogue at docs/errors; undefined for the RPC's own errors, and without an answer. */
  readonly code: string | undefined;
  readonly requestId: string | undefined;

  constructor(status: number, sentence: string, code?: string, requestId?: string) {
    super(sentence);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }

  /** True if the same request can succeed a little later. */
  get isPassing(): boolean {
    return AWAY.includes(this.status);
  }
}

interface ProblemDocument {
  readonly detail?: string;
  readonly title?: string;
  readonly code?: string;
  readonly requestId?: string;
  /** CometBFT's envelope. */
  readonly error?: { readonly message?: string; readonly data?: string };
}

export function problemOf(status: number, text: string): Problem {
  let document: ProblemDocument = {};
  try {
    document = JSON.parse(text) as ProblemDocument;
  } catch {
    // A proxy answered, with a text of its own.
  }
  const { detail, title, code, requestId, error } = document;
  const sentence =
    detail ??
    title ??
    (error && [error.message, error.data].filter(Boolean).join(': ')) ??
    `The service answered with status ${status}.`;
  return new Problem(status, sentence, code, requestId);
}

/** Turns any thrown value into a problem. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(NOT_ASKED, error instanceof Error ? error.message : String(error));
}

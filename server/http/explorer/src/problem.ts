/** What went wrong, as a sentence for people. */
export class Problem extends Error {
  override readonly name = 'Problem';
  /** 0: there was no answer. */
  readonly status: number;
  /** Of the catalogue at docs/errors; undefined for the RPC's own errors, and without an answer. */
  readonly code: string | undefined;
  readonly requestId: string | undefined;

  constructor(status: number, sentence: string, code?: string, requestId?: string) {
    super(sentence);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
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
    // A proxy answered, in its own words.
  }
  const { detail, title, code, requestId, error } = document;
  const sentence = detail ?? title ?? (error && [error.message, error.data].filter(Boolean).join(': ')) ?? `The service answered with status ${status}.`;
  return new Problem(status, sentence, code, requestId);
}

/** Anything thrown, as a problem. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(0, error instanceof Error ? error.message : String(error));
}

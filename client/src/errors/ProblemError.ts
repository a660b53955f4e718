import type { FieldError, ProblemCode, Problems } from '../contract.ts';
import type { Exchange } from './exchange.ts';
import { LedgerClientError } from './LedgerClientError.ts';

/**
 * The service refused: a problem document (RFC 9457) of the contract. There is one class for each code; `code` and `name` narrow.
 */
export abstract class ProblemError<Code extends ProblemCode = ProblemCode> extends LedgerClientError {
  readonly code: Code;
  readonly status: number;
  /** The kind of problem in a few words, the same for every occurrence of the code. */
  readonly title: string;
  /** This occurrence in a sentence or two. */
  readonly detail: string;
  /** Whether the very same request can succeed later without the caller changing anything. */
  readonly retriable: boolean;
  /** Name it when asking the operator for help. */
  readonly requestId: string;
  /** The transaction that the problem is about, where the service knows it. */
  readonly txHash: string | undefined;
  /** Each thing that is wrong, with the place where it is. */
  readonly errors: readonly FieldError[];
  /** Where cause and cure of this code are documented. */
  readonly docsUrl: string;
  readonly method: string;
  readonly url: string;
  /** How long the service asked to wait before the next attempt. */
  readonly retryAfterMs: number | undefined;

  constructor(problem: Problems[Code], { method, url, baseUrl, status, retryAfterMs }: Exchange) {
    // The type of a problem is a reference relative to the base URL, which may have a path of its own.
    const docsUrl = problem.type.startsWith('/') ? baseUrl + problem.type : problem.type;
    super(`${method} ${url}: ${status} ${problem.code}. ${problem.detail} (${docsUrl}, request ${problem.requestId})`);
    this.code = problem.code as Code;
    this.status = status;
    this.title = problem.title;
    this.detail = problem.detail;
    this.retriable = problem.retriable;
    this.requestId = problem.requestId;
    this.txHash = problem.txHash;
    this.errors = problem.errors ?? [];
    this.docsUrl = docsUrl;
    this.method = method;
    this.url = url;
    this.retryAfterMs = retryAfterMs;
  }
}

import type { FieldError, ProblemCode, Problems } from '../contract.ts';
import type { Exchange } from './exchange.ts';
import { RequestError } from './RequestError.ts';

/**
 * The service refused: a problem document (RFC 9457) of the contract. There is one class for each code; `code` and `name` narrow.
 */
export abstract class ProblemError<Code extends ProblemCode = ProblemCode> extends RequestError {
  /** The code as the name of a class: `NonceConflictError` for nonce_conflict. */
  override readonly name: string;
  declare readonly code: Code;
  /** The kind of problem in a few words, the same for every occurrence of the code. */
  declare readonly title: string;
  /** This occurrence in a sentence or two. */
  declare readonly detail: string;
  declare readonly retriable: boolean;
  /** The id of the request: quote it when you ask the operator for help. */
  declare readonly requestId: string;
  /** The transaction that the problem is about, where there is one. */
  declare readonly txHash?: string | undefined;
  /** Each fault of the request, with its place. */
  declare readonly errors: readonly FieldError[];
  /** The URL of the documentation of this code, with its cause and resolution. */
  declare readonly docsUrl: string;

  constructor({ code, title, detail, retriable, requestId, txHash, errors = [] }: Problems[Code], exchange: Exchange) {
    // The URL that the type of the problem refers to. The type is relative to the URL of the request, and the base URL may have a path.
    const docsUrl = `${exchange.baseUrl}/docs/errors#${code}`;
    super(exchange, `${exchange.status} ${code}. ${detail} (${docsUrl}, request ${requestId})`);
    // Assigned one by one, so that no answer can overwrite other members of the error.
    Object.assign(this, { code, title, detail, retriable, requestId, txHash, errors, docsUrl });
    this.name = `_${code}_error`.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  }
}

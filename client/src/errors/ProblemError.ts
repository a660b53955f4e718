import type { FieldError, ProblemCode, Problems } from '../contract.ts';
import type { Exchange } from './exchange.ts';
import { RequestError } from './RequestError.ts';

/**
 * The service refused: a problem document (RFC 9457) of the contract. There is one class for each code; `code` and `name` narrow.
 */
export abstract class ProblemError<Code extends ProblemCode = ProblemCode> extends RequestError {
  /** The code in the spelling of classes: `NonceConflictError` for nonce_conflict. */
  override readonly name: string;
  declare readonly code: Code;
  /** The kind of problem in a few words, the same for every occurrence of the code. */
  declare readonly title: string;
  /** This occurrence in a sentence or two. */
  declare readonly detail: string;
  declare readonly retriable: boolean;
  /** Name it when asking the operator for help. */
  declare readonly requestId: string;
  /** The transaction that the problem is about, where the service knows it. */
  declare readonly txHash?: string | undefined;
  /** Each thing that is wrong, with the place where it is. */
  declare readonly errors: readonly FieldError[];
  /** Where cause and resolution of this code are documented. */
  declare readonly docsUrl: string;

  constructor({ code, title, detail, retriable, requestId, txHash, errors = [] }: Problems[Code], exchange: Exchange) {
    // Where the type of the problem leads; it is relative to the URL of the request, and the base URL may have a path of its own.
    const docsUrl = `${exchange.baseUrl}/docs/errors#${code}`;
    super(exchange, `${exchange.status} ${code}. ${detail} (${docsUrl}, request ${requestId})`);
    // Named one by one, so that no answer can put other members in their place.
    Object.assign(this, { code, title, detail, retriable, requestId, txHash, errors, docsUrl });
    this.name = `_${code}_error`.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  }
}

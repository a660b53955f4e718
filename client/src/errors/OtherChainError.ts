import type { Exchange } from './exchange.ts';
import { RequestError } from './RequestError.ts';

/** The stream of events is of another chain than the client is for, or than the stream was before it connected again. */
export class OtherChainError extends RequestError {
  override readonly name = 'OtherChainError' as const;
  override readonly retriable = false;
  /** The chain of the stream. */
  readonly chainId: string;

  constructor(exchange: Exchange, chainId: string, expected: string) {
    super(
      exchange,
      `the service at this address is of chain ${chainId}, and ${expected} is expected: check the base URL`,
    );
    this.chainId = chainId;
  }
}

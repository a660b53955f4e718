/** What the handlers of the operations are given by the composition root. */
import type { Clock } from '../../engine/ports.ts';
import type { Gateway } from '../../gateway/types.ts';

import type { ContractBundle } from '../contract/bundle.ts';

export interface HandlerParts {
  gateway: Gateway;
  contract: ContractBundle;
  /** What /metrics answers. */
  metricsText(): Promise<string>;
  clock: Clock;
  /** The base URL of the service as its clients know it, with a slash at its end; undefined where the operator has not said. */
  publicUrl: string | undefined;
}

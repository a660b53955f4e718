/** What the handlers of the operations are given by the composition root. */
import type { Clock } from '../../engine/ports.ts';
import type { FieldError, Gateway } from '../../gateway/types.ts';

import type { EventStreams } from '../events/streams.ts';
import type { ContractBundle } from '../contract/bundle.ts';
import type { ProblemCatalogue } from '../contract/catalogue.ts';
import type { MetricFamily } from '../metric-families.ts';

export interface HandlerParts {
  gateway: Gateway;
  /** Answers listEvents as server-sent events; without it that form is 406. */
  eventStreams?: EventStreams | undefined;
  contract: ContractBundle;
  /** For problems within an answer. */
  catalogue: ProblemCatalogue;
  /** Whether one transfer of a batch fits the contract; see Validation. */
  transferFaults: (transfer: unknown) => readonly FieldError[];
  /** What /metrics answers. */
  metricFamilies(): Promise<MetricFamily[]>;
  clock: Clock;
  /** The base URL of the service as its clients know it, with a slash at its end; undefined where the operator has not said. */
  publicUrl: string | undefined;
  /** Which build of the service this is; undefined where no one said. */
  build: { version: string; commit?: string | undefined } | undefined;
  /** The process was told to end, and serves what comes until then. */
  isEnding(): boolean;
}

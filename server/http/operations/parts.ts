/** The parts that the composition root passes to the handlers of the operations. */
import type { Clock } from '../../engine/ports.ts';
import type { FieldError, Gateway } from '../../gateway/types.ts';

import type { EventStreams } from '../events/streams.ts';
import type { ContractBundle } from '../contract/bundle.ts';
import type { ProblemCatalogue } from '../contract/catalogue.ts';
import type { MetricFamily } from '../metric-families.ts';

export interface HandlerParts {
  gateway: Gateway;
  /** Answers listEvents as server-sent events; absent: that form is 406. */
  eventStreams?: EventStreams | undefined;
  contract: ContractBundle;
  /** For problems within an answer. */
  catalogue: ProblemCatalogue;
  /** Validates one transfer of a batch against the contract; see Validation. */
  transferFaults: (transfer: unknown) => readonly FieldError[];
  /** The answer of /metrics. */
  metricFamilies(): Promise<MetricFamily[]>;
  clock: Clock;
  /** The base URL of the service for its clients, ending in a slash; undefined if the operator has not set it. */
  publicUrl: string | undefined;
  /** The build of this service; undefined if it was not set. */
  build: { version: string; commit?: string | undefined } | undefined;
  /** True if the process has received the signal to end; it still serves requests. */
  isEnding(): boolean;
}

/** Counters of delivery for the metrics. */
import type { FailureCode } from './ports.ts';

/** Structured-cloneable: it crosses threads. */
export interface DeliveryNumbers {
  /** Attempts by their outcome, since the start of the thread. */
  deliveries: Record<string, number>;
  disabled: number;
  inFlight: number;
  /** Waiting events of the endpoint that is furthest behind. */
  lagEvents: number;
  lagS: number;
}

export class DeliveryCounters {
  readonly deliveries: Record<string, number> = {};
  disabled = 0;

  count(code: FailureCode | 'delivered'): void {
    this.deliveries[code] = (this.deliveries[code] ?? 0) + 1;
  }
}

/**
 * Metrics of webhooks in the process's registry, read from delivery at each scrape.
 *
 * @module
 */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { WebhookNumbers } from './webhooks.ts';

export function registerWebhookMetrics(registry: Registry, read: () => Promise<WebhookNumbers>): void {
  let look: Promise<WebhookNumbers> | undefined;
  // All metrics of one scrape share one result.
  const numbers = (): Promise<WebhookNumbers> => {
    look ??= read().finally(() => {
      look = undefined;
    });
    return look;
  };
  const gauge = (name: string, help: string, valueOf: (now: WebhookNumbers) => number): void => {
    const made: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        made.set(valueOf(await numbers()));
      },
    });
  };
  const deliveries: Counter<'outcome'> = new Counter({
    name: 'txledger_webhook_deliveries_total',
    help: 'Attempts to deliver a message to a webhook, by how they ended.',
    labelNames: ['outcome'],
    registers: [registry],
    async collect() {
      const now = await numbers();
      deliveries.reset();
      for (const [outcome, count] of Object.entries(now.deliveries)) deliveries.inc({ outcome }, count);
    },
  });
  const endpoints: Gauge<'status'> = new Gauge({
    name: 'txledger_webhooks',
    help: 'Webhooks, by status.',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      const { enabled, disabled } = (await numbers()).endpoints;
      endpoints.set({ status: 'enabled' }, enabled);
      endpoints.set({ status: 'disabled' }, disabled);
    },
  });
  gauge('txledger_webhook_requests_in_flight', 'Requests to webhooks that wait for an answer.', (now) => now.inFlight);
  gauge('txledger_webhook_lag_seconds', 'Age of the oldest event that a webhook waits for.', (now) => now.lagS);
  gauge(
    'txledger_webhook_lag_events',
    'Events behind the oldest that a webhook waits for; counting ends at 1,000.',
    (now) => now.lagEvents,
  );
}

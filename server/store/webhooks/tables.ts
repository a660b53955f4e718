/** The tables of webhooks as Kysely sees them; create-tables.ts makes them. Times are milliseconds since 1970. */

export interface WebhooksTable {
  id: string;
  owner: string;
  url: string;
  description: string | null;
  /** JSON of WebhookFilters. */
  filters: string;
  status: string;
  disabled_reason: string | null;
  secret: string;
  /** JSON array of {secret, untilMs}. */
  previous_secrets: string;
  place_height: number;
  place_idx: number;
  first_failed_at_ms: number | null;
  attempts: number;
  next_attempt_at_ms: number | null;
  last_success_at_ms: number | null;
  last_failure_at_ms: number | null;
  last_failure_code: string | null;
  last_failure_detail: string | null;
  created_at_ms: number;
  updated_at_ms: number;
  version: number;
}

/** An attempt a row. */
export interface WebhookDeliveriesTable {
  webhook_id: string;
  seq: number;
  event_id: string;
  type: string;
  kind: string;
  at_ms: number;
  attempt: number;
  outcome: string;
  status_code: number | null;
  duration_ms: number;
  error_code: string | null;
  error_detail: string | null;
  answer: string | null;
}

export interface WebhookWorkTable {
  id: string;
  webhook_id: string;
  kind: string;
  created_at_ms: number;
  attempts: number;
  next_attempt_at_ms: number;
  /** For a notice: the endpoint that was disabled, and the reason. */
  about: string | null;
  reason: string | null;
  after_height: number | null;
  after_idx: number | null;
  until_height: number | null;
  until_idx: number | null;
  place_height: number | null;
  place_idx: number | null;
}

export interface WebhookAuditTable {
  id: string;
  /** Their order. */
  seq: number;
  at_ms: number;
  actor: string;
  action: string;
  subject: string;
  /** JSON object. */
  details: string;
}

export interface WebhookTables {
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_work: WebhookWorkTable;
  webhook_audit: WebhookAuditTable;
}

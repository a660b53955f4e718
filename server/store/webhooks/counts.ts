/** Number of endpoints. */
export interface WebhookCounts {
  enabled: number;
  disabled: number;
}

export const NO_WEBHOOKS: WebhookCounts = { enabled: 0, disabled: 0 };

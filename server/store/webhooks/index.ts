/** Webhook endpoints, their log and what waits to be done, behind an interface that is shaped by what the API and the delivery do. */
export { openWebhookStore, type WebhookLocation } from './open.ts';
export type * from './types.ts';

/** Webhook endpoints, their log and their waiting work, behind an interface that follows the operations of the API and the delivery. */
export { openWebhookStore, type WebhookLocation } from './open.ts';
export type * from './types.ts';

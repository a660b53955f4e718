/** Made from spec/ by `npm run generate`. Do not edit: change spec/ and generate again. */

export const REQUEST_HEADERS = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-None-Match",
  "Last-Event-ID",
  "Ledger-Height-Min",
  "Prefer",
  "X-Request-Id"
] as const;

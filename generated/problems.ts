/** Made from spec/ by `npm run generate`. Do not edit: change spec/ and generate again. */

export const CONTRACT_VERSION = "1.11.0";

export const PROBLEMS = {
  "malformed_json": {
    "status": 400,
    "title": "The body is not JSON in the accepted form",
    "retriable": false
  },
  "invalid_request": {
    "status": 400,
    "title": "The request does not fit the contract",
    "retriable": false
  },
  "unauthenticated": {
    "status": 401,
    "title": "A valid token is needed",
    "retriable": false
  },
  "insufficient_scope": {
    "status": 403,
    "title": "The token lacks a scope",
    "retriable": false
  },
  "not_submitter": {
    "status": 403,
    "title": "Another owner decides about this",
    "retriable": false
  },
  "origin_not_allowed": {
    "status": 403,
    "title": "This origin may not call",
    "retriable": false
  },
  "not_found": {
    "status": 404,
    "title": "Nothing was found",
    "retriable": false
  },
  "method_not_allowed": {
    "status": 405,
    "title": "The path has no such method",
    "retriable": false
  },
  "not_acceptable": {
    "status": 406,
    "title": "No acceptable form of the answer",
    "retriable": false
  },
  "request_timeout": {
    "status": 408,
    "title": "The request took too long to arrive",
    "retriable": true
  },
  "nonce_too_low": {
    "status": 409,
    "title": "The chain has passed this nonce",
    "retriable": false
  },
  "nonce_conflict": {
    "status": 409,
    "title": "Another payment holds this nonce",
    "retriable": false
  },
  "nonce_cancelled": {
    "status": 409,
    "title": "The nonce is void",
    "retriable": false
  },
  "already_settled": {
    "status": 409,
    "title": "The transaction is settled",
    "retriable": false
  },
  "receipt_not_ready": {
    "status": 409,
    "title": "The receipt does not exist yet",
    "retriable": true
  },
  "height_not_reached": {
    "status": 409,
    "title": "The ledger has not reached this block",
    "retriable": true
  },
  "place_ahead": {
    "status": 409,
    "title": "The event log does not reach this place",
    "retriable": false
  },
  "webhook_exists": {
    "status": 409,
    "title": "There is a webhook with this URL",
    "retriable": false
  },
  "too_many_webhooks": {
    "status": 409,
    "title": "Too many webhooks",
    "retriable": false
  },
  "webhook_disabled": {
    "status": 409,
    "title": "The webhook is disabled",
    "retriable": false
  },
  "webhook_busy": {
    "status": 409,
    "title": "Something asked for before has to end first",
    "retriable": true
  },
  "body_too_large": {
    "status": 413,
    "title": "The body is too large",
    "retriable": false
  },
  "unsupported_media_type": {
    "status": 415,
    "title": "The body is not in a supported form",
    "retriable": false
  },
  "host_not_allowed": {
    "status": 421,
    "title": "The service does not answer to this host name",
    "retriable": false
  },
  "invalid_address": {
    "status": 422,
    "title": "An address is not one of this chain",
    "retriable": false
  },
  "invalid_signature": {
    "status": 422,
    "title": "The signature does not verify",
    "retriable": false
  },
  "tx_hash_mismatch": {
    "status": 422,
    "title": "The hash is not that of this transfer",
    "retriable": false
  },
  "insufficient_funds": {
    "status": 422,
    "title": "The account has too little money",
    "retriable": false
  },
  "nonce_too_high": {
    "status": 422,
    "title": "The nonce is too far ahead",
    "retriable": false
  },
  "idempotency_key_reused": {
    "status": 422,
    "title": "The key belongs to another transfer",
    "retriable": false
  },
  "validity_passed": {
    "status": 422,
    "title": "The validity of the transfer has passed",
    "retriable": false
  },
  "below_opening_minimum": {
    "status": 422,
    "title": "Too little to open an account",
    "retriable": false
  },
  "webhook_url_refused": {
    "status": 422,
    "title": "This URL may not be called",
    "retriable": false
  },
  "rate_limited": {
    "status": 429,
    "title": "Too many requests",
    "retriable": true
  },
  "too_many_pending": {
    "status": 429,
    "title": "Too many pending transactions",
    "retriable": true
  },
  "headers_too_large": {
    "status": 431,
    "title": "The header section is too large",
    "retriable": false
  },
  "internal": {
    "status": 500,
    "title": "Something went wrong here",
    "retriable": true
  },
  "pool_full": {
    "status": 503,
    "title": "The service has no room for more",
    "retriable": true
  },
  "engine_unavailable": {
    "status": 503,
    "title": "The chain is out of reach",
    "retriable": true
  },
  "store_unavailable": {
    "status": 503,
    "title": "The database is out of reach",
    "retriable": true
  },
  "shutting_down": {
    "status": 503,
    "title": "The service is shutting down",
    "retriable": true
  },
  "server_busy": {
    "status": 503,
    "title": "Too much waits to be read",
    "retriable": true
  }
} as const;

/** Every code that an operation can answer, whether its answers list it or leave it to `default`. */
export interface OperationProblems {
  listTransactions: "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "height_not_reached" | "host_not_allowed" | "invalid_address" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  submitTransaction: "malformed_json" | "invalid_request" | "unauthenticated" | "insufficient_scope" | "not_submitter" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "nonce_too_low" | "nonce_conflict" | "nonce_cancelled" | "body_too_large" | "unsupported_media_type" | "host_not_allowed" | "invalid_address" | "invalid_signature" | "tx_hash_mismatch" | "insufficient_funds" | "nonce_too_high" | "idempotency_key_reused" | "validity_passed" | "below_opening_minimum" | "rate_limited" | "too_many_pending" | "headers_too_large" | "internal" | "pool_full" | "engine_unavailable" | "store_unavailable" | "shutting_down" | "server_busy";
  submitTransactionBatch: "malformed_json" | "invalid_request" | "unauthenticated" | "insufficient_scope" | "not_submitter" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "body_too_large" | "unsupported_media_type" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "pool_full" | "engine_unavailable" | "store_unavailable" | "shutting_down" | "server_busy";
  checkTransaction: "malformed_json" | "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "body_too_large" | "unsupported_media_type" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "engine_unavailable" | "store_unavailable" | "shutting_down" | "server_busy";
  getTransaction: "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_found" | "not_acceptable" | "request_timeout" | "height_not_reached" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  cancelTransaction: "invalid_request" | "unauthenticated" | "insufficient_scope" | "not_submitter" | "origin_not_allowed" | "not_found" | "not_acceptable" | "request_timeout" | "already_settled" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "engine_unavailable" | "store_unavailable" | "shutting_down" | "server_busy";
  submitCancel: "malformed_json" | "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_found" | "not_acceptable" | "request_timeout" | "already_settled" | "body_too_large" | "unsupported_media_type" | "host_not_allowed" | "invalid_signature" | "rate_limited" | "headers_too_large" | "internal" | "engine_unavailable" | "store_unavailable" | "shutting_down" | "server_busy";
  getReceipt: "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_found" | "not_acceptable" | "request_timeout" | "receipt_not_ready" | "height_not_reached" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "engine_unavailable" | "store_unavailable" | "shutting_down" | "server_busy";
  listAccounts: "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "height_not_reached" | "host_not_allowed" | "invalid_address" | "rate_limited" | "headers_too_large" | "internal" | "engine_unavailable" | "store_unavailable" | "shutting_down" | "server_busy";
  getAccount: "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_found" | "not_acceptable" | "request_timeout" | "height_not_reached" | "host_not_allowed" | "invalid_address" | "rate_limited" | "headers_too_large" | "internal" | "engine_unavailable" | "store_unavailable" | "shutting_down" | "server_busy";
  listEntries: "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "height_not_reached" | "host_not_allowed" | "invalid_address" | "rate_limited" | "headers_too_large" | "internal" | "engine_unavailable" | "store_unavailable" | "shutting_down" | "server_busy";
  listEvents: "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "height_not_reached" | "place_ahead" | "host_not_allowed" | "invalid_address" | "rate_limited" | "headers_too_large" | "internal" | "engine_unavailable" | "store_unavailable" | "shutting_down" | "server_busy";
  listWebhooks: "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  createWebhook: "malformed_json" | "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "webhook_exists" | "too_many_webhooks" | "body_too_large" | "unsupported_media_type" | "host_not_allowed" | "invalid_address" | "webhook_url_refused" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  getWebhook: "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_found" | "not_acceptable" | "request_timeout" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  updateWebhook: "malformed_json" | "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_found" | "not_acceptable" | "request_timeout" | "webhook_exists" | "body_too_large" | "unsupported_media_type" | "host_not_allowed" | "invalid_address" | "webhook_url_refused" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  deleteWebhook: "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_found" | "not_acceptable" | "request_timeout" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  rotateWebhookSecret: "malformed_json" | "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_found" | "not_acceptable" | "request_timeout" | "webhook_busy" | "body_too_large" | "unsupported_media_type" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  testWebhook: "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_found" | "not_acceptable" | "request_timeout" | "webhook_disabled" | "webhook_busy" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  listWebhookDeliveries: "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_found" | "not_acceptable" | "request_timeout" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  replayWebhook: "malformed_json" | "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_found" | "not_acceptable" | "request_timeout" | "webhook_disabled" | "webhook_busy" | "body_too_large" | "unsupported_media_type" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  listTokens: "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  createToken: "malformed_json" | "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "body_too_large" | "unsupported_media_type" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  getToken: "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_found" | "not_acceptable" | "request_timeout" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  updateToken: "malformed_json" | "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_found" | "not_acceptable" | "request_timeout" | "body_too_large" | "unsupported_media_type" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  revokeToken: "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_found" | "not_acceptable" | "request_timeout" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  rotateToken: "malformed_json" | "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_found" | "not_acceptable" | "request_timeout" | "body_too_large" | "unsupported_media_type" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  listBoundAddresses: "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  bindAddress: "malformed_json" | "invalid_request" | "unauthenticated" | "insufficient_scope" | "not_submitter" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "body_too_large" | "unsupported_media_type" | "host_not_allowed" | "invalid_address" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  unbindAddress: "invalid_request" | "unauthenticated" | "insufficient_scope" | "origin_not_allowed" | "not_found" | "not_acceptable" | "request_timeout" | "host_not_allowed" | "invalid_address" | "rate_limited" | "headers_too_large" | "internal" | "store_unavailable" | "shutting_down" | "server_busy";
  getChain: "invalid_request" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "engine_unavailable" | "store_unavailable" | "shutting_down" | "server_busy";
  getLiveness: "invalid_request" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "host_not_allowed" | "headers_too_large" | "internal" | "server_busy";
  getReadiness: "invalid_request" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "host_not_allowed" | "headers_too_large" | "internal" | "engine_unavailable" | "store_unavailable" | "shutting_down";
  getMetrics: "invalid_request" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "server_busy";
  getApiCatalog: "invalid_request" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "server_busy";
  getOpenapiJson: "invalid_request" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "shutting_down";
  getOpenapiYaml: "invalid_request" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "shutting_down";
  getOpenapiClientJson: "invalid_request" | "origin_not_allowed" | "not_acceptable" | "request_timeout" | "host_not_allowed" | "rate_limited" | "headers_too_large" | "internal" | "shutting_down";
}

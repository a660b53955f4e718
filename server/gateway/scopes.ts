/**
 * Scopes of a token. `transactions:cancel-any` cancels what another owner submitted; `webhooks:manage` is for the owner's own endpoints
 * (with `transactions:read` where events begin to flow), `access:manage` for the tokens of all.
 */
export type Scope =
  | 'transactions:read'
  | 'transactions:write'
  | 'transactions:cancel-any'
  | 'rpc:broadcast'
  | 'webhooks:manage'
  | 'access:manage';

export const SCOPES: readonly Scope[] = [
  'transactions:read',
  'transactions:write',
  'transactions:cancel-any',
  'rpc:broadcast',
  'webhooks:manage',
  'access:manage',
];

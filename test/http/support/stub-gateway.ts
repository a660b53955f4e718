/**
 * The gateway's port in memory, for what the HTTP layer itself promises: it notes every call and answers what a test
 * tells it to. What the real gateway promises is tested with the real gateway.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/steps.ts';
import { END_OF_BLOCK } from '../../../server/gateway/event-types.ts';
import type {
  AccountEntry,
  AccountView,
  CancelAnswer,
  ChainEvent,
  ChainView,
  Gateway,
  GatewayMetrics,
  ListPage,
  Principal,
  Readiness,
  ReceiptAnswer,
  Refusal,
  Submitted,
  TransactionDetail,
  TransactionRecord,
} from '../../../server/gateway/types.ts';
import type { AccessApi } from '../../../server/gateway/access/api.ts';
import type { WebhookApi } from '../../../server/gateway/webhooks/api.ts';
import { ACCESS_ANSWERS } from './access-answers.ts';
import { WEBHOOK_ANSWERS } from './webhook-answers.ts';

export const SENDER = 'txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz';
export const RECEIVER = 'txlt1s6qu97hkxjf5g2wy7vxyq9g6rqlxx2cfnq2u5yrj2stqvq5nglpq20x7jq';
export const TX_HASH = '2CA587E992E30E9096008AE35B238C8990A6D32D741CFCE86CF97DCF71BFB800';

/** A transfer that every schema rule lets through. */
export const TRANSFER = { from: SENDER, to: RECEIVER, amount: '100', nonce: 0, signature: 'ab'.repeat(64) };

export const PENDING: TransactionRecord = {
  txHash: TX_HASH,
  from: SENDER,
  to: RECEIVER,
  amount: '100',
  status: 'pending',
  firstSeenAtMs: Date.UTC(2026, 10, 21, 9, 30, 1, 250),
  reason: { code: 'broadcast', detail: 'It is broadcast to the chain.' },
};
const { reason: _reason, ...settled } = PENDING;
export const COMMITTED: TransactionRecord = {
  ...settled,
  status: 'committed',
  height: 42,
  blockTimeMs: Date.UTC(2026, 10, 21, 9, 30, 2),
};
export const CANCELLED: TransactionRecord = { ...COMMITTED, status: 'cancelled' };

export const ENTRY: AccountEntry = {
  height: 42,
  index: 0,
  blockTimeMs: Date.UTC(2026, 10, 21, 9, 30, 1),
  txHash: COMMITTED.txHash,
  direction: 'out',
  counterparty: RECEIVER,
  amount: '100',
  balanceAfter: '900',
  reference: 'Invoice 17',
};

export const EVENT: ChainEvent = {
  height: 1204,
  index: 3,
  blockTimeMs: Date.UTC(2026, 10, 21, 9, 30, 1),
  type: 'transaction.committed',
  transaction: {
    txHash: COMMITTED.txHash,
    from: SENDER,
    to: RECEIVER,
    amount: '100',
    nonce: 0,
    reference: 'INV 2026/17',
    status: 'committed',
  },
  owner: 'dev',
};

export const ACCOUNT = {
  address: SENDER,
  balance: '1000',
  available: '750',
  pendingOut: '250',
  nonce: 3,
  nextNonce: 5,
  gaps: [{ first: 5, last: 6 }],
  height: 42,
  blockTimeMs: Date.UTC(2026, 10, 21, 9, 30, 2),
};
/** The contract's own example. */
export const RECEIPT: ReceiptAnswer['receipt'] = JSON.parse(
  readFileSync(join(ROOT, 'generated', 'openapi.json'), 'utf8'),
).components.examples.PaymentReceipt.value;

/** One token for each set of scopes that a test may need. */
export const TOKENS: Readonly<Record<string, Principal>> = {
  txl_full_secret: {
    tokenId: 'full',
    owner: 'dev',
    scopes: ['transactions:read', 'transactions:write', 'rpc:broadcast', 'webhooks:manage', 'access:manage'],
  },
  txl_read_secret: { tokenId: 'read', owner: 'dev', scopes: ['transactions:read'] },
  txl_write_secret: { tokenId: 'write', owner: 'dev', scopes: ['transactions:write'] },
  txl_none_secret: { tokenId: 'none', owner: 'dev', scopes: [] },
};
export const TOKEN = 'txl_full_secret';

export interface Calls {
  method: keyof Gateway | keyof WebhookApi | keyof AccessApi;
  args: unknown[];
}

/** Answers are plain fields, so that a test can replace any of them. */
export class StubGateway implements Gateway {
  /** Everything asked but `authenticate`. */
  calls: Calls[] = [];
  onSubmit: () => Promise<Submitted | Refusal> = async () => ({ ok: true, replayed: false, transaction: PENDING });
  onSubmitBatch: Gateway['submitBatch'] = async (inputs) =>
    inputs.map(() => ({ ok: true, replayed: false, transaction: PENDING }));
  onWait: (txHash: string, waitMs: number, signal?: AbortSignal) => Promise<TransactionRecord | undefined> = async () =>
    COMMITTED;
  onCancel: (signal?: AbortSignal) => Promise<CancelAnswer | Refusal> = async () => ({
    ok: true,
    decided: true,
    transaction: CANCELLED,
  });
  onList: () => Promise<ListPage | Refusal> = async () => ({
    ok: true,
    transactions: [PENDING, COMMITTED],
    height: 42,
    nextCursor: 'AAAAAAAAAco',
  });
  onGet: () => Promise<TransactionDetail | Refusal | undefined> = async () => ({
    ...COMMITTED,
    nonce: 0,
    history: [{ atMs: PENDING.firstSeenAtMs, event: 'accepted' }],
    ledgerHeight: 42,
  });
  onReceipt: Gateway['receipt'] = async (txHash) => ({ ok: true, receipt: { ...RECEIPT, txHash }, ledgerHeight: 42 });
  onAccount: () => Promise<AccountView | Refusal> = async () => ({ ok: true, ...ACCOUNT });
  onAccounts: Gateway['accounts'] = async (addresses) => ({
    ok: true,
    accounts: addresses.map((address) => ({ ok: true, ...ACCOUNT, address })),
    height: ACCOUNT.height,
    blockTimeMs: ACCOUNT.blockTimeMs,
  });
  onCheck: Gateway['check'] = async () => ({
    ok: true,
    judgement: { kind: 'accepted' },
    signatureStatus: 'valid',
    signBytes: 'txledger-transfer-v1\n{}',
    txHash: TX_HASH,
    account: { ok: true, ...ACCOUNT },
  });
  onAccountAt: Gateway['accountAt'] = async (address, height) => ({
    ok: true,
    address,
    balance: '900',
    nonce: 2,
    height,
    blockTimeMs: Date.UTC(2026, 10, 21, 9, 30, 1),
    ledgerHeight: 42,
  });
  onEntries: Gateway['entries'] = async () => ({ ok: true, entries: [ENTRY], height: 42, nextCursor: 'AAAAAAAAAco' });
  onEvents: Gateway['events'] = async ({ order }) => ({
    ok: true,
    events: [EVENT],
    height: 1204,
    nextCursor: 'AAAAAAAAAco',
    place: { height: 1204, index: order === 'asc' ? END_OF_BLOCK : 3 },
    scanned: 1,
  });
  onWebhook: (name: keyof WebhookApi) => unknown = (name) => WEBHOOK_ANSWERS[name];
  /** Not a field: `reset` would take over that of another gateway. */
  get webhooks(): WebhookApi {
    return new Proxy({} as WebhookApi, {
      get:
        (_, name) =>
        async (...args: unknown[]) => {
          this.calls.push({ method: name as keyof WebhookApi, args });
          return this.onWebhook(name as keyof WebhookApi);
        },
    });
  }
  onAccess: (name: keyof AccessApi) => unknown = (name) => ACCESS_ANSWERS[name];
  get access(): AccessApi {
    return new Proxy({} as AccessApi, {
      get:
        (_, name) =>
        async (...args: unknown[]) => {
          this.calls.push({ method: name as keyof AccessApi, args });
          return this.onAccess(name as keyof AccessApi);
        },
    });
  }
  onAuthenticate: (token: string) => Promise<Principal | Refusal | undefined> = async (token) => TOKENS[token];
  onReadiness: () => Promise<Readiness> = async () => ({
    ready: true,
    checks: (['engine', 'block_age', 'store', 'accepting'] as const).map((name) => ({
      name,
      ok: true,
      detail: 'fine',
    })),
  });
  onChain: () => Promise<ChainView> = async () => ({
    chainId: 'txledger-dev-1',
    addressPrefix: 'txlt',
    height: 42,
    lastBlockTimeMs: Date.UTC(2026, 10, 21, 9, 30, 2),
    blockIntervalMs: 1000,
    idleBlockIntervalMs: 60_000,
    genesisHash: 'A'.repeat(64),
    currency: { code: 'DEV', scale: 2 },
    openingMinimum: '1',
    format: 2,
  });

  onRpc: Gateway['rpc'] = async () => ({ ok: true, json: '{}' });
  onRpcEvents: Gateway['rpcEvents'] = async ({ fromHeight }) => ({ known: true, nextHeight: fromHeight, blocks: [] });
  onWaitForHeight: Gateway['waitForHeight'] = async () => 42;
  onReach: Gateway['reach'] = async () => undefined;
  onWaitForBlock: Gateway['waitForBlock'] = async () => 42;

  #note<T>(method: keyof Gateway, args: unknown[], answer: Promise<T>): Promise<T> {
    this.calls.push({ method, args });
    return answer;
  }

  submit(...args: Parameters<Gateway['submit']>): ReturnType<Gateway['submit']> {
    return this.#note('submit', args, this.onSubmit());
  }
  submitBatch(...args: Parameters<Gateway['submitBatch']>): ReturnType<Gateway['submitBatch']> {
    return this.#note('submitBatch', args, this.onSubmitBatch(...args));
  }
  waitUntilSettled(...args: Parameters<Gateway['waitUntilSettled']>): ReturnType<Gateway['waitUntilSettled']> {
    return this.#note('waitUntilSettled', args, this.onWait(...args));
  }
  cancel(...args: Parameters<Gateway['cancel']>): ReturnType<Gateway['cancel']> {
    return this.#note('cancel', args, this.onCancel(args[3]));
  }
  submitCancel(...args: Parameters<Gateway['submitCancel']>): ReturnType<Gateway['submitCancel']> {
    return this.#note('submitCancel', args, this.onCancel(args[4]));
  }
  list(...args: Parameters<Gateway['list']>): ReturnType<Gateway['list']> {
    return this.#note('list', args, this.onList());
  }
  get(...args: Parameters<Gateway['get']>): ReturnType<Gateway['get']> {
    return this.#note('get', args, this.onGet());
  }
  receipt(...args: Parameters<Gateway['receipt']>): ReturnType<Gateway['receipt']> {
    return this.#note('receipt', args, this.onReceipt(...args));
  }
  account(...args: Parameters<Gateway['account']>): ReturnType<Gateway['account']> {
    return this.#note('account', args, this.onAccount());
  }
  accountAt(...args: Parameters<Gateway['accountAt']>): ReturnType<Gateway['accountAt']> {
    return this.#note('accountAt', args, this.onAccountAt(...args));
  }
  entries(...args: Parameters<Gateway['entries']>): ReturnType<Gateway['entries']> {
    return this.#note('entries', args, this.onEntries(...args));
  }
  events(...args: Parameters<Gateway['events']>): ReturnType<Gateway['events']> {
    return this.#note('events', args, this.onEvents(...args));
  }
  accounts(...args: Parameters<Gateway['accounts']>): ReturnType<Gateway['accounts']> {
    return this.#note('accounts', args, this.onAccounts(...args));
  }
  check(...args: Parameters<Gateway['check']>): ReturnType<Gateway['check']> {
    return this.#note('check', args, this.onCheck(...args));
  }
  chain(): ReturnType<Gateway['chain']> {
    return this.#note('chain', [], this.onChain());
  }
  authenticate(token: string): ReturnType<Gateway['authenticate']> {
    return this.onAuthenticate(token);
  }
  readiness(): ReturnType<Gateway['readiness']> {
    return this.#note('readiness', [], this.onReadiness());
  }
  metrics(): ReturnType<Gateway['metrics']> {
    return this.#note('metrics', [], Promise.resolve(METRICS));
  }
  rpc(...args: Parameters<Gateway['rpc']>): ReturnType<Gateway['rpc']> {
    return this.#note('rpc', args, this.onRpc(...args));
  }
  rpcEvents(...args: Parameters<Gateway['rpcEvents']>): ReturnType<Gateway['rpcEvents']> {
    return this.onRpcEvents(...args);
  }
  waitForHeight(...args: Parameters<Gateway['waitForHeight']>): ReturnType<Gateway['waitForHeight']> {
    return this.onWaitForHeight(...args);
  }
  reach(...args: Parameters<Gateway['reach']>): ReturnType<Gateway['reach']> {
    return this.#note('reach', args, this.onReach(...args));
  }
  waitForBlock(...args: Parameters<Gateway['waitForBlock']>): ReturnType<Gateway['waitForBlock']> {
    return this.onWaitForBlock(...args);
  }
  async drain(): Promise<void> {}
  async close(): Promise<void> {}

  /** Forgets all calls and answers as at first. */
  reset(): void {
    Object.assign(this, new StubGateway());
  }
}

export const METRICS: GatewayMetrics = {
  pending: 1,
  accepted_total: 2,
  replayed_total: 3,
  refused_total: 4,
  committed_total: 5,
  failed_total: 6,
  cancelled_total: 7,
  expired_total: 8,
  broadcast_total: 9,
  group_commits_total: 10,
  group_commit_items_total: 11,
  group_commit_size_max: 12,
  token_lookups_known_total: 7,
  token_lookups_unknown_total: 2,
  cancel_outbox: 13,
  active: 1,
  senders_held_up: 14,
  settlement_stalled_seconds: 0,
  follower_height: 14,
  follower_block_time_ms: 15_000,
};

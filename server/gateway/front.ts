/**
 * The ledger service client of an HTTP thread: runs the stateless checks on the caller's thread and calls the ledger service for the rest.
 */
import { InFlight } from '../engine/in-flight.ts';
import type { Clock, Tracer } from '../engine/ports.ts';
import type { ChainContext } from '../ledger/index.ts';
import { parseAddress } from '../ledger/index.ts';
import type { AccessApi } from './access/api.ts';
import { frontAccess, NO_ACCESS } from './access/front-access.ts';
import { isJwt, type JwtAuthentication } from './access/jwt.ts';
import { TokenCache } from './access/token-cache.ts';
import { TokenUses } from './access/token-uses.ts';
import { admitTransfer } from './admission.ts';
import { submitBatch } from './batch.ts';
import { checkTransfer } from './check.ts';
import type { GatewayCoreApi, GatewayReads, Submission, Wait } from './core-api.ts';
import { FrontCalls } from './front-calls.ts';
import { isBroadcastMethod } from './rpc/broadcast.ts';
import { FRONT_CALLS_MAX, HEIGHT_AHEAD_MAX, HEIGHT_WAIT_MS_MAX } from './limits.ts';
import { aheadOfLog } from './list/event-pages.ts';
import { findReceipt } from './receipt.ts';
import {
  accountsFault,
  notReached,
  NOT_SUBMITTER_DETAIL,
  refuse,
  refuseAddress,
  refuseField,
  UNKNOWN_TRANSFER_DETAIL,
} from './refusals.ts';
import { readSignedCancel } from './signed-cancel.ts';
import { NO_STATEMENTS, type StatementReads } from './statements.ts';
import type { Gateway, ListQuery, Principal, Refusal, Submitted, TransferInput } from './types.ts';
import type { WebhookApi } from './webhooks/api.ts';
import { frontWebhooks, NO_WEBHOOKS } from './webhooks/front-webhooks.ts';
import type { VerifySignatures } from './verification.ts';
import { verifyInTurns } from './verification.ts';

export interface GatewayFrontOptions {
  chain: ChainContext;
  clock: Clock;
  /** Answers list, get and account on the caller's thread; absent where the ledger service does. */
  reads?: GatewayReads | undefined;
  /** Absent where no statements are kept. */
  statements?: StatementReads | undefined;
  /** Absent where there are no webhooks. */
  webhooks?: WebhookApi | undefined;
  /** Absent where it cannot be managed. */
  access?: AccessApi | undefined;
  /** Absent where JWTs are not accepted. */
  jwts?: JwtAuthentication | undefined;
  /** For batches. Absent: this thread verifies them, in turns. */
  verifySignatures?: VerifySignatures | undefined;
  /** First number of this client's waits: the ledger service distinguishes the waits of several HTTP threads by their numbers. */
  firstWait?: number;
  /** Concurrent calls that carry submissions to the ledger service. */
  callsMax?: number;
  /** Absent where nothing is traced. */
  tracer?: Tracer | undefined;
}

const HASH_PATTERN = /^[0-9A-Fa-f]{64}$/;

/** `core` may be on another thread. */
export function createGatewayFront(core: GatewayCoreApi, options: GatewayFrontOptions): Gateway {
  return new Front(core, options);
}

class Front implements Gateway {
  readonly access: AccessApi;
  readonly webhooks: WebhookApi;
  readonly #core: GatewayCoreApi;
  readonly #reads: GatewayReads;
  readonly #statements: StatementReads;
  readonly #chain: ChainContext;
  readonly #clock: Clock;
  readonly #calls: FrontCalls;
  readonly #verifySignatures: VerifySignatures;
  readonly #tokens: TokenCache;
  readonly #jwts: JwtAuthentication | undefined;
  readonly #uses: TokenUses;
  readonly #tracer: Tracer | undefined;
  readonly #inFlight = new InFlight<Promise<unknown>>();
  #draining = false;
  #waits: number;
  /** The highest block that `reach` has seen reads include. */
  #reached = 0;

  constructor(
    core: GatewayCoreApi,
    {
      chain,
      clock,
      reads = core,
      statements = NO_STATEMENTS,
      webhooks = NO_WEBHOOKS,
      access = NO_ACCESS,
      jwts,
      verifySignatures = verifyInTurns(clock),
      firstWait = 0,
      callsMax = FRONT_CALLS_MAX,
      tracer,
    }: GatewayFrontOptions,
  ) {
    this.#core = core;
    this.#reads = reads;
    this.#statements = statements;
    const gate = async <T>(change: () => Promise<T | Refusal>): Promise<T | Refusal> =>
      this.#draining ? shuttingDown() : await this.#track(change());
    this.access = frontAccess(access, gate);
    this.webhooks = frontWebhooks(webhooks, gate);
    this.#chain = chain;
    this.#clock = clock;
    this.#tracer = tracer;
    this.#verifySignatures = verifySignatures;
    this.#waits = firstWait;
    this.#calls = new FrontCalls((submissions) => core.submitGroup(submissions), callsMax);
    this.#tokens = new TokenCache(clock, (id) => core.token(id));
    this.#jwts = jwts;
    this.#uses = new TokenUses(clock, (uses) => core.tokensUsed(uses));
  }

  submit: Gateway['submit'] = async (input, principal, idempotencyKey) => {
    if (this.#draining) return shuttingDown();
    return await this.#track(this.#submit(input, principal, idempotencyKey));
  };

  submitBatch: Gateway['submitBatch'] = async (inputs, principal) => {
    if (this.#draining) return shuttingDown();
    const parts = {
      core: this.#core,
      chain: this.#chain,
      clock: this.#clock,
      verifySignatures: this.#verifySignatures,
      tracer: this.#tracer,
    };
    return await this.#track(submitBatch(parts, inputs, principal));
  };

  check: Gateway['check'] = async (input, principal) => {
    if (this.#draining) return shuttingDown();
    return await this.#track(checkTransfer(this.#core, this.#chain, input, principal));
  };

  waitUntilSettled: Gateway['waitUntilSettled'] = async (txHash, waitMs, signal) => {
    if (!HASH_PATTERN.test(txHash)) return undefined;
    return await this.#waiting(this.#draining ? 0 : waitMs, signal, (wait) =>
      this.#core.waitUntilSettled(txHash.toUpperCase(), wait),
    );
  };

  cancel: Gateway['cancel'] = async (txHash, principal, waitMs, signal) => {
    if (this.#draining) return shuttingDown();
    if (!HASH_PATTERN.test(txHash))
      return refuse('not_found', 'The hash of a transfer has 64 hex digits. Check the hash.');
    return await this.#track(
      this.#waiting(waitMs, signal, (wait) => this.#core.cancel(txHash.toUpperCase(), principal, wait)),
    );
  };

  submitCancel: Gateway['submitCancel'] = async (txHash, signature, principal, waitMs, signal) => {
    if (this.#draining) return shuttingDown();
    const hash = txHash.toUpperCase();
    const transfer = await this.get(hash);
    if (transfer === undefined) return refuse('not_found', UNKNOWN_TRANSFER_DETAIL, { txHash: hash });
    if ('ok' in transfer) return transfer;
    const cancel = readSignedCancel(this.#chain, transfer, hash, signature);
    if (!cancel.ok) return cancel;
    return await this.#track(
      this.#waiting(waitMs, signal, (wait) => this.#core.cancel(hash, principal, wait, cancel.raw)),
    );
  };

  list: Gateway['list'] = async (query) => {
    const fault = slotFault(query) ?? this.#addressFault(query);
    return fault ?? (await this.#reads.list(query));
  };

  get: Gateway['get'] = async (txHash) =>
    HASH_PATTERN.test(txHash) ? await this.#reads.get(txHash.toUpperCase()) : undefined;

  account: Gateway['account'] = async (address) => {
    return this.#pathFault(address) ?? (await this.#reads.account(address));
  };

  accounts: Gateway['accounts'] = async (addresses) =>
    accountsFault(addresses, this.#chain.addressPrefix) ?? (await this.#reads.accounts(addresses));

  accountAt: Gateway['accountAt'] = async (address, height) =>
    this.#pathFault(address) ?? (await this.#statements.accountAt(address, height));

  entries: Gateway['entries'] = async (query) =>
    this.#pathFault(query.address) ?? (await this.#statements.entries(query));

  events: Gateway['events'] = async (query) => {
    const fault = this.#addressFault(query);
    if (fault !== undefined) return fault;
    const page = await this.#reads.events(query);
    const { chainId } = this.#chain;
    if (!page.ok || aheadOfLog(chainId, query, page.height) === undefined) return page;
    // Over a network the rows may be behind the chain that the place is of.
    const head = Math.max(page.height, await this.#core.waitForBlock(0, 0));
    return aheadOfLog(chainId, query, head) ?? page;
  };

  receipt: Gateway['receipt'] = async (txHash, { owner }, waitMs, signal) => {
    if (!HASH_PATTERN.test(txHash))
      return refuse('not_found', 'The hash of a transfer has 64 hex digits. Check the hash.');
    const parts = { core: this.#core, reads: this.#reads, clock: this.#clock };
    return await findReceipt(parts, txHash.toUpperCase(), owner, this.#draining ? 0 : waitMs, (ms) =>
      this.waitUntilSettled(txHash, ms, signal),
    );
  };

  chain: Gateway['chain'] = () => this.#core.chain();

  rpc: Gateway['rpc'] = async (method, args, principal) => {
    const caller = principal && { owner: principal.owner, tokenId: principal.tokenId, limits: principal.limits };
    if (!isBroadcastMethod(method)) return await this.#core.rpc(method, args, caller);
    if (!this.#draining) return await this.#track(this.#core.rpc(method, args, caller));
    return {
      ok: false,
      status: 503,
      error: { code: -32603, message: 'Internal error', data: 'the service is shutting down, try again later' },
    };
  };

  rpcEvents: Gateway['rpcEvents'] = (request) => this.#core.rpcEvents(request);

  waitForHeight: Gateway['waitForHeight'] = (height, timeoutMs) => this.#core.waitForHeight(height, timeoutMs);

  waitForBlock: Gateway['waitForBlock'] = (height, timeoutMs) => this.#core.waitForBlock(height, timeoutMs);

  reach: Gateway['reach'] = async (height) => {
    // Every read of the client package sends one, and between two blocks it is the same.
    if (height <= this.#reached) return undefined;
    let reached = await this.#reads.waitForHeight(height, 0);
    if (reached < height && height - reached <= HEIGHT_AHEAD_MAX && !this.#draining)
      reached = await this.#reads.waitForHeight(height, HEIGHT_WAIT_MS_MAX);
    this.#reached = Math.max(this.#reached, reached);
    return reached < height ? notReached(reached, height) : undefined;
  };

  // Without a promise for a token that is in the cache: every request comes through here.
  authenticate: Gateway['authenticate'] = (token) => {
    if (this.#jwts !== undefined && isJwt(token)) return this.#jwts.authenticate(token);
    const found = this.#tokens.authenticate(token);
    return found instanceof Promise ? found.then((later) => this.#used(later)) : this.#used(found);
  };

  readiness: Gateway['readiness'] = () => this.#core.readiness();

  metrics: Gateway['metrics'] = async () => {
    const { known, unknown } = this.#tokens.lookups;
    return { ...(await this.#core.metrics()), token_lookups_known_total: known, token_lookups_unknown_total: unknown };
  };

  drain: Gateway['drain'] = async () => {
    this.#draining = true;
    // Waits would outlast the drain. Submissions that came before are still taken; only then does the ledger service stop taking any.
    await this.#core.endWaits();
    await Promise.allSettled(this.#inFlight.items());
    await this.#uses.flush();
    await this.#core.drain();
  };

  close: Gateway['close'] = () => this.#core.close();

  #used<Found extends Awaited<ReturnType<TokenCache['authenticate']>>>(found: Found): Found {
    if (found !== undefined && !('ok' in found)) this.#uses.used(found.tokenId);
    return found;
  }

  async #submit(
    input: TransferInput,
    principal: Principal,
    idempotencyKey: string | undefined,
  ): Promise<Submitted | Refusal> {
    const parent = this.#tracer?.active();
    const verifying = parent && this.#tracer?.begin({ name: 'verify', parent });
    const admission = admitTransfer(this.#chain, input);
    verifying?.end();
    if (admission.ok) {
      const submission: Submission = { ...admission.transfer, owner: principal.owner, tokenId: principal.tokenId };
      if (principal.limits?.pendingMax !== undefined) submission.pendingMax = principal.limits.pendingMax;
      if (parent?.traceparent !== undefined) submission.trace = parent.traceparent;
      return await this.#calls.submit(idempotencyKey === undefined ? submission : { ...submission, idempotencyKey });
    }
    // The binding of the address is checked before signature and hash, so that a caller who may not act for it gets no result of these.
    const beforeBinding = admission.code === 'invalid_request' || admission.code === 'invalid_address';
    if (beforeBinding) return admission;
    const may = await this.#core.mayActFor(input.from, principal.owner);
    if (typeof may !== 'boolean') return may;
    if (may) return admission;
    return refuse('not_submitter', NOT_SUBMITTER_DETAIL);
  }

  /** Runs a call that the caller may end early. */
  async #waiting<T>(ms: number, signal: AbortSignal | undefined, call: (wait: Wait) => Promise<T>): Promise<T> {
    const trace = this.#tracer?.active()?.traceparent;
    const wait = { id: ++this.#waits, ms: signal?.aborted === true ? 0 : ms, ...(trace !== undefined && { trace }) };
    const end = (): void => void this.#core.endWait(wait.id);
    signal?.addEventListener('abort', end, { once: true });
    try {
      return await call(wait);
    } finally {
      signal?.removeEventListener('abort', end);
    }
  }

  async #track<T>(work: Promise<T>): Promise<T> {
    const end = this.#inFlight.begin(work);
    try {
      return await work;
    } finally {
      end();
    }
  }

  #pathFault(address: string): Refusal | undefined {
    const parsed = parseAddress(address, this.#chain.addressPrefix);
    return parsed.ok ? undefined : refuseAddress('#/path/address', parsed, this.#chain.addressPrefix);
  }

  #addressFault(query: Pick<ListQuery, 'from' | 'to'> & { account?: string | undefined }): Refusal | undefined {
    for (const name of ['from', 'to', 'account'] as const) {
      const address = query[name];
      if (address === undefined) continue;
      const parsed = parseAddress(address, this.#chain.addressPrefix);
      if (!parsed.ok) return refuseAddress(`#/query/${name}`, parsed, this.#chain.addressPrefix);
    }
    return undefined;
  }
}

/** A nonce counts the transfers of one account, so alone it names nothing. */
function slotFault({ from, nonce }: ListQuery): Refusal | undefined {
  if (nonce === undefined || from !== undefined) return undefined;
  return refuseField(
    'invalid_request',
    '#/query/nonce',
    'The parameter nonce needs the parameter from: each account counts its own nonces. Send from with it.',
  );
}

const shuttingDown = (): Refusal =>
  refuse('shutting_down', 'The service is shutting down. Send the request again in a moment, over a new connection.', {
    retryAfterS: 1,
  });

/**
 * The HTTP side of a test ledger: a `fetch` that answers the operations of payments with the service's own handlers. The measures with
 * which a service protects itself (rates, hosts, limits of connections) are left out: a test of an application does not reach them.
 * There are no receipts either: blocks of a test are not signed.
 */
import { Buffer } from 'node:buffer';
import { BATCH_TRANSFERS_MAX } from '../../../server/gateway/limits.ts';
import type { FieldError, Gateway, Principal, Scope } from '../../../server/gateway/types.ts';
import { challenge, readBearer, scopeChallenge } from '../../../server/http/bearer.ts';
import { BATCH_BODY_BYTES_MAX, BODY_BYTES_MAX } from '../../../server/http/limits.ts';
import { accepts, isIdentityEncoding, isJsonMediaType, preferred } from '../../../server/http/media-type.ts';
import { bodyOf } from '../../../server/http/reply-body.ts';
import { cancelTransaction } from '../../../server/http/operations/cancelTransaction.ts';
import { checkTransaction } from '../../../server/http/operations/checkTransaction.ts';
import { getAccount } from '../../../server/http/operations/getAccount.ts';
import { getChain } from '../../../server/http/operations/getChain.ts';
import { getTransaction } from '../../../server/http/operations/getTransaction.ts';
import { listAccounts } from '../../../server/http/operations/listAccounts.ts';
import { listEntries } from '../../../server/http/operations/listEntries.ts';
import { listEvents } from '../../../server/http/operations/listEvents.ts';
import { listTransactions } from '../../../server/http/operations/listTransactions.ts';
import type { HandlerParts } from '../../../server/http/operations/parts.ts';
import { submitCancel } from '../../../server/http/operations/submitCancel.ts';
import { submitTransaction } from '../../../server/http/operations/submitTransaction.ts';
import { submitTransactionBatch } from '../../../server/http/operations/submitTransactionBatch.ts';
import {
  buildProblem,
  PROBLEM_MEDIA_TYPE,
  type ProblemInit,
  problemOfRefusal,
} from '../../../server/http/problem/problem.ts';
import { describeFaults } from '../../../server/http/problem/describe-faults.ts';
import { readQuery } from '../../../server/http/query.ts';
import { RequestIds } from '../../../server/http/request-id.ts';
import { readStrictJson } from '../../../server/platform/strict-json.ts';
import { CONTRACT_VERSION, PROBLEMS } from '../../../generated/problems.ts';
import { openEventStream, type StreamCall } from './event-stream.ts';
import {
  ACCOUNT_QUERY,
  ADDRESSES,
  BODY,
  BODY_OPTIONAL,
  CANCEL_BODY,
  ENTRY_QUERY,
  EVENT_QUERY,
  faultsIn,
  HEADER,
  IDEMPOTENCY_KEY,
  parametersOf,
  PATH,
  QUERY,
  type Rules,
} from './fields.ts';
import type { MemoryGateway } from './memory-gateway.ts';

interface Call {
  path: Record<string, string>;
  query: Record<string, unknown>;
  header: Record<string, string>;
  body: unknown;
  principal: Principal | undefined;
  /** JSON, or a stream of events; only a real service sends documents of any length. */
  mediaType: string;
  requestId: string;
  signal: AbortSignal;
}
type Reply =
  | {
      status: number;
      body: unknown;
      text?: () => string;
      headers?: Record<string, string>;
      ledgerHeight?: number | undefined;
    }
  | { stream: ReadableStream<Uint8Array> }
  | { refusal: Parameters<typeof problemOfRefusal>[0] }
  | { problem: ProblemInit };
type Handler = (call: Call) => Promise<Reply>;
type Takes = 'transfer' | 'check' | 'batch' | 'cancel' | 'filters' | 'addresses' | 'height' | 'entries' | 'events';

/** The faults in the body of an operation that takes one. */
const BODIES: Partial<Record<Takes, (body: unknown) => FieldError[]>> = {
  transfer: (body) => transferFaults(body),
  check: (body) => transferFaults(body, true),
  batch: envelopeFaults,
  cancel: (body) => (isObject(body) ? faultsIn(body, '', CANCEL_BODY) : NO_OBJECT),
};

/** The allowed query of an operation. */
const QUERIES: Partial<Record<Takes, { required?: Rules; optional?: Rules }>> = {
  filters: { optional: QUERY },
  addresses: { required: ADDRESSES },
  height: { optional: ACCOUNT_QUERY },
  entries: { optional: ENTRY_QUERY },
  events: { optional: EVENT_QUERY },
};

interface Operation {
  readonly method: string;
  readonly path: RegExp;
  readonly scope?: Scope;
  readonly takes?: Takes;
  readonly handle: Handler;
}

const STREAM_MEDIA_TYPE = 'text/event-stream';
const LAST_EVENT_ID = 'Last-Event-ID';

/** Cause and resolution are in the documentation; an answer has neither. */
const CATALOGUE: Parameters<typeof buildProblem>[0] = Object.assign(
  new Map(Object.entries(PROBLEMS).map(([code, entry]) => [code, { ...entry, cause: '', resolution: '' }])),
  { contractVersion: CONTRACT_VERSION },
);

export class Service {
  readonly #operations: readonly Operation[];
  readonly #tokens: ReadonlyMap<string, Principal>;
  readonly #basePath: string;
  readonly #requestIds = new RequestIds('test');

  constructor(gateway: MemoryGateway, tokens: ReadonlyMap<string, Principal>, baseUrl: string) {
    // The handlers of these operations use no other members than the gateway in memory has.
    // The monotonic time is constant, so that a batch never yields between its transfers.
    const clock = { monotonicMs: () => 0, soon: () => undefined, nowMs: () => gateway.nowMs() } as Partial<
      HandlerParts['clock']
    > as HandlerParts['clock'];
    const eventStreams = { open: async (call: StreamCall) => openEventStream(gateway, call) };
    const parts = {
      gateway: gateway as unknown as Gateway,
      catalogue: CATALOGUE,
      transferFaults: (transfer: unknown) => transferFaults(transfer),
      clock,
      build: { version: 'test' },
      eventStreams: eventStreams as unknown as HandlerParts['eventStreams'],
    } as Partial<HandlerParts> as HandlerParts;
    const operation = (method: string, path: RegExp, handle: unknown, scope?: Scope, takes?: Takes): Operation => {
      return { method, path, handle: handle as Handler, ...(scope && { scope }), ...(takes && { takes }) };
    };
    this.#operations = [
      operation('GET', /^\/transactions$/, listTransactions(parts), 'transactions:read', 'filters'),
      operation('POST', /^\/transactions$/, submitTransaction(parts), 'transactions:write', 'transfer'),
      operation('POST', /^\/transactions\/batch$/, submitTransactionBatch(parts), 'transactions:write', 'batch'),
      operation('POST', /^\/transactions\/check$/, checkTransaction(parts), 'transactions:write', 'check'),
      operation(
        'GET',
        /^\/transactions\/(?!(?:batch|check)$)(?<txHash>[^/]+)$/,
        getTransaction(parts),
        'transactions:read',
      ),
      operation(
        'DELETE',
        /^\/transactions\/(?!(?:batch|check)$)(?<txHash>[^/]+)$/,
        cancelTransaction(parts),
        'transactions:write',
      ),
      operation(
        'POST',
        /^\/transactions\/(?<txHash>[^/]+)\/cancel$/,
        submitCancel(parts),
        'transactions:write',
        'cancel',
      ),
      operation('GET', /^\/accounts$/, listAccounts(parts), 'transactions:read', 'addresses'),
      operation('GET', /^\/accounts\/(?<address>[^/]+)$/, getAccount(parts), 'transactions:read', 'height'),
      operation('GET', /^\/accounts\/(?<address>[^/]+)\/entries$/, listEntries(parts), 'transactions:read', 'entries'),
      operation('GET', /^\/events$/, listEvents(parts), 'transactions:read', 'events'),
      operation('GET', /^\/chain$/, getChain(parts)),
    ];
    this.#tokens = tokens;
    this.#basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
  }

  async fetch(request: Request): Promise<Response> {
    const answer = await this.#answer(request);
    if (request.method !== 'HEAD') return answer;
    // A HEAD request for a stream leaves no stream open.
    await answer.body?.cancel();
    return new Response(null, { status: answer.status, headers: answer.headers });
  }

  async #answer(request: Request): Promise<Response> {
    request.signal.throwIfAborted();
    const requestId = this.#requestIds.of(request.headers.get('x-request-id') ?? undefined);
    const reply = await this.#reply(request, requestId);
    // As over a network: a caller that has aborted gets no answer, whether or not the request took effect.
    request.signal.throwIfAborted();
    if ('stream' in reply) return new Response(reply.stream, { headers: headersOf(STREAM_MEDIA_TYPE, requestId) });
    if ('status' in reply) {
      const { status, ledgerHeight } = reply;
      // A ledger in memory is never behind a height that it has shown, so `Ledger-Height-Min` has no effect.
      const height = ledgerHeight === undefined ? {} : { 'Ledger-Height': String(ledgerHeight) };
      return json(status, bodyOf(reply), 'application/json', requestId, { ...height, ...reply.headers });
    }
    const init = 'refusal' in reply ? problemOfRefusal(reply.refusal) : reply.problem;
    const { status, headers, body } = buildProblem(
      CATALOGUE,
      { requestId, target: new URL(request.url).pathname.slice(this.#basePath.length) },
      init,
    );
    return json(status, body, PROBLEM_MEDIA_TYPE, requestId, headers);
  }

  /** In the order in which a service checks: path, method, token, scope, form of the answer, body, query, fields. */
  async #reply(request: Request, requestId: string): Promise<Reply> {
    const url = new URL(request.url);
    const path = url.pathname.startsWith(`${this.#basePath}/`) ? url.pathname.slice(this.#basePath.length) : '';
    const known = this.#operations.filter((operation) => operation.path.test(path));
    const operation = known.find(({ method }) => method === (request.method === 'HEAD' ? 'GET' : request.method));
    if (known.length === 0)
      return refused('not_found', 'This path does not exist. Letter case and trailing slashes count.');
    if (operation === undefined) {
      const allow = known.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
      return refused('method_not_allowed', `This path has no ${request.method}; it has ${allow}.`, {
        headers: { Allow: allow },
      });
    }
    const authorised = this.#authorise(request, operation);
    if ('problem' in authorised) return authorised;
    const offered = operation.takes === 'events' ? ['application/json', STREAM_MEDIA_TYPE] : ['application/json'];
    const accept = request.headers.get('accept') ?? undefined;
    if (!accepts(accept, offered))
      return refused(
        'not_acceptable',
        `The Accept header rules out ${offered.join(' and ')}.` as ProblemInit['detail'],
      );
    const read = await readRequest(request, operation, url.search.slice(1));
    if ('problem' in read) return read;
    const values = Object.fromEntries(
      Object.entries(operation.path.exec(path)?.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
    const pathRules = Object.fromEntries(
      Object.keys(values).flatMap((name) => (PATH[name] ? [[name, PATH[name]]] : [])),
    );
    const key = operation.takes === 'transfer' ? request.headers.get(IDEMPOTENCY_KEY) : null;
    const lastId = operation.takes === 'events' ? request.headers.get(LAST_EVENT_ID) : null;
    const keyFaults = key === null ? [] : faultsIn({ [IDEMPOTENCY_KEY.toLowerCase()]: key }, '#/header', HEADER);
    const faults = [...faultsIn(values, '#/path', pathRules), ...keyFaults, ...read.faults];
    if (faults.length > 0) return refused('invalid_request', describeFaults(faults), { errors: faults });
    const prefer = request.headers.get('prefer');
    const header: Record<string, string> = {
      ...(prefer !== null && { Prefer: prefer }),
      ...(key !== null && { [IDEMPOTENCY_KEY]: key }),
      ...(lastId !== null && { [LAST_EVENT_ID]: lastId }),
    };
    return operation.handle({
      path: values,
      query: read.query,
      header,
      body: read.body,
      principal: authorised.principal,
      mediaType: preferred(accept, offered),
      requestId,
      signal: request.signal,
    });
  }

  #authorise(
    request: Request,
    { scope, method }: Operation,
  ): { principal: Principal | undefined } | { problem: ProblemInit } {
    if (scope === undefined) return { principal: undefined };
    const bearer = readBearer(request.headers.get('authorization') ?? undefined);
    const principal = bearer.ok ? this.#tokens.get(bearer.token) : undefined;
    if (principal === undefined) {
      const sent = bearer.ok || bearer.reason === 'malformed';
      const detail = sent
        ? 'The bearer token is unknown, expired or revoked.'
        : 'This operation needs Authorization: Bearer with a token of this ledger.';
      return refused('unauthenticated', detail, { headers: { 'WWW-Authenticate': challenge(sent) } });
    }
    if (principal.scopes.includes(scope)) return { principal };
    return refused('insufficient_scope', `The token lacks the scope ${scope}, which this ${method} needs.`, {
      headers: { 'WWW-Authenticate': scopeChallenge([scope]) },
    });
  }
}

interface Read {
  readonly body: unknown;
  readonly query: Record<string, unknown>;
  readonly faults: FieldError[];
}

async function readRequest(
  request: Request,
  { takes }: Operation,
  search: string,
): Promise<Read | { problem: ProblemInit }> {
  let body: unknown;
  const faults: FieldError[] = [];
  const bodyFaults = takes && BODIES[takes];
  if (bodyFaults !== undefined) {
    if (
      !isJsonMediaType(request.headers.get('content-type') ?? undefined) ||
      !isIdentityEncoding(request.headers.get('content-encoding') ?? undefined)
    ) {
      return refused(
        'unsupported_media_type',
        'The body must be application/json in UTF-8, without a Content-Encoding.',
      );
    }
    const bytes = Buffer.from(await request.arrayBuffer());
    const bytesMax = takes === 'batch' ? BATCH_BODY_BYTES_MAX : BODY_BYTES_MAX;
    if (bytes.length > bytesMax) return refused('body_too_large', `The body is larger than ${bytesMax} bytes.`);
    const read = readStrictJson(bytes);
    if (!read.ok) return refused('malformed_json', read.detail);
    body = read.value;
    faults.push(...bodyFaults(body));
  }
  const { required = {}, optional = {} } = (takes && QUERIES[takes]) ?? {};
  const parameters = parametersOf({ ...required, ...optional });
  const query = readQuery(search, parameters);
  if (!query.ok) return refused('invalid_request', describeFaults([query.error]), { errors: [query.error] });
  const values = Object.fromEntries(
    Object.entries(query.query).map(([name, value]) => [
      name,
      parameters.get(name)?.type === 'integer' ? Number(value) : value,
    ]),
  );
  faults.push(...faultsIn(values, '#/query', required, optional));
  return { body, query: values, faults };
}

const NO_OBJECT: FieldError[] = [{ pointer: '', message: 'It must be an object.' }];
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The faults in the body of a transfer. Null is the same as absent where a member is optional. */
function transferFaults(body: unknown, isCheck = false): FieldError[] {
  if (!isObject(body)) return NO_OBJECT;
  const { signature, ...required } = BODY;
  const optional = isCheck && signature !== undefined ? { ...BODY_OPTIONAL, signature } : BODY_OPTIONAL;
  for (const name of Object.keys(optional)) if (body[name] === null) delete body[name];
  return faultsIn(body, '', isCheck ? required : BODY, optional);
}

/** The faults of a batch outside its transfers. */
function envelopeFaults(body: unknown): FieldError[] {
  if (!isObject(body)) return NO_OBJECT;
  const { transactions, ...others } = body;
  const unknown = Object.keys(others).map((name): FieldError => ({
    pointer: `/${name}`,
    message: `The member "${name}" is not known here. Leave it out.`,
  }));
  if (Array.isArray(transactions) && transactions.length > 0 && transactions.length <= BATCH_TRANSFERS_MAX)
    return unknown;
  return [
    { pointer: '/transactions', message: `The list transactions must have 1 to ${BATCH_TRANSFERS_MAX} transfers.` },
    ...unknown,
  ];
}

function refused(
  code: ProblemInit['code'],
  detail: ProblemInit['detail'],
  more: Partial<ProblemInit> = {},
): { problem: ProblemInit } {
  return { problem: { code, detail, ...more } };
}

function json(status: number, body: unknown, mediaType: string, requestId: string, headers: object = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...headersOf(mediaType, requestId), ...headers } });
}

function headersOf(mediaType: string, requestId: string): Record<string, string> {
  return {
    'Content-Type': mediaType,
    'X-Request-Id': requestId,
    'Contract-Version': CONTRACT_VERSION,
    'Cache-Control': 'no-store',
  };
}

/**
 * The server's side of the contract, as types derived from the generated ones: what a handler of an operation is given
 * (`Call`) and everything it may answer (`Reply`). A handler that is missing or misspelt, a status that the operation
 * does not declare, a body or parameter of another shape does not compile; test/types/ holds the proofs.
 *
 * exact.ts has what refuses an answer with a member that the contract does not declare.
 */
import type { components, operations } from '../../../generated/openapi.ts';
import type { OperationProblems } from '../../../generated/problems.ts';
import type { Principal, Refusal, Sentence } from '../../gateway/types.ts';

/** Of what this service answers; what begins with `receive` is a message that it sends to a webhook. */
export type OperationId = Exclude<keyof operations, `receive${string}`>;
/** Operations of the chain's RPC: one way of serving for all, by the table of methods. */
export type RpcOperationId = Extract<OperationId, 'callRpc' | `getRpc${string}` | `postRpc${string}`>;
export type Schemas = components['schemas'];

/**
 * Operations that need no token. The generated types do not carry the contract's security requirements, so they are
 * named here; the server refuses to start when this differs from the contract.
 */
export type PublicOperationId =
  | 'getChain'
  | 'getApiCatalog'
  | 'getLiveness'
  | 'getReadiness'
  | 'getMetrics'
  | 'getOpenapiJson'
  | 'getOpenapiYaml'
  | 'getOpenapiClientJson';

type Operation<Id extends OperationId> = operations[Id];

type Parameters<Id extends OperationId, Place extends 'path' | 'query' | 'header'> =
  Exclude<Operation<Id>['parameters'][Place], undefined> extends infer Given
    ? [Given] extends [never]
      ? Record<never, never>
      : Given
    : never;

type RequestBody<Id extends OperationId> =
  Operation<Id> extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : undefined;

/** One valid, authorised request for the operation. */
export interface Call<Id extends OperationId> {
  path: Parameters<Id, 'path'>;
  query: Parameters<Id, 'query'>;
  /** By the names of the contract. */
  header: Parameters<Id, 'header'>;
  body: RequestBody<Id>;
  principal: Id extends PublicOperationId ? undefined : Principal;
  /** The form that the client likes best of those that the answer has; the first of the contract where it likes several. */
  mediaType: string;
  /** What the answer has as X-Request-Id. */
  requestId: string;
  /** Aborts when the client goes away before it has been answered. */
  readonly signal: AbortSignal;
}

/** Headers that the server itself puts on answers; a handler cannot. */
type ServerHeader =
  | 'X-Request-Id'
  | 'Contract-Version'
  | 'Cache-Control'
  | 'Ledger-Height'
  | 'ETag'
  | 'RateLimit'
  | 'RateLimit-Policy'
  | 'Retry-After'
  | 'WWW-Authenticate';
/** The contract's header objects do not reach the generated types with their `required`. */
type OptionalHeader = 'Preference-Applied';

/** Without the index signature that every generated header map has. */
type Named<Headers> = {
  [Name in keyof Headers as string extends Name ? never : number extends Name ? never : Name]: Headers[Name];
};
type HandlerHeaders<Headers> = Omit<Named<Headers>, ServerHeader | OptionalHeader> &
  Partial<Pick<Named<Headers>, OptionalHeader & keyof Named<Headers>>>;
type WithHeaders<Headers> =
  Record<never, never> extends HandlerHeaders<Headers>
    ? { headers?: HandlerHeaders<Headers> }
    : { headers: HandlerHeaders<Headers> };

/** Of an answer that names the last block that it reflects, from which the server makes the header; undefined where it shows nothing of a block. */
type WithHeight<Headers, MediaType> = 'Ledger-Height' extends keyof Named<Headers>
  ? MediaType extends 'text/event-stream'
    ? unknown
    : { ledgerHeight: number | undefined }
  : unknown;

type Responses<Id extends OperationId> = Operation<Id>['responses'];
/** The statuses that an operation lists. */
type Listed<Id extends OperationId> = Exclude<keyof Responses<Id>, 'default'>;

/**
 * `text`: the body as JSON, where it is written without making the body; the body is a function then, for answers that are compared with the
 * contract. (A getter would do, but V8 gives each object with one a shape of its own: reads cost 1.8 times as much.)
 */
type SuccessReply<Id extends OperationId> = {
  [Status in Listed<Id>]: Responses<Id>[Status] extends { headers: infer Headers; content: infer Content }
    ? {
        [MediaType in keyof Content]: MediaType extends 'application/problem+json'
          ? never
          : (
              | {
                  body:
                    | Content[MediaType]
                    | Verbatim
                    | (MediaType extends 'text/csv' ? Streamed : never)
                    | (MediaType extends 'text/event-stream' ? Live : never);
                  text?: never;
                }
              | { body: () => Content[MediaType]; text: () => string }
            ) & { status: Status; cost?: number } & WithHeaders<Headers> &
              WithHeight<Headers, MediaType> &
              (MediaType extends 'application/json' ? { mediaType?: MediaType } : { mediaType: MediaType });
      }[keyof Content]
    : Responses<Id>[Status] extends { content?: never }
      ? { status: Status; body?: undefined }
      : never;
}[Listed<Id>];

type ListedProblem<Id extends OperationId> = {
  [Status in Listed<Id>]: Responses<Id>[Status] extends { content: { 'application/problem+json': infer Body } }
    ? Body
    : never;
}[Listed<Id>];

/** Codes that the operation can answer and leaves to `default`: they have the members of every problem. */
type UnlistedCode<Id extends OperationId> = Id extends keyof OperationProblems
  ? Exclude<OperationProblems[Id], ListedProblem<Id> extends { code: infer Code } ? Code : never>
  : never;
type UnlistedProblem<Id extends OperationId> = [UnlistedCode<Id>] extends [never]
  ? never
  : Omit<Schemas['Problem'], 'code'> & { code: UnlistedCode<Id> };
type ProblemBody<Id extends OperationId> = ListedProblem<Id> | UnlistedProblem<Id>;

/** Status, title and the like follow from the code; members that only this code has are asked for by name. */
type ProblemReplyOf<Body> = Body extends { code: infer Code }
  ? {
      problem: { code: Code; detail: Sentence; headers?: Record<string, string> } & Pick<
        Body,
        ('txHash' | 'errors') & keyof Body
      > &
        Omit<Body, keyof Schemas['Problem']>;
    }
  : never;

/** Bytes that are sent as they are and may be cached for a while: documents that must not be serialised anew. */
export interface Verbatim {
  verbatim: Buffer;
}

/** A text of any length, sent as it is made. When making it fails, the connection ends before the answer does. */
export interface Streamed {
  stream: AsyncIterable<string>;
}

/** An answer that lasts until one side ends it. The server hands it the exchange that it belongs to. */
export interface Live {
  /** Begins it, or resolves to the problem that is answered instead; nothing was sent then. */
  live(exchange: object): Promise<object | undefined>;
}

/**
 * Everything that the contract lets the operation answer. A refusal of the gateway is passed on as it is and put into
 * the contract's words by the server, which answers `internal` if its code is not one the operation declares.
 */
export type Reply<Id extends OperationId> = SuccessReply<Id> | ProblemReplyOf<ProblemBody<Id>> | { refusal: Refusal };

/** Those of them that are problems. */
export type ProblemReply<Id extends OperationId> = Extract<Reply<Id>, { problem: unknown }>;

export type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<Reply<Id>>;
export type Handlers = { [Id in Exclude<OperationId, RpcOperationId>]: Handler<Id> };

/**
 * The server's side of the contract, as types derived from the generated ones: the argument of an operation's handler (`Call`) and all its
 * possible answers (`Reply`). A handler that is missing or misspelt, a status that the operation does not declare, a body or parameter of
 * another shape does not compile; test/types/ holds the proofs.
 *
 * exact.ts refuses an answer with an undeclared member.
 */
import type { components, operations } from '../../../generated/openapi.ts';
import type { OperationProblems } from '../../../generated/problems.ts';
import type { Principal, Refusal, Sentence } from '../../gateway/types.ts';

/** Operations that this service answers; names that begin with `receive` are messages that it sends to a webhook. */
export type OperationId = Exclude<keyof operations, `receive${string}`>;
/** Operations of the chain's RPC, which are all served in one way, by the table of methods. */
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
  /** Headers by their names in the contract. */
  header: Parameters<Id, 'header'>;
  body: RequestBody<Id>;
  principal: Id extends PublicOperationId ? undefined : Principal;
  /** The offered media type that the client prefers; among equals the first of the contract. */
  mediaType: string;
  /** The X-Request-Id of the answer. */
  requestId: string;
  /** Aborts when the client disconnects before the answer is sent. */
  readonly signal: AbortSignal;
}

/** Headers that only the server itself sets, never a handler. */
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
/** The generated types lack `required` of the contract's header objects. */
type OptionalHeader = 'Preference-Applied';

/** Without the index signature of every generated header map. */
type Named<Headers> = {
  [Name in keyof Headers as string extends Name ? never : number extends Name ? never : Name]: Headers[Name];
};
type HandlerHeaders<Headers> = Omit<Named<Headers>, ServerHeader | OptionalHeader> &
  Partial<Pick<Named<Headers>, OptionalHeader & keyof Named<Headers>>>;
type WithHeaders<Headers> =
  Record<never, never> extends HandlerHeaders<Headers>
    ? { headers?: HandlerHeaders<Headers> }
    : { headers: HandlerHeaders<Headers> };

/** Added to an answer with `Ledger-Height`, from which the server makes the header; undefined if the answer reflects no block. */
type WithHeight<Headers, MediaType> = 'Ledger-Height' extends keyof Named<Headers>
  ? MediaType extends 'text/event-stream'
    ? unknown
    : { ledgerHeight: number | undefined }
  : unknown;

type Responses<Id extends OperationId> = Operation<Id>['responses'];
/** The statuses that an operation lists. */
type Listed<Id extends OperationId> = Exclude<keyof Responses<Id>, 'default'>;

/**
 * `text`: the body as JSON, written without making the body. Then `body` is a function, for answers that are compared with the contract. (A
 * getter would be simpler, but V8 gives each object with a getter a shape of its own: reads take 1.8 times as long.)
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

/** Codes that the operation does not list but answers by `default`: they have the members of every problem. */
type UnlistedCode<Id extends OperationId> = Id extends keyof OperationProblems
  ? Exclude<OperationProblems[Id], ListedProblem<Id> extends { code: infer Code } ? Code : never>
  : never;
type UnlistedProblem<Id extends OperationId> = [UnlistedCode<Id>] extends [never]
  ? never
  : Omit<Schemas['Problem'], 'code'> & { code: UnlistedCode<Id> };
type ProblemBody<Id extends OperationId> = ListedProblem<Id> | UnlistedProblem<Id>;

/** Status, title and the like follow from the code; members that only this code has are required by name. */
type ProblemReplyOf<Body> = Body extends { code: infer Code }
  ? {
      problem: { code: Code; detail: Sentence; headers?: Record<string, string> } & Pick<
        Body,
        ('txHash' | 'errors') & keyof Body
      > &
        Omit<Body, keyof Schemas['Problem']>;
    }
  : never;

/** Bytes that are sent unchanged and may be cached for a while: documents that must not be serialised again. */
export interface Verbatim {
  verbatim: Buffer;
}

/** A text of any length, sent while it is made. If making it fails, the connection ends before the answer does. */
export interface Streamed {
  stream: AsyncIterable<string>;
}

/** An answer that lasts until one side ends it. The server passes the exchange to it. */
export interface Live {
  /** Begins the answer, or resolves to a problem that is sent instead of it. */
  live(exchange: object): Promise<object | undefined>;
}

/**
 * All answers that the contract allows for the operation. A refusal of the gateway is returned unchanged. The server turns it into a
 * problem document, or answers `internal` if the operation does not declare its code.
 */
export type Reply<Id extends OperationId> = SuccessReply<Id> | ProblemReplyOf<ProblemBody<Id>> | { refusal: Refusal };

/** The replies that are problems. */
export type ProblemReply<Id extends OperationId> = Extract<Reply<Id>, { problem: unknown }>;

export type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<Reply<Id>>;
export type Handlers = { [Id in Exclude<OperationId, RpcOperationId>]: Handler<Id> };

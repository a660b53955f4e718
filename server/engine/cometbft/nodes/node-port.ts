/** The engine's port to nodes. `socket-node-port.ts` implements it for the real network, a script in tests. */

export interface CallLimits {
  timeoutMs: number;
  answerBytesMax: number;
}

/** Kinds of failure of a call to a node. */
export type NodeFailureKind =
  /** No connection was made: nothing of the request reached the node. */
  | 'refused'
  /** The connection broke, or time was up: the node may have read the request. */
  | 'lost'
  /** The answer is not that of a CometBFT node. */
  | 'unreadable'
  /** The answer is longer than the limit; another node's would be too. */
  | 'too_large'
  /**
   * Too much is in progress here: too many calls to this node, and nothing was sent, or too many bytes of answers, and this one was not
   * read to its end.
   */
  | 'busy';

export class NodeFailure extends Error {
  override readonly name = 'NodeFailure';
  readonly kind: NodeFailureKind;

  constructor(kind: NodeFailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface Subscriber {
  /** The node has committed this height. */
  onHeight(height: number): void;
  /** Called once when the subscription has ended, and not after `close`. */
  onEnd(reason: string): void;
}

export interface Subscription {
  close(): void;
}

export interface NodePort {
  /**
   * Sends one JSON-RPC body and resolves with the body of the answer, of any status; rejects with NodeFailure. Only the body is returned,
   * no header of a node.
   */
  call(url: string, body: string, limits: CallLimits): Promise<string>;
  /** Subscribes to the headers that a node commits. */
  subscribe(url: string, subscriber: Subscriber): Subscription;
  /** Ends all connections. */
  close(): void;
}

/** A node's address for display: the path of a hosted node's address is often its key. */
export function shownNode(nodeUrl: string): string {
  const { origin, pathname } = new URL(nodeUrl);
  return pathname === '/' ? origin : `${origin}/***`;
}

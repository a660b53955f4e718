/**
 * Reads the facts of a node, or of a gateway below `/rpc`, about itself and its blocks, over GET. A gateway may require a token.
 *
 * @module
 */
import { CommandError } from '../failure.ts';

/** Longest wait for one answer. A node answers from its disk; a machine that is slower than this is not suitable. */
const ANSWER_MS_MAX = 10_000;
/** More than any answer to the requests of this file has. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
/** Characters of a foreign answer that an error repeats. */
const QUOTED_CHARS_MAX = 200;

/** The address of a node: the URL of its RPC, or of a gateway followed by `/rpc`. */
export interface NodeAddress {
  readonly url: string;
  /** Token for a gateway whose reads need one (RPC_ACCESS=token); the password in the URL is such a token too. */
  readonly token?: string | undefined;
}

/** `fetch` accepts no URL with a password, and no message shows one. */
function withoutPassword(text: string): { readonly url: string; readonly password: string | undefined } {
  const url = new URL(text);
  const password = decodeURIComponent(url.password) || undefined;
  url.username = '';
  url.password = '';
  return { url: url.href.replace(/\/+$/, ''), password };
}

/** A refusal by the node itself, with its text. */
export class NodeRefusal extends CommandError {
  constructor(url: string, why: string) {
    super(`The node at ${withoutPassword(url).url} refuses: ${why}.`, 'refused', { code: 'node_refused' });
  }
}

export function nodeAddress(url: string): NodeAddress {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandError(`${url} is no http or https URL of a node's RPC.`);
  return { url: url.replace(/\/+$/, '') };
}

const unreachable = (url: string, why: string): CommandError =>
  new CommandError(`The node at ${withoutPassword(url).url} cannot be asked: ${why}.`, 'unreachable', {
    code: 'node_unreachable',
    retriable: true,
  });

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`its answer is longer than ${ANSWER_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** @throws NodeRefusal if the method refuses, CommandError without an answer. */
export async function askNode<Result>(
  { url, token }: NodeAddress,
  method: string,
  params: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const query = new URLSearchParams(params).toString();
  let text: string;
  try {
    // The password in a URL is a token, as everywhere under /rpc.
    const { url: bare, password = token } = withoutPassword(url);
    const headers: Record<string, string> = password === undefined ? {} : { authorization: `Bearer ${password}` };
    text = await textOf(
      await fetch(`${bare}/${method}${query === '' ? '' : `?${query}`}`, {
        headers,
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
      }),
    );
  } catch (error) {
    const { message, cause } = error as Error;
    throw unreachable(url, cause instanceof Error ? cause.message : message);
  }
  let answer: { result?: Result; error?: { message?: string; data?: string }; detail?: string } | null;
  try {
    answer = JSON.parse(text) as typeof answer;
  } catch {
    throw unreachable(url, `it answered ${JSON.stringify(text.slice(0, QUOTED_CHARS_MAX))}, which is not JSON`);
  }
  if (answer?.result !== undefined) return answer.result;
  if (answer?.error !== undefined)
    throw new NodeRefusal(url, answer.error.data || answer.error.message || 'it did not say why');
  throw unreachable(url, `it answered ${JSON.stringify(answer?.detail ?? text.slice(0, QUOTED_CHARS_MAX))}`);
}

export interface NodeFacts {
  readonly chainId: string;
  /** Lower-case hex, as in the ledger. */
  readonly publicKey: string;
  readonly height: number;
  readonly earliestHeight: number;
  readonly isCatchingUp: boolean;
  /** Time of its last block, in milliseconds since 1970. */
  readonly blockTimeMs: number;
}

interface StatusJson {
  readonly node_info: { readonly network: string };
  readonly sync_info: {
    readonly latest_block_height: string;
    readonly earliest_block_height: string;
    readonly latest_block_time: string;
    readonly catching_up: boolean;
  };
  readonly validator_info: { readonly pub_key: { readonly value: string } };
}

export async function nodeFacts(node: NodeAddress): Promise<NodeFacts> {
  const {
    node_info: info,
    sync_info: sync,
    validator_info: validator,
  } = await askNode<Partial<StatusJson>>(node, 'status');
  if (
    typeof info?.network !== 'string' ||
    typeof sync?.latest_block_height !== 'string' ||
    typeof validator?.pub_key?.value !== 'string'
  ) {
    throw unreachable(node.url, 'what it answers is no status of a CometBFT node');
  }
  return {
    chainId: info.network,
    publicKey: Buffer.from(validator.pub_key.value, 'base64').toString('hex'),
    height: Number(sync.latest_block_height),
    earliestHeight: Number(sync.earliest_block_height),
    isCatchingUp: sync.catching_up,
    blockTimeMs: Date.parse(sync.latest_block_time),
  };
}

export interface CommitJson {
  readonly height: string;
  readonly block_id: { readonly hash: string };
  readonly signatures: readonly { readonly block_id_flag: number; readonly validator_address: string }[];
}

export interface SignedHeaderJson {
  readonly header: Readonly<Record<string, unknown>> & { readonly app_hash: string; readonly time: string };
  readonly commit: CommitJson;
}

/** Returns the header and commit of a height, by default the newest. */
export async function signedHeaderAt(node: NodeAddress, height?: number): Promise<SignedHeaderJson> {
  const { signed_header: signed } = await askNode<{ signed_header: SignedHeaderJson }>(
    node,
    'commit',
    height === undefined ? {} : { height: String(height) },
  );
  return signed;
}

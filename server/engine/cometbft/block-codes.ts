/**
 * The results of a block as the application reports them to a gateway: the codes that are not 0, and the application hash after the block.
 *
 * `block_results` has the same in some 700 bytes of JSON a transaction, which a node writes and a gateway parses. Everything else in it
 * follows from the transactions and these (blocks/block-results-json.ts), unless the block changed validators or had evidence: the
 * application does not answer for such a block, nor for one that it no longer keeps, and the gateway then requests `block_results` from the
 * node.
 *
 * A query of this path names the height of the block, and the value of the answer is JSON:
 * `{"height":12,"transactions":3,"appHash":"<64 hex digits>","failures":[[1,1,"why"]]}`, a failure being position, code and log.
 */
import { QUERY_CODES } from '../abci-query.ts';
import type { Failure } from '../results.ts';

export const BLOCK_CODES_PATH = '/results/codes';

/**
 * Newest blocks that an application answers for: a gateway that follows is one or two behind, one that was away for long reads
 * `block_results`.
 */
export const CODES_KEPT_BLOCKS = 100;

export interface BlockCodes {
  readonly height: number;
  /** Number of transactions in the block. */
  readonly transactions: number;
  /** After the block, upper-case hex. */
  readonly appHash: string;
  /** Ascending by position. */
  readonly failures: readonly Failure[];
}

export function blockCodesText({ height, transactions, appHash, failures }: BlockCodes): string {
  return JSON.stringify({ height, transactions, appHash, failures });
}

/**
 * A node's answer to a query of BLOCK_CODES_PATH. `unknown`: its application does not have this path, and so will not have it for the next
 * block.
 */
export type CodesAnswer = { readonly codes: BlockCodes } | { readonly refused: 'unknown' | 'not_there' };

const NOT_THERE = { refused: 'not_there' } as const;
const APP_HASH = /^[0-9A-F]{64}$/;

/**
 * Reads the result of `abci_query`. Codes of another block, or of another number of transactions, count as no answer: the node can still
 * show the same in `block_results`, which is then checked.
 */
export function readBlockCodes(result: unknown, asked: Pick<BlockCodes, 'height' | 'transactions'>): CodesAnswer {
  const { code = 0, value } =
    (result as { response?: { code?: unknown; value?: unknown } | null } | null)?.response ?? {};
  if (code === QUERY_CODES.unknown_path) return { refused: 'unknown' };
  if (code !== 0 || typeof value !== 'string') return NOT_THERE;
  const codes = parse(Buffer.from(value, 'base64').toString('utf8'));
  return codes?.height === asked.height && codes.transactions === asked.transactions && areCodes(codes)
    ? { codes }
    : NOT_THERE;
}

function parse(text: string): BlockCodes | undefined {
  try {
    return (JSON.parse(text) ?? undefined) as BlockCodes | undefined;
  } catch {
    return undefined;
  }
}

function areCodes({ transactions, appHash, failures }: BlockCodes): boolean {
  let next = 0;
  const isFailure = (failure: unknown): boolean => {
    if (!Array.isArray(failure)) return false;
    const [index, code, log] = failure as unknown[];
    if (!Number.isSafeInteger(index) || Number(index) < next || Number(index) >= transactions) return false;
    next = Number(index) + 1;
    return Number.isSafeInteger(code) && Number(code) > 0 && typeof log === 'string';
  };
  return typeof appHash === 'string' && APP_HASH.test(appHash) && Array.isArray(failures) && failures.every(isFailure);
}

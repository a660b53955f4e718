/**
 * Requests a block from one node, in one request where its application reports the codes: the block, its results, and the commits that
 * prove it.
 *
 * For an application of an earlier version, for a block that it does not have, and for codes that are not of this block, `block_results` is
 * requested instead, in a second request. Either answer is checked in the same way afterwards (verified-block.ts, block-source.ts).
 */
import { BLOCK_CODES_PATH, type CodesAnswer, CODES_KEPT_BLOCKS, readBlockCodes } from '../block-codes.ts';
import { ANSWER_BYTES_MAX, BLOCK_CALL_MS_MAX, CODES_UNKNOWN_BLOCKS } from '../limits.ts';
import type { NodeCall, ReadAnswer } from '../nodes/json-rpc.ts';
import type { ChainNode } from '../nodes/node.ts';
import type { BlockJson, ToldResults } from './verified-block.ts';

const LIMITS = { timeoutMs: BLOCK_CALL_MS_MAX, answerBytesMax: ANSWER_BYTES_MAX };

export interface BlockAnswer {
  block: unknown;
  told: ToldResults;
  /** One for each requested height, in order. */
  commits: unknown[];
}

const callAt = (method: string, height: number): NodeCall => ({ method, params: `{"height":"${height}"}` });
const codesAt = (height: number): NodeCall => ({
  method: 'abci_query',
  params: `{"path":"${BLOCK_CODES_PATH}","height":"${height}"}`,
});

/** Resolves with a text where the node does not answer all of it. Rejects with NodeFailure. */
export async function askBlock(
  node: ChainNode,
  height: number,
  commitsAt: readonly number[],
): Promise<BlockAnswer | string> {
  const asksCodes = height >= node.codesFrom && height > node.height - CODES_KEPT_BLOCKS;
  const calls = [
    callAt('block', height),
    ...commitsAt.map((at) => callAt('commit', at)),
    asksCodes ? codesAt(height) : callAt('block_results', height),
  ];
  const answers = await node.askAll(calls, LIMITS);
  const told = answers.pop();
  const refused = answers.find(({ ok }) => !ok) ?? (asksCodes ? undefined : told);
  if (told === undefined || refused?.ok === false) return refusalOf(refused);
  const [block, ...commits] = answers.map(resultOf);
  if (!asksCodes) return { block, commits, told: { blockResults: resultOf(told) } };
  const read = readCodes(told, height, block);
  if ('codes' in read) return { block, commits, told: read };
  const [results] = await node.askAll([callAt('block_results', height)], LIMITS);
  // A node that has not executed the block yet has neither: the codes are worth another request.
  if (results?.ok !== true) return refusalOf(results);
  // Several blocks may be under way.
  node.codesFrom = Math.max(node.codesFrom, height + (read.refused === 'unknown' ? CODES_UNKNOWN_BLOCKS : 1));
  return { block, commits, told: { blockResults: results.result } };
}

function readCodes(answer: ReadAnswer, height: number, block: unknown): CodesAnswer {
  const txs = (block as Partial<BlockJson> | null)?.block?.data?.txs ?? [];
  return readBlockCodes(resultOf(answer), { height, transactions: txs.length });
}

const resultOf = (answer: ReadAnswer): unknown => (answer.ok ? answer.result : undefined);

function refusalOf(answer: ReadAnswer | undefined): string {
  return (answer?.ok === false && (answer.error.data || answer.error.message)) || 'it did not answer';
}

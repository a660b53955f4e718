/**
 * Pays the planned payments of a file: signs, stores nonces and hashes, and only then sends, in batches.
 *
 * @module
 */
import { getAccount } from '../../../client/src/actions/getAccount.ts';
import { submitTransactionBatch, type BatchOutcome } from '../../../client/src/actions/submitTransactionBatch.ts';
import type { SignedTransfer } from '../../../client/src/actions/signTransfer.ts';
import { NONCE_WINDOW } from '../../../client/src/limits.ts';
import type { Client } from '../../../client/src/index.ts';
import { CommandError } from '../failure.ts';
import type { Bar } from '../progress.ts';
import { isOpen, sign, type Plan } from './plan.ts';
import { writeResults, type PaymentResult } from './result-file.ts';

export interface PayOptions {
  readonly client: Client;
  readonly resultFile: string;
  /** Returns the time left for all payments. */
  readonly leftMs: () => number;
  readonly signal: AbortSignal;
  readonly bar: Bar;
  /** Called when nonces and hashes are stored, before anything is sent. */
  readonly onKept: () => void;
}

/** The maximum of a batch in the contract. */
const BATCH_MAX = 1000;
/** Pause between two queries of an account whose window of nonces is full. */
const WINDOW_POLL_MS = 500;

export async function payFile({ results, resumed, account, ...plan }: Plan, options: PayOptions): Promise<void> {
  const { client, resultFile, signal, leftMs, bar } = options;
  const limits = () => ({ timeoutMs: leftMs(), signal });
  const signed = await signAll({ ...plan, results }, signal);
  if (!writeResults(resultFile, results, { first: !resumed }))
    throw new CommandError(
      `Another run has begun ${resultFile} in this moment. Wait for its end, then run this again.`,
    );
  options.onKept();

  let spare = account.nonce + NONCE_WINDOW;
  const open = [...results.keys()]
    .filter((at) => isOpen(results[at] as PaymentResult))
    .toSorted((a, b) => (results[a] as PaymentResult).nonce - (results[b] as PaymentResult).nonce);
  bar.draw(results.length - open.length, results.length);
  while (open.length > 0) {
    const inWindow = open.slice(0, BATCH_MAX).filter((at) => (results[at] as PaymentResult).nonce < spare);
    if (inWindow.length === 0) {
      // Only new blocks make room.
      if (leftMs() <= WINDOW_POLL_MS || signal.aborted) break;
      await pause(WINDOW_POLL_MS, signal);
      spare = (await getAccount(client, { address: account.address, ...limits() })).nonce + NONCE_WINDOW;
      continue;
    }
    open.splice(0, inWindow.length);
    const outcomes = await submitTransactionBatch(client, {
      signed: inWindow.map((at) => signed.get(at) as SignedTransfer),
      ...limits(),
    });
    for (const [index, at] of inWindow.entries()) note(results[at] as PaymentResult, outcomes[index] as BatchOutcome);
    writeResults(resultFile, results);
    bar.draw(results.length - open.length, results.length);
    // Payments after one that was not accepted would wait for its nonce.
    if (inWindow.some((at) => isOpen(results[at] as PaymentResult))) break;
  }
}

/** Signs the transfers that are sent; returned by their place in the file. */
async function signAll(
  { results, signer, chain }: Pick<Plan, 'results' | 'signer' | 'chain'>,
  signal: AbortSignal,
): Promise<Map<number, SignedTransfer>> {
  const signed = new Map<number, SignedTransfer>();
  for (const [at, result] of results.entries()) {
    signal.throwIfAborted();
    if (!isOpen(result)) continue;
    const transfer = await sign(result, signer, chain);
    result.txHash = transfer.txHash;
    signed.set(at, transfer);
  }
  return signed;
}

function note(result: PaymentResult, outcome: BatchOutcome): void {
  result.outcome = outcome.outcome;
  result.code = outcome.outcome === 'refused' ? outcome.problem.code : '';
  result.detail =
    outcome.outcome === 'refused'
      ? outcome.problem.detail
      : 'error' in outcome && outcome.error instanceof Error
        ? outcome.error.message
        : '';
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

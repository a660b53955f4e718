/**
 * Pays the payments of a file: assigns each a nonce, signs, stores nonces and hashes, and only then sends, in batches.
 *
 * A second run with the same result file sends the payments without a final outcome under the nonces of the first run; the service
 * recognises those that it has accepted. Only a payment whose nonce another transfer used is signed again, because it can never execute
 * under the old one.
 *
 * @module
 */
import { getAccount } from '../../../client/src/actions/getAccount.ts';
import { getChain } from '../../../client/src/actions/getChain.ts';
import { signTransfer, type SignedTransfer } from '../../../client/src/actions/signTransfer.ts';
import { submitTransactionBatch, type BatchOutcome } from '../../../client/src/actions/submitTransactionBatch.ts';
import { encodeAddress } from '../../../client/src/crypto/address.ts';
import { signerFromSeed } from '../../../client/src/keys/seed.ts';
import { NONCE_WINDOW } from '../../../client/src/limits.ts';
import type { Chain, Client, Signer } from '../../../client/src/index.ts';
import { assertMaySign, type SenderKey } from '../accounts.ts';
import { amountsIn } from '../amounts.ts';
import { CommandError } from '../failure.ts';
import { chainTimeMs } from '../../../client/src/transaction/validity.ts';
import type { Bar } from '../progress.ts';
import { checkReceivers, readPayments, type FilePayment } from './payment-file.ts';
import { readResults, writeResults, type PaymentResult } from './result-file.ts';

export interface PayOptions {
  readonly client: Client;
  readonly key: SenderKey;
  readonly file: string;
  readonly resultFile: string;
  /** The end of the validity of every payment that has none of its own: after so many milliseconds of the chain's time, or at a moment. */
  readonly validFor?: number | undefined;
  readonly validUntil?: Date | undefined;
  /** The time left for all of it. */
  readonly leftMs: () => number;
  readonly signal: AbortSignal;
  readonly bar: Bar;
  /** Called when nonces and hashes are stored, before anything is sent. */
  readonly onKept: (facts: { from: string; results: readonly PaymentResult[]; resumed: boolean }) => void;
}

/** The maximum of a batch in the contract. */
const BATCH_MAX = 1000;
/** Pause between two queries of an account whose window of nonces is full. */
const WINDOW_POLL_MS = 500;
/** The nonce is permanently used by another transfer. */
const NONCE_LOST = /^nonce_(too_low|conflict|cancelled)$/;

const isOpen = ({ outcome }: PaymentResult): boolean => outcome !== 'accepted' && outcome !== 'replayed';

export async function payFile(options: PayOptions): Promise<PaymentResult[]> {
  const { client, key, file, resultFile, signal, leftMs, bar } = options;
  const limits = () => ({ timeoutMs: leftMs(), signal });
  const payments = readPayments(file);
  const earlier = readResults(resultFile, payments);
  const chain = await getChain(client, limits());
  assertMaySign(key, chain);
  checkReceivers(file, payments, chain);
  const signer = await signerFromSeed(key.seed);
  const from = encodeAddress(signer.publicKey, chain.addressPrefix);

  const account = await getAccount(client, { address: from, ...limits() });
  const end = endOf(options, chain);
  const results =
    earlier ??
    payments.map(({ to, amount, reference, validUntil = end }): PaymentResult => ({
      to,
      amount,
      reference,
      validUntil,
      nonce: 0,
      txHash: '',
      outcome: 'unsent',
      code: '',
      detail: '',
    }));
  if (earlier !== undefined) await expectSameKey(results, signer, chain, resultFile);
  // A payment that was too late can never execute either: under a new end it is another transfer, and the old one stays invalid.
  const late =
    end === undefined
      ? []
      : results.filter((result, index) => isLate(result) && payments[index]?.validUntil === undefined);
  for (const result of late) result.validUntil = end;
  const unsigned = results.filter(
    (result, index) =>
      earlier === undefined || ((isLost(result) || late.includes(result)) && payments[index]?.nonce === undefined),
  );
  giveNonces(results, unsigned, payments, account.nextNonce);
  const signed = await signAll(results, signer, chain, signal);
  const toPay = results.filter(isOpen).reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  if (earlier === undefined && toPay > BigInt(account.balance)) {
    const show = amountsIn(chain.currency);
    throw new CommandError(
      `The payments come to ${show(toPay)}; ${from} has ${show(account.balance)}. Nothing was sent.`,
      'refused',
      { code: 'insufficient_funds' },
    );
  }
  const kept = writeResults(resultFile, results, { first: earlier === undefined });
  if (!kept)
    throw new CommandError(
      `Another run has begun ${resultFile} in this moment. Wait for its end, then run this again.`,
    );
  options.onKept({ from, results, resumed: earlier !== undefined });

  let spare = account.nonce + NONCE_WINDOW;
  const open = [...results.keys()]
    .filter((at) => isOpen(results[at] as PaymentResult))
    .toSorted((a, b) => (results[a] as PaymentResult).nonce - (results[b] as PaymentResult).nonce);
  bar.draw(results.length - open.length, results.length);
  while (open.length > 0) {
    const inWindow = open.slice(0, BATCH_MAX).filter((at) => (results[at] as PaymentResult).nonce < spare);
    if (inWindow.length === 0) {
      // Only blocks make room.
      if (leftMs() <= WINDOW_POLL_MS || signal.aborted) break;
      await pause(WINDOW_POLL_MS, signal);
      spare = (await getAccount(client, { address: from, ...limits() })).nonce + NONCE_WINDOW;
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
    // Payments after one that was not accepted would wait behind its nonce.
    if (inWindow.some((at) => isOpen(results[at] as PaymentResult))) break;
  }
  return results;
}

/** Whole Unix seconds, in the chain's time, with which it is compared. */
function endOf({ validFor, validUntil }: PayOptions, chain: Chain): number | undefined {
  const endMs = validUntil?.getTime() ?? (validFor === undefined ? undefined : chainTimeMs(chain) + validFor);
  return endMs === undefined ? undefined : Math.floor(endMs / 1000);
}

const isLate = ({ outcome, code }: PaymentResult): boolean => outcome === 'refused' && code === 'validity_passed';

const isLost = ({ outcome, code }: PaymentResult): boolean => outcome === 'refused' && NONCE_LOST.test(code);

/** Assigns nonces in the order of the file, skipping those that others of these payments have. */
function giveNonces(
  results: readonly PaymentResult[],
  unsigned: readonly PaymentResult[],
  payments: readonly FilePayment[],
  nextNonce: number,
): void {
  const wanting = new Set(unsigned);
  const taken = new Set(
    results.flatMap((result, index) => (wanting.has(result) ? (payments[index]?.nonce ?? []) : result.nonce)),
  );
  let next = nextNonce;
  for (const [index, result] of results.entries()) {
    if (!wanting.has(result)) continue;
    while (taken.has(next)) next += 1;
    result.nonce = payments[index]?.nonce ?? next++;
    Object.assign(result, { outcome: 'unsent', code: '', detail: '' });
  }
}

/** Checks by the first hash that the rest can be signed again: Ed25519 gives the same signature every time. */
async function expectSameKey(
  results: readonly PaymentResult[],
  signer: Signer,
  chain: Chain,
  resultFile: string,
): Promise<void> {
  const [first] = results;
  if (first === undefined) return;
  const { txHash } = await sign(first, signer, chain);
  if (txHash !== first.txHash)
    throw new CommandError(
      `${resultFile} was made with another key or for another chain: its first payment has the hash ${first.txHash}, and this key makes ${txHash}.`,
    );
}

/** The signed transfers by their place in the file; only those that are sent. */
async function signAll(
  results: readonly PaymentResult[],
  signer: Signer,
  chain: Chain,
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

function sign(
  { to, amount, reference, validUntil, nonce }: PaymentResult,
  signer: Signer,
  chain: Chain,
): Promise<SignedTransfer> {
  return signTransfer({
    signer,
    chain,
    to,
    amount: BigInt(amount),
    reference,
    validUntil: validUntil === undefined ? undefined : new Date(validUntil * 1000),
    nonce,
  });
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

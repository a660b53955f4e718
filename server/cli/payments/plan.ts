/**
 * Plans a run of `send --file`: the payments without a final outcome, each with its nonce. Nothing is sent or written here.
 *
 * A second run with the same result file sends the payments without a final outcome with the nonces of the first run; the service
 * recognises those that it has accepted. Only a payment whose nonce another transfer has used gets another nonce, because it can never be
 * executed with the old one.
 *
 * @module
 */
import { getAccount } from '../../../client/src/actions/getAccount.ts';
import { getChain } from '../../../client/src/actions/getChain.ts';
import { signTransfer, type SignedTransfer } from '../../../client/src/actions/signTransfer.ts';
import type { CallOptions } from '../../../client/src/deadline.ts';
import { encodeAddress } from '../../../client/src/crypto/address.ts';
import { signerFromSeed } from '../../../client/src/keys/seed.ts';
import { NONCE_WINDOW } from '../../../client/src/limits.ts';
import { chainTimeMs } from '../../../client/src/transaction/validity.ts';
import type { Account, Chain, Client, Signer, Transaction } from '../../../client/src/index.ts';
import { assertMaySign, type SenderKey } from '../accounts.ts';
import { CommandError } from '../failure.ts';
import type { FileFault } from './file-faults.ts';
import { foreignReceivers, type FilePayment, inMinorUnits } from './payment-file.ts';
import { expectSameAmounts, readResults, type PaymentResult } from './result-file.ts';
import { takenNonces, transfersAt } from './sender-nonces.ts';

export interface PlanOptions {
  readonly client: Client;
  readonly key: SenderKey;
  readonly payments: readonly FilePayment[];
  readonly resultFile: string;
  /** The end of the validity of every payment that has none of its own: a duration in milliseconds of the chain's time, or a moment. */
  readonly validFor?: number | undefined;
  readonly validUntil?: Date | undefined;
  readonly limits: () => CallOptions;
}

export interface Plan {
  /** Payments with their amounts in minor units; '' for a faulty amount. */
  readonly payments: readonly FilePayment[];
  readonly chain: Chain;
  readonly signer: Signer;
  readonly account: Account;
  /**
   * In the order of the file, with nonces. Hashes are those of the earlier run, and empty for payments that are signed for the first time.
   */
  readonly results: readonly PaymentResult[];
  readonly resumed: boolean;
  /** Payments that the service already has, with the nonce that the file gives them. */
  readonly known: ReadonlySet<PaymentResult>;
  /** Nonces of other transfers between those of the payments. */
  readonly passedOver: readonly number[];
  /** Faults of the file that only the service can detect. */
  readonly faults: readonly FileFault[];
}

/** Another transfer has used the nonce for good. */
const NONCE_LOST = /^nonce_(too_low|conflict|cancelled)$/;

export const isOpen = ({ outcome }: PaymentResult): boolean => outcome !== 'accepted' && outcome !== 'replayed';
const isLate = ({ outcome, code }: PaymentResult): boolean => outcome === 'refused' && code === 'validity_passed';
const isLost = ({ outcome, code }: PaymentResult): boolean => outcome === 'refused' && NONCE_LOST.test(code);

export async function planPayments(options: PlanOptions): Promise<Plan> {
  const { client, key, resultFile, limits } = options;
  const earlier = readResults(resultFile, options.payments);
  const chain = await getChain(client, limits());
  const { payments, faults } = inMinorUnits(options.payments, chain);
  if (earlier !== undefined && faults.length === 0) expectSameAmounts(resultFile, earlier, payments);
  assertMaySign(key, chain);
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
  faults.push(...foreignReceivers(payments, chain));
  const known = new Set<PaymentResult>();
  if (earlier !== undefined) await expectSameKey(results, signer, chain, resultFile);
  else {
    const chosen = await checkChosenNonces({ ...options, payments }, account, results);
    faults.push(...chosen.faults);
    for (const result of chosen.known) known.add(result);
  }
  // A payment that was too late can never be executed either: with a new end of validity it is another transfer, and the old one stays
  // invalid.
  const late =
    end === undefined
      ? []
      : results.filter((result, index) => isLate(result) && payments[index]?.validUntil === undefined);
  for (const result of late) result.validUntil = end;
  const unsigned = results.filter(
    (result, index) =>
      earlier === undefined || ((isLost(result) || late.includes(result)) && payments[index]?.nonce === undefined),
  );
  // The free nonces may include those of open payments, so one nonce is needed for each open payment.
  const count = unsigned.length === 0 ? 0 : results.filter(isOpen).length;
  const taken = await takenNonces(client, account, count, limits);
  const passedOver = giveNonces(results, unsigned, payments, { next: account.nextNonce, taken });
  return { payments, chain, signer, account, results, resumed: earlier !== undefined, known, passedOver, faults };
}

/** Whole Unix seconds in the chain's time, with which they are compared. */
function endOf({ validFor, validUntil }: PlanOptions, chain: Chain): number | undefined {
  const endMs = validUntil?.getTime() ?? (validFor === undefined ? undefined : chainTimeMs(chain) + validFor);
  return endMs === undefined ? undefined : Math.floor(endMs / 1000);
}

/** Checks the nonces in the file: if another transfer has one, its payment could never be executed. */
async function checkChosenNonces(
  { client, payments, limits }: PlanOptions,
  { address, nonce: nextOnChain, nextNonce }: Account,
  results: readonly PaymentResult[],
): Promise<{ faults: FileFault[]; known: PaymentResult[] }> {
  const chosen = payments.flatMap(({ nonce }) =>
    nonce !== undefined && nonce < nextOnChain + NONCE_WINDOW ? [nonce] : [],
  );
  const found = await transfersAt(client, address, chosen, limits);
  const faults: FileFault[] = [];
  const known: PaymentResult[] = [];
  for (const [index, { place, nonce }] of payments.entries()) {
    const transfers = nonce === undefined ? undefined : found.get(nonce);
    if (nonce === undefined || transfers === undefined) continue;
    const result = results[index] as PaymentResult;
    const same = transfers.find((transfer) => isSame(transfer, result));
    const message = chosenNonceFault(nonce, { same, other: transfers[0], isPast: nonce < nextOnChain, nextNonce });
    if (message !== undefined) faults.push({ ...place, member: 'nonce', message });
    else if (same !== undefined) known.push(result);
  }
  return { faults, known };
}

const isSame = (known: Transaction, { to, amount, reference, validUntil }: PaymentResult): boolean =>
  known.to === to && known.amount === amount && known.reference === reference && known.validUntil === validUntil;

function chosenNonceFault(
  nonce: number,
  facts: { same: Transaction | undefined; other: Transaction | undefined; isPast: boolean; nextNonce: number },
): string | undefined {
  const { same, other, isPast, nextNonce } = facts;
  const leaveOut = 'Leave the nonce out, and the payment gets the next free one';
  if (same?.status === 'pending' || same?.status === 'committed') return undefined;
  if (same !== undefined)
    return `transfer ${same.txHash} is this payment with the nonce ${nonce}; it is ${same.status} and is never paid. ${leaveOut}.`;
  if (other !== undefined) {
    const orCancel = other.status === 'pending' ? `, or cancel that transfer first` : '';
    return `transfer ${other.txHash} has the nonce ${nonce}; it is ${other.status}. ${leaveOut}${orCancel}.`;
  }
  return isPast ? `the nonce ${nonce} is used or void; the next free one is ${nextNonce}. ${leaveOut}.` : undefined;
}

/** Assigns nonces in the order of the file. @returns the skipped nonces, which transfers outside of the file have. */
function giveNonces(
  results: readonly PaymentResult[],
  unsigned: readonly PaymentResult[],
  payments: readonly FilePayment[],
  { next: first, taken }: { next: number; taken: ReadonlySet<number> },
): number[] {
  const wanting = new Set(unsigned);
  const own = new Set(
    results.flatMap((result, index) => (wanting.has(result) ? (payments[index]?.nonce ?? []) : result.nonce)),
  );
  const passedOver: number[] = [];
  let next = first;
  for (const [index, result] of results.entries()) {
    if (!wanting.has(result)) continue;
    const chosen = payments[index]?.nonce;
    if (chosen === undefined)
      for (; own.has(next) || taken.has(next); next += 1) if (!own.has(next)) passedOver.push(next);
    result.nonce = chosen ?? next++;
    Object.assign(result, { outcome: 'unsent', code: '', detail: '' });
  }
  return passedOver;
}

/** Checks with the first hash that the rest can be signed again: Ed25519 signatures are deterministic. */
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

export function sign(
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

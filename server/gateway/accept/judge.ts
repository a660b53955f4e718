/**
 * Checks one submission against the group's state, in the order that the contract names: binding, idempotency key, replay, conflict, nonce
 * too low, void, too high, validity, funds, opening minimum; then the bounds of this service. Pure: it reads and changes the group only.
 */
import type { ChainContext, Currency } from '../../ledger/index.ts';
import { isOnCurve, isVoid, NONCE_WINDOW, parseAddress } from '../../ledger/index.ts';
import { wasExecuted } from '../../store/codes.ts';
import type { StoredAccount, StoredTransfer } from '../../store/index.ts';
import { amountText } from '../amount-text.ts';
import type { Submission } from '../core-api.ts';
import { FAIR_PART, RETRY_AFTER_S, WAITING_PART, WAITING_PER_ACCOUNT_MAX } from '../limits.ts';
import { NOT_SUBMITTER_DETAIL, refuse, refuseField } from '../refusals.ts';
import type { Refusal, Sentence } from '../types.ts';
import { isSamePayment } from '../same-payment.ts';
import type { Group } from './group.ts';
import type { Places } from './places.ts';

export interface JudgeLimits {
  pendingMax: number;
  pendingPerOwnerMax: number;
}

/** Chain parameters that acceptance uses. */
export interface JudgedChain extends ChainContext {
  /** The minimum amount that opens an account, from the genesis file, in minor units. */
  readonly openingMinimum: bigint;
  /** From the genesis file too: messages for people show amounts in it. */
  readonly currency: Currency;
}

export type Judgement =
  | { kind: 'accepted' | 'replayed'; transfer: StoredTransfer }
  | { kind: 'refused'; refusal: Refusal };

const KEY_REUSED_DETAIL =
  'This Idempotency-Key belongs to another transfer, which was accepted with it. Use a new key for each transfer.';

const MS_PER_S = 1000;

const NO_ACCOUNT = { id: 0, balance: 0n, nonce: 0, voids: 0n, reserved: 0n };

export function judge(group: Group, submission: Submission, chain: JudgedChain, limits: JudgeLimits): Judgement {
  if (!receiverCanSpend(group, submission.to, chain)) {
    return refused(
      refuseField(
        'invalid_address',
        '/to',
        'The key of the address to pay is not a point of the curve, so no one can sign for it and the money would be lost. Ask its owner for the address again.',
      ),
    );
  }
  const boundTo = group.boundTo(submission.from);
  if (boundTo !== undefined && boundTo !== submission.owner) {
    return refused(refuse('not_submitter', NOT_SUBMITTER_DETAIL));
  }

  const keyed = group.transferOfKey(submission);
  if (keyed !== undefined && !isSamePayment(keyed, submission)) {
    return refused(
      refuseField('idempotency_key_reused', '#/header/idempotency-key', KEY_REUSED_DETAIL, { txHash: keyed.hash }),
    );
  }

  const known = group.transfersAt(submission.from, submission.nonce);
  const same = known.find((transfer) => isSamePayment(transfer, submission));
  if (same !== undefined) return { kind: 'replayed', transfer: same };

  const sender = group.account(submission.from);
  const nextNonce = (): number => (sender === undefined ? 0 : group.placesOf(sender).free);
  const fault = nonceFault(submission, known, sender ?? NO_ACCOUNT, nextNonce);
  const late = fault ?? validityFault(submission, group);
  if (late !== undefined) return refused(late);
  // Money that is on its way to the sender does not count: only then can no transfer that was accepted here make another one fail.
  const free = sender === undefined ? 0n : sender.balance - sender.reserved;
  const { openingMinimum, currency } = chain;
  if (sender === undefined || free < submission.amount) {
    return refused(
      refuseField(
        'insufficient_funds',
        '/amount',
        `The sender can spend ${amountText(free < 0n ? 0n : free, currency)} after its pending transfers; the transfer needs ${amountText(submission.amount, currency)}. Wait for incoming money, or cancel a pending transfer.`,
      ),
    );
  }
  // Checked against the accounts of the chain: a pending transfer may never open one.
  if (submission.amount < openingMinimum && group.account(submission.to)?.onChain !== true) {
    return refused(
      refuseField(
        'below_opening_minimum',
        '/amount',
        `The receiver has no account yet, and the first transfer to an account moves at least ${amountText(openingMinimum, currency)}; this one moves ${amountText(submission.amount, currency)}. Send more, or have the account opened first.`,
      ),
    );
  }
  const full = boundFault(group, submission, sender, limits);
  if (full !== undefined) return refused(full);
  return { kind: 'accepted', transfer: group.accept(submission, sender) };
}

/** An address that was named as a receiver before was checked then, or executed by a block, so it is not checked again. */
function receiverCanSpend(group: Group, address: string, chain: ChainContext): boolean {
  if (group.account(address) !== undefined) return true;
  const parsed = parseAddress(address, chain.addressPrefix);
  return parsed.ok && isOnCurve(parsed.publicKey);
}

function nonceFault(
  { nonce }: Submission,
  known: readonly StoredTransfer[],
  account: { balance: bigint; nonce: number; voids: bigint },
  nextNonceOf: () => number,
): Refusal | undefined {
  const holder = known.find(holdsItsNonce);
  if (holder !== undefined) {
    const nextNonce = nextNonceOf();
    const orCancel = holder.status === 'pending' ? ', or cancel the other one first' : '';
    const detail: Sentence = `Another payment holds nonce ${nonce}; it is ${holder.status}. Sign this payment with nonce ${nextNonce}${orCancel}.`;
    return refuseField('nonce_conflict', '/nonce', detail, { txHash: holder.hash, extra: { nextNonce } });
  }
  if (nonce < account.nonce) {
    const nextNonce = nextNonceOf();
    const why = known[0] === undefined ? 'it is used or void' : whyVoid(known[0]);
    const detail: Sentence = `The chain has passed nonce ${nonce}: ${why}. Sign the payment with nonce ${nextNonce}.`;
    return refuseField('nonce_too_low', '/nonce', detail, { ...named(known), extra: { nextNonce } });
  }
  if (isVoid(account, nonce)) {
    const nextNonce = nextNonceOf();
    const detail: Sentence = `Nonce ${nonce} is void: ${whyVoid(known[0])}. Sign the payment with nonce ${nextNonce}.`;
    return refuseField('nonce_cancelled', '/nonce', detail, { ...named(known), extra: { nextNonce } });
  }
  if (nonce >= account.nonce + NONCE_WINDOW) {
    const nextNonce = nextNonceOf();
    const detail: Sentence = `Nonce ${nonce} is too far ahead: the chain expects nonce ${account.nonce} and takes up to nonce ${account.nonce + NONCE_WINDOW - 1}. Submit the earlier transfers first, from nonce ${nextNonce}.`;
    return refuseField('nonce_too_high', '/nonce', detail, { extra: { nextNonce } });
  }
  return undefined;
}

/**
 * Times of blocks only grow, so the next block is later than the last (protocol.md, rule 22). A block's milliseconds are its nanoseconds
 * rounded down, and a validity is whole seconds: so this is the comparison of nanoseconds, exactly.
 *
 * The last block of an idle chain may be a minute old. A transfer whose validity has ended since then by the clock is refused too: its row
 * would stay forever, and hardly ever would a block come in time.
 */
function validityFault(
  { validUntil }: Submission,
  { lastBlockMs, believedMs }: Pick<Group, 'lastBlockMs' | 'believedMs'>,
): Refusal | undefined {
  if (validUntil === undefined || validUntil * MS_PER_S > Math.max(lastBlockMs, believedMs)) return undefined;
  const later =
    validUntil * MS_PER_S <= lastBlockMs
      ? `the last block is of ${utc(lastBlockMs)}`
      : `by the clock of this service it is ${utc(believedMs)}`;
  const detail: Sentence = `The transfer is valid until ${utc(validUntil * MS_PER_S)}, and ${later}. Sign the payment with a later validUntil.`;
  return refuseField('validity_passed', '/validUntil', detail);
}

const utc = (atMs: number): string => new Date(atMs).toISOString();

/**
 * The reason why the nonce of a transfer is void, as a sentence for its status. Without a transfer, the cancel was signed and broadcast
 * elsewhere.
 */
function whyVoid(transfer: StoredTransfer | undefined): string {
  if (transfer === undefined) return 'a cancel that was broadcast elsewhere voided it';
  if (transfer.reason === 'validity_passed')
    return 'the transfer that held it expired, because no block executed it within its validity';
  if (transfer.status === 'expired')
    return 'the transfer that held it expired, because it was pending for longer than its time to live';
  if (transfer.status === 'cancelled') return 'the transfer that held it was cancelled on request';
  return 'a cancel that was meant for another transfer voided it';
}

/** The transfer that held the nonce. */
const named = ([transfer]: readonly StoredTransfer[]): { txHash?: string } =>
  transfer === undefined ? {} : { txHash: transfer.hash };

/**
 * Fair shares: an owner may have as many transfers pending as a quarter of the free places, so that places are left for an owner who comes
 * late. Transfers behind a gap get half of all places only: only their sender can make them executable, while a transfer that can execute
 * next frees its place with the next blocks.
 */
function boundFault(
  group: Group,
  { owner, nonce, pendingMax }: Submission,
  sender: StoredAccount,
  limits: JudgeLimits,
): Refusal | undefined {
  const { pending } = group;
  const own = group.pendingOf(owner);
  const places = group.placesOf(sender);
  if (own >= (pendingMax ?? limits.pendingPerOwnerMax))
    return tooMany(
      `This owner has ${own} pending transfers, the most that one owner may have. ${wayOut(places, nonce)}`,
    );
  if (pending >= limits.pendingMax) {
    return refuse(
      'pool_full',
      `The service holds ${limits.pendingMax} pending transfers, the most that it takes. Wait as long as Retry-After says, then send the transfer again.`,
      { retryAfterS: RETRY_AFTER_S },
    );
  }
  if (nonce <= places.free) {
    const free = limits.pendingMax - pending;
    if (own < free * FAIR_PART) return undefined;
    return tooMany(
      `This owner has ${own} pending transfers, and ${free} places are free for all owners. ${wayOut(places, nonce)}`,
    );
  }
  if (places.waiting >= WAITING_PER_ACCOUNT_MAX)
    return tooMany(
      `Already ${places.waiting} transfers of this account wait for nonce ${places.free}, the most that may wait. Submit that one first.`,
    );
  const free = Math.max(0, Math.ceil(limits.pendingMax * WAITING_PART) - pending);
  if (own < free * FAIR_PART) return undefined;
  return tooMany(
    `The transfer would wait for nonce ${places.free}, and ${free} places are free for transfers that wait. Submit that one first.`,
  );
}

/** Advice for a sender with too many transfers behind a gap. Waiting does not help where they wait for a nonce that no transfer has. */
function wayOut({ free, waiting }: Places, nonce: number): Sentence {
  if (nonce > free)
    return `Transfers of this account wait for nonce ${free}, which is missing. Cancel some, and submit that one first.`;
  if (waiting > 0)
    return `Nonce ${nonce} is the one that ${waiting} transfers of this account wait for. Cancel some of them, then send it again.`;
  return 'Wait until some are settled, or cancel some.';
}

const tooMany = (detail: Sentence): Refusal => refuse('too_many_pending', detail, { retryAfterS: RETRY_AFTER_S });

/** Pending (also with a cancel requested: a block has not decided yet), committed, or failed by execution. */
export function holdsItsNonce(transfer: StoredTransfer): boolean {
  return transfer.status === 'pending' || wasExecuted(transfer);
}

const refused = (refusal: Refusal): Judgement => ({ kind: 'refused', refusal });

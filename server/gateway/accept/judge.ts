/**
 * Judges one submission against the group's state, in the order that the contract names: binding, idempotency key, replay,
 * conflict, nonce too low, void, too high, funds; then the bounds of this service. Pure: it reads and changes the group only.
 */
import type { ChainContext } from '../../ledger/index.ts';
import { isOnCurve, isVoid, NONCE_WINDOW, parseAddress } from '../../ledger/index.ts';
import type { StoredAccount, StoredTransfer } from '../../store/index.ts';
import type { Submission } from '../core-api.ts';
import { FAIR_PART, RETRY_AFTER_S, WAITING_PART, WAITING_PER_ACCOUNT_MAX } from '../limits.ts';
import { NOT_SUBMITTER_DETAIL, refuse, refuseField } from '../refusals.ts';
import type { Refusal } from '../types.ts';
import type { Group } from './group.ts';

export interface JudgeLimits {
  pendingMax: number;
  pendingPerOwnerMax: number;
}

export type Judgement = { kind: 'accepted' | 'replayed'; transfer: StoredTransfer } | { kind: 'refused'; refusal: Refusal };

const KEY_REUSED_DETAIL = 'This Idempotency-Key belongs to another transfer, which was accepted with it. Use a new key for each transfer.';

const NO_ACCOUNT = { id: 0, balance: 0n, nonce: 0, voids: 0n, reserved: 0n };

export function judge(group: Group, submission: Submission, chain: ChainContext, limits: JudgeLimits): Judgement {
  if (!receiverCanSpend(group, submission.to, chain)) {
    return refused(refuseField('invalid_address', '/to', 'to: the key is not a point of the curve and has no account yet: money sent there would be lost'));
  }
  const boundTo = group.boundTo(submission.from);
  if (boundTo !== undefined && boundTo !== submission.owner) {
    return refused(refuse('not_submitter', NOT_SUBMITTER_DETAIL));
  }

  const keyed = group.transferOfKey(submission);
  if (keyed !== undefined && !isSamePayment(keyed, submission)) {
    return refused(refuseField('idempotency_key_reused', '#/header/idempotency-key', KEY_REUSED_DETAIL, { txHash: keyed.hash }));
  }

  const known = group.transfersAt(submission.from, submission.nonce);
  const same = known.find((transfer) => isSamePayment(transfer, submission));
  if (same !== undefined) return { kind: 'replayed', transfer: same };

  const sender = group.account(submission.from);
  const fault = nonceFault(submission, known, sender ?? NO_ACCOUNT);
  if (fault !== undefined) return refused(fault);
  // Money on its way here does not count: only then does an accepted transfer never fail by what was accepted here.
  const free = sender === undefined ? 0n : sender.balance - sender.reserved;
  if (sender === undefined || free < submission.amount) {
    return refused(refuseField('insufficient_funds', '/amount', `the sender has ${free} free of pending transfers, the transfer needs ${submission.amount}`));
  }
  const full = boundFault(group, submission, sender, limits);
  if (full !== undefined) return refused(full);
  return { kind: 'accepted', transfer: group.accept(submission, sender) };
}

/** A transfer is its sender, nonce, receiver and amount, whatever its signature. */
function isSamePayment(one: StoredTransfer, other: Submission): boolean {
  return one.from === other.from && one.nonce === other.nonce && one.to === other.to && one.amount === other.amount;
}

/** Named as a receiver before means judged before, or executed by a block: then it is not asked again. */
function receiverCanSpend(group: Group, address: string, chain: ChainContext): boolean {
  if (group.account(address) !== undefined) return true;
  const parsed = parseAddress(address, chain.addressPrefix);
  return parsed.ok && isOnCurve(parsed.publicKey);
}

function nonceFault(
  { nonce }: Submission,
  known: readonly StoredTransfer[],
  account: { balance: bigint; nonce: number; voids: bigint },
): Refusal | undefined {
  const holder = known.find(holdsItsNonce);
  if (holder !== undefined) {
    const detail = `another payment holds nonce ${nonce}: it is ${holder.status}`;
    return refuseField('nonce_conflict', '/nonce', detail, { txHash: holder.hash });
  }
  if (nonce < account.nonce) {
    return refuseField('nonce_too_low', '/nonce', `nonce ${nonce} is used; the account's next is ${account.nonce}`);
  }
  if (isVoid(account, nonce)) {
    const voided = known[0];
    return refuseField('nonce_cancelled', '/nonce', `nonce ${nonce} was cancelled and stays void`, voided === undefined ? {} : { txHash: voided.hash });
  }
  if (nonce >= account.nonce + NONCE_WINDOW) {
    return refuseField('nonce_too_high', '/nonce', `nonce ${nonce} is ${NONCE_WINDOW} or more ahead of the account's, ${account.nonce}`);
  }
  return undefined;
}

/**
 * Fair shares: an owner may have as many transfers pending as a quarter of the places that are free, so that one who comes late finds places
 * whatever the others do. A transfer behind a gap sees half of all places only: nothing but its sender can make it executable, while one that
 * can execute next makes room by itself.
 */
function boundFault(group: Group, { owner, nonce }: Submission, sender: StoredAccount, limits: JudgeLimits): Refusal | undefined {
  const { pending } = group.counters;
  const own = group.pendingOf(owner);
  if (own >= limits.pendingPerOwnerMax) return tooMany(`${own} transfers of this owner are pending, the most that one owner may have; wait until some are settled`);
  if (pending >= limits.pendingMax) {
    return refuse('pool_full', `${limits.pendingMax} transfers are pending; no more are taken until some are settled`, { retryAfterS: RETRY_AFTER_S });
  }
  const places = group.placesOf(sender);
  if (nonce <= places.free) {
    const free = limits.pendingMax - pending;
    if (own < free * FAIR_PART) return undefined;
    return tooMany(`${own} transfers of this owner are pending, and ${free} places are free for all owners; wait until some are settled`);
  }
  if (places.waiting >= WAITING_PER_ACCOUNT_MAX) return tooMany(`${places.waiting} transfers of this account wait for nonce ${places.free}; submit that one first`);
  const free = Math.max(0, Math.ceil(limits.pendingMax * WAITING_PART) - pending);
  if (own < free * FAIR_PART) return undefined;
  return tooMany(`it would wait for nonce ${places.free}, and ${free} places are free for transfers that wait; submit that one first`);
}

const tooMany = (detail: string): Refusal => refuse('too_many_pending', detail, { retryAfterS: RETRY_AFTER_S });

/** Pending (also with a cancel requested: a block has not decided yet), committed, or failed by execution. */
export function holdsItsNonce(transfer: StoredTransfer): boolean {
  return transfer.status === 'pending' || transfer.status === 'committed' || transfer.reason === 'insufficient_funds';
}

const refused = (refusal: Refusal): Judgement => ({ kind: 'refused', refusal });

/**
 * Dry run of a submission: checked by the code that checks submissions, in the same order, and with no effect.
 *
 * Addresses, signature and hash are checked on the caller's thread, the rest by the ledger service against its state of one moment.
 */
import type { ChainContext } from '../ledger/index.ts';
import { encodeTransaction, signBytes, txHash, verifyStrict } from '../ledger/index.ts';
import type { StoredTransfer } from '../store/index.ts';
import type { Judgement } from './accept/judge.ts';
import { finishTransfer, prepareTransfer, unsignedTransfer } from './admission.ts';
import type { CheckedSubmission, GatewayCoreApi, Submission } from './core-api.ts';
import type { GapOf } from './gaps.ts';
import { recordOf } from './records.ts';
import { NOT_SUBMITTER_DETAIL, refuse } from './refusals.ts';
import type { AccountView, Checked, Principal, Refusal, TransferInput, TransferToCheck } from './types.ts';

/** Placeholder for a missing signature, where a transfer has to have one; it is verified nowhere and answered nowhere. */
const NO_SIGNATURE = '0'.repeat(128);

export async function checkTransfer(
  core: Pick<GatewayCoreApi, 'check'>,
  chain: ChainContext,
  input: TransferToCheck,
  { owner, tokenId, limits }: Principal,
): Promise<Checked | Refusal> {
  const { signature } = input;
  const signed: TransferInput = { ...input, signature: signature ?? NO_SIGNATURE };
  const prepared = prepareTransfer(chain, signed);
  // A body that is not a transfer has no bytes to sign.
  if (!prepared.ok && prepared.code === 'invalid_request') return prepared;
  const unsigned = unsignedTransfer(chain, signed);
  const bytes = signBytes(unsigned);
  const answer: Pick<Checked, 'ok' | 'signBytes' | 'txHash' | 'signatureStatus'> = {
    ok: true,
    signBytes: Buffer.from(bytes).toString(),
    signatureStatus: 'not_judged',
  };
  const hash = signature === undefined ? undefined : txHash(encodeTransaction({ ...unsigned, signature }));
  if (hash !== undefined) answer.txHash = hash;
  if (!prepared.ok) return { ...answer, judgement: { kind: 'refused', refusal: prepared } };

  const { publicKey, message } = prepared.transfer.check;
  // Checked before the ledger service is called, and answered only to a caller who may act for the sender.
  const isValid = signature !== undefined && verifyStrict(publicKey, message, prepared.transfer.check.signature);
  const admission = signature === undefined ? undefined : finishTransfer(prepared.transfer, isValid);
  const fault = admission === undefined || admission.ok ? undefined : admission;
  const { from, to, amount, nonce, reference, validUntil } = unsigned;
  const found = await core.check({
    from,
    to,
    amount,
    nonce,
    reference,
    validUntil,
    signature: signed.signature,
    txHash: hash ?? '',
    owner,
    tokenId,
    pendingMax: limits?.pendingMax,
  });
  if (!found.ok) return found;
  // The binding of the address is checked before signature and hash, so that a caller who may not act for it gets no result of these.
  if (!found.mayAct)
    return {
      ...answer,
      judgement:
        fault === undefined
          ? found.judgement
          : { kind: 'refused', refusal: refuse('not_submitter', NOT_SUBMITTER_DETAIL) },
    };
  if (signature !== undefined) answer.signatureStatus = isValid ? 'valid' : 'invalid';
  return {
    ...answer,
    account: found.account,
    judgement: fault === undefined ? found.judgement : { kind: 'refused', refusal: fault },
  };
}

/** The check as the ledger service returns it. */
export function checkedSubmission(
  { owner }: Pick<Submission, 'owner'>,
  { judgement, boundTo }: { judgement: Judgement; boundTo: string | undefined },
  account: AccountView,
  gapOf: GapOf,
): CheckedSubmission {
  return { ok: true, mayAct: boundTo === undefined || boundTo === owner, account, judgement: toldOf(judgement, gapOf) };
}

function toldOf(
  judgement: Judgement,
  gapOf: (transfer: StoredTransfer) => number | undefined,
): CheckedSubmission['judgement'] {
  if (judgement.kind === 'refused') return judgement;
  return judgement.kind === 'accepted'
    ? { kind: 'accepted' }
    : { kind: 'replayed', transaction: recordOf(judgement.transfer, gapOf) };
}

/**
 * Groups of submissions as they cross threads: a text for each, and one for all answers.
 *
 * A structured clone takes an object apart and builds it again, which costs a submission and its answer more than the checks. A text is
 * copied. Fields are apart by tabs and answers by line feeds, which none of them holds: they are visible ASCII by their own rules, and JSON
 * escapes both. Most answers contain only that the transfer was accepted; any other is JSON.
 *
 * Not one text for the whole group: V8 cuts fields out of a text without copying them, so a single transfer that waits for its nonce for a
 * day would keep the text of the thousand that came with it.
 */
import type { GatewayCoreApi, Submission } from './core-api.ts';
import { recordOf, type RecordSource } from './records.ts';
import type { Refusal, Submitted } from './types.ts';

type Answer = Submitted | Refusal;

/** The form of `submitGroup` that crosses threads. */
export interface PackedCoreApi extends Omit<GatewayCoreApi, 'submitGroup'> {
  submitPacked(group: readonly string[], isBatch: boolean): Promise<string>;
}

/** The ledger service as another thread calls it. */
export function packingCore(core: GatewayCoreApi): PackedCoreApi {
  return Object.create(core, {
    submitPacked: {
      value: async (group: readonly string[], isBatch: boolean) =>
        packAnswers(await core.submitGroup(unpackSubmissions(group), isBatch)),
    },
  }) as PackedCoreApi;
}

/** The ledger service on another thread, as its caller sees it. */
export function unpackingCore(core: PackedCoreApi): GatewayCoreApi {
  const submitGroup: GatewayCoreApi['submitGroup'] = async (submissions, isBatch = false) =>
    unpackAnswers(await core.submitPacked(packSubmissions(submissions), isBatch), submissions);
  return Object.create(core, { submitGroup: { value: submitGroup } }) as GatewayCoreApi;
}

export function packSubmissions(submissions: readonly Submission[]): string[] {
  return submissions.map(packSubmission);
}

function packSubmission({
  txHash,
  from,
  to,
  amount,
  nonce,
  reference,
  validUntil,
  signature,
  owner = '',
  tokenId = '',
  idempotencyKey = '',
  pendingMax,
  trace,
}: Submission): string {
  const line = `${txHash}\t${from}\t${to}\t${amount}\t${nonce}\t${signature}\t${owner}\t${tokenId}\t${idempotencyKey}`;
  if (pendingMax !== undefined || trace !== undefined)
    return `${line}\t${reference ?? ''}\t${validUntil ?? ''}\t${pendingMax ?? ''}\t${trace ?? ''}`;
  return reference === undefined && validUntil === undefined
    ? line
    : `${line}\t${reference ?? ''}\t${validUntil ?? ''}`;
}

export function unpackSubmissions(group: readonly string[]): Submission[] {
  return group.map((line) => {
    const [
      txHash,
      from,
      to,
      amount,
      nonce,
      signature,
      owner,
      tokenId,
      idempotencyKey,
      reference,
      validUntil,
      pendingMax,
      trace,
    ] = line.split('\t') as Fields;
    const submission: Submission = {
      from,
      to,
      amount: BigInt(amount),
      nonce: Number(nonce),
      signature,
      txHash,
      owner: owner === '' ? undefined : owner,
    };
    if (reference !== undefined && reference !== '') submission.reference = reference;
    if (validUntil !== undefined && validUntil !== '') submission.validUntil = Number(validUntil);
    if (pendingMax !== undefined && pendingMax !== '') submission.pendingMax = Number(pendingMax);
    if (tokenId !== '') submission.tokenId = tokenId;
    if (idempotencyKey !== '') submission.idempotencyKey = idempotencyKey;
    if (trace !== undefined && trace !== '') submission.trace = trace;
    return submission;
  });
}

type Fields = [
  txHash: string,
  from: string,
  to: string,
  amount: string,
  nonce: string,
  signature: string,
  owner: string,
  tokenId: string,
  idempotencyKey: string,
  reference?: string,
  validUntil?: string,
  pendingMax?: string,
  trace?: string,
];

/** Accepted, at this moment, and broadcast. */
const BROADCAST = 'b';
const OTHER = 'o';

export function packAnswers(answers: readonly Answer[]): string {
  return answers.map(packAnswer).join('\n');
}

function packAnswer(answer: Answer): string {
  if (answer.ok && !answer.replayed) {
    const { status, firstSeenAtMs, reason } = answer.transaction;
    if (status === 'pending' && reason?.code === 'broadcast') return `${BROADCAST}${firstSeenAtMs}`;
  }
  return `${OTHER}${JSON.stringify(answer)}`;
}

export function unpackAnswers(text: string, submissions: readonly Submission[]): Answer[] {
  if (submissions.length === 0) return [];
  return text.split('\n').map((line, index) => unpackAnswer(line, submissions[index] as Submission));
}

function unpackAnswer(line: string, submission: Submission): Answer {
  const rest = line.slice(1);
  if (line[0] !== BROADCAST) return JSON.parse(rest) as Answer;
  const { txHash, from, to, amount, nonce, reference, validUntil } = submission;
  const transfer: RecordSource = {
    hash: txHash,
    from,
    to,
    amount,
    nonce,
    reference,
    validUntil,
    status: 'pending',
    firstSeenAtMs: Number(rest),
    reason: undefined,
    reasonHash: undefined,
    executedAs: undefined,
    cancelRequestedAtMs: undefined,
    expiryRequestedAtMs: undefined,
    height: undefined,
    blockTimeMs: undefined,
  };
  // Nothing before it is missing: the short answer means that.
  return { ok: true, replayed: false, transaction: recordOf(transfer, () => nonce) };
}

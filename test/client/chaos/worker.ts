/**
 * A client process of the kill-the-network test. It makes payments 0 to count-1, each of an amount of its own, in turn from its accounts, and
 * may be killed at any moment: what it has signed is in its journal before it is sent, so its successor sends the same again.
 *
 * Arguments: base URL, token, seeds joined by commas, receiver, first amount, count, journal.
 */
import {
  createClient,
  NonceCancelledError,
  NonceConflictError,
  NonceTooLowError,
  sendTransfer,
  type SignedTransfer,
  type Signer,
  signerFromSeed,
  submitTransaction,
  UnknownOutcomeError,
  waitForTransaction,
} from '../../../client/src/index.ts';
import { Journal, readJournal } from './journal.ts';

const PARALLEL = 40;
const ATTEMPT_TIMEOUT_MS = 2_000;
/** The service holds the answer until a block has decided; whoever hears nothing by then looks. */
const WAIT_MS = 2_000;
const CALL_TIMEOUT_MS = 8_000;

const [baseUrl = '', token = '', seeds = '', to = '', first = '', count = '', path = ''] = process.argv.slice(2);
const past = readJournal(path);
const journal = new Journal(path);
const client = createClient({ baseUrl, token, attemptTimeoutMs: ATTEMPT_TIMEOUT_MS });
const signers = await Promise.all(seeds.split(',').map(signerFromSeed));

const latest = new Map<number, SignedTransfer>();
const settled = new Set<number>();
for (const entry of past) {
  if (entry.kind === 'signed') latest.set(entry.index, entry.signed);
  else if (entry.kind === 'refused') latest.delete(entry.index);
  else settled.add(entry.index);
}

/** Sends until the service has it, whatever happens on the way. @returns the hash to wait for. */
async function send(index: number): Promise<string> {
  for (;;) {
    const signed = latest.get(index);
    try {
      if (signed)
        return (await submitTransaction(client, { signed, waitMs: WAIT_MS, timeoutMs: CALL_TIMEOUT_MS })).transaction
          .txHash;
      const sent = await sendTransfer(client, {
        signer: signers[index % signers.length] as Signer,
        to,
        amount: BigInt(first) + BigInt(index),
        waitMs: WAIT_MS,
        timeoutMs: CALL_TIMEOUT_MS,
        onSigned: (fresh) => {
          // Signed again only because the one before was refused for ever.
          const before = latest.get(index);
          if (before) journal.write({ kind: 'refused', index, txHash: before.txHash, why: 'nonce lost' });
          latest.set(index, fresh);
          journal.write({ kind: 'signed', index, signed: fresh });
        },
      });
      return sent.transaction.txHash;
    } catch (error) {
      const { name, retriable, message } = error as { name: string; retriable?: boolean; message: string };
      const lost =
        error instanceof NonceConflictError ||
        error instanceof NonceTooLowError ||
        error instanceof NonceCancelledError;
      const current = latest.get(index);
      if (lost && current) {
        journal.write({ kind: 'refused', index, txHash: current.txHash, why: name });
        latest.delete(index);
      } else if (!(error instanceof UnknownOutcomeError) && retriable !== true) {
        throw new Error(`payment ${index}: ${name}: ${message}`, { cause: error });
      }
    }
  }
}

async function pay(index: number): Promise<void> {
  const txHash = await send(index);
  for (;;) {
    const result = await waitForTransaction(client, { txHash, timeoutMs: CALL_TIMEOUT_MS });
    if (result.outcome === 'undecided') continue;
    journal.write({ kind: 'settled', index, txHash, outcome: result.outcome });
    return;
  }
}

const all = Array.from({ length: Number(count) }, (_, index) => index).filter((index) => !settled.has(index));
// What was signed before comes first: its nonces are spoken for, and a new payment must not be given one of them.
await Promise.all(all.filter((index) => latest.has(index)).map(send));
const queue = all.values();
await Promise.all(
  Array.from({ length: PARALLEL }, async () => {
    for (const index of queue) await pay(index);
  }),
);
journal.close();

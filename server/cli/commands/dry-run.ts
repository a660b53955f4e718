/** `txledger send --dry-run`: signs a transfer, requests the answer that submitting it would get, and submits nothing. @module */
import { checkTransaction } from '../../../client/src/actions/checkTransaction.ts';
import { getAccount } from '../../../client/src/actions/getAccount.ts';
import { getChain } from '../../../client/src/actions/getChain.ts';
import { signTransfer, type TransferToSign } from '../../../client/src/actions/signTransfer.ts';
import { signerFromSeed } from '../../../client/src/keys/seed.ts';
import { encodeAddress } from '../../../client/src/crypto/address.ts';
import type { SignedTransfer, TransactionCheckResult } from '../../../client/src/index.ts';
import { assertMaySign, senderKeyOf, type SenderOptions } from '../accounts.ts';
import { amountsIn, readAmount, type ShowAmount } from '../amounts.ts';
import { chainTimeMs } from '../../../client/src/transaction/validity.ts';
import { connect, type ConnectionOptions } from '../connection.ts';
import { describeAccount } from '../describe-account.ts';
import { CommandError } from '../failure.ts';
import { interruption } from '../interrupt.ts';
import { facts, print } from '../output.ts';
import { describeTransaction } from '../transactions.ts';

export interface DryRunOptions extends ConnectionOptions, SenderOptions {
  /** The next free one if absent. */
  readonly nonce?: number;
}

/** The signed fields besides the nonce, the sender and the chain. */
export interface Payment extends Omit<TransferToSign, 'signer' | 'chain' | 'nonce' | 'amount'> {
  /** The text of the option. */
  readonly amount: string;
  /** Milliseconds after the last block, instead of `validUntil`. */
  readonly validForMs?: number | undefined;
}

export async function dryRun(
  { timeout, ...options }: DryRunOptions,
  { validForMs, ...payment }: Payment,
): Promise<void> {
  const endMs = performance.now() + timeout;
  const signal = interruption();
  const calls = (): { timeoutMs: number; signal: AbortSignal } => ({
    timeoutMs: Math.max(0, endMs - performance.now()),
    signal,
  });
  const client = connect(options);
  const key = await senderKeyOf(options);
  const chain = await getChain(client, calls());
  assertMaySign(key, chain);
  const amount = readAmount(payment.amount, chain.currency, '--amount');
  const signer = await signerFromSeed(key.seed);
  const address = encodeAddress(signer.publicKey, chain.addressPrefix);
  const nonce = options.nonce ?? (await getAccount(client, { address, ...calls() })).nextNonce;
  const validUntil = validForMs === undefined ? payment.validUntil : new Date(chainTimeMs(chain) + validForMs);
  const { input } = await signTransfer({ signer, chain, nonce, ...payment, amount, validUntil });
  const result = await checkTransaction(client, { input, ...calls() });
  const lines = describe(result, input, amountsIn(chain.currency));
  const { problem } = result;
  if (problem === undefined) return print({ nonce, ...result }, lines);
  throw new CommandError(
    [...lines, `It would be refused (${problem.status} ${problem.code}): ${problem.detail}`].join('\n'),
    'refused',
    { ...result, code: problem.code, nonce },
  );
}

function describe(
  { outcome, txHash = '', signBytes, transaction, account }: TransactionCheckResult,
  { nonce, amount, to }: SignedTransfer['input'],
  show: ShowAmount,
): string[] {
  const [domain = '', text = ''] = signBytes.split('\n');
  return [
    ...facts([
      ['dry run', `${outcome}; nothing was sent`],
      ['hash', txHash],
      ['nonce', `${nonce}`],
      ['pays', `${show(amount)} to ${to}`],
      ['signs', domain],
      ['', text],
    ]),
    ...(transaction === undefined
      ? []
      : ['known as', ...describeTransaction(transaction, show).map((line) => `  ${line}`)]),
    ...(account === undefined ? [] : ['account', ...describeAccount(account, show).map((line) => `  ${line}`)]),
  ];
}

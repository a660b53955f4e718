/** `txledger send --dry-run`: signs a transfer, asks what submitting it would be answered, and sends nothing. @module */
import { signerOf } from '../accounts.ts';
import { checkTransaction, encodeAddress, getAccount, getChain, signTransfer, type TransactionCheckResult, type TransferToSign } from '../client.ts';
import { connect, type ConnectionOptions } from '../connection.ts';
import { CommandError } from '../failure.ts';
import { interruption } from '../interrupt.ts';
import { facts, print } from '../output.ts';
import { describeTransaction } from '../transactions.ts';

export interface DryRunOptions extends ConnectionOptions {
  readonly from?: string;
  readonly keyFile?: string;
  /** The next free one by default. */
  readonly nonce?: number;
}

/** What is signed besides the nonce, the sender and the chain. */
export type Payment = Omit<TransferToSign, 'signer' | 'chain' | 'nonce'>;

export async function dryRun({ timeout, ...options }: DryRunOptions, payment: Payment): Promise<void> {
  const endMs = performance.now() + timeout;
  const signal = interruption();
  const calls = (): { timeoutMs: number; signal: AbortSignal } => ({ timeoutMs: Math.max(0, endMs - performance.now()), signal });
  const client = connect({ timeout, ...options });
  const signer = await signerOf(options);
  const chain = await getChain(client, calls());
  const address = encodeAddress(signer.publicKey, chain.addressPrefix);
  const nonce = options.nonce ?? (await getAccount(client, { address, ...calls() })).nextNonce;
  const { input } = await signTransfer({ signer, chain, nonce, ...payment });
  const result = await checkTransaction(client, { input, ...calls() });
  const lines = describe(result, nonce);
  const { problem } = result;
  if (problem === undefined) return print({ nonce, ...result }, lines);
  throw new CommandError([...lines, `It would be refused (${problem.status} ${problem.code}): ${problem.detail}`].join('\n'), 'refused', { ...result, code: problem.code, nonce });
}

function describe({ outcome, txHash = '', signBytes, transaction, account }: TransactionCheckResult, nonce: number): string[] {
  const [domain = '', text = ''] = signBytes.split('\n');
  return [
    ...facts([
      ['dry run', `${outcome}; nothing was sent`],
      ['hash', txHash],
      ['nonce', `${nonce}`],
      ['signs', domain],
      ['', text],
    ]),
    ...(transaction === undefined ? [] : ['known as', ...describeTransaction(transaction).map((line) => `  ${line}`)]),
    ...(account === undefined ? [] : ['account', ...describeAccount(account).map((line) => `  ${line}`)]),
  ];
}

function describeAccount({ address, balance, available, pendingOut, nonce, nextNonce, gaps, height, blockTime }: NonNullable<TransactionCheckResult['account']>): string[] {
  const missing = gaps.map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`)).join(', ');
  return facts([
    ['address', address],
    ['balance', balance],
    ['available', `${available}, with ${pendingOut} pending`],
    ['nonce', `${nonce}; the next to sign is ${nextNonce}`],
    ...(missing === '' ? [] : [['missing', `${missing}: later transfers wait for these nonces`] as const]),
    ['block', `${height}  ${blockTime}`],
  ]);
}

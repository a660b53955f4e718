/**
 * Formats transfers for a terminal, and reports the end of a wait for one.
 *
 * @module
 */
import { waitForTransaction, type WaitResult } from '../../client/src/actions/waitForTransaction.ts';
import type { Client, Transaction, TransactionDetail } from '../../client/src/index.ts';
import type { ShowAmount } from './amounts.ts';
import { CommandError } from './failure.ts';
import { columns, facts, note, time } from './output.ts';
import { withProgress } from './progress.ts';
import { statusStyle, styled } from './style.ts';
import { table, type Column } from './table.ts';

/** Empty for a transfer without a reason, or without one yet. */
const reasonOf = (transaction: Transaction): string =>
  'reason' in transaction && transaction.reason !== undefined
    ? `${transaction.reason.code}: ${transaction.reason.detail}`
    : '';

/** The block that decided; undefined before. */
const blockOf = (transaction: Transaction): { height: number; blockTime: string } | undefined =>
  'height' in transaction ? transaction : undefined;

/** Formats whole Unix seconds as the service formats its moments. */
export const endOf = (validUntil: number): string => time(validUntil * 1000);

/** Describes one transfer, one fact in each line. */
export function describeTransaction(transaction: Transaction | TransactionDetail, show: ShowAmount): string[] {
  const { txHash, status, from, to, amount, reference, validUntil, firstSeenAt } = transaction;
  const executedAs = 'executedAs' in transaction ? transaction.executedAs : undefined;
  const [reason, block] = [reasonOf(transaction), blockOf(transaction)];
  return facts([
    ['hash', txHash],
    ...(executedAs === undefined ? [] : [['executed as', executedAs] as const]),
    ['status', styled(statusStyle(status), status)],
    ...(reason === '' ? [] : [['reason', reason] as const]),
    ['from', from],
    ['to', to],
    ['amount', show(amount)],
    ...(reference === undefined ? [] : [['reference', reference] as const]),
    ...(validUntil === undefined ? [] : [['valid until', endOf(validUntil)] as const]),
    ...('nonce' in transaction ? [['nonce', `${transaction.nonce}`] as const] : []),
    ['first seen', firstSeenAt],
    ...(block === undefined ? [] : [['block', `${block.height}  ${block.blockTime}`] as const]),
  ]);
}

export function describeDetail(transaction: TransactionDetail, show: ShowAmount): string[] {
  const history = transaction.history.map(({ at, event, height, detail = '', txHash = '' }) => [
    `  ${at}`,
    event,
    height === undefined ? '' : `height ${height}`,
    detail,
    txHash,
  ]);
  return [...describeTransaction(transaction, show), 'history', ...columns(history)];
}

/** Lists transfers, one in each line. The reference is at the end, because it may contain spaces. */
export function describeList(transactions: readonly Transaction[], show: ShowAmount): string[] {
  const shown: readonly Column<Transaction>[] = [
    { header: 'first seen', kind: 'time', value: ({ firstSeenAt }) => firstSeenAt },
    { header: 'status', kind: 'status', value: ({ status }) => status },
    { header: 'height', kind: 'amount', dropped: 0, value: (transaction) => `${blockOf(transaction)?.height ?? '-'}` },
    { header: 'amount', kind: 'amount', value: ({ amount }) => show(amount) },
    { header: 'from', kind: 'account', value: ({ from }) => from },
    { header: 'to', kind: 'account', value: ({ to }) => to },
    { header: 'hash', kind: 'key', value: ({ txHash }) => txHash },
    { header: 'reference', kind: 'text', dropped: 1, value: ({ reference = '' }) => reference },
  ];
  return table(shown, transactions, { none: 'no transfers' });
}

/** The reason of an expiry, from the history: an expired transfer has no reason of its own. */
function expiryOf({ history }: TransactionDetail): string {
  const { reason = '', detail = '' } = history.find(({ event }) => event === 'expiry_requested') ?? {};
  return [reason, detail].filter(Boolean).join(': ');
}

/** One line about the decision of a block, which a person waits for. */
function decision({ outcome, transaction }: Exclude<WaitResult, { outcome: 'undecided' }>): string {
  const reason =
    outcome === 'failed' ? `  ${reasonOf(transaction)}` : outcome === 'expired' ? `  ${expiryOf(transaction)}` : '';
  return `${outcome.padEnd(9)}  height ${transaction.height}, block time ${transaction.blockTime}${reason}`;
}

/**
 * Waits until a block has decided, and reports it.
 * @throws CommandError if it is undecided at the end of the time, which does not mean that it failed, or if the block decided against the
 * transfer.
 */
export async function awaitCommitted(
  client: Client,
  options: { txHash: string; timeoutMs: number; signal: AbortSignal },
): Promise<TransactionDetail> {
  const result = await withProgress('waiting for a block', waitForTransaction(client, options));
  const { outcome, transaction } = result;
  if (outcome === 'undecided') {
    const { txHash } = options;
    const known =
      transaction === undefined ? 'The service could not be asked, or does not know it yet' : 'It is pending';
    const last = result.lastError instanceof Error ? ` (${result.lastError.message})` : '';
    throw new CommandError(
      `No block has decided about transfer ${txHash} within the time; it may still commit. ${known}${last}.\nLook again: txledger get ${txHash} --wait`,
      'unknown',
      { code: 'undecided', txHash, ...(transaction === undefined ? {} : { transaction }) },
    );
  }
  if (outcome === 'committed') {
    note(decision(result));
    return transaction;
  }
  throw new CommandError(
    `${decision(result)}\nTransfer ${transaction.txHash} moved no money and never will.`,
    'refused',
    { code: outcome, txHash: transaction.txHash, transaction },
  );
}

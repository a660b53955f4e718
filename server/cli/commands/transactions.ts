/** `txledger list`, `get` and `cancel`: the state of transfers. @module */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { type CancelResult, cancelTransaction } from '../../../client/src/actions/cancelTransaction.ts';
import { eachTransaction } from '../../../client/src/actions/eachTransaction.ts';
import { getChain } from '../../../client/src/actions/getChain.ts';
import { getTransaction } from '../../../client/src/actions/getTransaction.ts';
import { listTransactions } from '../../../client/src/actions/listTransactions.ts';
import { signCancel, submitCancel } from '../../../client/src/actions/submitCancel.ts';
import type { CallOptions, Client, Transaction, TransactionStatus } from '../../../client/src/index.ts';
import { signerFromSeed } from '../../../client/src/keys/seed.ts';
import { askAmounts } from '../amounts.ts';
import { addressOf, assertMaySign, type SenderKey, senderKeyOf } from '../accounts.ts';
import { connect, withConnection, type ConnectionOptions } from '../connection.ts';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';
import { interruption } from '../interrupt.ts';
import { print, withJson, withWide } from '../output.ts';
import { withProgress } from '../progress.ts';
import { awaitCommitted, describeDetail, describeList, describeTransaction } from '../transactions.ts';

const STATUSES = [
  'pending',
  'committed',
  'failed',
  'cancelled',
  'expired',
] as const satisfies readonly TransactionStatus[];
const LIMIT_DEFAULT = 20;
/** The largest page of the service. */
const LIMIT_MAX = 1000;
/** The most transfers that --all collects in memory; beyond it, use pages with --cursor. */
const ALL_MAX = 1_000_000;
/** The longest time that a service delays the answer to a cancel. */
const CANCEL_WAIT_MS = 30_000;

interface ListOptions extends ConnectionOptions {
  readonly status?: TransactionStatus;
  readonly from?: string;
  readonly nonce?: number;
  readonly to?: string;
  readonly account?: string;
  readonly reference?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly all?: boolean;
}

async function list({ limit, all, ...options }: ListOptions): Promise<void> {
  if (options.nonce !== undefined && options.from === undefined)
    throw new CommandError('A nonce counts the transfers of one account: give --from with --nonce.', 'usage');
  const client = connect(options);
  const { status, from, nonce, to, account, reference, cursor, timeout: timeoutMs } = options;
  const show = await askAmounts(client, { timeoutMs });
  const query = {
    ...(status && { status }),
    ...(from && { from: addressOf(from) }),
    ...(nonce !== undefined && { nonce }),
    ...(to && { to: addressOf(to) }),
    ...(account && { account: addressOf(account) }),
    ...(reference !== undefined && { reference }),
    ...(cursor && { cursor }),
    timeoutMs,
  };
  if (all) {
    const transactions: Transaction[] = [];
    for await (const transaction of eachTransaction(client, { ...query, limit: LIMIT_MAX })) {
      if (transactions.push(transaction) > ALL_MAX)
        throw new CommandError(
          `There are more than ${ALL_MAX} transfers; list them page by page with --limit and --cursor.`,
        );
    }
    print({ transactions }, describeList(transactions, show));
    return;
  }
  const page = await listTransactions(client, { ...query, limit: limit ?? LIMIT_DEFAULT });
  print(page, [
    ...describeList(page.transactions, show),
    ...(page.nextCursor === undefined ? [] : [`There are more: --cursor ${page.nextCursor}`]),
  ]);
}

async function get(txHash: string, options: ConnectionOptions & { readonly wait: boolean }): Promise<void> {
  const client = connect(options);
  const { timeout: timeoutMs } = options;
  const transaction = options.wait
    ? await awaitCommitted(client, { txHash, timeoutMs, signal: interruption() })
    : await getTransaction(client, { txHash, timeoutMs });
  print(transaction, describeDetail(transaction, await askAmounts(client, { timeoutMs })));
}

interface CancelOptions extends ConnectionOptions {
  /** Key file of the sender, who may cancel a transfer that anyone has submitted. */
  readonly keyFile?: string;
}

async function cancel(txHash: string, options: CancelOptions): Promise<void> {
  const key = options.keyFile === undefined ? undefined : await senderKeyOf({ keyFile: options.keyFile });
  const client = connect(options);
  const call = { timeoutMs: options.timeout, signal: interruption() };
  const cancelling =
    key === undefined
      ? cancelTransaction(client, { txHash, waitMs: CANCEL_WAIT_MS, ...call })
      : cancelBySender(client, key, { txHash, ...call });
  const { outcome, transaction } = await withProgress('waiting for a block', cancelling);
  if (outcome === 'undecided') {
    throw new CommandError(
      `The cancel of ${transaction.txHash} is recorded and cannot be taken back, but no block has decided yet.\nLook again: txledger get ${transaction.txHash}`,
      'unknown',
      { code: 'undecided', txHash: transaction.txHash, transaction },
    );
  }
  print(transaction, describeTransaction(transaction, await askAmounts(client, { timeoutMs: options.timeout })));
}

async function cancelBySender(
  client: Client,
  key: SenderKey,
  { txHash, ...call }: { readonly txHash: string } & CallOptions,
): Promise<CancelResult> {
  const [chain, { nonce }] = await Promise.all([getChain(client, call), getTransaction(client, { txHash, ...call })]);
  assertMaySign(key, chain);
  const signature = await signCancel({ signer: await signerFromSeed(key.seed), chain, nonce, txHash });
  return await submitCancel(client, { txHash, signature, waitMs: CANCEL_WAIT_MS, ...call });
}

export function addTransactionCommands(program: Command): void {
  const lists = program
    .command('list')
    .description('list transfers, newest first')
    .addOption(new Option('--status <status>', 'only those that have this status now').choices(STATUSES))
    .option('--from <account>', 'only those that this account pays')
    .option('--nonce <nonce>', 'only those of --from with this nonce', (text) => {
      if (!/^(0|[1-9][0-9]{0,15})$/.test(text) || !Number.isSafeInteger(Number(text)))
        throw new InvalidArgumentError('expected a whole number from 0 to 2^53-1.');
      return Number(text);
    })
    .option('--to <account>', 'only those that this account receives')
    .option('--account <account>', 'only those that this account pays or receives')
    .option('--reference <reference>', 'only those that are called this')
    .option('--limit <count>', `how many (default: ${LIMIT_DEFAULT})`, (text) => {
      if (!/^[1-9][0-9]{0,3}$/.test(text) || Number(text) > LIMIT_MAX)
        throw new InvalidArgumentError(`expected a whole number from 1 to ${LIMIT_MAX}.`);
      return Number(text);
    })
    .option('--cursor <cursor>', 'where the page before ended')
    .addOption(new Option('--all', 'every one, however many').conflicts('limit'))
    .action((options: ListOptions) => runCommand(() => list(options)));
  withExamples(
    withJson(withWide(withConnection(lists))),
    'txledger list',
    'txledger list --status pending --account dev-0',
    'txledger list --from dev-0 --nonce 0',
    'txledger list --account dev-0 --reference INV-2026-17',
    'txledger list --all --json',
  );

  const gets = program
    .command('get')
    .description('one transfer with its history')
    .argument('<hash>', 'hash of the transfer')
    .option('--wait', 'wait until a block has decided', false)
    .action((hash: string, options: ConnectionOptions & { wait: boolean }) => runCommand(() => get(hash, options)));
  withExamples(
    withJson(withConnection(gets)),
    'txledger get "$HASH"',
    'txledger get "$HASH" --wait --timeout 2m --json',
  );

  const cancels = program
    .command('cancel')
    .description('void the nonce of a pending transfer on the chain, so that it can never execute')
    .argument('<hash>', 'hash of the transfer')
    .option(
      '--key-file <file>',
      "sign the cancel with the sender's key in this file (mode 0600), no matter who submitted the transfer",
    )
    .action((hash: string, options: CancelOptions) => runCommand(() => cancel(hash, options)));
  withExamples(withJson(withConnection(cancels)), 'txledger cancel "$PENDING_HASH"');
}

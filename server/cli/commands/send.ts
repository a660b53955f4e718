/** `txledger send`: signs one transfer, or those of a file, and submits them; the command that `npm start` prints for pasting. @module */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { getChain } from '../../../client/src/actions/getChain.ts';
import { sendTransfer } from '../../../client/src/actions/sendTransfer.ts';
import { signerFromSeed } from '../../../client/src/keys/seed.ts';
import { REFERENCE_PATTERN } from '../../../client/src/limits.ts';
import type { SignedTransfer } from '../../../client/src/index.ts';
import { addressOf, assertMaySign, DEVELOPMENT_SENDER, senderKeyOf } from '../accounts.ts';
import { amountsIn, isNonce, readAmount, type ShowAmount } from '../amounts.ts';
import { clientOf, serviceOf, withConnection, type ConnectionOptions } from '../connection.ts';
import { parseDuration } from '../duration.ts';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';
import { interruption } from '../interrupt.ts';
import { parseEnd } from '../moment.ts';
import { note, print, printError, wantsJson, withJson } from '../output.ts';
import { withProgress } from '../progress.ts';
import { awaitCommitted, describeTransaction, endOf } from '../transactions.ts';
import { dryRun } from './dry-run.ts';
import { previewFile, sendFile } from './send-file.ts';

interface SendOptions extends ConnectionOptions {
  readonly to?: string;
  readonly amount?: string;
  readonly file?: string;
  readonly result?: string;
  readonly from?: string;
  readonly keyFile?: string;
  readonly nonce?: number;
  readonly reference?: string;
  /** Milliseconds. */
  readonly validFor?: number;
  readonly validUntil?: Date;
  readonly wait: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/** Printed before anything is sent, so that the hash is known in any case. With --json only the result is on standard output. */
function announce({ txHash, input }: SignedTransfer, show: ShowAmount): void {
  const { from, to, nonce, amount, reference, validUntil } = input;
  const lines = [
    `hash       ${txHash}`,
    `signed     ${from} nonce ${nonce}`,
    `pays       ${show(amount)} to ${to}`,
    ...(reference === undefined ? [] : [`reference  ${reference}`]),
    ...(validUntil === undefined ? [] : [`valid      until ${endOf(validUntil)}`]),
  ];
  for (const line of lines) {
    if (wantsJson()) printError(line);
    else note(line);
  }
}

async function send(options: SendOptions): Promise<void> {
  const { file, to, amount } = options;
  if (options.dryRun && options.wait) throw new CommandError('--dry-run sends nothing: leave --wait out.');
  if (file !== undefined) {
    if (
      to !== undefined ||
      amount !== undefined ||
      options.nonce !== undefined ||
      options.reference !== undefined ||
      options.wait
    ) {
      throw new CommandError(
        'With --file the payments are in the file: leave --to, --amount, --nonce, --reference and --wait out.',
      );
    }
    await (options.dryRun ? previewFile : sendFile)({ ...options, file });
  } else if (options.result !== undefined) throw new CommandError('--result is for --file.');
  else if (options.yes) throw new CommandError('--yes is for --file: a single transfer is not asked about.');
  else if (to === undefined || amount === undefined)
    throw new CommandError(
      'Say who is paid with --to and how much with --amount, or name a file of payments with --file.',
    );
  else if (options.dryRun) {
    const { reference, validUntil, validFor: validForMs } = options;
    await dryRun(options, { to: addressOf(to), amount, reference, validUntil, validForMs });
  } else await sendOne({ ...options, to, amount });
}

async function sendOne(options: SendOptions & { readonly to: string; readonly amount: string }): Promise<void> {
  const endMs = performance.now() + options.timeout;
  const leftMs = (): number => Math.max(0, endMs - performance.now());
  const signal = interruption();
  const key = await senderKeyOf(options);
  const service = serviceOf(options);
  const chain = await withProgress('sending', getChain(clientOf(service), { timeoutMs: leftMs(), signal }));
  assertMaySign(key, chain);
  const signer = await signerFromSeed(key.seed);
  const client = clientOf(service, chain);
  const amount = readAmount(options.amount, chain.currency, '--amount');
  const show = amountsIn(chain.currency);
  let announced: SignedTransfer | undefined;
  const sending = sendTransfer(client, {
    signer,
    to: addressOf(options.to),
    amount,
    nonce: options.nonce,
    reference: options.reference,
    validUntil: options.validUntil,
    validForMs: options.validFor,
    timeoutMs: leftMs(),
    signal,
    onSigned: (signed) => {
      announced = signed;
      announce(signed, show);
    },
  });
  const { signed, transaction, replayed } = await withProgress('sending', sending);
  const { txHash } = transaction;
  note(`accepted   ${transaction.firstSeenAt}${replayed ? '  known already: it is paid once' : ''}`);
  if (txHash !== announced?.txHash) note(`known as   ${txHash}`);
  const sent = { txHash, nonce: signed.input.nonce, replayed };
  if (!options.wait) {
    print({ ...sent, transaction }, describeTransaction(transaction, show));
    return;
  }
  const committed = await awaitCommitted(client, { txHash, timeoutMs: leftMs(), signal }).catch((error: unknown) => {
    if (error instanceof CommandError && error.facts.code !== 'interrupted') throw error;
    // The look-up failed, not the transfer: the transfer is accepted, and the message must not read like a refusal.
    const why = error instanceof Error ? error.message : String(error);
    const message = `Transfer ${txHash} was accepted, but waiting for its block ended: ${why}\nLook again: txledger get ${txHash} --wait`;
    throw new CommandError(message, 'unknown', { code: 'undecided', txHash, transaction });
  });
  print({ ...sent, transaction: committed }, []);
}

export function addSendCommand(program: Command): void {
  const command = program
    .command('send')
    .description('sign a transfer and send it, or those of a file; hashes are known before anything is sent')
    .option('--to <receiver>', 'address, or name of a development account')
    .option(
      '--amount <amount>',
      'amount with its currency, such as 12.34EUR or "1,234.56 EUR"; a number without one is whole minor units',
    )
    .option('--from <sender>', `name or address of a development account (default: ${DEVELOPMENT_SENDER})`)
    .option(
      '--key-file <file>',
      "the sender's key, as txledger key create writes it, or its 32-byte seed in hex; mode 0600",
    )
    .option('--nonce <nonce>', 'nonce; the next free one by default', (text) => {
      if (!isNonce(text)) throw new InvalidArgumentError('expected a whole number up to 2^53 - 1.');
      return Number(text);
    })
    .option(
      '--reference <reference>',
      'what you call the payment, such as an order or invoice: 1 to 140 printable ASCII characters without " and \\',
      (text) => {
        if (!REFERENCE_PATTERN.test(text))
          throw new InvalidArgumentError(
            'expected 1 to 140 printable ASCII characters without " and \\, not beginning or ending with a space.',
          );
        return text;
      },
    )
    .option(
      '--valid-for <duration>',
      "after this long in the chain's time it can never execute, such as 15m",
      parseDuration,
    )
    .addOption(
      new Option('--valid-until <time>', 'the same as a moment, such as 2026-11-22T17:30:00Z')
        .argParser(parseEnd)
        .conflicts('validFor'),
    )
    .option(
      '--file <file>',
      'payments: a .csv with the columns to, amount and perhaps reference, validUntil and nonce, or a .json array of such objects; on a terminal the totals are shown and you are asked before anything is signed, elsewhere it is sent at once',
    )
    .option('--result <file>', 'what became of each payment, .csv or .json; FILE.result.csv by default')
    .option('--wait', 'wait until a block has decided', false)
    .option('--yes', 'do not ask before a file is sent', false)
    .option(
      '--dry-run',
      'send nothing: say what sending would be answered or, of a file, its totals, what is new or met before, and all of its faults',
      false,
    )
    .action((options: SendOptions) => runCommand(() => send(options)));
  withExamples(
    withJson(withConnection(command)),
    'txledger send --to dev-1 --amount 1.00DEV --reference INV-2026-17 --valid-for 15m --wait',
    'txledger send --to dev-1 --amount 12.34DEV --dry-run',
    'txledger send --from dev-2 --to "$ADDRESS" --amount 1 --json',
    'txledger send --key-file key.hex --to dev-1 --amount 1 --wait --timeout 2m',
    'txledger send --key-file key.hex --file payments.csv --dry-run',
    'txledger send --key-file key.hex --file payments.csv --yes --timeout 10m',
  );
}

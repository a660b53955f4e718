/** `txledger send`: signs one transfer, or those of a file, and submits them; the command that `npm start` prints for pasting. @module */
import path from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { getChain } from '../../../client/src/actions/getChain.ts';
import { sendTransfer } from '../../../client/src/actions/sendTransfer.ts';
import { signerFromSeed } from '../../../client/src/keys/seed.ts';
import { REFERENCE_PATTERN } from '../../../client/src/limits.ts';
import type { SignedTransfer } from '../../../client/src/index.ts';
import { addressOf, assertMaySign, DEVELOPMENT_SENDER, senderKeyOf } from '../accounts.ts';
import { amountsIn, isAmount, isNonce, type ShowAmount } from '../amounts.ts';
import { clientOf, connect, serviceOf, withConnection, type ConnectionOptions } from '../connection.ts';
import { parseDuration } from '../duration.ts';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';
import { interruption } from '../interrupt.ts';
import { parseEnd } from '../moment.ts';
import { note, print, printError, wantsJson, withJson } from '../output.ts';
import { payFile } from '../payments/pay-file.ts';
import { OUTCOMES, type PaymentResult } from '../payments/result-file.ts';
import { progressBar, withProgress } from '../progress.ts';
import { awaitCommitted, describeTransaction, endOf } from '../transactions.ts';
import { dryRun } from './dry-run.ts';

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
}

/** Printed before anything is sent, so that the hash is known whatever happens next. With --json standard output is for the result. */
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
  if (options.dryRun && (file !== undefined || options.wait))
    throw new CommandError('--dry-run is for one transfer and sends nothing: leave --file and --wait out.');
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
    await sendFile(file, options);
  } else if (options.result !== undefined) throw new CommandError('--result is for --file.');
  else if (to === undefined || amount === undefined)
    throw new CommandError(
      'Say who is paid with --to and how much with --amount, or name a file of payments with --file.',
    );
  else if (options.dryRun) {
    const { reference, validUntil, validFor: validForMs } = options;
    await dryRun(options, { to: addressOf(to), amount: BigInt(amount), reference, validUntil, validForMs });
  } else await sendOne({ ...options, to, amount });
}

/** Beside the payments unless another file is named: without it a second run would pay again. */
const resultFileOf = (file: string): string =>
  path.join(path.dirname(file), `${path.basename(file, path.extname(file))}.result${path.extname(file)}`);

async function sendFile(file: string, options: SendOptions): Promise<void> {
  const endMs = performance.now() + options.timeout;
  const resultFile = options.result ?? resultFileOf(file);
  const bar = progressBar('sending');
  let results: PaymentResult[];
  let from = '';
  try {
    results = await payFile({
      client: connect(options),
      key: await senderKeyOf(options),
      file,
      resultFile,
      validFor: options.validFor,
      validUntil: options.validUntil,
      signal: interruption(),
      leftMs: () => Math.max(0, endMs - performance.now()),
      bar,
      onKept: (kept) => {
        from = kept.from;
        const nonces = kept.results.map(({ nonce }) => nonce);
        note(
          `signed     ${kept.results.length} transfers of ${from}, nonces ${Math.min(...nonces)} to ${Math.max(...nonces)}`,
        );
        note(`kept       ${resultFile}${kept.resumed ? '  of an earlier run: nothing is paid twice' : ''}`);
      },
    });
  } finally {
    bar.clear();
  }
  const counts = Object.fromEntries(
    OUTCOMES.map((name) => [name, results.filter(({ outcome }) => outcome === name).length]),
  ) as Record<(typeof OUTCOMES)[number], number>;
  const facts = { result: resultFile, from, payments: results.length, ...counts };
  const told = OUTCOMES.filter((name) => counts[name] > 0).map((name) => `${name.padEnd(9)}  ${counts[name]}`);
  if (counts.accepted + counts.replayed === results.length) return print(facts, told);
  const first = results.find(({ outcome }) => outcome === 'refused');
  const why =
    first === undefined
      ? 'What became of some payments is not known, or they were not sent.'
      : `Payment ${results.indexOf(first) + 1} was refused (${first.code}): ${first.detail}`;
  const rest = `${resultFile} tells it for each. Later payments wait for those before them. Run the same command again to send what is missing; nothing is paid twice.`;
  const undecided = counts.unknown > 0 || first === undefined;
  throw new CommandError([...told, why, rest].join('\n'), undecided ? 'unknown' : 'refused', {
    code: undecided ? 'undecided' : first.code,
    ...facts,
  });
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
  const show = wantsJson() ? String : amountsIn(chain.currency);
  let announced: SignedTransfer | undefined;
  const sending = sendTransfer(client, {
    signer,
    to: addressOf(options.to),
    amount: BigInt(options.amount),
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
    // The look-up failed, not the transfer: it is accepted, and the message must not read like a refusal.
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
      'whole minor units, such as 1234 for 12.34 with two decimal places: never with a decimal point',
      (text) => {
        if (!isAmount(text))
          throw new InvalidArgumentError(
            'expected a whole number of minor units, without a leading zero or a decimal point: 1234 for 12.34 where the currency has two decimal places.',
          );
        return text;
      },
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
      'payments: a .csv with the columns to, amount and perhaps reference, validUntil and nonce, or a .json array of such objects',
    )
    .option('--result <file>', 'what became of each payment, .csv or .json; FILE.result.csv by default')
    .option('--wait', 'wait until a block has decided', false)
    .option('--dry-run', 'sign, ask what sending would be answered, and send nothing', false)
    .action((options: SendOptions) => runCommand(() => send(options)));
  withExamples(
    withJson(withConnection(command)),
    'txledger send --to dev-1 --amount 100 --reference INV-2026-17 --valid-for 15m --wait',
    'txledger send --to dev-1 --amount 100 --dry-run',
    'txledger send --from dev-2 --to "$ADDRESS" --amount 1 --json',
    'txledger send --key-file key.hex --to dev-1 --amount 1 --wait --timeout 2m',
    'txledger send --key-file key.hex --file payments.csv --timeout 10m',
  );
}

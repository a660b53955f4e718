/** `txledger send`: signs one transfer and submits it; the command that `npm start` prints for pasting. @module */
import { InvalidArgumentError, type Command } from 'commander';
import { addressOf, DEVELOPMENT_SENDER, signerOf } from '../accounts.ts';
import { sendTransfer, type SignedTransfer } from '../client.ts';
import { connect, withConnection, type ConnectionOptions } from '../connection.ts';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';
import { interruption } from '../interrupt.ts';
import { note, print, wantsJson, withJson } from '../output.ts';
import { withProgress } from '../progress.ts';
import { awaitCommitted, describeTransaction } from '../transactions.ts';

/** Long enough for any amount; the client and the service say which are too large. */
const AMOUNT = /^[1-9][0-9]{0,38}$/;
const NONCE = /^(0|[1-9][0-9]{0,15})$/;

interface SendOptions extends ConnectionOptions {
  readonly to: string;
  readonly amount: string;
  readonly from?: string;
  readonly keyFile?: string;
  readonly nonce?: number;
  readonly wait: boolean;
}

/** Before anything is sent, so that whatever happens next the hash is known. With --json standard output is for the result. */
function announce({ txHash, input }: SignedTransfer): void {
  const lines = [`hash       ${txHash}`, `signed     ${input.from} nonce ${input.nonce}`];
  for (const line of lines) {
    if (wantsJson()) console.error(line);
    else note(line);
  }
}

async function send(options: SendOptions): Promise<void> {
  const endMs = performance.now() + options.timeout;
  const leftMs = (): number => Math.max(0, endMs - performance.now());
  const signal = interruption();
  const signer = await signerOf(options);
  const client = connect(options);
  let announced: SignedTransfer | undefined;
  const sending = sendTransfer(client, {
    signer,
    to: addressOf(options.to),
    amount: BigInt(options.amount),
    nonce: options.nonce,
    timeoutMs: options.timeout,
    signal,
    onSigned: (signed) => {
      announced = signed;
      announce(signed);
    },
  });
  const { signed, transaction, replayed } = await withProgress('sending', sending);
  const { txHash } = transaction;
  note(`accepted   ${transaction.firstSeenAt}${replayed ? '  known already: it is paid once' : ''}`);
  if (txHash !== announced?.txHash) note(`known as   ${txHash}`);
  const sent = { txHash, nonce: signed.input.nonce, replayed };
  if (!options.wait) {
    print({ ...sent, transaction }, describeTransaction(transaction));
    return;
  }
  const committed = await awaitCommitted(client, { txHash, timeoutMs: leftMs(), signal }).catch((error: unknown) => {
    if (error instanceof CommandError && error.facts.code !== 'interrupted') throw error;
    // Looking failed, not the transfer: it is accepted, and nothing may read as if it were refused.
    const why = error instanceof Error ? error.message : String(error);
    const message = `Transfer ${txHash} was accepted, but waiting for its block ended: ${why}\nLook again: txledger get ${txHash} --wait`;
    throw new CommandError(message, 'unknown', { code: 'undecided', txHash, transaction });
  });
  print({ ...sent, transaction: committed }, []);
}

export function addSendCommand(program: Command): void {
  const command = program
    .command('send')
    .description('sign a transfer and send it; its hash is printed before anything is sent')
    .requiredOption('--to <receiver>', 'address, or name of a development account')
    .requiredOption('--amount <amount>', 'minor units', (text) => {
      if (!AMOUNT.test(text)) throw new InvalidArgumentError('expected a whole number of minor units, without a leading zero.');
      return text;
    })
    .option('--from <sender>', `name or address of a development account (default: ${DEVELOPMENT_SENDER})`)
    .option('--key-file <file>', "32-byte seed of the sender's key in hex, mode 0600")
    .option('--nonce <nonce>', 'nonce; the next free one by default', (text) => {
      if (!NONCE.test(text)) throw new InvalidArgumentError('expected a whole number.');
      return Number(text);
    })
    .option('--wait', 'wait until a block has decided', false)
    .action((options: SendOptions) => runCommand(() => send(options)));
  withExamples(
    withJson(withConnection(command)),
    'txledger send --to dev-1 --amount 100 --wait',
    'txledger send --from dev-2 --to "$ADDRESS" --amount 1 --json',
    'txledger send --key-file key.hex --to dev-1 --amount 1 --wait --timeout 2m',
  );
}

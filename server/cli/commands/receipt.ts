/** `txledger receipt`: proves the chain's decision about a transfer to anyone. @module */
import { InvalidArgumentError, type Command } from 'commander';
import { getReceipt } from '../../../client/src/actions/getReceipt.ts';
import { InvalidReceiptError } from '../../../client/src/errors/InvalidReceiptError.ts';
import { verifyReceipt, type ProvenTransaction, type ReceiptTrust } from '../../../client/src/receipt/verifyReceipt.ts';
import type { Client } from '../../../client/src/index.ts';
import { parseGenesis } from '../../ledger/genesis-parse.ts';
import { GENESIS_BYTES_MAX } from '../../ledger/limits.ts';
import { amountsIn, askAmounts, type ShowAmount } from '../amounts.ts';
import { connect, withConnection, type ConnectionOptions } from '../connection.ts';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';
import { interruption } from '../interrupt.ts';
import { facts, print, withJson } from '../output.ts';
import { withProgress } from '../progress.ts';
import { readStrictFile } from '../strict-file.ts';

/** The longest time that a service delays the answer. */
const RECEIPT_WAIT_MS = 30_000;

type Trusted = { readonly file: string } | { readonly height: number; readonly headerHash: string };

interface ReceiptOptions extends ConnectionOptions {
  readonly verify?: Trusted;
}

function readTrust(text: string): Trusted {
  const [, height, headerHash] = /^([1-9][0-9]{0,15}):([0-9A-Fa-f]{64})$/.exec(text) ?? [];
  if (height !== undefined && headerHash !== undefined) return { height: Number(height), headerHash };
  if (/^[0-9]+:/.test(text))
    throw new InvalidArgumentError(
      "expected a genesis file, or HEIGHT:HASH with the 64 hex digits of a header's hash.",
    );
  return { file: text };
}

function trustOf(trusted: Trusted): ReceiptTrust {
  if (!('file' in trusted)) return trusted;
  try {
    return { genesis: readStrictFile(trusted.file, GENESIS_BYTES_MAX) as object };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(`${error.message} Give the genesis file of the chain, or HEIGHT:HASH.`);
  }
}

/**
 * Returns the format of a proven amount for people. A trusted genesis file contains the currency. Without one only the service names the
 * currency, and its decimal point could be wrong, so the proven minor units come first.
 */
async function amountsOf(trust: ReceiptTrust, client: Client, timeoutMs: number): Promise<ShowAmount> {
  if ('genesis' in trust) {
    const parsed = parseGenesis(Buffer.from(JSON.stringify(trust.genesis)));
    if (parsed.ok) return amountsIn(parsed.genesis.currency);
  }
  const show = await askAmounts(client, { timeoutMs });
  return (minorUnits) => `${minorUnits} minor units (${show(minorUnits)} by the currency that the service names)`;
}

/** Describes the facts that a receipt proves, one in each line. */
function describe(proven: ProvenTransaction, show: ShowAmount): string[] {
  const { kind, txHash, from, nonce, height, time, code } = proven;
  const payment =
    proven.kind === 'transfer'
      ? ([
          ['to', proven.to],
          ['amount', show(proven.amount)],
        ] as const)
      : ([['cancels', proven.cancels]] as const);
  const { reference, validUntil } = proven.kind === 'transfer' ? proven : {};
  return facts([
    ['proven', kind],
    ['hash', txHash],
    ['from', from],
    ...payment,
    ['nonce', `${nonce}`],
    ...(reference === undefined ? [] : [['reference', reference] as const]),
    ...(validUntil === undefined ? [] : [['valid until', new Date(validUntil * 1000).toISOString()] as const]),
    ['code', `${code}`],
    ['block', `${height}  ${time}`],
  ]);
}

async function receipt(txHash: string, { verify, ...options }: ReceiptOptions): Promise<void> {
  const trust = verify && trustOf(verify);
  const client = connect(options);
  const asked = getReceipt(client, {
    txHash,
    waitMs: RECEIPT_WAIT_MS,
    timeoutMs: options.timeout,
    signal: interruption(),
  });
  const found = await withProgress('waiting for the next block', asked);
  if (trust === undefined) {
    print(found, [JSON.stringify(found, undefined, 2)]);
    return;
  }
  const proven = await verifyReceipt(found, trust).catch((error: unknown) => {
    if (!(error instanceof InvalidReceiptError)) throw error;
    throw new CommandError(`${error.message}. Do not rely on it.`, 'refused', {
      code: 'invalid_receipt',
      check: error.check,
      txHash,
    });
  });
  const lines = describe(proven, await amountsOf(trust, client, options.timeout));
  // A script that continues after success must not treat this as a payment.
  if (proven.kind !== 'transfer' || !proven.paid) {
    throw new CommandError(
      [...lines, 'The receipt is good, and it proves that the transfer moved no money.'].join('\n'),
      'refused',
      { code: 'not_paid', txHash, proven },
    );
  }
  print(proven, lines);
}

export function addReceiptCommand(program: Command): void {
  const receipts = program
    .command('receipt')
    .description('what proves to anyone what the chain decided about a transfer; keep it, or verify it')
    .argument('<hash>', 'hash of the transfer')
    .option(
      '--verify <trust>',
      'verify it by a genesis file, or by HEIGHT:HASH of a header that you trust, and print what it proves',
      readTrust,
    )
    .action((hash: string, options: ReceiptOptions) => runCommand(() => receipt(hash, options)));
  withExamples(
    withJson(withConnection(receipts)),
    'txledger receipt "$HASH" > receipt.json',
    'txledger receipt "$HASH" --verify "$DATA_DIR/genesis.json"',
  );
}

/** `txledger watch`: prints the decisions of blocks as they happen. @module */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { events } from '../../../client/src/actions/events.ts';
import type { LedgerEvent } from '../../../client/src/index.ts';
import { addressOf } from '../accounts.ts';
import { askAmounts, type ShowAmount } from '../amounts.ts';
import { connect, withService, type ServiceOptions } from '../connection.ts';
import { parseDuration } from '../duration.ts';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';
import { interruption } from '../interrupt.ts';
import { print, printLine, showLine, wantsJson, withJson, withWide } from '../output.ts';
import { statusStyle, styled } from '../style.ts';
import { shown } from '../table.ts';
import { awaitCommitted } from '../transactions.ts';
import { withValues } from '../values.ts';

type EventType = LedgerEvent['type'];

const TYPES: readonly EventType[] = [
  'transaction.committed',
  'transaction.failed',
  'transaction.cancelled',
  'transaction.expired',
];
const TX_HASH = /^[0-9A-Fa-f]{64}$/;
/** A service cancels a pending transfer after a day unless configured otherwise (PENDING_TTL_S), and then a block decides. */
const SETTLES_MS = 86_400_000;
/** Time for one answer beside the stream. */
const ANSWER_MS_MAX = 15_000;
/** Widths that align the columns: most values are not wider, and later lines are not known yet. */
const [ID_CHARS, STATUS_CHARS, AMOUNT_CHARS] = [9, 9, 14];

interface WatchOptions extends ServiceOptions {
  readonly type?: readonly EventType[];
  readonly reference?: string;
  readonly after?: string;
  readonly limit?: number;
  /** Milliseconds. */
  readonly timeout?: number;
}

const addType = (text: string, types: readonly EventType[] = []): readonly EventType[] => {
  const type = TYPES.find((known) => known === text);
  if (type === undefined) throw new InvalidArgumentError(`expected one of ${TYPES.join(', ')}.`);
  return [...types, type];
};

function describe({ id, timestamp, data: { transaction } }: LedgerEvent, show: ShowAmount): string {
  const { status, from, to, amount, txHash, reference } = transaction;
  return [
    shown('time', timestamp),
    id.padEnd(ID_CHARS),
    styled(statusStyle(status), status.padEnd(STATUS_CHARS)),
    (amount === undefined ? '-' : show(amount)).padStart(AMOUNT_CHARS),
    `${shown('account', from)} -> ${to === undefined ? '-' : shown('account', to)}`,
    shown('key', txHash),
    ...(reference === undefined ? [] : [reference]),
  ].join('  ');
}

/** Watches until the transfer is settled: like `get --wait`, with a time limit as long as the service's. */
async function watchTransfer(
  txHash: string,
  { timeout: timeoutMs = SETTLES_MS, type, reference, after, limit, ...service }: WatchOptions,
): Promise<void> {
  if ([type, reference, after, limit].some((given) => given !== undefined))
    throw new CommandError('A transfer settles once: --type, --reference, --after and --limit are for events.');
  print(await awaitCommitted(connect(service), { txHash, timeoutMs, signal: interruption() }), []);
}

async function watchEvents(
  account: string | undefined,
  { type: types, reference, after, limit = Infinity, timeout, ...service }: WatchOptions,
): Promise<void> {
  const client = connect(service);
  const interrupted = interruption();
  // Ctrl-C and the end of the time are normal ends of a watch, so neither is a failure.
  const signal = timeout === undefined ? interrupted : AbortSignal.any([interrupted, AbortSignal.timeout(timeout)]);
  const only = types?.length === 1 ? types[0] : undefined;
  try {
    const show = await askAmounts(client, { timeoutMs: ANSWER_MS_MAX, signal });
    let left = limit;
    showLine('waiting for events; Ctrl-C ends');
    for await (const event of events(client, {
      after,
      signal,
      ...(account && { account: addressOf(account) }),
      ...(reference !== undefined && { reference }),
      ...(only && { type: only }),
    })) {
      if (types && !types.includes(event.type)) continue;
      printLine(wantsJson() ? JSON.stringify(event) : describe(event, show));
      if (--left === 0) return;
      showLine('waiting for events; Ctrl-C ends');
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

export function addWatchCommand(program: Command): void {
  const command = program
    .command('watch')
    .description('follow what blocks decide, a line each as it happens, or one transfer until it settles')
    .argument(
      '[account or hash]',
      'only events of this account; the hash of a transfer waits for it; everything by default',
    )
    .addOption(
      withValues(new Option('--type <type>', `only ${TYPES.join(', ')}; may be repeated`).argParser(addType), TYPES),
    )
    .option('--reference <reference>', 'only events of transfers that are called this')
    .option(
      '--after <place>',
      'events behind it: the id of an event, or the height of a block, 0 for all; what comes from now on by default',
    )
    .option('--limit <count>', 'end after so many events', (text) => {
      if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('expected a whole number above 0.');
      return Number(text);
    })
    .option(
      '--timeout <duration>',
      'end after this long, such as 90s or 15m; a transfer is waited for a day by default',
      parseDuration,
    )
    .action((what: string | undefined, options: WatchOptions) =>
      runCommand(() =>
        what !== undefined && TX_HASH.test(what) ? watchTransfer(what, options) : watchEvents(what, options),
      ),
    );
  withExamples(
    withJson(withWide(withService(command))),
    'txledger watch "$ADDRESS" --type transaction.committed --timeout 1s',
    'txledger watch --after 0 --limit 1 --json',
    'txledger watch "$HASH"',
  );
}

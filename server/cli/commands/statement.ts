/** `txledger statement`: the entries of an account, with the balance after each. @module */
import { eachEntry } from '../../../client/src/actions/eachEntry.ts';
import type { Entry } from '../../../client/src/index.ts';
import { askAmounts, type ShowAmount } from '../amounts.ts';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { CSV_HEADER, csvLine } from '../../http/operations/entry-csv.ts';
import { addressOf } from '../accounts.ts';
import { connect, withConnection, type ConnectionOptions } from '../connection.ts';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';
import { print, wantsJson, withJson, withWide } from '../output.ts';
import { parseMoment } from '../moment.ts';
import { table, type Column } from '../table.ts';

/** The largest page of the service. */
const PAGE_ENTRIES = 1000;
/** The most entries that a table or a JSON document collects, in memory; CSV has no bound. */
const COLLECTED_MAX = 100_000;

interface StatementOptions extends ConnectionOptions {
  readonly from?: string;
  readonly to?: string;
  readonly order: 'asc' | 'desc';
  readonly csv?: boolean;
}

/** Parses a moment; a day alone means its first moment, in UTC. */
function parseBound(text: string): string {
  const moment = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) ? `${text}T00:00:00Z` : text;
  const isWritten = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z$/.test(moment);
  if (!isWritten || Number.isNaN(parseMoment(moment.replace(/\.[0-9]+/, ''))))
    throw new InvalidArgumentError(
      'expected a day such as 2026-11-01, or a moment in UTC such as 2026-11-01T12:00:00Z.',
    );
  return moment;
}

async function statement(account: string, options: StatementOptions): Promise<void> {
  const { from, to, order, csv, timeout: timeoutMs } = options;
  if (csv === true && wantsJson())
    throw new CommandError('A statement is either CSV or JSON: give --csv or --json.', 'usage');
  const client = connect(options);
  const entries = eachEntry(client, {
    address: addressOf(account),
    order,
    limit: PAGE_ENTRIES,
    ...(from && { from }),
    ...(to && { to }),
    timeoutMs,
  });
  if (csv === true) return await printCsv(entries);
  const collected: Entry[] = [];
  for await (const entry of entries) {
    if (collected.push(entry) > COLLECTED_MAX)
      throw new CommandError(
        `There are more than ${COLLECTED_MAX} entries: bound them with --from and --to, or use --csv.`,
      );
  }
  print(
    { entries: collected },
    collected.length === 0 ? ['no entries'] : table(entryColumns(await askAmounts(client, { timeoutMs })), collected),
  );
}

/** Prints entries as they arrive: a statement may be longer than memory. */
async function printCsv(entries: AsyncIterable<Entry>): Promise<void> {
  await write(CSV_HEADER);
  for await (const entry of entries) await write(csvLine(entry));
}

function write(text: string): Promise<void> | undefined {
  if (process.stdout.write(text)) return undefined;
  return new Promise((resolve) => process.stdout.once('drain', () => resolve()));
}

const entryColumns = (show: ShowAmount): readonly Column<Entry>[] => [
  { header: 'time', kind: 'time', value: ({ blockTime }) => blockTime },
  { header: 'height', kind: 'amount', dropped: 0, value: ({ height }) => String(height) },
  {
    header: 'amount',
    kind: 'amount',
    value: ({ direction, amount }) => `${direction === 'in' ? '+' : '-'}${show(amount)}`,
  },
  { header: 'balance', kind: 'amount', value: ({ balanceAfter }) => show(balanceAfter) },
  { header: 'counterparty', kind: 'account', value: ({ counterparty }) => counterparty },
  { header: 'hash', kind: 'key', dropped: 1, value: ({ txHash }) => txHash },
  { header: 'reference', kind: 'text', dropped: 2, value: ({ reference = '' }) => reference },
];

export function addStatementCommand(program: Command): void {
  const command = program
    .command('statement')
    .description('what moved the money of an account, with the balance after each entry')
    .argument('<account>', 'address or development account')
    .option('--from <moment>', 'entries of blocks from this day or moment on', parseBound)
    .option('--to <moment>', 'entries of blocks before this day or moment', parseBound)
    .addOption(new Option('--order <order>', 'oldest or newest first').choices(['asc', 'desc']).default('asc'))
    .option('--csv', 'as CSV, however many there are')
    .action((account: string, options: StatementOptions) => runCommand(() => statement(account, options)));
  withExamples(
    withJson(withWide(withConnection(command))),
    'txledger statement dev-0',
    'txledger statement dev-0 --from 2026-11-01 --to 2026-12-01 --csv',
  );
}

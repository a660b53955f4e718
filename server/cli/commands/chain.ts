/** `txledger chain`, `account` and `dev accounts`: the state of the chain. @module */
import type { Command } from 'commander';
import { getAccount } from '../../../client/src/actions/getAccount.ts';
import { getChain } from '../../../client/src/actions/getChain.ts';
import { DEVELOPMENT_CHAIN_ID, developmentAccounts, type DevelopmentAccount } from '../../app/dev-accounts.ts';
import { amountsIn, askAmounts, type ShowAmount } from '../amounts.ts';
import { addressOf } from '../accounts.ts';
import { connect, withConnection, type ConnectionOptions } from '../connection.ts';
import { withExamples } from '../examples.ts';
import { describeAccount } from '../describe-account.ts';
import { runCommand } from '../failure.ts';
import { facts, print, withJson, withWide } from '../output.ts';
import { table, type Column } from '../table.ts';

async function chain(options: ConnectionOptions): Promise<void> {
  const known = await getChain(connect(options, { token: false }), { timeoutMs: options.timeout });
  const {
    chainId,
    addressPrefix,
    height,
    lastBlockTime,
    blockIntervalMs,
    idleBlockIntervalMs,
    genesisHash,
    currency,
    openingMinimum,
    format,
    version,
  } = known;
  print(
    known,
    facts([
      ['chain id', chainId],
      ['address prefix', addressPrefix],
      ['height', `${height}`],
      ['last block', lastBlockTime],
      ['block interval', `${blockIntervalMs} ms`],
      ...(idleBlockIntervalMs === undefined ? [] : [['when idle', `${idleBlockIntervalMs} ms`] as const]),
      ['genesis hash', genesisHash],
      ['currency', `${currency.code}, ${currency.scale} digits behind the point`],
      ['opening minimum', amountsIn(currency)(openingMinimum)],
      ['chain format', `${format}`],
      ...(version === undefined ? [] : [['service version', version] as const]),
    ]),
  );
}

async function account(nameOrAddress: string, options: ConnectionOptions): Promise<void> {
  const client = connect(options);
  const limits = { timeoutMs: options.timeout };
  const [show, known] = await Promise.all([
    askAmounts(client, limits),
    getAccount(client, { address: addressOf(nameOrAddress), ...limits }),
  ]);
  print(known, describeAccount(known, show));
}

interface DevelopmentRow extends DevelopmentAccount {
  readonly balance?: string;
}

/** Addresses are not replaced by names here, because listing them is the purpose of the table. */
const accountColumns = (balances: boolean, show: ShowAmount): readonly Column<DevelopmentRow>[] => [
  { header: 'name', kind: 'plain', value: ({ name }) => name },
  { header: 'address', kind: 'key', value: ({ address }) => address },
  ...(balances
    ? [{ header: 'balance', kind: 'amount', value: ({ balance = '' }: DevelopmentRow) => show(balance) } as const]
    : []),
  { header: 'seed', kind: 'key', value: ({ seed }) => seed },
];

async function devAccounts({
  balances,
  ...options
}: ConnectionOptions & { readonly balances: boolean }): Promise<void> {
  const accounts = developmentAccounts();
  const client = balances ? connect(options) : undefined;
  const show = client === undefined ? String : await askAmounts(client, { timeoutMs: options.timeout });
  const rows = await Promise.all(
    accounts.map(async (each) =>
      client
        ? {
            ...each,
            balance: (await getAccount(client, { address: each.address, timeoutMs: options.timeout })).balance,
          }
        : each,
    ),
  );
  print({ chainId: DEVELOPMENT_CHAIN_ID, accounts: rows }, table(accountColumns(balances, show), rows));
}

export function addChainCommands(program: Command): void {
  const chains = program
    .command('chain')
    .description('id, height and genesis of the chain; needs no token')
    .action((options: ConnectionOptions) => runCommand(() => chain(options)));
  withExamples(withJson(withConnection(chains)), 'txledger chain', 'txledger chain --url "$TXLEDGER_URL" --json');

  const accounts = program
    .command('account')
    .description('balance and nonces of an account')
    .argument('<account>', 'address, or name of a development account')
    .action((name: string, options: ConnectionOptions) => runCommand(() => account(name, options)));
  withExamples(withJson(withConnection(accounts)), 'txledger account dev-0', 'txledger account "$ADDRESS" --json');

  const dev = program
    .command('dev')
    .description('the development chain')
    .command('accounts')
    .description('the ten accounts of every development chain: name, address, Ed25519 seed. Their seeds are PUBLIC')
    .option('--balances', 'ask the service for the balances too', false)
    .action((options: ConnectionOptions & { balances: boolean }) => runCommand(() => devAccounts(options)));
  withExamples(
    withJson(withWide(withConnection(dev))),
    'txledger dev accounts',
    'txledger dev accounts --balances --json',
  );
}

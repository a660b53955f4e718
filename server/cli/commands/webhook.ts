/** `txledger webhook ...`: the endpoints to which the service sends events of the token's owner. @module */
import { Option, type Command } from 'commander';
import { addressOf } from '../accounts.ts';
import { apiRequest } from '../api-request.ts';
import { withConnection, type ConnectionOptions } from '../connection.ts';
import { parseDuration } from '../duration.ts';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';
import { print, printError, wantsJson, withJson, withWide } from '../output.ts';
import {
  describeDeliveries,
  describeWebhook,
  describeWebhooks,
  type Webhook,
  type WebhookDelivery,
  type WebhookWithSecret,
} from '../webhooks.ts';

const OVERLAP_DEFAULT = '24h';
const LIMIT_DEFAULT = '20';
const MS_PER_S = 1000;

/** Zero is a valid overlap: it ends every earlier secret. */
const parseOverlap = (text: string): number => (text === '0s' ? 0 : parseDuration(text));
const collect = (value: string, values: string[] = []): string[] => [...values, value];
const pathOf = (id: string): string => `/webhooks/${encodeURIComponent(id)}`;

interface FilterOptions extends ConnectionOptions {
  readonly description?: string;
  readonly type?: string[];
  readonly account?: string[];
  readonly submittedOnly?: boolean;
}

const filtersOf = ({ description, type, account, submittedOnly }: FilterOptions) => ({
  ...(description !== undefined && { description }),
  ...(type && { types: type }),
  ...(account && { accounts: account.map(addressOf) }),
  ...(submittedOnly && { submittedOnly }),
});

/** The secret is shown only in the answer that creates it. */
function printSecret(made: WebhookWithSecret, told: string): void {
  print(made, [...describeWebhook(made), `secret  ${made.secret}`]);
  if (!wantsJson()) printError(told);
}

async function create(url: string, options: FilterOptions): Promise<void> {
  const made = await apiRequest<WebhookWithSecret>(
    { method: 'POST', path: '/webhooks', body: { url, ...filtersOf(options) } },
    options,
  );
  printSecret(made, 'The secret is shown this once: give it to the receiver, which verifies every message with it.');
}

async function list(options: ConnectionOptions): Promise<void> {
  const found = await apiRequest<{ webhooks: Webhook[] }>({ method: 'GET', path: '/webhooks' }, options);
  print(found, describeWebhooks(found.webhooks));
}

async function show(id: string, options: ConnectionOptions): Promise<void> {
  const found = await apiRequest<Webhook>({ method: 'GET', path: pathOf(id) }, options);
  print(found, describeWebhook(found));
}

interface UpdateOptions extends FilterOptions {
  readonly newUrl?: string;
  readonly anyType?: boolean;
  readonly anyAccount?: boolean;
  readonly anyOwner?: boolean;
  readonly enable?: boolean;
  readonly disable?: boolean;
  readonly fromNow?: boolean;
}

async function update(id: string, options: UpdateOptions): Promise<void> {
  const { newUrl, anyType, anyAccount, anyOwner, enable, disable, fromNow } = options;
  const body = {
    ...filtersOf(options),
    ...(newUrl !== undefined && { url: newUrl }),
    ...(anyType && { types: [] }),
    ...(anyAccount && { accounts: [] }),
    ...(anyOwner && { submittedOnly: false }),
    ...(enable && { status: 'enabled' }),
    ...(disable && { status: 'disabled' }),
    ...(fromNow && { resumeFrom: 'now' }),
  };
  if (Object.keys(body).length === 0)
    throw new CommandError('There is nothing to change: name at least one option. --help shows them.');
  const changed = await apiRequest<Webhook>({ method: 'PATCH', path: pathOf(id), body }, options);
  print(changed, describeWebhook(changed));
}

async function remove(id: string, options: ConnectionOptions): Promise<void> {
  await apiRequest<undefined>({ method: 'DELETE', path: pathOf(id) }, options);
  print({ id, deleted: true }, [`Webhook ${id} is deleted, with its log.`]);
}

async function rotateSecret(id: string, options: ConnectionOptions & { readonly overlap: number }): Promise<void> {
  const overlapSeconds = Math.ceil(options.overlap / MS_PER_S);
  const rotated = await apiRequest<WebhookWithSecret>(
    { method: 'POST', path: `${pathOf(id)}/rotate-secret`, body: { overlapSeconds } },
    options,
  );
  const until = rotated.previousSecretUntil;
  printSecret(
    rotated,
    `The secret is shown this once. ${until === undefined ? 'No earlier one signs any more.' : `The one before signs too until ${until}.`}`,
  );
}

async function test(id: string, options: ConnectionOptions): Promise<void> {
  const asked = await apiRequest<{ webhookId: string; messageId: string }>(
    { method: 'POST', path: `${pathOf(id)}/test` },
    options,
  );
  print(asked, [
    `The test message ${asked.messageId} will be sent. What became of it: txledger webhook deliveries ${id}`,
  ]);
}

async function deliveries(
  id: string,
  { limit, cursor, ...options }: ConnectionOptions & { readonly limit: string; readonly cursor?: string },
): Promise<void> {
  const page = await apiRequest<{ deliveries: WebhookDelivery[]; nextCursor?: string }>(
    { method: 'GET', path: `${pathOf(id)}/deliveries`, query: { limit, cursor } },
    options,
  );
  print(page, [
    ...describeDeliveries(page.deliveries),
    ...(page.nextCursor === undefined ? [] : [`There are more: --cursor ${page.nextCursor}`]),
  ]);
}

async function replay(
  id: string,
  { after, until, ...options }: ConnectionOptions & { readonly after: string; readonly until?: string },
): Promise<void> {
  const asked = await apiRequest<{ after: string; until: string }>(
    { method: 'POST', path: `${pathOf(id)}/replay`, body: { after, ...(until !== undefined && { until }) } },
    options,
  );
  print(asked, [`Events behind ${asked.after} up to ${asked.until} will be sent again.`]);
}

const withFilters = (command: Command): Command =>
  command
    .option('--description <text>', 'what it is for')
    .option('--type <type>', 'only events of this type, such as transaction.committed; may be repeated', collect)
    .option(
      '--account <address>',
      'only events of transfers that this account pays or receives; may be repeated',
      collect,
    )
    .option('--submitted-only', 'only events of transfers that this owner submitted');

export function addWebhookCommands(program: Command): void {
  const webhook = program
    .command('webhook')
    .description(
      'where the service sends events to; needs a token with the scopes webhooks:manage and transactions:read',
    );
  const finish = (command: Command, ...examples: [string, ...string[]]): Command =>
    withExamples(withJson(withConnection(command)), ...examples);

  finish(
    withFilters(
      webhook
        .command('create')
        .description('make a webhook and print its secret, once')
        .argument('<url>', 'where messages are sent, https'),
    ).action((url: string, options: FilterOptions) => runCommand(() => create(url, options))),
    'txledger webhook create https://shop.example/hooks/all',
    'txledger webhook create https://shop.example/hooks/paid --type transaction.committed --account "$ADDRESS"',
  );
  finish(
    withWide(
      webhook
        .command('list')
        .description('list the webhooks of this owner')
        .action((options: ConnectionOptions) => runCommand(() => list(options))),
    ),
    'txledger webhook list',
    'txledger webhook list --json',
  );
  finish(
    webhook
      .command('show')
      .description('how far it has come, and what failed last')
      .argument('<id>')
      .action((id: string, options: ConnectionOptions) => runCommand(() => show(id, options))),
    'txledger webhook show "$WEBHOOK"',
  );
  finish(
    withFilters(webhook.command('update').description('change what is named and leave the rest').argument('<id>'))
      .option('--new-url <url>', 'where messages are sent from now on')
      .option('--any-type', 'no filter by type')
      .option('--any-account', 'no filter by account')
      .option('--any-owner', 'no filter by who submitted')
      .addOption(new Option('--disable', 'send nothing').conflicts('enable'))
      .option('--enable', 'send again, from where it stopped')
      .option('--from-now', 'with --enable: pass over what was not delivered')
      .action((id: string, options: UpdateOptions) => runCommand(() => update(id, options))),
    'txledger webhook update "$WEBHOOK" --account "$ADDRESS" --type transaction.committed',
    'txledger webhook update "$WEBHOOK" --enable --from-now',
  );
  finish(
    webhook
      .command('delete')
      .description('delete it with its log')
      .argument('<id>')
      .action((id: string, options: ConnectionOptions) => runCommand(() => remove(id, options))),
    'txledger webhook delete "$OLD_WEBHOOK"',
  );
  finish(
    webhook
      .command('rotate-secret')
      .description('print a new secret, once, while the one before signs too')
      .argument('<id>')
      .addOption(
        new Option('--overlap <duration>', 'how long the one before signs too, at most 7d; 0s ends every earlier one')
          .argParser(parseOverlap)
          .default(parseDuration(OVERLAP_DEFAULT), OVERLAP_DEFAULT),
      )
      .action((id: string, options: ConnectionOptions & { overlap: number }) =>
        runCommand(() => rotateSecret(id, options)),
      ),
    'txledger webhook rotate-secret "$WEBHOOK"',
    'txledger webhook rotate-secret "$WEBHOOK" --overlap 2d --json',
  );
  finish(
    webhook
      .command('test')
      .description('send a test message')
      .argument('<id>')
      .action((id: string, options: ConnectionOptions) => runCommand(() => test(id, options))),
    'txledger webhook test "$WEBHOOK"',
  );
  finish(
    withWide(webhook.command('deliveries'))
      .description('what was sent and what became of it, newest first')
      .argument('<id>')
      .option('--limit <n>', 'attempts to show, at most 1000', LIMIT_DEFAULT)
      .option('--cursor <cursor>', 'from where the page before ended')
      .action((id: string, options: ConnectionOptions & { limit: string; cursor?: string }) =>
        runCommand(() => deliveries(id, options)),
      ),
    'txledger webhook deliveries "$WEBHOOK" --limit 5',
  );
  finish(
    webhook
      .command('replay')
      .description('send events of the past again')
      .argument('<id>')
      .requiredOption('--after <place>', 'events behind it: the id of an event, or the height of a block')
      .option('--until <place>', 'up to it, itself included; as far as the webhook has come by default')
      .action((id: string, options: ConnectionOptions & { after: string; until?: string }) =>
        runCommand(() => replay(id, options)),
      ),
    'txledger webhook replay "$WEBHOOK" --after 0',
  );
}

/**
 * `txledger token create|list|revoke|rotate`: the tokens of callers. These commands use DATABASE_URL, or DATA_DIR if that is unset, with or
 * without a running server.
 *
 * @module
 */
import { Option, type Command } from 'commander';
import { dataDirFiles } from '../../app/data-dir-files.ts';
import { dataDirOf } from '../../app/data-dir-path.ts';
import { writeSecretFile } from '../../app/secret-file.ts';
import { SCOPES, type Scope, type TokenView } from '../../gateway/index.ts';
import { developmentFile } from '../connection.ts';
import { onDatabase } from '../database.ts';
import { parseDuration } from '../duration.ts';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';
import { print, printError, time, wantsJson, withJson, withWide } from '../output.ts';
import { table, type Column } from '../table.ts';
import { describeLimits, type LimitOptions, limitsOf, withLimits } from '../token-limits.ts';
import { withValues } from '../values.ts';

const addScope = (scope: string, scopes: string[] = []): string[] => [...scopes, scope];
const OVERLAP_DEFAULT = '1h';

/** A token in a form for programs: times as the service writes them, and only the fields that apply. */
function documentOf({
  id,
  owner,
  scopes,
  createdAtMs,
  expiresAtMs,
  revokedAtMs,
  lastUsedAtMs,
  limits,
}: TokenView): object {
  return {
    id,
    owner,
    scopes,
    ...(limits && { limits }),
    createdAt: time(createdAtMs),
    ...(expiresAtMs === undefined ? {} : { expiresAt: time(expiresAtMs) }),
    ...(revokedAtMs === undefined ? {} : { revokedAt: time(revokedAtMs) }),
    ...(lastUsedAtMs === undefined ? {} : { lastUsedAt: time(lastUsedAtMs) }),
  };
}

/** Prints only the token on standard output, so that a script can read it; the rest is for the person. */
function printToken(token: string, document: object, told: string): void {
  print({ token, ...document }, [token]);
  if (!wantsJson()) printError(told);
}

interface CreateOptions extends LimitOptions {
  owner: string;
  scope: string[];
  expiresIn?: number;
}

async function createToken({ owner, scope, expiresIn, ...limits }: CreateOptions): Promise<void> {
  const unknown = scope.filter((each) => !(SCOPES as readonly string[]).includes(each));
  if (unknown.length > 0)
    throw new CommandError(`There is no scope ${unknown.join(', ')}; there are ${SCOPES.join(', ')}.`);
  const expiry = expiresIn === undefined ? {} : { expiresAtMs: Date.now() + expiresIn };
  const created = await onDatabase((access) =>
    access.createToken({ owner, scopes: scope as Scope[], limits: limitsOf(limits), ...expiry }),
  ).catch((error: unknown) => {
    if (error instanceof RangeError) throw new CommandError(`The token cannot be made: ${error.message}.`);
    throw error;
  });
  const { token, tokenId } = created;
  const document = {
    id: tokenId,
    owner,
    scopes: scope,
    ...(expiry.expiresAtMs === undefined ? {} : { expiresAt: time(expiry.expiresAtMs) }),
  };
  printToken(token, document, `Token ${tokenId} of ${owner}. It is shown this once: only its hash is kept.`);
}

const timeOrNone = (ms: number | undefined, none: string): string => (ms === undefined ? none : time(ms));

function statusOf({ revokedAtMs, expiresAtMs }: TokenView, nowMs: number): string {
  if (revokedAtMs !== undefined) return 'revoked';
  return expiresAtMs !== undefined && expiresAtMs <= nowMs ? 'expired' : 'valid';
}

const tokenColumns = (nowMs: number): readonly Column<TokenView>[] => [
  { header: 'id', kind: 'plain', value: ({ id }) => id },
  { header: 'owner', kind: 'text', value: ({ owner }) => owner },
  { header: 'scopes', kind: 'text', value: ({ scopes }) => scopes.join(',') },
  { header: 'status', kind: 'status', value: (token) => statusOf(token, nowMs) },
  { header: 'created', kind: 'time', dropped: 0, value: ({ createdAtMs }) => time(createdAtMs) },
  {
    header: 'valid until',
    kind: 'time',
    value: ({ expiresAtMs, revokedAtMs }) => timeOrNone(revokedAtMs ?? expiresAtMs, 'no expiry'),
  },
  { header: 'last used', kind: 'time', value: ({ lastUsedAtMs }) => timeOrNone(lastUsedAtMs, 'never') },
  {
    header: 'limits',
    kind: 'text',
    dropped: 1,
    value: ({ limits }) => (limits === undefined ? '' : describeLimits(limits)),
  },
];

async function listTokens({ all }: { all: boolean }): Promise<void> {
  const tokens = (await onDatabase((access) => access.listTokens())).filter(
    ({ revokedAtMs }) => all || revokedAtMs === undefined,
  );
  print({ tokens: tokens.map(documentOf) }, table(tokenColumns(Date.now()), tokens, { none: 'no tokens' }));
}

async function limitToken(id: string, options: LimitOptions): Promise<void> {
  const limits = limitsOf(options);
  const updated = await onDatabase((access) => access.updateToken(id, { limits }));
  if (!updated.ok)
    throw new CommandError(`The limits cannot be changed: ${updated.message}.`, 'usage', { code: updated.reason });
  print(documentOf(updated.token), [`Token ${id} of ${updated.token.owner}: ${describeLimits(limits)}.`]);
}

async function revokeToken(id: string): Promise<void> {
  const revoked = await onDatabase((access) => access.revokeToken(id));
  if (!revoked) throw new CommandError(`There is no token ${id} that is not revoked already.`);
  print({ id, revoked }, [`Token ${id} is revoked.`]);
}

/** Updates dev.json if it holds the replaced token, because the commands of this folder use that token. */
function followInDevelopmentFile(oldId: string, token: string): boolean {
  const development = developmentFile();
  if (!development?.token.startsWith(`txl_${oldId}_`)) return false;
  const file = dataDirFiles(dataDirOf(process.env, process.cwd())).development;
  writeSecretFile(file, `${JSON.stringify({ ...development, token }, undefined, 2)}\n`);
  return true;
}

async function rotateToken(id: string, options: { overlap: number; expiresIn?: number }): Promise<void> {
  const expiry = options.expiresIn === undefined ? {} : { expiresAtMs: Date.now() + options.expiresIn };
  const rotated = await onDatabase((access) => access.rotateToken(id, { overlapMs: options.overlap, ...expiry }));
  if (!rotated.ok)
    throw new CommandError(`The token cannot be rotated: ${rotated.message}.`, 'usage', { code: rotated.reason });
  const { token, made, old } = rotated;
  const followed = followInDevelopmentFile(id, token) ? ' It stands in dev.json now.' : '';
  const told =
    `Token ${made.id} of ${made.owner}, in place of ${id}, which holds until ${time(old.expiresAtMs as number)}. ` +
    `It is shown this once: only its hash is kept.${followed}`;
  printToken(token, { ...documentOf(made), replaces: documentOf(old) }, told);
}

export function addTokenCommands(program: Command): void {
  const token = program.command('token').description('who may call the service');
  const create = token
    .command('create')
    .description('make a token and print it, once')
    .requiredOption('--owner <owner>', 'the partner that it belongs to; a new token of the same owner keeps his rights')
    .addOption(
      withValues(
        new Option('--scope <scope>', `one of ${SCOPES.join(', ')}; may be repeated`)
          .argParser(addScope)
          .makeOptionMandatory(),
        SCOPES,
      ),
    )
    .option('--expires-in <duration>', 'such as 90s, 15m, 12h or 30d; no expiry by default', parseDuration)
    .action((options: CreateOptions) => runCommand(() => createToken(options)));
  withLimits(create, 'that of the service by default');
  withExamples(
    withJson(create),
    'txledger token create --owner acme --scope transactions:read --scope transactions:write --expires-in 90d',
    '(umask 077; txledger token create --owner acme --scope transactions:read > acme.token)',
  );

  const list = token
    .command('list')
    .description(
      'list the tokens: id, owner, scopes, when they were made, until when they hold, and when they were last used, to the minute',
    )
    .option('--all', 'those that are revoked too', false)
    .action((options: { all: boolean }) => runCommand(() => listTokens(options)));
  withExamples(withJson(withWide(list)), 'txledger token list', 'txledger token list --all --json');

  const limit = token
    .command('limit')
    .description('give a token limits of its own, in place of those that it has; running servers follow within 5 s')
    .argument('<id>', 'the part between txl_ and the next _')
    .action((id: string, options: LimitOptions) => runCommand(() => limitToken(id, options)));
  withExamples(
    withJson(withLimits(limit, 'that of the service when left out')),
    'txledger token limit "$TOKEN_ID" --rate-per-s 100 --pending-max 500',
    'txledger token limit "$TOKEN_ID"',
  );

  const revoke = token
    .command('revoke')
    .description('end a token; running servers refuse it within 5 s')
    .argument('<id>', 'the part between txl_ and the next _')
    .action((id: string) => runCommand(() => revokeToken(id)));
  withExamples(withJson(revoke), 'txledger token revoke "$REVOKED_TOKEN_ID"');

  const rotate = token
    .command('rotate')
    .description('make a token of the same owner and scopes, and let the old one expire after an overlap')
    .argument('<id>', 'the old one: the part between txl_ and the next _')
    .addOption(
      new Option('--overlap <duration>', 'how long the old one still holds')
        .argParser(parseDuration)
        .default(parseDuration(OVERLAP_DEFAULT), OVERLAP_DEFAULT),
    )
    .option('--expires-in <duration>', 'of the new one; by default as long as the old one was made for', parseDuration)
    .action((id: string, options: { overlap: number; expiresIn?: number }) =>
      runCommand(() => rotateToken(id, options)),
    );
  withExamples(
    withJson(rotate),
    'txledger token rotate "$TOKEN_ID"',
    'txledger token rotate "$OTHER_TOKEN_ID" --overlap 2d --expires-in 90d --json',
  );
}

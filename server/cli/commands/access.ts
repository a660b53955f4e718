/**
 * `txledger token create|list|revoke` and `txledger address bind`: who may call, and who may act for an address. They
 * work on DATA_DIR whether a server runs on it or not.
 *
 * @module
 */
import { Option, type Command } from 'commander';
import { withAccess } from '../../app/access.ts';
import { dataDirOf } from '../../app/config.ts';
import { prepareDataDir } from '../../app/data-dir.ts';
import { SCOPES, type Administration, type Scope, type TokenView } from '../../gateway/index.ts';
import { parseDuration } from '../duration.ts';
import { CommandError, runCommand } from '../failure.ts';

/** Made by these commands, the database holds what lets people in: it is for the owner only. */
const UMASK = 0o077;

function onDatabase<T>(work: (access: Administration) => Promise<T>): Promise<T> {
  process.umask(UMASK);
  return withAccess(prepareDataDir(dataDirOf(process.env, process.cwd())).gateway, work);
}

const addScope = (scope: string, scopes: string[] = []): string[] => [...scopes, scope];

async function createToken(options: { owner: string; scope: string[]; expiresIn?: number }): Promise<void> {
  const unknown = options.scope.filter((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown.length > 0) throw new CommandError(`There is no scope ${unknown.join(', ')}; there are ${SCOPES.join(', ')}.`);
  const expiry = options.expiresIn === undefined ? {} : { expiresAtMs: Date.now() + options.expiresIn };
  const created = await onDatabase((access) => access.createToken({ owner: options.owner, scopes: options.scope as Scope[], ...expiry })).catch((error: unknown) => {
    if (error instanceof RangeError) throw new CommandError(`The token cannot be made: ${error.message}.`);
    throw error;
  });
  // The token alone on standard output, so that a script can take it; the rest is for the person.
  console.log(created.token);
  console.error(`Token ${created.tokenId} of ${options.owner}. It is shown this once: only its hash is kept.`);
}

function describeToken(token: TokenView, nowMs: number): string {
  const time = (ms: number): string => new Date(ms).toISOString();
  const state = (): string => {
    if (token.revokedAtMs !== undefined) return `revoked ${time(token.revokedAtMs)}`;
    if (token.expiresAtMs === undefined) return 'no expiry';
    return `${token.expiresAtMs <= nowMs ? 'expired' : 'expires'} ${time(token.expiresAtMs)}`;
  };
  return [token.id, token.owner, token.scopes.join(','), `created ${time(token.createdAtMs)}`, state()].join('  ');
}

export function addAccessCommands(program: Command): void {
  const token = program.command('token').description('who may call the service');
  token
    .command('create')
    .description('make a token and print it, once')
    .requiredOption('--owner <owner>', 'the partner that it belongs to; a new token of the same owner keeps his rights')
    .addOption(new Option('--scope <scope>', `one of ${SCOPES.join(', ')}; may be repeated`).argParser(addScope).makeOptionMandatory())
    .option('--expires-in <duration>', 'such as 90s, 15m, 12h or 30d; no expiry by default', parseDuration)
    .action((options: { owner: string; scope: string[]; expiresIn?: number }) => runCommand(() => createToken(options)));
  token
    .command('list')
    .description('list the tokens: id, owner, scopes, when they were made, and until when they hold')
    .action(() =>
      runCommand(async () => {
        for (const each of await onDatabase((access) => access.listTokens())) console.log(describeToken(each, Date.now()));
      }),
    );
  token
    .command('revoke')
    .description('end a token; running servers refuse it within 5 s')
    .argument('<id>', 'the part between txl_ and the next _')
    .action((id: string) =>
      runCommand(async () => {
        const revoked = await onDatabase((access) => access.revokeToken(id));
        if (!revoked) throw new CommandError(`There is no token ${id} that is not revoked already.`);
        console.log(`Token ${id} is revoked.`);
      }),
    );

  program
    .command('address')
    .description('who may act for an address')
    .command('bind')
    .description("bind an address to an owner: from then on only his tokens submit and cancel for it")
    .argument('<address>')
    .requiredOption('--owner <owner>', 'the partner')
    .option('--replace', 'take it from the owner that it is bound to', false)
    .action((address: string, options: { owner: string; replace: boolean }) =>
      runCommand(async () => {
        const bound = await onDatabase((access) => access.bindAddress(address, options.owner, { replace: options.replace }));
        if (!bound.ok) throw new CommandError(`${address} cannot be bound to ${options.owner}: ${bound.message}.`);
        console.log(`${address} is bound to ${options.owner}.`);
      }),
    );
}

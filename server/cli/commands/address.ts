/** `txledger address bind|unbind|list`: the owners that may act for an address. @module */
import type { Command } from 'commander';
import { addressOf } from '../accounts.ts';
import { onDatabase } from '../database.ts';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';
import { print, time, withJson, withWide } from '../output.ts';
import { table, type Column } from '../table.ts';

async function bind(nameOrAddress: string, { owner, replace }: { owner: string; replace: boolean }): Promise<void> {
  const address = addressOf(nameOrAddress);
  const bound = await onDatabase((access) => access.bindAddress(address, owner, { replace }));
  if (!bound.ok)
    throw new CommandError(`${address} cannot be bound to ${owner}: ${bound.message}.`, 'usage', {
      code: bound.reason,
    });
  print({ address, owner }, [`${address} is bound to ${owner}.`]);
}

async function unbind(nameOrAddress: string): Promise<void> {
  const address = addressOf(nameOrAddress);
  const unbound = await onDatabase((access) => access.unbindAddress(address));
  if (!unbound.ok)
    throw new CommandError(`There is nothing to unbind: ${unbound.message}.`, 'usage', { code: unbound.reason });
  const { owner, boundAtMs } = unbound.was;
  print({ address, owner, boundAt: time(boundAtMs) }, [
    `${address} was bound to ${owner} since ${time(boundAtMs)}; any token may submit for it now.`,
  ]);
}

const BINDING_COLUMNS: readonly Column<{ address: string; owner: string; boundAt: string }>[] = [
  { header: 'address', kind: 'account', value: ({ address }) => address },
  { header: 'owner', kind: 'text', value: ({ owner }) => owner },
  { header: 'since', kind: 'time', value: ({ boundAt }) => boundAt },
];

async function list(): Promise<void> {
  const bindings = await onDatabase((access) => access.listBindings());
  const document = {
    bindings: bindings.map(({ address, owner, boundAtMs }) => ({ address, owner, boundAt: time(boundAtMs) })),
  };
  print(document, table(BINDING_COLUMNS, document.bindings, { none: 'no address is bound' }));
}

export function addAddressCommands(program: Command): void {
  const address = program.command('address').description('who may act for an address');
  const binding = address
    .command('bind')
    .description(
      'bind an address to an owner: within 5 s only tokens of that owner submit, broadcast and cancel for it here',
    )
    .argument('<address>')
    .requiredOption('--owner <owner>', 'the partner')
    .option('--replace', 'take it from the owner that it is bound to', false)
    .action((name: string, options: { owner: string; replace: boolean }) => runCommand(() => bind(name, options)));
  withExamples(
    withJson(binding),
    'txledger address bind "$ADDRESS" --owner acme',
    'txledger address bind "$ADDRESS" --owner globex --replace',
  );

  const unbinding = address
    .command('unbind')
    .description('let any token submit for the address again, and print whose it was')
    .argument('<address>')
    .action((name: string) => runCommand(() => unbind(name)));
  withExamples(withJson(unbinding), 'txledger address unbind "$BOUND_ADDRESS"');

  const listing = address
    .command('list')
    .description('list the bound addresses: address, owner, since when')
    .action(() => runCommand(list));
  withExamples(withJson(withWide(listing)), 'txledger address list', 'txledger address list --json');
}

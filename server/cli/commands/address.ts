/** `txledger address bind`: who may act for an address. @module */
import type { Command } from 'commander';
import { addressOf } from '../accounts.ts';
import { onDatabase } from '../database.ts';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';
import { print, withJson } from '../output.ts';

async function bind(nameOrAddress: string, { owner, replace }: { owner: string; replace: boolean }): Promise<void> {
  const address = addressOf(nameOrAddress);
  const bound = await onDatabase((access) => access.bindAddress(address, owner, { replace }));
  if (!bound.ok) throw new CommandError(`${address} cannot be bound to ${owner}: ${bound.message}.`, 'usage', { code: bound.reason });
  print({ address, owner }, [`${address} is bound to ${owner}.`]);
}

export function addAddressCommand(program: Command): void {
  const command = program
    .command('address')
    .description('who may act for an address')
    .command('bind')
    .description('bind an address to an owner: from then on only his tokens submit and cancel for it')
    .argument('<address>')
    .requiredOption('--owner <owner>', 'the partner')
    .option('--replace', 'take it from the owner that it is bound to', false)
    .action((address: string, options: { owner: string; replace: boolean }) => runCommand(() => bind(address, options)));
  withExamples(withJson(command), 'txledger address bind "$ADDRESS" --owner acme', 'txledger address bind "$ADDRESS" --owner globex --replace');
}

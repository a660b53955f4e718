/**
 * `txledger validator ...`: commands for the operator of a validator, for its power, its keys and its node.
 *
 * @module
 */
import { InvalidArgumentError, type Command } from 'commander';
import { type ConnectionOptions, withConnection } from '../connection.ts';
import { withExamples } from '../examples.ts';
import { runCommand } from '../failure.ts';
import { withJson } from '../output.ts';
import { add, type AddOptions } from '../validator/add.ts';
import { backup, restore, type RestoreOptions } from '../validator/backup.ts';
import { newKey } from '../validator/new-key.ts';
import { recover, type RecoverOptions } from '../validator/recover.ts';
import { remove, type RemoveOptions } from '../validator/remove.ts';
import { rotate, type RotateOptions } from '../validator/rotate.ts';
import { statesync, type StatesyncOptions } from '../validator/statesync.ts';

function readCount(text: string): number {
  if (!/^[1-9][0-9]{0,15}$/.test(text) || !Number.isSafeInteger(Number(text)))
    throw new InvalidArgumentError('expected a whole number from 1 to 2^53-1.');
  return Number(text);
}

const readList = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);

/** Adds the options of every command that changes power. */
function withChange(command: Command): Command {
  return withJson(withConnection(command))
    .option('--key <file...>', 'key files of governors, mode 0600, where they are at hand')
    .option('--proposals <dir>', 'folder for the proposals that governors sign elsewhere (txledger governance sign)')
    .option('--dry-run', 'show the plan and change nothing')
    .option('--yes', 'do not ask');
}

function addPowerCommands(validator: Command): void {
  const adds = validator
    .command('add')
    .description('give power to a node that follows the chain, in steps of less than a third, and see that it signs')
    .requiredOption('--node <url>', 'RPC of the node; its key becomes a validator')
    .option('--power <power>', 'its power in the end; that of most validators by default', readCount)
    .action((options: AddOptions) => runCommand(() => add(options)));
  withExamples(withChange(adds), 'txledger validator add --node "$NODE" --power 12 --dry-run');

  const removes = validator
    .command('remove')
    .description(
      'take the power of a validator, in steps, after seeing that the others can go on; says when its node may stop',
    )
    .requiredOption('--validator <name>', 'its public key, its address, or the URL of its RPC')
    .action((options: RemoveOptions) => runCommand(() => remove(options)));
  withExamples(withChange(removes), 'txledger validator remove --validator "$VALIDATOR_1" --yes');

  const rotates = validator
    .command('rotate')
    .description('move the power of one key to that of a second node: the new one signs before the old one stops')
    .requiredOption('--from <name>', 'the validator that goes: its public key, its address, or the URL of its RPC')
    .requiredOption('--node <url>', 'RPC of the node with the new key')
    .option('--power <power>', 'power of the new key in the end; that of the old one by default', readCount)
    .action((options: RotateOptions) => runCommand(() => rotate(options)));
  withExamples(withChange(rotates), 'txledger validator rotate --from "$VALIDATOR_1" --node "$NODE" --dry-run');
}

function addKeyCommands(validator: Command): void {
  const newKeys = validator
    .command('new-key')
    .description(
      'give the stopped node of a home another key, once the chain shows that the old one has no power; keeps the old one beside it',
    )
    .requiredOption('--home <dir>', 'home of the node')
    .action((options: ConnectionOptions & { home: string }) => runCommand(() => newKey(options)));
  withExamples(withJson(withConnection(newKeys)), 'txledger validator new-key --home "$HOME_OF_NODE"');

  const backups = validator
    .command('backup')
    .description('copy key, configuration and sign state of a stopped validator into a folder')
    .requiredOption('--home <dir>', 'home of the node')
    .requiredOption('--out <dir>', 'a new folder')
    .action((options: { home: string; out: string }) => runCommand(() => backup(options)));
  withExamples(withJson(backups), 'txledger validator backup --home "$HOME_OF_NODE" --out ./validator-backup');

  const restores = validator
    .command('restore')
    .description('make a home of a backup, unless the chain shows a signature that the backup does not know')
    .argument('<backup>', 'folder that backup wrote')
    .requiredOption('--home <dir>', 'the home to make: a new folder')
    .requiredOption('--chain <url>', 'RPC of another node, or a gateway with /rpc behind it')
    .option('--old-node-is-gone', 'the machine with this key will never run again: sign from a safe height on')
    .action((folder: string, options: RestoreOptions) => runCommand(() => restore(folder, options)));
  withExamples(
    withJson(restores),
    'txledger validator restore ./validator-backup --home ./restored-home --chain "$NODE"',
  );
}

function addNodeCommands(validator: Command): void {
  const statesyncs = validator
    .command('statesync')
    .description(
      'print, or write into a home, the [statesync] section with a block that several nodes show and its validators signed',
    )
    .requiredOption('--rpc <urls>', 'RPCs of two nodes or more, with commas between them', readList)
    .option('--height <height>', 'the block to trust; 1000 below the newest by default', readCount)
    .option('--home <dir>', 'home of the stopped node to write it into')
    .action((options: StatesyncOptions) => runCommand(() => statesync(options)));
  withExamples(withJson(statesyncs), 'txledger validator statesync --rpc "$NODE,$OTHER_NODE"');

  const recovers = validator
    .command('recover')
    .description(
      'bring back a stopped node whose application computed something else than the chain; needs the program cometbft (COMETBFT, or on PATH)',
    )
    .requiredOption('--home <dir>', 'home of the node')
    .requiredOption('--data-dir <dir>', 'DATA_DIR of the application beside it')
    .requiredOption('--rpc <urls>', 'RPCs of healthy nodes, with commas between them', readList)
    .option('--dry-run', 'say what is wrong and change nothing')
    .option('--yes', 'do not ask')
    .action((options: RecoverOptions) => runCommand(() => recover(options)));
  withExamples(
    withJson(recovers),
    'txledger validator recover --home /var/lib/cometbft --data-dir /var/lib/txledger-app --rpc http://10.0.0.12:26657',
  );
}

export function addValidatorCommands(program: Command): void {
  const validator = program
    .command('validator')
    .description('power, keys, backup and recovery of the validators of a network');
  addPowerCommands(validator);
  addKeyCommands(validator);
  addNodeCommands(validator);
}

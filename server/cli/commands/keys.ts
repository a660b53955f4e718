/**
 * `txledger operator-key create`, `governor-key create`, `validator-key create`: the keys of a chain, each for one use and in a file of its
 * own.
 *
 * @module
 */
import type { Command } from 'commander';
import { createRandomSource } from '../../app/environment.ts';
import { formatOperatorKey, operatorKeyOf } from '../../app/operator-key.ts';
import { writeSecretFile } from '../../app/secret-file.ts';
import { formatValidatorKey, validatorKeyFromSeed } from '../../engine/validator-key.ts';
import { SEED_BYTES, type AddressPrefix } from '../../ledger/index.ts';
import { withExamples } from '../examples.ts';
import { runCommand } from '../failure.ts';
import { newFile, prefixOption } from '../key-files.ts';
import { print, withJson } from '../output.ts';

interface RoleKeyOptions {
  out: string;
  prefix: AddressPrefix;
}

function createRoleKey(options: RoleKeyOptions): void {
  const out = newFile(options.out);
  const key = operatorKeyOf(createRandomSource().bytes(SEED_BYTES), options.prefix);
  writeSecretFile(out, formatOperatorKey(key));
  print({ file: out, address: key.address }, [key.address]);
}

export function addKeyCommands(program: Command): void {
  const operatorKey = program
    .command('operator-key')
    .description('the key of a gateway, with which it cancels: a canceller of the chain')
    .command('create')
    .description('write a new operator key (mode 0600) and print its address, which goes into the genesis as a canceller')
    .requiredOption('--out <file>', 'where to write it')
    .addOption(prefixOption())
    .action((options: RoleKeyOptions) => runCommand(() => createRoleKey(options)));
  withExamples(withJson(operatorKey), 'txledger operator-key create --out operator_key.json');

  const governorKey = program
    .command('governor-key')
    .description('the key of a governor, who keeps it offline')
    .command('create')
    .description('write a new governor key (mode 0600) and print its address, which goes into the genesis as a governor')
    .requiredOption('--out <file>', 'where to write it')
    .addOption(prefixOption())
    .action((options: RoleKeyOptions) => runCommand(() => createRoleKey(options)));
  withExamples(withJson(governorKey), 'txledger governor-key create --out governor_key.json');

  const validatorKey = program
    .command('validator-key')
    .description('the key that signs blocks')
    .command('create')
    .description("write a new validator key (mode 0600) in CometBFT's format and print its public key")
    .requiredOption('--out <file>', 'where to write it')
    .action((options: { out: string }) =>
      runCommand(() => {
        const out = newFile(options.out);
        const seed = createRandomSource().bytes(SEED_BYTES);
        writeSecretFile(out, formatValidatorKey(seed));
        const publicKey = Buffer.from(validatorKeyFromSeed(seed).publicKey).toString('hex');
        print({ file: out, publicKey }, [publicKey]);
      }),
    );
  withExamples(withJson(validatorKey), 'txledger validator-key create --out priv_validator_key.json');
}

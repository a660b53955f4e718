/**
 * `txledger key`, `operator-key`, `governor-key create|show` and `validator-key create`: the keys of accounts and of a chain, each for one
 * use and in a file of its own.
 *
 * @module
 */
import type { Command } from 'commander';
import { createRandomSource } from '../../app/environment.ts';
import { formatOperatorKey, operatorKeyOf } from '../../app/operator-key.ts';
import { createSecretFile } from '../../app/secret-file.ts';
import { formatValidatorKey, validatorKeyFromSeed } from '../../engine/validator-key.ts';
import { encodeAddress, publicKeyOfSeed, SEED_BYTES, type AddressPrefix } from '../../ledger/index.ts';
import { withExamples } from '../examples.ts';
import { runCommand } from '../failure.ts';
import { readKeyFile } from '../key-file.ts';
import { newFile, prefixOption } from '../key-files.ts';
import { facts, print, withJson } from '../output.ts';

interface CreateOptions {
  out: string;
  prefix: AddressPrefix;
}

function createKey(options: CreateOptions): void {
  const out = newFile(options.out);
  const key = operatorKeyOf(createRandomSource().bytes(SEED_BYTES), options.prefix);
  createSecretFile(out, formatOperatorKey(key));
  print({ file: out, address: key.address }, [key.address]);
}

/** Prints everything but the secret. */
function showKey(file: string, { prefix }: { prefix: AddressPrefix }): void {
  const { seed, address } = readKeyFile(file, 'the key');
  const publicKey = publicKeyOfSeed(Buffer.from(seed, 'hex'));
  const shown = {
    address: address ?? encodeAddress(publicKey, prefix),
    publicKey: Buffer.from(publicKey).toString('hex'),
  };
  print(
    shown,
    facts([
      ['address', shown.address],
      ['public key', shown.publicKey],
    ]),
  );
}

interface AccountKey {
  readonly name: string;
  readonly description: string;
  /** The rest of the description of `create`, after "write a new". */
  readonly creates: string;
  readonly example: string;
}

/** Keys with an address: they differ only in their use, and the form of their files is the same. */
const ACCOUNT_KEYS: readonly AccountKey[] = [
  {
    name: 'key',
    description: 'the key of an account, with which it pays',
    creates: 'key (mode 0600) and print its address; send signs with it by --key-file',
    example: 'key.json',
  },
  {
    name: 'operator-key',
    description: 'the key of a gateway, with which it cancels: a canceller of the chain',
    creates: 'operator key (mode 0600) and print its address, which goes into the genesis as a canceller',
    example: 'operator_key.json',
  },
  {
    name: 'governor-key',
    description: 'the key of a governor, who keeps it offline',
    creates: 'governor key (mode 0600) and print its address, which goes into the genesis as a governor',
    example: 'governor_key.json',
  },
];

function addAccountKey(program: Command, { name, description, creates, example }: AccountKey): void {
  const key = program.command(name).description(description);
  const create = key
    .command('create')
    .description(`write a new ${creates}`)
    .requiredOption('--out <file>', 'where to write it')
    .addOption(prefixOption())
    .action((options: CreateOptions) => runCommand(() => createKey(options)));
  withExamples(withJson(create), `txledger ${name} create --out ${example}`);

  const show = key
    .command('show')
    .description('print address and public key of a key file, and nothing that is secret')
    .argument('<file>')
    .addOption(prefixOption())
    .action((file: string, options: { prefix: AddressPrefix }) => runCommand(() => showKey(file, options)));
  withExamples(withJson(show), `txledger ${name} show ${example}`, `txledger ${name} show ${example} --json`);
}

export function addKeyCommands(program: Command): void {
  for (const key of ACCOUNT_KEYS) addAccountKey(program, key);

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
        createSecretFile(out, formatValidatorKey(seed));
        const publicKey = Buffer.from(validatorKeyFromSeed(seed).publicKey).toString('hex');
        print({ file: out, publicKey }, [publicKey]);
      }),
    );
  withExamples(withJson(validatorKey), 'txledger validator-key create --out priv_validator_key.json');
}

/**
 * `txledger genesis create|show`: the first state of a chain. Roles are separate from the beginning: a gateway never holds a governor's
 * key.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { InvalidArgumentError, type Command } from 'commander';
import { genesisTimeOf } from '../../app/genesis-time.ts';
import { createSecretFile } from '../../app/secret-file.ts';
import { parseValidatorKey } from '../../engine/validator-key.ts';
import { buildGenesis, parseGenesis, type AddressPrefix, type Currency } from '../../ledger/index.ts';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';
import { showGenesis } from '../governance/show.ts';
import { newFile, prefixOption } from '../key-files.ts';
import { print, withJson, withWide } from '../output.ts';

/** Power of validators that are named by their key files: all are equal, so any number would do; CometBFT's own tools write 10. */
const VALIDATOR_POWER = 10;

interface Validator {
  /** 64 hex digits. */
  publicKey: string;
  power: number;
}

interface GenesisOptions {
  chainId: string;
  prefix: AddressPrefix;
  validatorKey: string[];
  validator: Validator[];
  canceller: string[];
  governor: string[];
  threshold?: number;
  allowSharedRoles: boolean;
  currency: Currency;
  openingMinimum?: bigint;
  account: { address: string; balance: bigint }[];
  genesisTime?: string;
  out: string;
}

/** Parses one `ADDRESS=BALANCE`, and collects those of repeated options. */
function addAccount(
  text: string,
  accounts: { address: string; balance: bigint }[] = [],
): { address: string; balance: bigint }[] {
  const [, address, balance] = /^([^=]+)=(0|[1-9][0-9]{0,38})$/.exec(text) ?? [];
  if (address === undefined || balance === undefined)
    throw new InvalidArgumentError('expected ADDRESS=BALANCE, the balance in minor units.');
  return [...accounts, { address, balance: BigInt(balance) }];
}

/** Parses one `PUBKEY=POWER`, as printed on the machine with the key, so that no private key leaves its machine. */
function addValidator(text: string, validators: Validator[] = []): Validator[] {
  const [, publicKey, power] = /^([0-9a-f]{64})=([1-9][0-9]{0,15})$/.exec(text) ?? [];
  if (publicKey === undefined || power === undefined)
    throw new InvalidArgumentError(
      'expected PUBKEY=POWER, the key as 64 lower-case hex digits, the power a whole number above 0.',
    );
  return [...validators, { publicKey, power: Number(power) }];
}

/** Parses `CODE:SCALE`; genesis reports the faults of both parts. */
function readCurrency(text: string): Currency {
  const [, code, scale] = /^([^:]+):([0-9]{1,2})$/.exec(text) ?? [];
  if (code === undefined || scale === undefined)
    throw new InvalidArgumentError(
      'expected CODE:SCALE, the scale being the digits behind the point, for example EUR:2.',
    );
  return { code, scale: Number(scale) };
}

function readCount(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('expected a whole number above 0.');
  return Number(text);
}

function readAmount(text: string): bigint {
  if (!/^[1-9][0-9]{0,38}$/.test(text)) throw new InvalidArgumentError('expected an amount in minor units, above 0.');
  return BigInt(text);
}

const addText = (text: string, texts: string[] = []): string[] => [...texts, text];

function validatorOf(file: string): Validator {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`Cannot read the validator key at ${file}: ${(error as Error).message}`);
  }
  const validator = parseValidatorKey(text);
  if (!validator.ok) throw new CommandError(`The validator key at ${file} ${validator.message}.`);
  return { publicKey: Buffer.from(validator.key.publicKey).toString('hex'), power: VALIDATOR_POWER };
}

/** Refuses settings that genesis allows but an operator should not choose by accident. @returns the threshold. */
function checkRoles({ canceller, governor, threshold, allowSharedRoles }: GenesisOptions): number {
  const both = canceller.filter((address) => governor.includes(address));
  if (both.length > 0 && !allowSharedRoles) {
    throw new CommandError(
      `${both.join(', ')} would be canceller and governor: the key lies on a gateway, and who takes it could govern. Make another key with txledger governor-key create, or say --allow-shared-roles.`,
    );
  }
  if (threshold === undefined && governor.length > 1)
    throw new CommandError(`Say with --threshold how many of the ${governor.length} governors sign together.`);
  return threshold ?? 1;
}

function createGenesis(options: GenesisOptions): void {
  const out = newFile(options.out);
  const threshold = checkRoles(options);
  const validators = [...options.validatorKey.map(validatorOf), ...options.validator];
  if (validators.length === 0)
    throw new CommandError(
      'A chain needs a validator: name its key file with --validator-key, or its public key with --validator.',
    );
  const bytes = buildGenesis({
    genesisTime: options.genesisTime ?? genesisTimeOf(Date.now()),
    chainId: options.chainId,
    addressPrefix: options.prefix,
    validators: validators.map((validator) => ({ ...validator, name: '' })),
    accounts: options.account,
    cancellers: options.canceller,
    governors: options.governor,
    threshold,
    currency: options.currency,
    ...(options.openingMinimum !== undefined && { openingMinimum: options.openingMinimum }),
  });
  const parsed = parseGenesis(bytes);
  if (!parsed.ok)
    throw new CommandError(
      ['This would be no valid genesis:', ...parsed.errors.map((error) => `  ${error}`)].join('\n'),
    );
  createSecretFile(out, Buffer.from(bytes).toString('utf8'));
  print({ file: out, chainId: options.chainId, genesisHash: parsed.genesis.hash }, [
    out,
    `genesis hash ${parsed.genesis.hash}`,
  ]);
}

export function addGenesisCommands(program: Command): void {
  const genesis = program.command('genesis').description('the first state of a chain');

  const create = genesis
    .command('create')
    .description('write the genesis of a chain: with one validator for the embedded engine, with several for a network')
    .requiredOption('--chain-id <id>', 'name of the chain; signatures are bound to it')
    .addOption(prefixOption())
    .option(
      '--validator-key <file>',
      `key file of a validator with power ${VALIDATOR_POWER}; may be repeated`,
      addText,
      [],
    )
    .option(
      '--validator <pubkey=power>',
      'public key and power of a validator whose key file is elsewhere; may be repeated',
      addValidator,
      [],
    )
    .requiredOption(
      '--canceller <address>',
      'may cancel for others: the operator key of a gateway; may be repeated',
      addText,
    )
    .requiredOption(
      '--governor <address>',
      'may change roles, validators and rules, with others; may be repeated',
      addText,
    )
    .option(
      '--threshold <count>',
      'how many governors sign together; may be left out with a single governor',
      readCount,
    )
    .option(
      '--allow-shared-roles',
      'let an address be canceller and governor: then the key of a gateway can govern',
      false,
    )
    .requiredOption('--currency <code:scale>', 'what amounts count, and the digits behind the point', readCurrency)
    .option('--opening-minimum <amount>', 'least that opens an account, in minor units (default: 1)', readAmount)
    .requiredOption(
      '--account <address=balance>',
      'account and its balance in minor units; may be repeated',
      addAccount,
    )
    .option('--genesis-time <time>', 'RFC 3339 in UTC; the present moment by default')
    .requiredOption('--out <file>', 'where to write it')
    .action((options: GenesisOptions) => runCommand(() => createGenesis(options)));
  withExamples(
    withJson(create),
    'txledger genesis create --chain-id acme-1 --validator-key priv_validator_key.json --canceller "$OPERATOR" --governor "$GOVERNOR" --currency EUR:2 --account "$OPERATOR=1000000" --out genesis.json',
    'txledger genesis create --chain-id acme-2 --validator "$VALIDATOR_1=10" --validator "$VALIDATOR_2=10" --canceller "$OPERATOR" --governor "$GOVERNOR" --currency EUR:2 --account "$OPERATOR=1000000" --out genesis-of-two.json',
  );

  const show = genesis
    .command('show')
    .description('check a genesis file and show what it decides: roles, threshold, validators, currency, rules')
    .argument('<file>')
    .action((file: string) => runCommand(() => showGenesis(file)));
  withExamples(
    withJson(withWide(show)),
    'txledger genesis show genesis.json',
    'txledger genesis show genesis.json --json',
  );
}

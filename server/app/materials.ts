/**
 * The files of a chain: its genesis, the validator's key and the operator's key. They are read and checked against each other before any
 * thread starts, so that a wrong file is reported and the chain is not damaged.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { parseValidatorKey, type ValidatorKey } from '../engine/validator-key.ts';
import { parseAddress, parseGenesis, type GenesisDocument } from '../ledger/index.ts';
import type { KeyFiles } from './config.ts';
import { developmentAccountOf } from './dev-accounts.ts';
import { ExplainedError } from './explained-error.ts';
import { parseOperatorKey, type OperatorKey } from './operator-key.ts';
import { readSecretFile, SecretFileError } from './secret-file.ts';

export interface ChainMaterials {
  genesis: GenesisDocument;
  operator: OperatorKey;
  files: KeyFiles;
}

/** All faults of the files, one sentence each. */
export class MaterialsError extends ExplainedError {
  override readonly name = 'MaterialsError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

function readGenesis(file: string, problems: string[]): GenesisDocument | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    problems.push(`Cannot read the genesis file at ${file}: ${(error as Error).message}`);
    return undefined;
  }
  const parsed = parseGenesis(bytes);
  if (parsed.ok) return parsed.genesis;
  problems.push(...parsed.errors.map((error) => `The genesis file ${file}: ${error}`));
  return undefined;
}

function readSecret(file: string, what: string, group: number | undefined, problems: string[]): string | undefined {
  try {
    return readSecretFile(file, what, group);
  } catch (error) {
    if (!(error instanceof SecretFileError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}

/** Only the embedded engine signs with a key of its own; the nodes of a network hold their own keys. */
function checkValidator(genesis: GenesisDocument, validator: ValidatorKey, files: KeyFiles): string[] {
  const problems: string[] = [];
  const publicKey = Buffer.from(validator.publicKey).toString('hex');
  if (!genesis.validators.some((entry) => entry.publicKey === publicKey)) {
    problems.push(
      `The key in ${files.validatorKey} is none of the validators in ${files.genesis}: its blocks would not be this chain's.`,
    );
  }
  // An embedded chain has one validator: with more, one key could never reach two thirds of the power.
  if (genesis.validators.length !== 1) {
    problems.push(
      `${files.genesis} names ${genesis.validators.length} validators; the embedded engine runs a chain with exactly one.`,
    );
  }
  return problems;
}

function checkTogether(
  genesis: GenesisDocument,
  validator: ValidatorKey | undefined,
  operator: OperatorKey,
  files: KeyFiles,
): string[] {
  const problems = validator === undefined ? [] : checkValidator(genesis, validator, files);
  // The cancellers may have changed since genesis, and only the chain's state has the current ones. So a difference is not an error here:
  // the gateway checks it.
  if (genesis.addressPrefix === 'txl') problems.push(...findDevelopmentKeys(genesis, validator, operator));
  return problems;
}

/** Anyone can sign with a development key, so no other chain may hold one, anywhere. */
function findDevelopmentKeys(
  genesis: GenesisDocument,
  validator: ValidatorKey | undefined,
  operator: OperatorKey,
): string[] {
  const publicKeyOf = (address: string): Uint8Array => {
    const parsed = parseAddress(address, genesis.addressPrefix);
    return parsed.ok ? parsed.publicKey : new Uint8Array();
  };
  const holders: readonly (readonly [what: string, publicKey: Uint8Array])[] = [
    ...genesis.accounts.map(({ address }) => [`the genesis account ${address}`, publicKeyOf(address)] as const),
    ...genesis.cancellers.map((address) => [`the canceller ${address}`, publicKeyOf(address)] as const),
    ...genesis.governors.map((address) => [`the governor ${address}`, publicKeyOf(address)] as const),
    ...genesis.validators.map(
      ({ publicKey }) => [`the genesis validator ${publicKey}`, Buffer.from(publicKey, 'hex')] as const,
    ),
    ['the operator key', publicKeyOf(operator.address)],
    ...(validator === undefined ? [] : [['the validator key', validator.publicKey] as const]),
  ];
  return holders.flatMap(([what, publicKey]) => {
    const name = developmentAccountOf(publicKey);
    return name === undefined
      ? []
      : [
          `${what} is the development key ${name}, whose seed is public; chain ${genesis.chainId} is not a development chain.`,
        ];
  });
}

/**
 * @param group group that may read the keys too (TXLEDGER_KEY_FILE_GROUP).
 * @throws MaterialsError with all faults of the files.
 */
export function readMaterials(files: KeyFiles, group?: number): ChainMaterials {
  const problems: string[] = [];
  const genesis = readGenesis(files.genesis, problems);
  const validatorText =
    files.validatorKey === undefined
      ? undefined
      : readSecret(files.validatorKey, 'the validator key (VALIDATOR_KEY_FILE)', group, problems);
  const operatorText = readSecret(files.operatorKey, 'the operator key (OPERATOR_KEY_FILE)', group, problems);

  const validator = validatorText === undefined ? undefined : parseValidatorKey(validatorText);
  if (validator?.ok === false) problems.push(`The validator key at ${files.validatorKey} ${validator.message}.`);
  const operator =
    operatorText === undefined || !genesis ? undefined : parseOperatorKey(operatorText, genesis.addressPrefix);
  if (operator?.ok === false) problems.push(`The operator key at ${files.operatorKey} ${operator.message}.`);

  const validatorGood = files.validatorKey === undefined || validator?.ok === true;
  if (genesis && validatorGood && operator?.ok) {
    problems.push(...checkTogether(genesis, validator?.ok ? validator.key : undefined, operator.key, files));
    if (problems.length === 0) return { genesis, operator: operator.key, files };
  }
  throw new MaterialsError(problems);
}

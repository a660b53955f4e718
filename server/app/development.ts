/**
 * The first start of `npm start`: makes everything a development chain needs, inside DATA_DIR.
 *
 * Every file is written whole under a temporary name and then renamed, in an order in which each needs only those before it. An existing
 * file is never made again. So the start after an interrupted one continues with the first missing file.
 *
 * @module
 */
import { existsSync, readFileSync } from 'node:fs';
import { formatValidatorKey, parseValidatorKey } from '../engine/validator-key.ts';
import type { Clock, RandomSource } from '../engine/ports.ts';
import { buildGenesis, SEED_BYTES } from '../ledger/index.ts';
import { openChainReader } from '../store/embedded/connection.ts';
import type { DataDirFile } from './data-dir.ts';
import {
  DEVELOPMENT_ADDRESS_PREFIX,
  DEVELOPMENT_BALANCE,
  DEVELOPMENT_CHAIN_ID,
  DEVELOPMENT_CURRENCY,
  developmentAccounts,
} from './dev-accounts.ts';
import { genesisTimeOf } from './genesis-time.ts';
import { MaterialsError, readMaterials, type ChainMaterials } from './materials.ts';
import { formatOperatorKey, operatorKeyOf, parseOperatorKey } from './operator-key.ts';
import { readSecretFile, createSecretFile } from './secret-file.ts';

/** One validator has all the power whatever the number is; CometBFT's own tools write 10. */
const VALIDATOR_POWER = 10;

/** Returns the address in a key file that a development start made. */
function addressIn(file: string, what: string): string {
  const parsed = parseOperatorKey(readSecretFile(file, what), DEVELOPMENT_ADDRESS_PREFIX);
  if (!parsed.ok) throw new MaterialsError([`${what} at ${file} ${parsed.message}.`]);
  return parsed.key.address;
}

function genesisBytes(files: Readonly<Record<DataDirFile, string>>, clock: Clock): Uint8Array {
  const validator = parseValidatorKey(readSecretFile(files.validatorKey, 'the validator key'));
  if (!validator.ok) throw new MaterialsError([`The validator key at ${files.validatorKey} ${validator.message}.`]);
  return buildGenesis({
    genesisTime: genesisTimeOf(clock.nowMs()),
    chainId: DEVELOPMENT_CHAIN_ID,
    addressPrefix: DEVELOPMENT_ADDRESS_PREFIX,
    validators: [
      { publicKey: Buffer.from(validator.key.publicKey).toString('hex'), power: VALIDATOR_POWER, name: 'development' },
    ],
    accounts: developmentAccounts().map(({ address }) => ({ address, balance: DEVELOPMENT_BALANCE })),
    cancellers: [addressIn(files.operatorKey, 'The operator key')],
    governors: [addressIn(files.governorKey, 'The governor key')],
    threshold: 1,
    currency: DEVELOPMENT_CURRENCY,
  });
}

/**
 * Makes the missing keys and the genesis, and reads them all.
 * @throws MaterialsError when a file is unusable, or the folder holds a chain that is not for development.
 */
export function prepareDevelopmentChain(
  files: Readonly<Record<DataDirFile, string>>,
  environment: { clock: Clock; random: RandomSource },
): ChainMaterials {
  const { clock, random } = environment;
  if (!existsSync(files.genesis)) {
    // Without a genesis no chain depends on these keys yet, so missing ones may be made.
    if (holdsChain(files.chain)) {
      throw new MaterialsError([
        `There are blocks at ${files.chain} but no genesis at ${files.genesis}: put it back, or name an empty DATA_DIR.`,
      ]);
    }
    if (!existsSync(files.validatorKey))
      createSecretFile(files.validatorKey, formatValidatorKey(random.bytes(SEED_BYTES)));
    for (const file of [files.operatorKey, files.governorKey]) {
      if (!existsSync(file))
        createSecretFile(file, formatOperatorKey(operatorKeyOf(random.bytes(SEED_BYTES), DEVELOPMENT_ADDRESS_PREFIX)));
    }
    createSecretFile(files.genesis, Buffer.from(genesisBytes(files, clock)).toString('utf8'));
  }
  const chainId = chainIdIn(files.genesis);
  if (chainId !== DEVELOPMENT_CHAIN_ID) {
    throw new MaterialsError([
      `${files.genesis} is of chain ${chainId}, which is not the development chain ${DEVELOPMENT_CHAIN_ID}: run it with serve, or name another DATA_DIR.`,
    ]);
  }
  return readMaterials({ genesis: files.genesis, validatorKey: files.validatorKey, operatorKey: files.operatorKey });
}

/** A command may have made the database for a token, before the chain existed. */
function holdsChain(file: string): boolean {
  if (!existsSync(file)) return false;
  const sql = openChainReader(file);
  try {
    return sql.pragma('user_version', { simple: true }) !== 0 && sql.prepare('SELECT 1 FROM chain').get() !== undefined;
  } finally {
    sql.close();
  }
}

function chainIdIn(file: string): string {
  try {
    return String((JSON.parse(readFileSync(file, 'utf8')) as { chain_id?: unknown }).chain_id);
  } catch {
    throw new MaterialsError([`The genesis file ${file} is not JSON.`]);
  }
}

/**
 * Reads a genesis file and names every fault at once, because an operator who corrects one would otherwise meet the next at the next start.
 *
 * A value that CometBFT would silently replace by a default (a missing max_bytes) is a fault here: a default of 22 MB would let cancels
 * hide behind a backlog.
 */
import { parseAddress } from './address.ts';
import { sha256UpperHex, toHex } from './bytes.ts';
import { type AddressPrefix, CHAIN_ID_PATTERN, isAddressPrefix } from './chain.ts';
import { isStrictPublicKey } from './ed25519.ts';
import { CHAIN_FORMAT, formatFault, formatOf } from './genesis-format.ts';
import {
  CONSENSUS_PARAMS,
  CURRENCY_CODE_PATTERN,
  FIRST_RULES,
  type GenesisAccount,
  type GenesisDocument,
  type GenesisValidator,
  OPENING_MINIMUM_DEFAULT,
  PUBLIC_KEY_TYPE,
} from './genesis.ts';
import {
  AMOUNT_MAX,
  CANCELLERS_MAX,
  CURRENCY_SCALE_MAX,
  GENESIS_BYTES_MAX,
  GENESIS_POWER_MIN,
  GENESIS_RULES_MAX,
  GOVERNORS_MAX,
  RULES_VERSION_MAX,
  VALIDATOR_POWER_MAX,
  VALIDATORS_MAX,
} from './limits.ts';
import type { Currency, RulesActivation } from './state.ts';
import { totalPower, validatorAddress } from './validators.ts';

export type ParsedGenesis =
  | { readonly ok: true; readonly genesis: GenesisDocument }
  | { readonly ok: false; readonly errors: string[] };

type Json = Readonly<Record<string, unknown>>;
type Report = (path: string, problem: string) => void;

const BALANCE_PATTERN = /^(?:0|[1-9][0-9]{0,38})$/;
const POWER_PATTERN = /^[1-9][0-9]{0,15}$/;
const TIME_PATTERN = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d{0,8}[1-9])?Z$/;
const OPENING_MINIMUM_PATTERN = /^[1-9][0-9]{0,38}$/;
const APP_STATE_KEYS = [
  'accounts',
  'address_prefix',
  'cancellers',
  'currency',
  'format',
  'governors',
  'openingMinimum',
  'operators',
  'rules',
  'threshold',
];
/** Each of a million accounts may have a fault; no reader needs more of them than this. */
const ERRORS_MAX = 50;

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** True when a moment exists and is written the only way CometBFT writes it: UTC, no trailing zeros of the fraction. */
function isTime(value: unknown): value is string {
  const seconds = typeof value === 'string' ? TIME_PATTERN.exec(value)?.[1] : undefined;
  if (seconds === undefined) return false;
  const ms = Date.parse(`${seconds}Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(seconds);
}

function readValidators(value: unknown, report: Report): GenesisValidator[] {
  const validators: GenesisValidator[] = [];
  const seen = new Set<string>();
  for (const [index, entry] of list(value).entries()) {
    const path = `validators[${index}]`;
    const { address, pub_key, power, name } = object(entry);
    const { type, value: base64 } = object(pub_key);
    const key = typeof base64 === 'string' ? Buffer.from(base64, 'base64') : Buffer.alloc(0);
    if (type !== PUBLIC_KEY_TYPE || key.toString('base64') !== base64 || !isStrictPublicKey(key)) {
      report(`${path}.pub_key`, `must be a ${PUBLIC_KEY_TYPE} with a usable key in base64`);
      continue;
    }
    if (address !== undefined && address !== validatorAddress(key))
      report(`${path}.address`, `must be ${validatorAddress(key)}`);
    if (typeof power !== 'string' || !POWER_PATTERN.test(power) || Number(power) > VALIDATOR_POWER_MAX) {
      report(`${path}.power`, 'must be a decimal string from 1 to 2^53 - 1');
      continue;
    }
    if (name !== undefined && typeof name !== 'string') report(`${path}.name`, 'must be a string');
    const publicKey = toHex(key);
    if (seen.has(publicKey)) report(path, 'stands there twice');
    seen.add(publicKey);
    validators.push({ publicKey, power: Number(power), name: typeof name === 'string' ? name : '' });
  }
  if (list(value).length === 0) report('validators', 'must name at least one validator');
  if (list(value).length > VALIDATORS_MAX) report('validators', `must be at most ${VALIDATORS_MAX}`);
  const power = totalPower(validators);
  if (validators.length > 0 && power < GENESIS_POWER_MIN) {
    report(
      'validators',
      `must have a power of at least ${GENESIS_POWER_MIN} together: a block changes less than a third of it, so with ${power} they could never change`,
    );
  }
  return validators;
}

function readAddress(
  value: unknown,
  prefix: AddressPrefix,
  seen: Set<string>,
  path: string,
  report: Report,
): string | undefined {
  if (typeof value !== 'string') {
    report(path, 'must be an address');
    return undefined;
  }
  const parsed = parseAddress(value, prefix);
  if (!parsed.ok) {
    report(path, parsed.message);
    return undefined;
  }
  if (seen.has(value)) report(path, 'stands there twice');
  seen.add(value);
  return value;
}

function readAccounts(value: unknown, prefix: AddressPrefix, report: Report): GenesisAccount[] {
  if (!Array.isArray(value)) report('app_state.accounts', 'must be a list');
  const accounts: GenesisAccount[] = [];
  const seen = new Set<string>();
  let supply = 0n;
  for (const [index, entry] of list(value).entries()) {
    const path = `app_state.accounts[${index}]`;
    const { address, balance } = object(entry);
    const text = readAddress(address, prefix, seen, `${path}.address`, report);
    if (typeof balance !== 'string' || !BALANCE_PATTERN.test(balance))
      report(`${path}.balance`, 'must be a decimal string without leading zeros');
    else if (text !== undefined) {
      supply += BigInt(balance);
      accounts.push({ address: text, balance: BigInt(balance) });
    }
  }
  if (supply > AMOUNT_MAX) report('app_state.accounts', `the sum of balances must be at most ${AMOUNT_MAX}`);
  return accounts;
}

/** Cancellers or governors. */
function readRole(
  value: unknown,
  role: 'canceller' | 'governor',
  max: number,
  prefix: AddressPrefix,
  report: Report,
): string[] {
  const path = `app_state.${role}s`;
  const seen = new Set<string>();
  list(value).forEach((entry, index) => readAddress(entry, prefix, seen, `${path}[${index}]`, report));
  // The last of a role can never be removed, so a chain without one could never get one either.
  if (list(value).length === 0) report(path, `must name at least one ${role}`);
  if (list(value).length > max) report(path, `must be at most ${max}`);
  return [...seen];
}

function readThreshold(value: unknown, governors: number, report: Report): number {
  const isThreshold = Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= governors;
  if (!isThreshold && governors > 0)
    report('app_state.threshold', `must be an integer from 1 to ${governors}, the number of governors`);
  return Number(value);
}

function readCurrency(value: unknown, report: Report): Currency {
  const { code, scale, ...others } = object(value);
  if (typeof code !== 'string' || !CURRENCY_CODE_PATTERN.test(code))
    report('app_state.currency.code', `must match ${CURRENCY_CODE_PATTERN.source}`);
  if (!Number.isSafeInteger(scale) || Number(scale) < 0 || Number(scale) > CURRENCY_SCALE_MAX) {
    report('app_state.currency.scale', `must be an integer from 0 to ${CURRENCY_SCALE_MAX}`);
  }
  for (const key of Object.keys(others)) report(`app_state.currency.${key}`, 'is unknown');
  return { code: String(code), scale: Number(scale) };
}

function readOpeningMinimum(value: unknown, report: Report): bigint {
  if (value === undefined) return OPENING_MINIMUM_DEFAULT;
  if (typeof value === 'string' && OPENING_MINIMUM_PATTERN.test(value) && BigInt(value) <= AMOUNT_MAX)
    return BigInt(value);
  report('app_state.openingMinimum', 'must be a decimal string from 1 to 2^128 - 1');
  return OPENING_MINIMUM_DEFAULT;
}

/** Versions and heights ascend, and the first is in force from height 1 on. */
function readRules(value: unknown, report: Report): readonly RulesActivation[] {
  if (value === undefined) return FIRST_RULES;
  const path = 'app_state.rules';
  const rules: RulesActivation[] = [];
  if (list(value).length === 0 || list(value).length > GENESIS_RULES_MAX)
    report(path, `must be a list of 1 to ${GENESIS_RULES_MAX} versions`);
  for (const [index, entry] of list(value).entries()) {
    const { version, height, ...others } = object(entry);
    const before = rules.at(-1);
    const isVersion =
      Number.isSafeInteger(version) && Number(version) > (before?.version ?? 0) && Number(version) <= RULES_VERSION_MAX;
    const isHeight =
      Number.isSafeInteger(height) && (before === undefined ? height === 1 : Number(height) > before.height);
    if (!isVersion)
      report(
        `${path}[${index}].version`,
        `must be an integer from ${(before?.version ?? 0) + 1} to ${RULES_VERSION_MAX}`,
      );
    if (!isHeight)
      report(
        `${path}[${index}].height`,
        before === undefined ? 'must be 1' : `must be an integer above ${before.height}`,
      );
    for (const key of Object.keys(others)) report(`${path}[${index}].${key}`, 'is unknown');
    if (isVersion && isHeight) rules.push({ version: Number(version), height: Number(height) });
  }
  return rules;
}

function checkConsensusParams(value: unknown, report: Report): void {
  const params = object(value);
  const expect = (section: keyof typeof CONSENSUS_PARAMS, key: string, expected: string) => {
    if (object(params[section])[key] !== expected)
      report(`consensus_params.${section}.${key}`, `must be "${expected}"`);
  };
  expect('block', 'max_bytes', CONSENSUS_PARAMS.block.max_bytes);
  expect('block', 'max_gas', CONSENSUS_PARAMS.block.max_gas);
  expect('version', 'app', CONSENSUS_PARAMS.version.app);
  expect('abci', 'vote_extensions_enable_height', CONSENSUS_PARAMS.abci.vote_extensions_enable_height);
  if (JSON.stringify(object(params['validator'])['pub_key_types']) !== '["ed25519"]') {
    report('consensus_params.validator.pub_key_types', 'must be ["ed25519"]');
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    // Fatal: a byte that is not UTF-8 is a fault. A byte order mark is kept, so that JSON.parse refuses it.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Reads the bytes of genesis.json; `errors` are sentences that begin with the path of the field. */
export function parseGenesis(bytes: Uint8Array): ParsedGenesis {
  if (bytes.length > GENESIS_BYTES_MAX)
    return { ok: false, errors: [`the file has ${bytes.length} bytes, at most ${GENESIS_BYTES_MAX} are read`] };
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, errors: ['the file is not a JSON object in UTF-8'] };

  // Every other fault of a file of another format would only repeat this one in more words.
  const format = formatOf(object((value as Json)['app_state']));
  const otherFormat = format === undefined ? undefined : formatFault(format);
  if (otherFormat !== undefined) return { ok: false, errors: [otherFormat] };

  const errors: string[] = [];
  const report: Report = (path, problem) => {
    if (errors.length < ERRORS_MAX) errors.push(`${path} ${problem}`);
  };
  const document = value as Json;
  const { genesis_time: genesisTime, chain_id: chainId } = document;
  if (!isTime(genesisTime))
    report('genesis_time', 'must be a time like 2026-11-21T09:00:00Z, at most nine digits of fraction');
  if (typeof chainId !== 'string' || !CHAIN_ID_PATTERN.test(chainId))
    report('chain_id', `must match ${CHAIN_ID_PATTERN.source}`);
  if (document['initial_height'] !== '1') report('initial_height', 'must be "1"');
  if (document['app_hash'] !== undefined && document['app_hash'] !== '') report('app_hash', 'must be empty');
  checkConsensusParams(document['consensus_params'], report);
  const validators = readValidators(document['validators'], report);

  const appState = object(document['app_state']);
  for (const key of Object.keys(appState)) if (!APP_STATE_KEYS.includes(key)) report(`app_state.${key}`, 'is unknown');
  if (format === undefined) report('app_state.format', `must be ${CHAIN_FORMAT}`);
  const addressPrefix = appState['address_prefix'];
  if (!isAddressPrefix(addressPrefix)) {
    report('app_state.address_prefix', 'must be "txl" or "txlt"');
    return { ok: false, errors };
  }
  const accounts = readAccounts(appState['accounts'], addressPrefix, report);
  const cancellers = readRole(appState['cancellers'], 'canceller', CANCELLERS_MAX, addressPrefix, report);
  const { operators } = appState;
  if (operators !== undefined && JSON.stringify(operators) !== JSON.stringify(appState['cancellers'])) {
    report('app_state.operators', 'must be the cancellers, in the same order, or be absent');
  }
  const governors = readRole(appState['governors'], 'governor', GOVERNORS_MAX, addressPrefix, report);
  const threshold = readThreshold(appState['threshold'], governors.length, report);
  const currency = readCurrency(appState['currency'], report);
  const openingMinimum = readOpeningMinimum(appState['openingMinimum'], report);
  const rules = readRules(appState['rules'], report);
  if (errors.length > 0 || !isTime(genesisTime) || typeof chainId !== 'string') return { ok: false, errors };
  return {
    ok: true,
    genesis: {
      genesisTime,
      chainId,
      addressPrefix,
      initialHeight: 1,
      validators,
      accounts,
      cancellers,
      governors,
      threshold,
      currency,
      openingMinimum,
      rules,
      bytes,
      hash: sha256UpperHex(bytes),
    },
  };
}

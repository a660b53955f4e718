/**
 * Checks the governance record of a snapshot, which comes from an untrusted node.
 *
 * The app hash proves the values. These checks prove that they can be read in only one way: a text with a quotation mark in it could be
 * read as two cancellers and have their hash. An unknown member is dropped, so that nothing more enters the state.
 */
import {
  type AddressPrefix,
  CURRENCY_CODE_PATTERN,
  type Currency,
  type GovernanceState,
  parseAddress,
  type RulesActivation,
  type ValidatorPower,
} from '../../../ledger/index.ts';

const VALIDATOR_KEY_PATTERN = /^[0-9a-f]{64}$/;
const AMOUNT_PATTERN = /^[1-9][0-9]{0,38}$/;

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function every<T>(value: unknown, read: (each: unknown) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const each = value.map(read);
  return each.every((one) => one !== undefined) ? (each as T[]) : undefined;
}

function readValidator(value: unknown): ValidatorPower | undefined {
  const { publicKey, power } = fieldsOf(value);
  return typeof publicKey === 'string' && VALIDATOR_KEY_PATTERN.test(publicKey) && isCount(power)
    ? { publicKey, power }
    : undefined;
}

function readActivation(value: unknown): RulesActivation | undefined {
  const { version, height } = fieldsOf(value);
  return isCount(version) && isCount(height) ? { version, height } : undefined;
}

function readCurrency(value: unknown): Currency | undefined {
  const { code, scale } = fieldsOf(value);
  return typeof code === 'string' && CURRENCY_CODE_PATTERN.test(code) && isCount(scale) ? { code, scale } : undefined;
}

export function readGovernance(value: unknown, prefix: AddressPrefix): GovernanceState | undefined {
  const fields = fieldsOf(value);
  const address = (each: unknown): string | undefined =>
    typeof each === 'string' && parseAddress(each, prefix).ok ? each : undefined;
  const { threshold, sequence, openingMinimum } = fields;
  const [cancellers, governors] = [every(fields['cancellers'], address), every(fields['governors'], address)];
  const [validators, rules] = [every(fields['validators'], readValidator), every(fields['rules'], readActivation)];
  const currency = readCurrency(fields['currency']);
  if (!cancellers || !governors || !validators || !rules || !currency || !isCount(threshold) || !isCount(sequence))
    return undefined;
  if (typeof openingMinimum !== 'string' || !AMOUNT_PATTERN.test(openingMinimum) || rules.length === 0)
    return undefined;
  return { cancellers, governors, threshold, validators, sequence, rules, currency, openingMinimum };
}

/** Formats of the contract for Ajv, which has no range for them or does not define them. */
const UINT128_MAX = 2n ** 128n - 1n;
const INT32_MAX = 2 ** 31 - 1;

export const FORMATS = {
  int32: {
    type: 'number' as const,
    validate: (value: number) => Number.isInteger(value) && Math.abs(value) <= INT32_MAX,
  },
  int64: { type: 'number' as const, validate: Number.isSafeInteger },
  uint128: {
    type: 'string' as const,
    validate: (text: string) => text.length < 39 || (/^[0-9]{39}$/.test(text) && BigInt(text) <= UINT128_MAX),
  },
};

/** Well-formed transactions of every kind for property tests; unsigned noise in the signature field, because no property here needs it. */
import * as fc from 'fast-check';
import {
  AMOUNT_MAX,
  encodeAddress,
  GOVERNORS_MAX,
  NONCE_MAX,
  REFERENCE_PATTERN,
  RULES_VERSION_MAX,
  VALID_UNTIL_MAX,
  type Transaction,
} from '../../server/ledger/index.ts';

const hexOf = (digits: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...digits), minLength: length, maxLength: length });

const chainId = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$/);
const address = fc
  .tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.constantFrom('txl' as const, 'txlt' as const))
  .map(([key, prefix]) => encodeAddress(key, prefix));
const nonce = fc.oneof(fc.nat(), fc.integer({ min: 0, max: NONCE_MAX }), fc.constantFrom(0, NONCE_MAX));
const amount = fc.oneof(fc.bigInt({ min: 1n, max: AMOUNT_MAX }), fc.constantFrom(1n, AMOUNT_MAX));
const signature = hexOf('0123456789abcdef', 128);

/** As withSignatures gives them: sorted, no signer twice. */
const signatures = fc
  .uniqueArray(fc.record({ signature, signer: address }), {
    minLength: 1,
    maxLength: GOVERNORS_MAX,
    selector: ({ signer }) => signer,
  })
  .map((each) => each.sort((a, b) => (a.signer < b.signer ? -1 : 1)));

export const anyTransaction: fc.Arbitrary<Transaction> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('transfer' as const),
      chainId,
      from: address,
      to: address,
      amount,
      nonce,
      signature,
      reference: fc.stringMatching(REFERENCE_PATTERN),
      validUntil: fc.integer({ min: 1, max: VALID_UNTIL_MAX }),
    },
    { requiredKeys: ['kind', 'chainId', 'from', 'to', 'amount', 'nonce', 'signature'] },
  ),
  fc.record({
    kind: fc.constant('cancel' as const),
    chainId,
    from: address,
    nonce,
    signer: address,
    txHash: hexOf('0123456789ABCDEF', 64),
    signature,
  }),
  fc.record({
    kind: fc.constant('governance' as const),
    chainId,
    action: fc.constantFrom(
      'canceller_add' as const,
      'canceller_remove' as const,
      'governor_add' as const,
      'governor_remove' as const,
    ),
    power: fc.constant(0),
    sequence: nonce,
    signatures,
    subject: address,
  }),
  fc.record({
    kind: fc.constant('governance' as const),
    chainId,
    action: fc.constant('validator_power' as const),
    power: nonce,
    sequence: nonce,
    signatures,
    subject: hexOf('0123456789abcdef', 64),
  }),
  fc.record({
    kind: fc.constant('governance' as const),
    chainId,
    action: fc.constant('threshold' as const),
    power: fc.integer({ min: 1, max: GOVERNORS_MAX }),
    sequence: nonce,
    signatures,
    subject: fc.constant(''),
  }),
  fc.record({
    kind: fc.constant('governance' as const),
    chainId,
    action: fc.constant('rules_version' as const),
    power: fc.integer({ min: 1, max: NONCE_MAX }),
    sequence: nonce,
    signatures,
    subject: fc.integer({ min: 1, max: RULES_VERSION_MAX }).map(String),
  }),
);

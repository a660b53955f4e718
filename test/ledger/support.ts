/**
 * Keys, genesis and transactions for tests: the ten development accounts, known to everybody by design (seed i is
 * SHA-256("txledger dev account i")).
 */
import { createHash } from 'node:crypto';
import {
  type BlockContext,
  buildGenesis,
  type Cancel,
  encodeAddress,
  encodeTransaction,
  type GenesisDocument,
  type GenesisInput,
  type Governance,
  type GovernanceAction,
  parseGenesis,
  publicKeyOfSeed,
  signGovernance,
  signTransaction,
  type Transfer,
  txHash,
  type Unsigned,
  type VerifiedTransaction,
  withSignatures,
} from '../../server/ledger/index.ts';

/** A block of no transfer's concern that has no validUntil. */
export const BLOCK: BlockContext = { height: 1, timeNs: 1_790_000_000_000_000_000n };
export const TEST_CHAIN_ID = 'txledger-test-1';
export const TEST_CHAIN = { chainId: TEST_CHAIN_ID, addressPrefix: 'txlt' } as const;
export const TEST_CURRENCY = { code: 'TST', scale: 2 } as const;
/** 10 accounts of this many minor units each. */
export const DEV_BALANCE = 10n ** 15n;
export const DEV_ACCOUNTS = 10;

function seedOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

/** Keys by seed: deriving one costs more than everything else here, and tests ask for the same few again and again. */
const publicKeys = new Map<string, Uint8Array>();

function keyOf(seed: Uint8Array): Uint8Array {
  const name = Buffer.from(seed).toString('hex');
  const known = publicKeys.get(name) ?? publicKeyOfSeed(seed);
  publicKeys.set(name, known);
  return known;
}

function addressOf(seed: Uint8Array, prefix: 'txl' | 'txlt' = 'txlt'): string {
  return encodeAddress(keyOf(seed), prefix);
}

/** The 32-byte seed of development account i, 0 to 9. */
export function devSeed(i: number): Uint8Array {
  return seedOf(`txledger dev account ${i}`);
}

export function devPublicKey(i: number): Uint8Array {
  return keyOf(devSeed(i));
}

export function devAddress(i: number, prefix: 'txl' | 'txlt' = 'txlt'): string {
  return addressOf(devSeed(i), prefix);
}

/** The operator's key of a gateway: a canceller of the chain. Roles and validators of tests have keys of their own. */
export function operatorSeed(i = 0): Uint8Array {
  return seedOf(`txledger test operator ${i}`);
}

export function operatorAddress(i = 0): string {
  return addressOf(operatorSeed(i));
}

/** Of a governor. */
export function governorSeed(i = 0): Uint8Array {
  return seedOf(`txledger test governor ${i}`);
}

export function governorAddress(i = 0): string {
  return addressOf(governorSeed(i));
}

export function validatorSeed(i = 0): Uint8Array {
  return seedOf(`txledger test validator ${i}`);
}

/** 64 lower-case hex digits. */
export function validatorKey(i = 0): string {
  return Buffer.from(keyOf(validatorSeed(i))).toString('hex');
}

/** A genesis with the ten development accounts, one canceller, one governor and one validator; any part can be replaced. */
export function testGenesis(changes: Partial<GenesisInput> = {}): GenesisDocument {
  const parsed = parseGenesis(
    buildGenesis({
      genesisTime: '2026-11-21T09:00:00Z',
      chainId: TEST_CHAIN_ID,
      addressPrefix: 'txlt',
      validators: [{ publicKey: validatorKey(0), power: 10, name: 'test' }],
      accounts: Array.from({ length: DEV_ACCOUNTS }, (_, i) => ({ address: devAddress(i), balance: DEV_BALANCE })),
      cancellers: [operatorAddress(0)],
      governors: [governorAddress(0)],
      threshold: 1,
      currency: TEST_CURRENCY,
      ...changes,
    }),
  );
  if (!parsed.ok) throw new Error(parsed.errors.join('\n'));
  return parsed.genesis;
}

function verified<T extends Transfer | Cancel | Governance>(tx: T): VerifiedTransaction & { readonly tx: T } {
  const raw = encodeTransaction(tx);
  return { tx, raw, hash: txHash(raw) };
}

export interface TransferOptions {
  /** Sender: a development account, or a seed. Default 0. */
  readonly from?: number | Uint8Array;
  /** Receiver: a development account, or an address. Default 1. */
  readonly to?: number | string;
  readonly amount?: bigint;
  readonly nonce?: number;
  readonly reference?: string;
  readonly validUntil?: number;
  readonly chainId?: string;
}

function seedFrom(key: number | Uint8Array): Uint8Array {
  return typeof key === 'number' ? devSeed(key) : key;
}

function addressFrom(key: number | string): string {
  return typeof key === 'number' ? devAddress(key) : key;
}

/** A signed transfer, ready to broadcast: `raw` are its bytes, `hash` its id, `tx` its fields. */
export function signedTransfer(options: TransferOptions = {}): VerifiedTransaction & { readonly tx: Transfer } {
  const { from = 0, to = 1, amount = 1n, nonce = 0, chainId = TEST_CHAIN_ID, ...members } = options;
  const seed = seedFrom(from);
  const unsigned: Unsigned<Transfer> = {
    kind: 'transfer',
    chainId,
    from: addressOf(seed),
    to: addressFrom(to),
    amount,
    nonce,
    ...members,
  };
  return verified(signTransaction<Transfer>(unsigned, seed));
}

export interface CancelOptions {
  /** Whose nonce: a development account, or an address. Default 0. */
  readonly from?: number | string;
  readonly nonce?: number;
  /** Seed of the signer. Default: the first operator key. */
  readonly signer?: Uint8Array;
  readonly txHash?: string;
  readonly chainId?: string;
}

export function signedCancel(options: CancelOptions = {}): VerifiedTransaction & { readonly tx: Cancel } {
  const {
    from = 0,
    nonce = 0,
    signer = operatorSeed(0),
    txHash: meant = '0'.repeat(64),
    chainId = TEST_CHAIN_ID,
  } = options;
  const unsigned: Unsigned<Cancel> = {
    kind: 'cancel',
    chainId,
    from: addressFrom(from),
    nonce,
    signer: addressOf(signer),
    txHash: meant,
  };
  return verified(signTransaction<Cancel>(unsigned, signer));
}

export interface GovernanceOptions {
  readonly action?: GovernanceAction;
  readonly subject?: string;
  readonly power?: number;
  readonly sequence?: number;
  /** Seeds of those who sign. Default: the first governor. */
  readonly signers?: readonly Uint8Array[];
  readonly chainId?: string;
}

export function signedGovernance(options: GovernanceOptions = {}): VerifiedTransaction & { readonly tx: Governance } {
  const {
    action = 'canceller_add',
    subject = operatorAddress(1),
    power = 0,
    sequence = 0,
    signers = [governorSeed(0)],
  } = options;
  const unsigned: Unsigned<Governance> = {
    kind: 'governance',
    chainId: options.chainId ?? TEST_CHAIN_ID,
    action,
    power,
    sequence,
    subject,
  };
  return verified(
    withSignatures(
      unsigned,
      signers.map((seed) => signGovernance(unsigned, addressOf(seed), seed)),
    ),
  );
}

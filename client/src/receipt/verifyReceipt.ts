import type { Receipt } from '../contract.ts';
import { sha256 } from '../crypto/sha256.ts';
import { InvalidReceiptError } from '../errors/InvalidReceiptError.ts';
import { checkBlock, demand, isSameId, setHash, upperHex } from './block.ts';
import { base64Bytes, count, integer, optionalBytes } from './read.ts';
import { readTransaction } from './transaction.ts';
import { leafHash, pathRoot } from './tree.ts';
import { bytesField, join, numberField } from './wire.ts';

/** A validator as receipts and the RPC write it. */
export type TrustedValidator = Pick<Receipt['block']['validators'][number], 'pub_key' | 'voting_power'>;

/** Trusted data from a source other than the service that issued the receipt. */
export type ReceiptTrust =
  /** The genesis file of the chain: bytes, text or parsed. It serves until the chain's validators change. */
  | { readonly genesis: Uint8Array | string | object }
  /** The validators that sign the block of the receipt. */
  | { readonly chainId: string; readonly validators: readonly TrustedValidator[] }
  /** The hash of a header, 64 hex digits: of the receipt's block or the one after it. */
  | { readonly height: number; readonly headerHash: string };

interface Proven {
  readonly chainId: string;
  /** The hash of the transaction of the receipt. */
  readonly txHash: string;
  readonly from: string;
  readonly nonce: number;
  /** 0 is executed; 1 to 9 is executed and failed; from 10 on it had no effect. */
  readonly code: number;
  readonly height: number;
  /** Header time of the block. */
  readonly time: string;
}

export interface ProvenTransfer extends Proven {
  readonly kind: 'transfer';
  /** True if the money moved: code 0. */
  readonly paid: boolean;
  readonly to: string;
  /** Minor units. */
  readonly amount: string;
  readonly reference?: string;
  /** Unix time in seconds. */
  readonly validUntil?: number;
}

/** The nonce of `from` is void when code is 0. */
export interface ProvenCancel extends Proven {
  readonly kind: 'cancel';
  readonly signer: string;
  /** The hash of the transfer to cancel. */
  readonly cancels: string;
}

export type ProvenTransaction = ProvenTransfer | ProvenCancel;

interface GenesisValidators {
  readonly chain_id: string;
  readonly validators: readonly { readonly pub_key: { readonly value: string }; readonly power: string }[];
}

/**
 * Verifies a receipt offline and returns what it proves; the schema `Receipt` of the contract describes each step. Only `kind` transfer
 * with `paid` proves a payment, and only with the receiver, the amount and the reference in the result: compare them with yours.
 *
 * @throws {InvalidReceiptError} The receipt proves nothing; `check` is the name of the first check that failed.
 * @example
 * const receipt = await getReceipt(client, { txHash });
 * const proven = await verifyReceipt(receipt, { genesis });
 * if (proven.kind === 'transfer' && proven.paid) console.log(proven.from, proven.to, proven.amount, proven.height);
 */
export async function verifyReceipt(receipt: Receipt, trust: ReceiptTrust): Promise<ProvenTransaction> {
  try {
    return await verify(receipt, trust);
  } catch (error) {
    if (error instanceof InvalidReceiptError) throw error;
    // A member is missing or of another type.
    throw new InvalidReceiptError('form', (error as Error).message);
  }
}

async function verify(
  { chainId, txHash, height, index, transaction, transactionProof, result, resultProof, block, nextBlock }: Receipt,
  trust: ReceiptTrust,
): Promise<ProvenTransaction> {
  const raw = base64Bytes(transaction);
  const hash = await sha256(raw);
  demand(upperHex(hash) === txHash, 'transaction', 'txHash is not the hash of the transaction');
  const { kind, fields } = await readTransaction(raw, chainId);
  await checkPath('transactionProof', hash, index, transactionProof, block.header.data_hash);
  const headerHashes = [
    await checkBlock(block, chainId, count(height)),
    await checkBlock(nextBlock, chainId, height + 1),
  ];
  demand(
    isSameId(nextBlock.header.last_block_id, block.commit.block_id),
    'link',
    `block ${height + 1} does not follow block ${height}`,
  );
  demand(
    nextBlock.header.validators_hash === block.header.next_validators_hash,
    'link',
    `block ${height + 1} has other validators than block ${height} announced`,
  );
  // Both proofs must have the same total: otherwise the path in the second tree could lead to another result.
  demand(resultProof.total === transactionProof.total, 'resultProof', 'the proofs are of blocks of different sizes');
  const { code, data, gas_wanted: wanted, gas_used: used } = result;
  const leaf = join(
    numberField(1, count(code)),
    bytesField(2, optionalBytes(data)),
    numberField(5, integer(wanted)),
    numberField(6, integer(used)),
  );
  await checkPath('resultProof', leaf, index, resultProof, nextBlock.header.last_results_hash);
  await checkTrust(trust, { chainId, height, validatorsHash: block.header.validators_hash, headerHashes });
  const proven = { chainId, txHash, height, code, time: block.header.time, from: fields.from, nonce: fields.nonce };
  if (kind === 'cancel') return { ...proven, kind, signer: fields.signer, cancels: fields.txHash };
  const { to, amount, reference, validUntil } = fields;
  return {
    ...proven,
    kind,
    paid: code === 0,
    to,
    amount,
    ...(reference !== undefined && { reference }),
    ...(validUntil !== undefined && { validUntil }),
  };
}

async function checkPath(
  check: 'transactionProof' | 'resultProof',
  leaf: Uint8Array,
  index: number,
  proof: Receipt['resultProof'],
  root: string,
): Promise<void> {
  const first = await leafHash(leaf);
  demand(proof.index === `${count(index)}`, check, 'it is of another place');
  demand(upperHex(base64Bytes(proof.leaf_hash)) === upperHex(first), check, 'its leaf is another one');
  const end = await pathRoot(first, index, Number(integer(proof.total)), proof.aunts.map(base64Bytes));
  demand(end !== undefined && upperHex(end) === root, check, 'its path leads elsewhere');
}

async function checkTrust(
  trust: ReceiptTrust,
  about: { chainId: string; height: number; validatorsHash: string; headerHashes: readonly string[] },
): Promise<void> {
  if ('headerHash' in trust) {
    const known = about.headerHashes[trust.height - about.height];
    demand(
      known !== undefined,
      'trust',
      `the trusted header is of block ${trust.height}, and the receipt needs that of ${about.height} or ${about.height + 1}`,
    );
    demand(
      known === trust.headerHash.toUpperCase(),
      'trust',
      `the header of block ${trust.height} is not the trusted one`,
    );
    return;
  }
  const { chainId, validators } =
    'genesis' in trust
      ? readGenesis(trust.genesis)
      : {
          chainId: trust.chainId,
          validators: trust.validators.map(({ pub_key: key, voting_power: power }) => ({
            publicKey: key.value,
            power,
          })),
        };
  demand(chainId === about.chainId, 'trust', `it is a receipt of chain ${about.chainId}, not of ${chainId}`);
  demand(
    (await setHash(validators)) === about.validatorsHash,
    'trust',
    `other validators than the trusted ones signed block ${about.height}; after a change of validators, trust the hash of its header`,
  );
}

function readGenesis(given: Uint8Array | string | object): {
  chainId: string;
  validators: { publicKey: string; power: string }[];
} {
  const parsed: unknown =
    given instanceof Uint8Array
      ? JSON.parse(new TextDecoder().decode(given))
      : typeof given === 'string'
        ? JSON.parse(given)
        : given;
  const { chain_id: chainId, validators } = parsed as GenesisValidators;
  return { chainId, validators: validators.map(({ pub_key: key, power }) => ({ publicKey: key.value, power })) };
}

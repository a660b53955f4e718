/**
 * Verifies a receipt by the steps of the schema `Receipt` of the contract, written from that text alone: nothing is shared with the client, whose
 * verifier may be wrong in the same place as the server.
 */
import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto';
import { expect, expectEqual } from './expect.ts';
import { publicKeyOf } from './signer.ts';

/** What a receipt proves. */
export interface Proven {
  readonly kind: 'transfer' | 'cancel';
  /** Of the signed transaction, without its signature. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly code: number;
}

interface Genesis {
  readonly chain_id: string;
  readonly validators: readonly { readonly pub_key: { readonly value: string }; readonly power: string }[];
}

const HASHES = [
  'last_commit_hash',
  'data_hash',
  'validators_hash',
  'next_validators_hash',
  'consensus_hash',
  'app_hash',
  'last_results_hash',
  'evidence_hash',
  'proposer_address',
] as const;
/** What an Ed25519 public key begins with as SubjectPublicKeyInfo (RFC 8410). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
const ADDRESS_BYTES = 20;
const COMMITTED = 2;
const ABSENT = 1;

const sha = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();
const unhex = (text: string): Buffer => oneForm(text, Buffer.from(text, 'hex'), hex);
const unbase64 = (text: string): Buffer =>
  oneForm(text, Buffer.from(text, 'base64'), (bytes) => bytes.toString('base64'));

function oneForm(text: string, bytes: Buffer, write: (bytes: Buffer) => string): Buffer {
  expectEqual(text, write(bytes), 'the one way to write the bytes of a member of the receipt');
  return bytes;
}

// Protobuf: what is 0 or empty is left out.
function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = BigInt.asUintN(64, value); ; rest >>= 7n) {
    const low = Number(rest & 127n);
    if (rest < 128n) return Buffer.from([...bytes, low]);
    bytes.push(low | 128);
  }
}
const NOTHING = Buffer.alloc(0);
const integer = (field: number, value: bigint | number): Buffer =>
  BigInt(value) === 0n ? NOTHING : Buffer.concat([Buffer.from([field << 3]), varint(BigInt(value))]);
const message = (field: number, value: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([(field << 3) | 2]), varint(BigInt(value.length)), value]);
const bytesOf = (field: number, value: Uint8Array): Buffer => (value.length === 0 ? NOTHING : message(field, value));
function fixed(field: number, value: bigint): Buffer {
  if (value === 0n) return NOTHING;
  const bytes = Buffer.alloc(9);
  bytes[0] = (field << 3) | 1;
  bytes.writeBigInt64LE(value, 1);
  return bytes;
}
function time(text: string): Buffer {
  const [, second = '', fraction = ''] = /^(.{19})(?:\.(\d{0,8}[1-9]))?Z$/.exec(text) ?? [];
  expect(second !== '', `a time of the receipt is not in its one form: ${text}`);
  return Buffer.concat([
    integer(1, BigInt(Date.parse(`${second}Z`)) / 1000n),
    integer(2, Number(fraction.padEnd(9, '0'))),
  ]);
}
const blockId = (id: any): Buffer =>
  Buffer.concat([
    bytesOf(1, unhex(id.hash)),
    message(2, Buffer.concat([integer(1, id.parts.total), bytesOf(2, unhex(id.parts.hash))])),
  ]);

// RFC 6962.
const leafOf = (bytes: Uint8Array): Buffer => sha(Buffer.of(0), bytes);
const nodeOf = (left: Uint8Array, right: Uint8Array): Buffer => sha(Buffer.of(1), left, right);
const splitOf = (count: number): number => 2 ** Math.floor(Math.log2(count - 1));
function rootOf(leaves: readonly Uint8Array[]): Buffer {
  const [first] = leaves;
  if (first === undefined) return sha();
  if (leaves.length === 1) return leafOf(first);
  const at = splitOf(leaves.length);
  return nodeOf(rootOf(leaves.slice(0, at)), rootOf(leaves.slice(at)));
}
function climb(leaf: Uint8Array, index: number, total: number, aunts: readonly string[]): Uint8Array {
  expect(
    index >= 0 && index < total && total > 1 === aunts.length > 0,
    'a path of the receipt has the steps of its place',
  );
  if (total === 1) return leaf;
  const [at, aunt] = [splitOf(total), unbase64(aunts.at(-1) ?? '')];
  const rest = aunts.slice(0, -1);
  return index < at
    ? nodeOf(climb(leaf, index, at, rest), aunt)
    : nodeOf(aunt, climb(leaf, index - at, total - at, rest));
}
function checkPath(bytes: Uint8Array, receipt: any, proof: any, root: string, what: string): void {
  expectEqual(proof.index, String(receipt.index), `the index of ${what}`);
  expectEqual(proof.total, receipt.transactionProof.total, `the total of ${what}`);
  const leaf = leafOf(bytes);
  expectEqual(proof.leaf_hash, leaf.toString('base64'), `the leaf of ${what}`);
  expectEqual(hex(climb(leaf, receipt.index, Number(proof.total), proof.aunts)), root, `where ${what} leads`);
}

function isSigned(publicKey: Uint8Array, signature: Uint8Array, text: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, publicKey]), format: 'der', type: 'spki' });
  return verifySignature(null, text, key, signature);
}

function checkTransaction(raw: Buffer, chainId: string): Omit<Proven, 'code'> {
  const { signature, ...members } = JSON.parse(raw.toString()) as Record<string, any>;
  const write = (value: Record<string, unknown>): string => JSON.stringify(value, Object.keys(value).toSorted());
  expectEqual(raw.toString(), write({ ...members, signature }), 'the one form of the transaction of the receipt');
  expectEqual(members['chainId'], chainId, 'the chain of the transaction');
  const kind = 'signer' in members ? 'cancel' : 'transfer';
  const signer = publicKeyOf(members['signer'] ?? members['from']);
  const signed = Buffer.from(`txledger-${kind}-v1\n${write(members)}`);
  expect(
    isSigned(signer, Buffer.from(signature, 'hex'), signed),
    'the transaction of the receipt is signed by its signer',
  );
  return { kind, members };
}

const setHash = (validators: readonly { key: Buffer; power: bigint }[]): string =>
  hex(rootOf(validators.map(({ key, power }) => Buffer.concat([message(1, bytesOf(1, key)), integer(2, power)]))));

function checkBlock({ header, commit, validators }: any, chainId: string, height: number): void {
  const leaves = [
    Buffer.concat([integer(1, BigInt(header.version.block)), integer(2, BigInt(header.version.app ?? 0))]),
    bytesOf(1, Buffer.from(header.chain_id)),
    integer(1, BigInt(header.height)),
    time(header.time),
    blockId(header.last_block_id),
    ...HASHES.map((name) => bytesOf(1, unhex(header[name]))),
  ];
  expectEqual(hex(rootOf(leaves)), commit.block_id.hash, `the hash of header ${height}`);
  expectEqual(
    [header.chain_id, header.height, commit.height],
    [chainId, String(height), String(height)],
    `chain and heights of block ${height}`,
  );
  const keys = validators.map((each: any) => ({ key: unbase64(each.pub_key.value), power: BigInt(each.voting_power) }));
  expectEqual(setHash(keys), header.validators_hash, `the validators of block ${height}`);
  expectEqual(commit.signatures.length, keys.length, `how many signatures block ${height} has`);
  let [signedPower, power] = [0n, 0n];
  for (const [at, each] of keys.entries()) {
    power += each.power;
    const { block_id_flag, validator_address, signature, timestamp } = commit.signatures[at];
    if (block_id_flag === ABSENT && signature === null) continue;
    expectEqual(
      [block_id_flag, validator_address],
      [COMMITTED, hex(sha(each.key).subarray(0, ADDRESS_BYTES))],
      `flag and address of a signature of block ${height}`,
    );
    const vote = Buffer.concat([
      integer(1, 2),
      fixed(2, BigInt(height)),
      fixed(3, BigInt(commit.round)),
      message(4, blockId(commit.block_id)),
      message(5, time(timestamp)),
      bytesOf(6, Buffer.from(chainId)),
    ]);
    const signed = Buffer.concat([varint(BigInt(vote.length)), vote]);
    expect(isSigned(each.key, unbase64(signature), signed), `a signature of block ${height} is that of its validator`);
    signedPower += each.power;
  }
  expect(3n * signedPower > 2n * power, `more than two thirds of the power signed block ${height}`);
}

/** @throws Broken when the receipt proves nothing to someone who trusts the genesis file. */
export function verifyReceipt(receipt: any, genesis: Genesis): Proven {
  const { chainId, height, result, block, nextBlock } = receipt;
  const raw = unbase64(receipt.transaction);
  expectEqual(receipt.txHash, hex(sha(raw)), 'txHash of the receipt: the hash of its transaction');
  const proven = checkTransaction(raw, chainId);
  checkPath(sha(raw), receipt, receipt.transactionProof, block.header.data_hash, 'the proof of the transaction');
  checkBlock(block, chainId, height);
  checkBlock(nextBlock, chainId, height + 1);
  expectEqual(nextBlock.header.last_block_id, block.commit.block_id, 'the block before the next block');
  expectEqual(nextBlock.header.validators_hash, block.header.next_validators_hash, 'the validators of the next block');
  const leaf = Buffer.concat([
    integer(1, result.code),
    bytesOf(2, result.data === null ? NOTHING : unbase64(result.data)),
    integer(5, BigInt(result.gas_wanted)),
    integer(6, BigInt(result.gas_used)),
  ]);
  checkPath(leaf, receipt, receipt.resultProof, nextBlock.header.last_results_hash, 'the proof of the result');
  const known = genesis.validators
    .map(({ pub_key, power }) => ({ key: Buffer.from(pub_key.value, 'base64'), power: BigInt(power) }))
    .toSorted(
      (a, b) =>
        Number(b.power - a.power) ||
        Buffer.compare(sha(a.key).subarray(0, ADDRESS_BYTES), sha(b.key).subarray(0, ADDRESS_BYTES)),
    );
  expectEqual(
    [chainId, block.header.validators_hash],
    [genesis.chain_id, setHash(known)],
    'chain and validators of genesis',
  );
  return { ...proven, code: result.code };
}

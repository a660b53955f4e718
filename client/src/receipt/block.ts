/** The header, the validators and the commit of one block (CometBFT v0.38: types/block.go, validator_set.go, canonical.go). */
import type { Receipt } from '../contract.ts';
import type { Bytes } from '../crypto/bytes.ts';
import { verifySignature } from '../crypto/ed25519.ts';
import { toHex } from '../crypto/hex.ts';
import { sha256 } from '../crypto/sha256.ts';
import { InvalidReceiptError, type ReceiptCheck } from '../errors/InvalidReceiptError.ts';
import { base64Bytes, count, hexBytes, integer, optionalBytes, timeBytes } from './read.ts';
import { treeRoot } from './tree.ts';
import { bytesField, delimited, fixedField, join, messageField, numberField } from './wire.ts';

export type ReceiptBlock = Receipt['block'];
type Header = ReceiptBlock['header'];
type Commit = ReceiptBlock['commit'];
type BlockId = Commit['block_id'];

interface Validator {
  readonly key: Bytes;
  /** Upper-case hex. */
  readonly address: string;
  readonly power: bigint;
}

const PRECOMMIT = 2;
const SIGNED = 2;
const ABSENT = 1;
const NO_TIME = '0001-01-01T00:00:00Z';

export const upperHex = (bytes: Uint8Array): string => toHex(bytes).toUpperCase();
const text = (value: string): Bytes => new TextEncoder().encode(value);

export function demand(holds: boolean, check: ReceiptCheck, what: string): asserts holds {
  if (!holds) throw new InvalidReceiptError(check, what);
}

function idBytes({ hash, parts }: BlockId): Bytes {
  return join(
    bytesField(1, hexBytes(hash)),
    messageField(2, join(numberField(1, count(parts.total)), bytesField(2, hexBytes(parts.hash)))),
  );
}

export async function headerHash(header: Header): Promise<string> {
  const hash = (name: keyof Header): Bytes => bytesField(1, hexBytes(header[name] as string));
  const { version, chain_id: chainId, height, time, last_block_id: lastBlockId } = header;
  return upperHex(
    await treeRoot([
      join(numberField(1, integer(version.block)), numberField(2, integer(version.app))),
      bytesField(1, text(chainId)),
      numberField(1, integer(height)),
      timeBytes(time),
      idBytes(lastBlockId),
      hash('last_commit_hash'),
      hash('data_hash'),
      hash('validators_hash'),
      hash('next_validators_hash'),
      hash('consensus_hash'),
      hash('app_hash'),
      hash('last_results_hash'),
      hash('evidence_hash'),
      hash('proposer_address'),
    ]),
  );
}

async function readValidator(publicKey: string, power: string): Promise<Validator> {
  const key = base64Bytes(publicKey);
  return { key, address: upperHex((await sha256(key)).subarray(0, 20)), power: integer(power) };
}

export async function setHash(
  validators: readonly { readonly publicKey: string; readonly power: string }[],
): Promise<string> {
  const read = await Promise.all(validators.map(({ publicKey, power }) => readValidator(publicKey, power)));
  return await hashOfSet(
    read.sort((a, b) => (a.power === b.power ? (a.address < b.address ? -1 : 1) : a.power > b.power ? -1 : 1)),
  );
}

async function hashOfSet(validators: readonly Validator[]): Promise<string> {
  return upperHex(
    await treeRoot(
      validators.map(({ key, power }) => join(messageField(1, bytesField(1, key)), numberField(2, power))),
    ),
  );
}

async function checkValidators({ header, validators }: ReceiptBlock): Promise<Validator[]> {
  const read: Validator[] = [];
  for (const { address, pub_key: key, voting_power: power } of validators) {
    const validator = await readValidator(key.value, power);
    demand(
      key.type === 'tendermint/PubKeyEd25519' && validator.address === address && validator.power > 0n,
      'validators',
      'the address of a validator is not that of its key',
    );
    read.push(validator);
  }
  // Their order needs no check: the hash depends on it.
  demand(
    (await hashOfSet(read)) === header.validators_hash,
    'validators',
    `these are not the validators of block ${header.height}`,
  );
  return read;
}

/**
 * The bytes that a validator signed at this time for the block of a commit (types/canonical.go). `isNil`: it voted for no block, which a
 * commit may contain too.
 */
export function voteBytes(
  chainId: string,
  { height, round, block_id: id }: Commit,
  timestamp: string,
  isNil = false,
): Bytes {
  const head = join(
    numberField(1, PRECOMMIT),
    fixedField(2, integer(height)),
    fixedField(3, count(round)),
    isNil ? join() : messageField(4, idBytes(id)),
  );
  return delimited(join(head, messageField(5, timeBytes(timestamp)), bytesField(6, text(chainId))));
}

async function checkCommit(chainId: string, commit: Commit, validators: readonly Validator[]): Promise<void> {
  const { height, signatures } = commit;
  demand(
    signatures.length === validators.length,
    'commit',
    `there are ${signatures.length} signatures of ${validators.length} validators`,
  );
  let signed = 0n;
  let total = 0n;
  for (const [i, { key, address, power }] of validators.entries()) {
    total += power;
    const {
      block_id_flag: flag,
      validator_address: signer,
      timestamp,
      signature,
    } = signatures[i] as Commit['signatures'][number];
    const bytes = optionalBytes(signature);
    if (flag === ABSENT) {
      demand(
        signer === '' && bytes.length === 0 && timestamp === NO_TIME,
        'commit',
        `signature ${i} is absent and yet something`,
      );
      continue;
    }
    demand(flag === SIGNED && signer === address, 'commit', `signature ${i} is not that of validator ${address}`);
    demand(
      await verifySignature(key, voteBytes(chainId, commit, timestamp), bytes),
      'commit',
      `signature ${i} does not verify`,
    );
    signed += power;
  }
  demand(
    3n * signed > 2n * total,
    'commit',
    `validators with a power of ${signed} of ${total} signed block ${height}: more than two thirds are needed`,
  );
}

/** Resolves with the hash of the block's header, which its validators signed. */
export async function checkBlock(block: ReceiptBlock, chainId: string, height: number): Promise<string> {
  const { header, commit } = block;
  demand(
    header.chain_id === chainId && header.height === `${height}`,
    'header',
    `it is not the header of block ${height} of chain ${chainId}`,
  );
  const hash = await headerHash(header);
  demand(
    commit.block_id.hash === hash && commit.height === header.height,
    'header',
    `the commit is not of the header of block ${height}`,
  );
  await checkCommit(chainId, commit, await checkValidators(block));
  return hash;
}

export function isSameId(a: BlockId, b: BlockId): boolean {
  return upperHex(idBytes(a)) === upperHex(idBytes(b));
}

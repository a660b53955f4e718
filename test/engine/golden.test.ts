/** Every hash and every signature in blocks of a stock CometBFT v0.38.26 node, computed again from their parts. */
import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  blockId,
  blockParts,
  commitHash,
  consensusHash,
  dataHash,
  decodeBlock,
  decodeCommit,
  EMPTY_COMMIT,
  EMPTY_ROOT,
  encodeBlock,
  encodeCommit,
  formatTime,
  headerHash,
  precommitSignBytes,
  resultsHash,
  transactionProof,
  upperHex,
  validatorAddress,
  validatorsHash,
  type Commit,
} from '../../server/engine/encoding/index.ts';
import { base64, blockIdOf, blockOf, commitOf, golden, headerOf, timeNs, type Json } from './golden.ts';

const blocks: Json[] = [golden('block.get'), ...golden('block_search.get').blocks];
const validator = golden('validators.get').validators[0];
const publicKey = base64(validator.pub_key.value);

function signatureHolds(commit: Commit, chainId: string): boolean {
  const key = createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') },
  });
  const [sig] = commit.signatures;
  const message = precommitSignBytes({ chainId, ...commit, timestampNs: sig!.timestampNs });
  return verify(null, message, key, sig!.signature);
}

describe('blocks of a stock node', () => {
  test('there are several to check', () => {
    expect(blocks.length).toBeGreaterThanOrEqual(3);
  });

  test.each(blocks.map((json) => [json.block.header.height, json]))(
    'block %s has the hash its header gives',
    (_, json) => {
      expect(upperHex(headerHash(headerOf(json.block.header)))).toBe(json.block_id.hash);
    },
  );

  test.each(blocks.map((json) => [json.block.header.height, json]))(
    'block %s has the part set its bytes give',
    (_, json) => {
      const block = blockOf(json.block);
      expect(blockId(block.header, encodeBlock(block))).toEqual(blockIdOf(json.block_id));
    },
  );

  test.each(blocks.map((json) => [json.block.header.height, json]))(
    'block %s has the data and last commit hash of its parts',
    (_, json) => {
      const block = blockOf(json.block);
      expect(upperHex(dataHash(block.transactions))).toBe(json.block.header.data_hash);
      expect(upperHex(commitHash(block.lastCommit))).toBe(json.block.header.last_commit_hash);
    },
  );

  test.each(blocks.map((json) => [json.block.header.height, json]))(
    'block %s is signed over our sign bytes by the commit inside it',
    (_, json) => {
      expect(signatureHolds(commitOf(json.block.last_commit), json.block.header.chain_id)).toBe(true);
    },
  );

  test.each(blocks.map((json) => [json.block.header.height, json]))(
    'block %s survives a round trip through its bytes',
    (_, json) => {
      const bytes = encodeBlock(blockOf(json.block));
      expect(encodeBlock(decodeBlock(bytes))).toEqual(bytes);
      expect(formatTime(decodeBlock(bytes).header.timeNs)).toBe(json.block.header.time);
    },
  );

  test('every header the node listed hashes to its block id, the first included', () => {
    const metas: Json[] = golden('blockchain.get').block_metas;
    expect(metas.map((meta) => meta.header.height)).toContain('1');
    for (const meta of metas) expect(upperHex(headerHash(headerOf(meta.header)))).toBe(meta.block_id.hash);
  });

  test('the first block carries an empty commit whose block id is still written', () => {
    const meta = golden('blockchain.get').block_metas.find((m: Json) => m.header.height === '1');
    const block = { header: headerOf(meta.header), transactions: [], lastCommit: EMPTY_COMMIT };
    const bytes = encodeBlock(block);
    expect(blockId(block.header, bytes)).toEqual(blockIdOf(meta.block_id));
    expect(String(bytes.length)).toBe(meta.block_size);
    expect(upperHex(bytes.subarray(-10))).toBe('12001A0022041A021200');
  });

  test('a commit the node signed verifies, and survives a round trip through its bytes', () => {
    for (const name of ['commit.get', 'commit.latest.get']) {
      const { header, commit: json } = golden(name).signed_header;
      const commit = commitOf(json);
      expect(signatureHolds(commit, header.chain_id)).toBe(true);
      expect(signatureHolds({ ...commit, height: commit.height + 1 }, header.chain_id)).toBe(false);
      expect(decodeCommit(encodeCommit(commit))).toEqual({
        ...commit,
        blockId: {
          hash: Uint8Array.from(commit.blockId.hash),
          parts: { total: 1, hash: Uint8Array.from(commit.blockId.parts.hash) },
        },
        signatures: commit.signatures.map((sig) => ({
          ...sig,
          validatorAddress: Uint8Array.from(sig.validatorAddress),
          signature: Uint8Array.from(sig.signature),
        })),
      });
    }
  });

  test('time(h) is the precommit timestamp of h - 1', () => {
    for (const { block } of blocks) {
      expect(timeNs(block.header.time)).toBe(timeNs(block.last_commit.signatures[0].timestamp));
    }
  });
});

describe('what headers refer to', () => {
  const header = golden('block.get').block.header;

  test('the validators hash and address are those of the validator set', () => {
    expect(upperHex(validatorAddress(publicKey))).toBe(validator.address);
    expect(upperHex(validatorsHash([{ publicKey, power: Number(validator.voting_power) }]))).toBe(
      header.validators_hash,
    );
  });

  test('the consensus hash is that of the genesis parameters', () => {
    const { max_bytes, max_gas } = golden('genesis.get').genesis.consensus_params.block;
    expect(upperHex(consensusHash({ maxBytes: Number(max_bytes), maxGas: Number(max_gas) }))).toBe(
      header.consensus_hash,
    );
  });

  test('the results hash of a header is that of the transactions one block before', () => {
    const searched: Json[] = [...golden('tx_search.post').txs, ...golden('tx_search.get').txs];
    const resultAt = (height: string, index: number): Json =>
      searched.find((tx) => tx.height === height && tx.index === index)?.tx_result;
    const result = (json: Json) => ({
      code: json.code,
      data: base64(json.data ?? ''),
      gasWanted: BigInt(json.gas_wanted),
      gasUsed: BigInt(json.gas_used),
    });
    const headerAt = (height: string): Json => blocks.find((b) => b.block.header.height === height).block.header;
    expect(upperHex(resultsHash([result(resultAt('5', 0))]))).toBe(headerAt('6').last_results_hash);
    // The search answers two a page: of the four transactions of block 6, the last two are recorded, and the first two were alike.
    const two = [result(resultAt('6', 2)), result(resultAt('6', 3))];
    expect(upperHex(resultsHash([...two, ...two]))).toBe(headerAt('7').last_results_hash);
    expect(upperHex(resultsHash([]))).toBe(header.last_results_hash);
    expect(upperHex(EMPTY_ROOT)).toBe(header.evidence_hash);
  });

  test('a transaction proof is the one the node gives', () => {
    const { tx, proof } = golden('tx.get');
    const ours = transactionProof([base64(tx)], 0);
    expect(upperHex(dataHash([base64(tx)]))).toBe(proof.root_hash);
    expect({
      total: String(ours.total),
      index: String(ours.index),
      leaf_hash: Buffer.from(ours.leafHash).toString('base64'),
      aunts: ours.aunts.map((aunt) => Buffer.from(aunt).toString('base64')),
    }).toEqual(proof.proof);
  });

  test('block bytes are cut into parts of 64 KiB', () => {
    expect(blockParts(new Uint8Array(65_536)).length).toBe(1);
    expect(blockParts(new Uint8Array(65_537)).map((part) => part.length)).toEqual([65_536, 1]);
  });
});

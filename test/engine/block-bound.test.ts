/** block.max_bytes of the genesis: what new chains say, and that a chain from before version 1.3, which says -1, is carried on. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { nodeSettings } from '../../scripts/localnet/nodes.ts';
import { BLOCK_LIMITS } from '../../server/engine/embedded/block-limits.ts';
import type { RpcArguments, RpcMethod } from '../../server/engine/port.ts';
import { CONSENSUS_PARAMS } from '../../server/ledger/index.ts';
import { TX_BYTES_MAX, VALIDATORS_MAX } from '../../server/ledger/limits.ts';
import { signedTransfer, withoutBlockBound } from '../ledger/support.ts';
import { Fixture, genesis } from './support/fixture.ts';

/** Seen in a header of version 1.2.0. */
const CONSENSUS_HASH_WITHOUT_BOUND = 'FFDA397555868142F34E699C9A0BCCAAC26032A1DB0594933147130A434C3D00';
const BLOCK_MAX_BYTES = Number(CONSENSUS_PARAMS.block.max_bytes);

let fixture: Fixture;
beforeEach(() => {
  fixture = new Fixture();
});
afterEach(() => fixture.dispose());

async function ask(method: RpcMethod, args: RpcArguments = {}): Promise<any> {
  const outcome = await fixture.engine.rpc(method, args);
  if (!outcome.ok) throw new Error(`${method} failed: ${JSON.stringify(outcome.error)}`);
  return JSON.parse(outcome.json);
}

const consensusHashAt = async (height: number): Promise<string> => (await ask('header', { height })).header.consensus_hash;

/** One block with a payment. */
async function pay(nonce: number): Promise<void> {
  await fixture.engine.broadcast([{ raw: signedTransfer({ nonce, amount: 1n }).raw }]);
  await fixture.clock.advance(1000);
}

describe('a chain from before version 1.3', () => {
  test('goes on after a restart with the consensus hash that it has always had', async () => {
    const before = { genesis: withoutBlockBound(genesis) };
    await fixture.start(before);
    await fixture.clock.advance(0);
    await pay(0);
    await fixture.restart(before);
    await pay(1);
    const height = Number((await ask('status')).sync_info.latest_block_height);
    expect(height).toBeGreaterThan(2);
    for (const at of [1, height]) expect(await consensusHashAt(at)).toBe(CONSENSUS_HASH_WITHOUT_BOUND);
  });

  test('answers the parameters that its genesis says', async () => {
    await fixture.start({ genesis: withoutBlockBound(genesis) });
    await fixture.clock.advance(0);
    expect((await ask('consensus_params')).consensus_params.block).toEqual({ max_bytes: '-1', max_gas: '-1' });
    expect((await ask('genesis')).genesis.consensus_params.block).toEqual({ max_bytes: '-1', max_gas: '-1' });
  });
});

describe('a new chain', () => {
  test('has the bound in its parameters and in the hash of every header', async () => {
    await fixture.start();
    await fixture.clock.advance(0);
    expect((await ask('consensus_params')).consensus_params.block).toEqual({ max_bytes: '104857600', max_gas: '-1' });
    expect(await consensusHashAt(1)).not.toBe(CONSENSUS_HASH_WITHOUT_BOUND);
  });

  test('makes blocks far below the bound', () => {
    expect(BLOCK_LIMITS.bytesMax).toBeLessThan(BLOCK_MAX_BYTES / 10);
  });
});

describe('what a node offers to its application when it makes a block', () => {
  // types/block.go and types/evidence.go of CometBFT v0.38: what a block holds besides transactions, at the most.
  const HEADER_AND_OVERHEAD_BYTES = 626 + 11;
  const COMMIT_BYTES = 94 + VALIDATORS_MAX * (109 + 2);
  const offered = BLOCK_MAX_BYTES - HEADER_AND_OVERHEAD_BYTES - COMMIT_BYTES - Number(CONSENSUS_PARAMS.evidence.max_bytes);
  /** Tag and length of a transaction in a block. */
  const OVERHEAD_BYTES = 3;

  test('is the whole mempool, also when it is full', () => {
    const mempool = nodeSettings({ rpc: 1, p2p: 2, abci: 3 }, '', 50_000)['mempool'] as Record<string, number>;
    expect(mempool['size']).toBe(50_000);
    expect(50_000 * (TX_BYTES_MAX + OVERHEAD_BYTES)).toBeLessThan(offered);
    // Also where an operator has raised the number of transactions.
    const smallest = signedTransfer({ amount: 1n }).raw.length;
    const most = Math.floor((mempool['max_txs_bytes'] ?? Infinity) / smallest);
    expect((mempool['max_txs_bytes'] ?? Infinity) + most * OVERHEAD_BYTES).toBeLessThan(offered);
  });
});

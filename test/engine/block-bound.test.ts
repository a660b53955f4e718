/** block.max_bytes of the genesis: a bound that clients can read, and above all that a mempool holds. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { nodeSettings } from '../../scripts/localnet/nodes.ts';
import { BLOCK_LIMITS } from '../../server/engine/embedded/block-limits.ts';
import { consensusHash, upperHex } from '../../server/engine/encoding/index.ts';
import type { RpcArguments, RpcMethod } from '../../server/engine/port.ts';
import { CONSENSUS_PARAMS } from '../../server/ledger/index.ts';
import { TX_BYTES_MAX, VALIDATORS_MAX } from '../../server/ledger/limits.ts';
import { signedTransfer } from '../ledger/support.ts';
import { Fixture } from './support/fixture.ts';

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

describe('a chain', () => {
  test('has the bound in its parameters and in the hash of every header', async () => {
    await fixture.start();
    await fixture.clock.advance(0);
    expect((await ask('consensus_params')).consensus_params.block).toEqual({ max_bytes: '104857600', max_gas: '-1' });
    const hash = upperHex(consensusHash({ maxBytes: BLOCK_MAX_BYTES, maxGas: -1 }));
    expect((await ask('header', { height: 1 })).header.consensus_hash).toBe(hash);
  });

  test('makes blocks far below the bound', () => {
    expect(BLOCK_LIMITS.bytesMax).toBeLessThan(BLOCK_MAX_BYTES / 10);
  });
});

describe('what a node offers to its application when it makes a block', () => {
  // types/block.go and types/evidence.go of CometBFT v0.38: what a block holds besides transactions, at the most.
  const HEADER_AND_OVERHEAD_BYTES = 626 + 11;
  const COMMIT_BYTES = 94 + VALIDATORS_MAX * (109 + 2);
  const offered =
    BLOCK_MAX_BYTES - HEADER_AND_OVERHEAD_BYTES - COMMIT_BYTES - Number(CONSENSUS_PARAMS.evidence.max_bytes);
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

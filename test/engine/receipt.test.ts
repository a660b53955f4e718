/** Receipts of both engines: a stranger who trusts genesis alone verifies them, and they have the form of the chain's RPC. */
import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Receipt, verifyReceipt } from '../../client/src/index.ts';
import type { Engine, ReceiptOutcome } from '../../server/engine/port.ts';
import {
  DEV_BALANCE,
  devAddress,
  signedCancel,
  signedGovernance,
  signedTransfer,
  validatorKey,
} from '../ledger/support.ts';
import { validatorOf } from '../contract/support/contract.ts';
import { randomChain } from '../receipts/chain.ts';
import { verifyWithPython } from '../receipts/python.ts';
import { Fixture, genesis } from './support/fixture.ts';
import { ScriptedNetwork } from './support/scripted-nodes.ts';
import { SignedChain } from './support/signed-chain.ts';

const opened: { dispose(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.dispose();
});

function receiptOf(outcome: ReceiptOutcome): Receipt {
  if (outcome.kind !== 'receipt') throw new Error(`there is no receipt: ${outcome.kind}`);
  return outcome.receipt as Receipt;
}

/** What the contract says of the parts that are CometBFT's. */
function expectForm({ block, nextBlock, transactionProof, resultProof }: Receipt): void {
  for (const [name, value] of [
    ['RpcHeader', block.header],
    ['RpcHeader', nextBlock.header],
    ['RpcCommit', block.commit],
    ['RpcCommit', nextBlock.commit],
    ['RpcProof', transactionProof],
    ['RpcProof', resultProof],
  ] as const) {
    const validate = validatorOf({ $ref: `#/components/schemas/${name}` });
    validate(value);
    expect([name, validate.errors ?? []]).toEqual([name, []]);
  }
}

describe('the embedded engine', () => {
  async function start() {
    const fixture = new Fixture();
    opened.push(fixture);
    const engine = await fixture.start();
    await fixture.clock.advance(0);
    return { fixture, engine };
  }

  test('has no receipt before the next block, which comes an interval later', async () => {
    const { fixture, engine } = await start();
    const { raw, hash } = signedTransfer({ amount: 5n, reference: 'INV-1', validUntil: 4_000_000_000 });
    await engine.broadcast([{ raw }]);
    await fixture.clock.advance(1_000);
    expect(await engine.receipt(2, hash)).toEqual({ kind: 'no_next_block' });
    await fixture.clock.advance(1_000);
    const receipt = receiptOf(await engine.receipt(2, hash));
    expectForm(receipt);
    const { from, to, amount, nonce, reference, validUntil } = signedTransfer({
      amount: 5n,
      reference: 'INV-1',
      validUntil: 4_000_000_000,
    }).tx;
    const facts = {
      kind: 'transfer',
      code: 0,
      txHash: hash,
      height: 2,
      from,
      to,
      amount: String(amount),
      nonce,
      reference,
      validUntil,
    };
    expect(await verifyReceipt(receipt, { genesis: genesis.bytes })).toMatchObject({ ...facts, paid: true });
    const { lines } = verifyWithPython(genesis.bytes, [JSON.stringify(receipt)]);
    expect(JSON.parse(lines[0]?.replace('proven ', '') ?? '')).toMatchObject(facts);
  });

  test('proves each transaction of a block, those that fail and the cancels with them, also after a restart', async () => {
    const { fixture, engine } = await start();
    // The money of 2 goes to 3 first, whose payment then fails because a cancel stands before them.
    const sent = [
      signedTransfer({ from: 2, to: 3, amount: DEV_BALANCE }),
      signedTransfer({ from: 3, to: 4, amount: 2n * DEV_BALANCE }),
      signedCancel({ from: 2 }),
      ...[0, 1, 2, 3].map((nonce) => signedTransfer({ from: 5, nonce })),
    ];
    await engine.broadcast(sent.map(({ raw }) => ({ raw })));
    await fixture.clock.advance(3_000);
    const [, block] = fixture.blocks(1, 3);
    expect(block?.codes.filter((code) => code !== 0)).toEqual([1]);
    const prove = async (from: Pick<Engine, 'receipt'>): Promise<unknown[]> => {
      const proven: unknown[] = [];
      for (const { hash } of sent.slice(1)) {
        const receipt = receiptOf(await from.receipt(2, hash));
        expectForm(receipt);
        const { txHash, kind, code } = await verifyReceipt(receipt, { genesis: genesis.bytes });
        expect(txHash).toBe(hash);
        proven.push(`${kind} ${code}`);
      }
      return proven;
    };
    const expected = ['transfer 1', 'cancel 0', 'transfer 0', 'transfer 0', 'transfer 0', 'transfer 0'];
    expect(await prove(engine)).toEqual(expected);
    expect(await prove(await fixture.restart())).toEqual(expected);
    await expect(fixture.engine.receipt(2, 'AB'.repeat(32))).rejects.toThrow('block 2 has no transaction');
  });
});

describe('the engine over nodes', () => {
  async function open(chain: SignedChain) {
    const network = new ScriptedNetwork();
    opened.push(network);
    await network.start(2, chain);
    return { network, engine: await network.open({ genesis: chain.genesis }, chain.checkpoint(0)) };
  }

  test('proves transactions of several validators, from blocks that it verified', async () => {
    const chain = randomChain(7, 30);
    const { engine } = await open(chain);
    let proven = 0;
    for (let height = 1; height < chain.height; height++) {
      for (const raw of chain.at(height).block.transactions) {
        const hash = createHash('sha256').update(raw).digest('hex').toUpperCase();
        const receipt = receiptOf(await engine.receipt(height, hash));
        expectForm(receipt);
        expect(await verifyReceipt(receipt, { genesis: chain.genesis.bytes })).toMatchObject({ txHash: hash, height });
        proven += 1;
      }
    }
    expect(proven).toBeGreaterThan(30);
    const last = signedCancel({}).hash;
    expect(await engine.receipt(chain.height, last)).toEqual({ kind: 'no_next_block' });
  });

  /** A chain whose commits are more than two thirds without the last validator. */
  function chainOfFour(): SignedChain {
    const chain = SignedChain.of(10, 10, 10, 1);
    chain.add([signedTransfer({ to: 4 }).raw]);
    chain.add([]);
    return chain;
  }

  test('leaves out what no hash covers: a signature that does not verify is given as absent', async () => {
    const chain = chainOfFour();
    const { network, engine } = await open(chain);
    for (const node of network.nodes) {
      node.spoil = (method, result) => {
        if (method === 'commit')
          result.signed_header.commit.signatures.at(-1).signature = Buffer.alloc(64, 7).toString('base64');
        return result;
      };
    }
    const receipt = receiptOf(await engine.receipt(1, signedTransfer({ to: 4 }).hash));
    expect(receipt.block.commit.signatures.map(({ block_id_flag: flag }) => flag)).toEqual([2, 2, 2, 1]);
    expect(await verifyReceipt(receipt, { genesis: chain.genesis.bytes })).toMatchObject({
      paid: true,
      to: devAddress(4),
    });
  });

  test('a node that answers with a forged commit is caught, and the other one is asked', async () => {
    const chain = chainOfFour();
    const { network, engine } = await open(chain);
    (network.nodes[0] as { spoil: unknown }).spoil = (method: string, result: any) => {
      if (method === 'commit') result.signed_header.commit.round += 1;
      return result;
    };
    const receipt = receiptOf(await engine.receipt(1, signedTransfer({ to: 4 }).hash));
    expect(await verifyReceipt(receipt, { genesis: chain.genesis.bytes })).toMatchObject({ paid: true });
    expect(await engine.metrics()).toMatchObject({ nodes_distrusted: 1 });
  });

  test('says when no node has what it takes', async () => {
    const chain = chainOfFour();
    const { network, engine } = await open(chain);
    for (const node of network.nodes) node.fate = 'refused';
    expect(await engine.receipt(1, signedTransfer({ to: 4 }).hash)).toEqual({ kind: 'unavailable' });
  });

  test('gives the validators of each block as the chain changes them', async () => {
    const chain = SignedChain.of(10, 10);
    chain.add([signedGovernance({ action: 'validator_power', subject: validatorKey(2), power: 1 }).raw]);
    const [before, after] = [signedTransfer({ nonce: 0 }), signedTransfer({ nonce: 1 })];
    chain.add([before.raw]);
    chain.add([after.raw]);
    chain.add([]);
    const { engine } = await open(chain);
    const across = receiptOf(await engine.receipt(2, before.hash));
    expect([across.block, across.nextBlock].map(({ validators }) => validators.length)).toEqual([2, 3]);
    expect(await verifyReceipt(across, { genesis: chain.genesis.bytes })).toMatchObject({ paid: true });
    const later = receiptOf(await engine.receipt(3, after.hash));
    await expect(verifyReceipt(later, { genesis: chain.genesis.bytes })).rejects.toMatchObject({ check: 'trust' });
    const headerHash = later.block.commit.block_id.hash;
    expect(await verifyReceipt(later, { height: 3, headerHash })).toMatchObject({ paid: true });
    expect(verifyWithPython(`3:${headerHash}`, [JSON.stringify(later)])).toMatchObject({ status: 0 });
    expect(verifyWithPython(chain.genesis.bytes, [JSON.stringify(later)])).toMatchObject({
      status: 1,
      lines: [expect.stringContaining('trust a header')],
    });
  });
});

/**
 * A gateway over nodes believes no node: a block counts with the signatures of the validators that were derived from genesis, and a node that lies
 * is named, counted and left alone while the honest ones are followed.
 */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CometbftEngine } from '../../server/engine/cometbft/index.ts';
import { NodePool } from '../../server/engine/cometbft/nodes/node-pool.ts';
import type { ChainNode } from '../../server/engine/cometbft/nodes/node.ts';
import { merkleRoot, sha256, upperHex, validatorAddress } from '../../server/engine/encoding/index.ts';
import type { Checkpoint, RpcArguments, RpcMethod } from '../../server/engine/port.ts';
import { signedGovernance, signedTransfer, TEST_CHAIN_ID, validatorKey } from '../ledger/support.ts';
import { ScriptedNetwork } from './support/scripted-nodes.ts';
import {
  blockAnswer,
  commitAnswer,
  resultsAnswer,
  signCommit,
  doubleSigning,
  SignedChain,
  type BlockOptions,
  type ChainBlock,
} from './support/signed-chain.ts';

const LIAR = 'http://node0';
const DISTRUST_MS = 60_000;

let network: ScriptedNetwork;
beforeEach(() => {
  network = new ScriptedNetwork();
});
afterEach(() => network.dispose());

/** An engine over nodes that serve this chain; the first of them is the liar of each test. */
async function open(
  chain: SignedChain,
  checkpoint: Checkpoint = chain.checkpoint(0),
  nodes = 2,
): Promise<CometbftEngine> {
  await network.start(nodes, chain);
  return await network.open({ genesis: chain.genesis }, checkpoint);
}

/** Lets every node be asked how it is. */
async function poll(ms = 1_000): Promise<void> {
  await network.advance(ms);
}

const named = () =>
  network.logs
    .filter(({ message }) => message.includes('answered what cannot be true'))
    .map(({ fields }) => fields as { node: string; reason: string; lies: number; distrustedMs: number });

type Spoil = (method: string, result: any, height: number) => any;

/** The liar's own block in place of the chain's at a height, with everything that belongs to it. */
function tells(forged: ChainBlock, commit: ChainBlock = forged): Spoil {
  const { height } = forged.block.header;
  return (method, result, at) => {
    if (at !== height) return result;
    if (method === 'block') return blockAnswer(forged);
    if (method === 'block_results') return resultsAnswer(forged);
    if (method === 'commit') return commitAnswer(commit);
    return result;
  };
}

const inCommit =
  (change: (commit: any) => void): Spoil =>
  (method, result, height) => {
    if (method === 'commit' && height === 3) change(result.signed_header.commit);
    return result;
  };

/** A chain of three blocks by validators of equal power. */
function chainOfThree(): SignedChain {
  const chain = SignedChain.of(2, 2, 2);
  chain.add();
  chain.add([signedTransfer({ nonce: 0 }).raw]);
  chain.add();
  return chain;
}

/** Commits of block 3 that the chain's validators did sign, but not in this way. */
function resigned(chain: SignedChain, options: BlockOptions): Spoil {
  const { id, block } = chain.at(3);
  const commit = signCommit(chain.signersAt(3), 3, id, block.header.timeNs, TEST_CHAIN_ID, options);
  return (method, result, height) => (method === 'commit' && height === 3 ? commitAnswer({ block, commit }) : result);
}

const keyAt = (place: number): string =>
  [0, 1, 2]
    .map((i) => validatorKey(i))
    .toSorted((a, b) =>
      Buffer.compare(validatorAddress(Buffer.from(a, 'hex')), validatorAddress(Buffer.from(b, 'hex'))),
    )[place] as string;

describe('a commit that is not what it should be is refused, the node that shows it is named, and the honest node is believed', () => {
  const LIES: readonly (readonly [string, (chain: SignedChain) => Spoil, RegExp])[] = [
    [
      'signed by exactly two thirds',
      (chain) => resigned(chain, { votes: { [keyAt(2)]: 'absent' } }),
      /power of 4 of 6 signed it/,
    ],
    [
      'signed by two, and by one for no block',
      (chain) => resigned(chain, { votes: { [keyAt(1)]: 'nil' } }),
      /power of 4 of 6/,
    ],
    [
      'a vote for no block that says it is for this one',
      () => inCommit(({ signatures }) => (signatures[1].block_id_flag = 3)),
      /power of 4 of 6/,
    ],
    [
      'absent, all of them',
      (chain) => resigned(chain, { votes: { [keyAt(0)]: 'absent', [keyAt(1)]: 'absent', [keyAt(2)]: 'absent' } }),
      /power of 0 of 6/,
    ],
    ['signed for another chain', (chain) => resigned(chain, { chainId: 'another-1' }), /power of 0 of 6/],
    ['signed at another height', (chain) => resigned(chain, { height: 4 }), /power of 0 of 6/],
    ['signed in another round', () => inCommit((commit) => (commit.round = 1)), /power of 0 of 6/],
    ['of another height', () => inCommit((commit) => (commit.height = '2')), /commit is of block 2/],
    [
      'a time that was not signed',
      () => inCommit(({ signatures }) => (signatures[0].timestamp = '2026-11-21T09:00:07Z')),
      /power of 4 of 6/,
    ],
    [
      'one signature that is none',
      () => inCommit(({ signatures }) => (signatures[2].signature = Buffer.alloc(64).toString('base64'))),
      /power of 4 of 6/,
    ],
    ['no signature', () => inCommit(({ signatures }) => (signatures[2].signature = null)), /power of 4 of 6/],
    [
      'one validator twice',
      () => inCommit(({ signatures }) => (signatures[1] = signatures[0])),
      /signature 1 of its commit is not of validator/,
    ],
    [
      "two validators in each other's place",
      () => inCommit(({ signatures }) => signatures.push(...signatures.splice(1, 1))),
      /signature 1 of its commit is not of validator/,
    ],
    [
      'a stranger',
      () => inCommit(({ signatures }) => (signatures[0].validator_address = '00'.repeat(20))),
      /signature 0 of its commit is not of validator/,
    ],
    [
      'one more signature',
      () => inCommit(({ signatures }) => signatures.push(signatures[0])),
      /has 4 signatures, there are 3 validators/,
    ],
    [
      'one signature left out',
      () => inCommit(({ signatures }) => signatures.pop()),
      /has 2 signatures, there are 3 validators/,
    ],
    ['no signatures', () => inCommit((commit) => (commit.signatures = null)), /has 0 signatures/],
    ['a flag that is none', () => inCommit(({ signatures }) => (signatures[0].block_id_flag = 7)), /unknown kind 7/],
    [
      'for other parts',
      () => inCommit(({ block_id: id }) => (id.parts.hash = '00'.repeat(32))),
      /commit is of another block/,
    ],
    ['for one part more', () => inCommit(({ block_id: id }) => (id.parts.total += 1)), /commit is of another block/],
    [
      'of the block before',
      (chain) => (method, result, height) => (method === 'commit' && height === 3 ? commitAnswer(chain.at(2)) : result),
      /commit is of another block/,
    ],
    ['a round that is none', () => inCommit((commit) => (commit.round = -1)), /no round/],
    [
      'nothing',
      () => (method, result, height) => (method === 'commit' && height === 3 ? null : result),
      /time of the header is none/,
    ],
    [
      'an empty object',
      () => (method, result, height) => (method === 'commit' && height === 3 ? { signed_header: null } : result),
      /time of the header is none/,
    ],
  ];

  test.each(LIES)('%s', async (_, lie, complaint) => {
    const chain = chainOfThree();
    await network.start(2, chain);
    network.node(0).spoil = lie(chain);
    const engine = await network.open({ genesis: chain.genesis }, chain.checkpoint(0));
    expect(await engine.waitForHeight(3, 0)).toBe(3);
    expect(await engine.blocks(3, 1)).toEqual([expect.objectContaining(chain.committed(3))]);
    expect(named()).toEqual([
      { node: LIAR, reason: expect.stringMatching(complaint), lies: 1, distrustedMs: DISTRUST_MS },
    ]);
    expect(await engine.metrics()).toMatchObject({ nodes_distrusted: 1, nodes_distrusted_total: 1 });
    expect(await engine.status()).toMatchObject({ height: 3, healthy: true });
  });

  test('just above two thirds is enough, with absent and other votes beside', async () => {
    const chain = SignedChain.of(5, 2, 2, 1);
    chain.add([], { votes: { [validatorKey(1)]: 'nil', [validatorKey(3)]: 'absent' } });
    chain.add([], { votes: { [validatorKey(3)]: 'absent' }, round: 3 });
    const engine = await open(chain);
    expect(await engine.waitForHeight(2, 0)).toBe(2);
    expect(named()).toEqual([]);
  });

  test('a signature that does not verify counts nothing, and accuses no one while the others are enough', async () => {
    const chain = SignedChain.of(1, 1, 1, 1);
    const { commit } = chain.add();
    Object.assign(commit.signatures[0] as object, { signature: new Uint8Array(64) });
    const engine = await open(chain);
    expect(await engine.waitForHeight(1, 0)).toBe(1);
    expect(named()).toEqual([]);
  });
});

describe('a block that the validators did not sign is refused', () => {
  const PAYMENT = signedTransfer({ from: 3, to: 4, amount: 777n });
  const strangers = [20, 21, 22].map((i) => ({ publicKey: validatorKey(i), power: 1 }));

  test.each<[string, (chain: SignedChain) => [ChainBlock, ChainBlock?], RegExp]>([
    [
      'a payment in a block after the newest one, signed by strangers who are named in its header',
      (chain) => [chain.forge([PAYMENT.raw], { signers: strangers })],
      /validators are not those/,
    ],
    [
      'the same with the true validators in its header',
      (chain) => {
        const forged = chain.forge([PAYMENT.raw]);
        return [
          forged,
          { ...forged, commit: signCommit(strangers, forged.block.header.height, forged.id, 0n, TEST_CHAIN_ID) },
        ];
      },
      /signature 0 of its commit is not of validator/,
    ],
    [
      'with the signatures of the block before',
      (chain) => {
        const forged = chain.forge([PAYMENT.raw]);
        return [forged, { ...forged, commit: { ...chain.at(3).commit, height: 4, blockId: forged.id } }];
      },
      /power of 0 of 6 signed it/,
    ],
    [
      'by two of the three',
      (chain) => [chain.forge([PAYMENT.raw], { votes: { [keyAt(0)]: 'absent' } })],
      /power of 4 of 6/,
    ],
    [
      'with other next validators, although all signed it',
      (chain) => [chain.forge([PAYMENT.raw], { header: { nextValidatorsHash: sha256(Buffer.alloc(1)) } })],
      /next validators are not those/,
    ],
    [
      'with other validators, although all signed it',
      (chain) => [chain.forge([PAYMENT.raw], { header: { validatorsHash: sha256(Buffer.alloc(1)) } })],
      /its validators are not those/,
    ],
    [
      'with a proposer who is no validator',
      (chain) => [chain.forge([PAYMENT.raw], { header: { proposerAddress: Buffer.alloc(20) } })],
      /proposer is no validator/,
    ],
    [
      'of another chain, although all signed it',
      (chain) => [chain.forge([PAYMENT.raw], { header: { chainId: 'another-1' } })],
      /block of chain another-1/,
    ],
  ])('%s', async (_, make, complaint) => {
    const chain = chainOfThree();
    const engine = await open(chain);
    const [forged, commit = forged] = make(chain);
    const liar = network.node(0);
    liar.spoil = tells(forged, commit);
    // It has a block that no one else has, and says so.
    const honestHeight = liar.height;
    liar.height = async () => Math.max(4, chain.height);
    await poll();
    expect(await engine.waitForHeight(0, 0)).toBe(3);
    expect(named()).toEqual([expect.objectContaining({ node: LIAR, reason: expect.stringMatching(complaint) })]);
    const honest = signedTransfer({ from: 1, nonce: 0 });
    chain.add([honest.raw]);
    await poll();
    expect(await engine.blocks(4, 10)).toEqual([expect.objectContaining(chain.committed(4))]);
    expect(await engine.rpc('tx', { hash: Buffer.from(PAYMENT.hash, 'hex') })).toMatchObject({ ok: false });
    expect(await engine.status()).toMatchObject({ height: 4, healthy: true });
    liar.height = honestHeight;
  });

  test('with bodies that no header covers: the last commit, its block and the evidence', async () => {
    const chain = chainOfThree();
    const lies: ((block: any) => void)[] = [
      ({ last_commit: last }) => (last.signatures[0].timestamp = '2026-11-21T09:00:09Z'),
      ({ last_commit: last }) => (last.block_id.hash = '00'.repeat(32)),
      ({ last_commit: last }) => (last.height = '7'),
      ({ evidence }) => (evidence.evidence = [{}]),
    ];
    for (const lie of lies) {
      await network.dispose();
      network = new ScriptedNetwork();
      await network.start(2, chain);
      network.node(0).spoil = (method, result, height) => {
        if (method === 'block' && height === 3) lie(result.block);
        return result;
      };
      const engine = await network.open({ genesis: chain.genesis }, chain.checkpoint(0));
      expect(await engine.waitForHeight(3, 0)).toBe(3);
      expect(named()).toEqual([
        expect.objectContaining({ node: LIAR, reason: expect.stringMatching(/last commit|evidence/) }),
      ]);
    }
  });
});

describe('the validators are derived from the transactions', () => {
  const power = (i: number, amount: number, sequence: number) =>
    signedGovernance({ action: 'validator_power', subject: validatorKey(i), power: amount, sequence }).raw;

  /** Added, removed, of other power, a key replaced by another, and all of it in one block. */
  function changingChain(): SignedChain {
    const chain = SignedChain.of(100, 10);
    let sequence = 0;
    const set = (i: number, amount: number) => power(i, amount, sequence++);
    chain.add([set(2, 10)]);
    chain.add();
    chain.add([set(0, 125), signedTransfer({ nonce: 0 }).raw]);
    chain.add([set(1, 0)]);
    chain.add([set(3, 20), set(2, 0), set(4, 1)]);
    chain.add([signedGovernance({ sequence: sequence++ }).raw]);
    // Refused, and without effect: no one's power changes by it.
    chain.add([
      power(5, 99, 0),
      power(5, 99, 1_000),
      signedGovernance({
        action: 'validator_power',
        subject: validatorKey(6),
        power: 5,
        sequence,
        chainId: 'another-1',
      }).raw,
    ]);
    chain.add([set(5, 7), set(5, 0)]);
    for (let i = 0; i < 3; i++) chain.add();
    return chain;
  }

  test('added, removed, of other power, gone: each block is verified with those who sign it', async () => {
    const chain = changingChain();
    const sizes = Array.from({ length: chain.height }, (_, i) => chain.signersAt(i + 1).length);
    expect(sizes).toEqual([2, 2, 3, 3, 3, 2, 3, 3, 3, 3, 3]);
    const engine = await open(chain);
    expect(await engine.waitForHeight(0, 0)).toBe(chain.height);
    expect(named()).toEqual([]);
    expect(await engine.validatorSets(chain.height)).toEqual(chain.checkpoint().validatorSets);
    expect(await engine.validatorSets(4)).toEqual(chain.checkpoint(4).validatorSets);
  });

  test('one whose double signing a block proves signs from the second block after it on no more, and the gateway executes the same', async () => {
    const chain = SignedChain.of(10, 10, 10, 10);
    chain.add();
    chain.add([signedTransfer({ nonce: 0 }).raw], { evidence: [doubleSigning(1, 1)] });
    for (let i = 0; i < 4; i++) chain.add();
    expect(Array.from({ length: chain.height }, (_, i) => chain.signersAt(i + 1).length)).toEqual([4, 4, 4, 3, 3, 3]);
    const engine = await open(chain);
    expect(await engine.waitForHeight(0, 0)).toBe(chain.height);
    expect(named()).toEqual([]);
    expect(await engine.validatorSets(chain.height)).toEqual(chain.checkpoint().validatorSets);
    const [proved] = await engine.blocks(2, 1);
    expect(proved?.misbehavior).toEqual([expect.objectContaining({ kind: 'duplicate_vote', height: 1 })]);
    expect((await engine.blocks(3, 1))[0]).not.toHaveProperty('misbehavior');
  });

  test('a node that hides evidence, makes some up, or names another validator lies, and what it says decides nothing', async () => {
    const lies: ((evidence: unknown[]) => unknown[])[] = [
      () => [],
      (evidence) => [...evidence, doubleSigning(0, 1)],
      () => [doubleSigning(2, 1)],
      ([first]) => [first, first],
    ];
    for (const lie of lies) {
      await network.dispose();
      network = new ScriptedNetwork();
      const chain = SignedChain.of(10, 10, 10, 10);
      chain.add();
      chain.add([], { evidence: [doubleSigning(1, 1)] });
      for (let i = 0; i < 3; i++) chain.add();
      await network.start(2, chain);
      network.node(0).spoil = (method, result: any, height) =>
        method === 'block' && height === 2
          ? { ...result, block: { ...result.block, evidence: { evidence: lie(result.block.evidence.evidence) } } }
          : result;
      const engine = await network.open({ genesis: chain.genesis }, chain.checkpoint(0));
      expect(await engine.waitForHeight(chain.height, 0)).toBe(chain.height);
      expect(named()).toEqual([expect.objectContaining({ node: LIAR, reason: expect.stringMatching(/evidence/) })]);
      expect(await engine.validatorSets(chain.height)).toEqual(chain.checkpoint().validatorSets);
    }
  });

  test('from whichever block a gateway starts, and while it was down they went on', async () => {
    const chain = changingChain();
    for (let height = 0; height <= chain.height; height++) {
      await network.dispose();
      network = new ScriptedNetwork();
      const engine = await open(chain, chain.checkpoint(height), 1);
      expect(await engine.waitForHeight(0, 0)).toBe(chain.height);
      // Also what came before, each by itself.
      expect((await engine.blocks(1, 20)).map(({ hash }) => hash)).toEqual(
        chain.blocks.map((_, i) => chain.committed(i + 1).hash),
      );
      expect(named()).toEqual([]);
    }
  });

  test.each([
    [
      'those who were removed two blocks before sign no more',
      (chain: SignedChain) => chain.signersAt(5),
      /validators are not those/,
    ],
    [
      'those who were added do not sign before the second block after it',
      (chain: SignedChain) => [...chain.signersAt(6), { publicKey: validatorKey(3), power: 40 }],
      /validators are not those/,
    ],
  ])('%s', async (_, signers, complaint) => {
    const chain = changingChain();
    const short = SignedChain.of(10, 10);
    for (const { block } of chain.blocks.slice(0, 5)) short.add(block.transactions);
    const engine = await open(short);
    expect(await engine.waitForHeight(5, 0)).toBe(5);
    const forged = short.forge([], { signers: signers(chain) });
    network.node(0).spoil = tells(forged);
    network.node(0).height = async () => 6;
    await poll();
    expect(await engine.waitForHeight(0, 0)).toBe(5);
    expect(named()).toEqual([expect.objectContaining({ node: LIAR, reason: expect.stringMatching(complaint) })]);
  });

  test('a node that leaves a change of validators out is caught at the block itself', async () => {
    const chain = changingChain();
    await network.start(2, chain);
    network.node(0).spoil = (method, result, height) => {
      if (method === 'block' && height === 1) {
        result.block.data.txs = [];
        result.block.header.data_hash = upperHex(merkleRoot([]));
      }
      return result;
    };
    const engine = await network.open({ genesis: chain.genesis }, chain.checkpoint(0));
    expect(await engine.waitForHeight(0, 0)).toBe(chain.height);
    expect(named()).toEqual([
      expect.objectContaining({ node: LIAR, reason: expect.stringMatching(/hash of the header/) }),
    ]);
  });

  test('of a hundred validators each block costs no more signatures than are needed, once', async () => {
    const chain = SignedChain.of(...Array.from({ length: 40 }, () => 1));
    for (let i = 0; i < 3; i++) chain.add();
    const engine = await open(chain);
    expect(await engine.waitForHeight(3, 0)).toBe(3);
    await engine.blocks(1, 3);
    await engine.rpc('block', { height: 2 });
    expect(await engine.metrics()).toMatchObject({ commits_verified_total: 3 });
  });
});

describe('a height that is only claimed', () => {
  test.each(['the block is being made', 'internal error'])(
    'gains nothing: the gateway is healthy, follows the others, and names who never shows it (%s)',
    async (words) => {
      const chain = chainOfThree();
      const engine = await open(chain);
      const liar = network.node(0);
      liar.claims = 1_000_000_000;
      liar.height = async () => 1_000_000_000;
      liar.refuse = (method, height) => (method.startsWith('block') && height > 3 ? words : undefined);
      for (let i = 0; i < 12; i++) {
        await poll(2_000);
        expect(await engine.status()).toMatchObject({ healthy: true, height: chain.height });
        chain.add();
        await poll(1_000);
        expect(await engine.waitForHeight(0, 0)).toBe(chain.height);
      }
      expect(named()).toContainEqual(
        expect.objectContaining({
          node: LIAR,
          reason: expect.stringMatching(
            /says that it stands at 1000000000, and did not show block \d+ for 10000 ms, which another node has shown/,
          ),
        }),
      );
      expect((await engine.metrics())['nodes_distrusted']).toBe(1);
    },
  );

  test('and the call that should show it is never answered: others are not waited for again', async () => {
    const chain = chainOfThree();
    const engine = await open(chain);
    const liar = network.node(0);
    liar.claims = 1_000_000_000;
    const answer = liar.call.bind(liar);
    let hung = 0;
    liar.call = async (body) => {
      if (!body.includes('"method":"block"')) return await answer(body);
      hung += 1;
      return await new Promise<string>(() => undefined);
    };
    for (let i = 0; i < 30; i++) {
      chain.add();
      await poll(1_000);
    }
    // A call takes 5 s to fail; after the first one its word does not count, for longer at each time.
    expect(hung).toBeLessThanOrEqual(3);
    expect(await engine.waitForHeight(0, 0)).toBe(chain.height);
    expect(await engine.status()).toMatchObject({ healthy: true });
  });

  test('that was true and could not be shown for a moment, long ago, accuses no one', async () => {
    const chain = chainOfThree();
    const engine = await open(chain);
    const [first, second] = [network.node(0), network.node(1)];
    const notYet = (method: string) => (method === 'block' ? 'the block is being made' : undefined);
    first.refuse = second.refuse = notYet;
    chain.add();
    await poll(3_000);
    expect(second.count('block')).toBeGreaterThan(0);
    first.refuse = second.refuse = () => undefined;
    for (let i = 0; i < 20; i++) {
      await poll();
      chain.add();
    }
    await poll();
    expect(await engine.waitForHeight(0, 0)).toBe(chain.height);
    // Now the second one is alone, and again not ready for a moment.
    first.fate = 'refused';
    second.refuse = notYet;
    chain.add();
    await poll(3_000);
    second.refuse = () => undefined;
    await poll(3_000);
    expect(named()).toEqual([]);
    expect(await engine.waitForHeight(0, 0)).toBe(chain.height);
  });

  test('is no reason to be asked first', async () => {
    const chain = chainOfThree();
    const engine = await open(chain, chain.checkpoint(0), 3);
    network.node(2).claims = 500;
    network.node(2).height = async () => 500;
    network.node(2).refuse = (method, height) => (method.startsWith('block') && height > 3 ? 'not yet' : undefined);
    network.node(1).heightMax = 2;
    await poll();
    network.nodes.forEach((node) => (node.calls = []));
    await engine.rpc('commit', { height: 2 });
    expect(network.nodes.map((node) => node.count('commit'))).toEqual([1, 0, 0]);
  });
});

describe('who lied', () => {
  test('is left alone for a minute, and for twice as long at the next time', async () => {
    const chain = chainOfThree();
    const engine = await open(chain);
    network.node(0).spoil = (method, result) => (method === 'commit' ? null : result);
    const waits: number[] = [];
    for (let i = 0; i < 3; i++) {
      chain.add();
      await poll();
      expect(named()).toHaveLength(i + 1);
      expect(await engine.metrics()).toMatchObject({
        nodes_distrusted: 1,
        nodes_distrusted_total: i + 1,
        nodes_usable: 1,
      });
      waits.push(named().at(-1)?.distrustedMs ?? 0);
      await poll((waits.at(-1) ?? 0) - 2_000);
      expect(await engine.metrics()).toMatchObject({ nodes_distrusted: 1 });
      await poll(3_000);
      expect(await engine.metrics()).toMatchObject({ nodes_distrusted: 0 });
    }
    expect(waits).toEqual([60_000, 120_000, 240_000]);
    expect(await engine.waitForHeight(0, 0)).toBe(chain.height);
  });

  test('again and again, is left alone for an hour at most', () => {
    const waits: number[] = [];
    const note = (fields: object): void => void waits.push((fields as { distrustedMs: number }).distrustedMs);
    const logger = { debug() {}, info() {}, warn() {}, error: note };
    const pool = new NodePool({
      nodeUrls: [LIAR],
      chainId: TEST_CHAIN_ID,
      port: network,
      clock: network.fixture.clock,
      logger,
      onStatus() {},
      onDistrusted() {},
    });
    for (let i = 0; i < 2_000; i++) pool.distrust(pool.nodes[0] as ChainNode, 'a lie');
    expect(waits.slice(0, 8)).toEqual([60, 120, 240, 480, 960, 1_920, 3_600, 3_600].map((seconds) => seconds * 1_000));
    expect(waits.at(-1)).toBe(3_600_000);
  });

  test('is not listened to: the websocket goes to another node', async () => {
    const chain = chainOfThree();
    await open(chain);
    expect(network.nodes.map(({ subscribers }) => subscribers.size)).toEqual([1, 0]);
    network.node(0).spoil = (method, result) => (method === 'commit' ? null : result);
    chain.add();
    await poll();
    expect(network.nodes.map(({ subscribers }) => subscribers.size)).toEqual([0, 1]);
  });

  test('and is the only one, moves nothing: the gateway says so and waits', async () => {
    const chain = chainOfThree();
    const engine = await open(chain, chain.checkpoint(0), 1);
    network.node(0).spoil = (method, result) => (method === 'commit' ? null : result);
    chain.add([signedTransfer({ nonce: 1 }).raw]);
    await poll();
    expect(await engine.status()).toMatchObject({
      height: 3,
      healthy: false,
      detail: expect.stringContaining('answered what cannot be true'),
    });
    expect(await engine.blocks(4, 1)).toEqual([]);
    network.node(0).spoil = (_, result) => result;
    await poll(DISTRUST_MS + 1_000);
    expect(await engine.status()).toMatchObject({ height: 4, healthy: true });
  });
});

describe.each(['codes', 'earlier'] as const)('results, before an application (%s),', (application) => {
  const forged: Spoil = (method, result, height) => {
    if (method === 'block_results' && height === 4) for (const each of result.txs_results) each.code = 1;
    return result;
  };

  test('of the newest block that the ledger contradicts are read from another node, and their author is named when the next header decides', async () => {
    const chain = chainOfThree();
    const engine = await open(chain);
    network.node(0).application = application;
    network.node(0).spoil = forged;
    chain.add([signedTransfer({ nonce: 1 }).raw]);
    await poll();
    expect(await engine.blocks(4, 1)).toEqual([expect.objectContaining({ height: 4, codes: [1] })]);
    expect(await engine.rejectResults(4)).toBe(true);
    expect(await engine.blocks(4, 1)).toEqual([expect.objectContaining({ height: 4, codes: [0] })]);
    // One word against another: no one is accused before it is decided.
    expect(named()).toEqual([]);
    chain.add();
    await poll();
    expect(named()).toEqual([
      expect.objectContaining({
        node: LIAR,
        reason: 'the results of its block 4 are not those that the next header commits to',
      }),
    ]);
    expect(await engine.blocks(4, 1)).toEqual([expect.objectContaining({ codes: [0] })]);
    // From now on the caller would be the one who is wrong.
    expect(await engine.rejectResults(4)).toBe(false);
  });

  test('that were not rejected are found out by the next header, and what was indexed of them is made again', async () => {
    const chain = chainOfThree();
    const engine = await open(chain);
    network.node(0).application = application;
    network.node(0).spoil = (method, result, height) => {
      if (method === 'block_results' && height === 4)
        result.txs_results[0] = {
          ...result.txs_results[0],
          code: 1,
          events: [{ type: 'transfer_failed', attributes: [{ key: 'nonce', value: '1', index: true }] }],
        };
      return result;
    };
    chain.add([signedTransfer({ nonce: 1 }).raw]);
    await poll();
    const search = (query: string) => engine.rpc('tx_search', { query });
    expect(await search('transfer_failed.nonce = 1')).toMatchObject({
      ok: true,
      json: expect.stringContaining('"total_count":"1"'),
    });
    chain.add();
    await poll();
    expect(named()).toHaveLength(1);
    await poll();
    expect(await search('transfer_failed.nonce = 1')).toMatchObject({
      ok: true,
      json: expect.stringContaining('"total_count":"0"'),
    });
    expect(await search('tx.height > 0')).toMatchObject({
      ok: true,
      json: expect.stringContaining('"total_count":"2"'),
    });
  });

  test('of an older block are compared with the header after it', async () => {
    const chain = chainOfThree();
    chain.add([signedTransfer({ nonce: 1 }).raw]);
    chain.add();
    await network.start(2, chain);
    network.node(0).application = application;
    network.node(0).spoil = forged;
    const engine = await network.open({ genesis: chain.genesis }, chain.checkpoint());
    await poll();
    expect(await engine.blocks(4, 1)).toEqual([expect.objectContaining({ height: 4, codes: [0] })]);
    expect(named()).toEqual([expect.objectContaining({ node: LIAR })]);
  });
});

test('results of the block at which a gateway starts are read again when the next header contradicts them', async () => {
  const chain = SignedChain.of(2, 2, 2);
  chain.add();
  chain.add([signedTransfer({ nonce: 0 }).raw]);
  await network.start(2, chain);
  network.node(0).spoil = (method, result, height) => {
    if (method === 'block_results' && height === 2) result.txs_results[0].code = 9;
    return result;
  };
  const engine = await network.open({ genesis: chain.genesis }, chain.checkpoint(2));
  await poll();
  const codeOfBlock2 = async (): Promise<number> => {
    const outcome = await engine.rpc('block_results', { height: 2 });
    return outcome.ok ? JSON.parse(outcome.json).txs_results[0].code : -1;
  };
  expect(await codeOfBlock2()).toBe(9);
  network.node(0).spoil = (_, result) => result;
  chain.add();
  await poll();
  expect(await engine.waitForHeight(0, 0)).toBe(3);
  expect(await codeOfBlock2()).toBe(0);
  expect(named()).toEqual([
    expect.objectContaining({ node: LIAR, reason: expect.stringMatching(/results of its block 2/) }),
  ]);
  expect(network.logs).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining('the search index holds forged results') }),
  );
});

describe('a read of the RPC that contradicts what was verified', () => {
  const SPOILED: readonly (readonly [RpcMethod, RpcArguments, (result: any) => any])[] = [
    ['block', { height: 2 }, (result) => (result.block.header.time = '2020-01-01T00:00:00Z')],
    ['block', { height: 2 }, (result) => (result.block.data.txs = [])],
    ['header', { height: 2 }, (result) => (result.block.header.app_hash = '00'.repeat(32))],
    ['block_results', { height: 2 }, (result) => (result.txs_results[0].code = 1)],
    [
      'commit',
      { height: 2 },
      (result) =>
        (result.signed_header.commit.signatures[0].signature = result.signed_header.commit.signatures[1].signature),
    ],
    ['commit', { height: 2 }, (result) => (result.signed_header.header.time = '2020-01-01T00:00:00Z')],
    [
      'blockchain',
      { minHeight: 1, maxHeight: 3 },
      (result) => (result.block_metas[1].header.app_hash = '00'.repeat(32)),
    ],
    ['blockchain', {}, (result) => (result.block_metas[0].block_id.hash = '00'.repeat(32))],
  ];

  test.each(SPOILED)('is answered by an honest node: %s %j', async (method, args, lie) => {
    const chain = chainOfThree();
    // Nothing of it is in memory: a node has to say.
    const engine = await open(chain, chain.checkpoint(3));
    await poll();
    const asked = { header: 'block' }[method as string] ?? method;
    network.node(0).spoil = (answered, result) => {
      if (answered === asked) lie(result);
      return result;
    };
    const outcome = await engine.rpc(method, args);
    expect(outcome).toMatchObject({ ok: true });
    network.node(0).spoil = (_, result) => result;
    await poll(2 * DISTRUST_MS);
    expect(outcome).toEqual(await engine.rpc(method, args));
    if (!['block', 'header', 'block_results'].includes(method)) expect(named()).toHaveLength(1);
  });

  test.each<readonly [string, (result: any) => void]>([
    ['another address', ({ validators }) => (validators[0].address = '00'.repeat(20))],
    ['another power', ({ validators }) => (validators[0].voting_power = '11')],
    ['a page without them', (result) => (result.validators = [])],
    ['another height', (result) => (result.block_height = '1')],
  ])('of validators is answered by an honest node: %s', async (_, lie) => {
    await network.start(2);
    await network.makeBlocks(3);
    const engine = await network.open();
    await poll();
    network.node(0).spoil = (method, result) => {
      if (method === 'validators') lie(result);
      return result;
    };
    expect(await engine.rpc('validators', { height: 2 })).toEqual(
      await network.fixture.engine.rpc('validators', { height: 2 }),
    );
    expect(named()).toEqual([
      expect.objectContaining({ node: LIAR, reason: expect.stringMatching(/^asked for validators/) }),
    ]);
  });

  test('of a transaction: its place is checked, what it is comes from the block', async () => {
    const { raw, hash } = signedTransfer({ nonce: 0 });
    const chain = chainOfThree();
    const engine = await open(chain, chain.checkpoint(3));
    const ask = network.node(1);
    for (const node of network.nodes) {
      const answer = node.call.bind(node);
      node.call = async (body) => {
        if (!body.includes('"method":"tx"')) return await answer(body);
        return JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          result: { hash, height: '2', index: node === ask ? 0 : 1, tx: 'AA==' },
        });
      };
    }
    await engine.close();
    const again = await network.open({ genesis: chain.genesis }, chain.checkpoint(3));
    const outcome = await again.rpc('tx', { hash: Buffer.from(hash, 'hex') });
    expect(outcome.ok && JSON.parse(outcome.json)).toMatchObject({
      hash,
      height: '2',
      index: 0,
      tx: Buffer.from(raw).toString('base64'),
    });
  });

  test('beyond the newest verified block there is none, whatever a node says', async () => {
    const chain = chainOfThree();
    const engine = await open(chain);
    network.node(0).claims = 99;
    expect(await engine.rpc('block', { height: 4 })).toMatchObject({
      ok: false,
      status: 404,
      error: { data: 'height 4 must be less than or equal to the current blockchain height 3' },
    });
    expect(await engine.rpc('commit', { height: 4 })).toMatchObject({ ok: false, status: 404 });
  });
});

test('from where to verify is said once; before that nothing is shown', async () => {
  const chain = chainOfThree();
  await network.start(1, chain);
  const engine = await network.open({ genesis: chain.genesis }, undefined);
  expect(await engine.status()).toMatchObject({
    height: 0,
    healthy: false,
    detail: 'it is not known yet from where the chain is to be verified',
  });
  await expect(engine.waitForHeight(1, 0)).rejects.toThrow('not known yet from where');
  await expect(engine.blocks(1, 1)).rejects.toThrow('not known yet from where');
  expect(await engine.rpc('block', {})).toMatchObject({ ok: false, status: 503 });
  expect(await engine.metrics()).toMatchObject({ height: 0, commits_verified_total: 0 });
  await engine.startFrom(chain.checkpoint(0));
  await poll();
  expect(await engine.waitForHeight(0, 0)).toBe(3);
  await expect(engine.startFrom(chain.checkpoint(0))).rejects.toThrow('knows already from where');
});

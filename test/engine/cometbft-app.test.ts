/** The ABCI application rule by rule: what it answers to a node, over the socket, and what it refuses to do. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  bytesInBlock,
  CODES,
  finalizeBlock,
  LedgerState,
  RECHECK_BLOCKS_MAX,
  txHash,
  validatorAddress,
} from '../../server/ledger/index.ts';
import { BLOCK_BYTES_MAX, BLOCK_TRANSACTIONS_MAX } from '../../server/engine/cometbft/app/index.ts';
import { blockLimits } from '../../server/engine/cometbft/app/block-limits.ts';
import { VerifiedTransactions } from '../../server/engine/cometbft/app/verified-transactions.ts';
import { WaitingTransactions } from '../../server/engine/cometbft/app/waiting.ts';
import {
  BLOCK,
  DEV_BALANCE,
  devAddress,
  devSeed,
  operatorAddress,
  signedCancel,
  signedGovernance,
  signedTransfer,
  TEST_CHAIN,
  testGenesis,
  validatorKey,
} from '../ledger/support.ts';
import { initChainOf, type RequestParts } from './support/abci-client.ts';
import { AppFixture, hex } from './support/abci-app.ts';

const RECHECK = 1;
const ACCEPT = 1;
const REJECT = 2;
const genesis = testGenesis();
const strangerSeed = Buffer.alloc(32, 7);

let app: AppFixture;
beforeEach(async () => {
  app = new AppFixture();
  await app.start();
});
afterEach(() => app.dispose());

/** An application at height 1. */
async function atHeightOne(): Promise<void> {
  await app.initChain(genesis);
  await app.block(1, []);
}

const raws = (...transactions: { raw: Uint8Array }[]) => transactions.map(({ raw }) => raw);

async function process(height: number, txs: Uint8Array[]): Promise<number> {
  return (await app.ask({ processProposal: { height: BigInt(height), txs } })).processProposal!.status;
}

async function prepare(height: number, txs: Uint8Array[], maxTxBytes = 1_000_000n): Promise<string[]> {
  return (await app.ask({ prepareProposal: { height: BigInt(height), txs, maxTxBytes } })).prepareProposal!.txs.map(
    txHash,
  );
}

describe('InitChain', () => {
  test('answers the app hash of genesis and leaves the validators as they are', async () => {
    const { initChain } = await app.initChain(genesis);
    expect(hex(initChain!.appHash)).toBe(hex(LedgerState.fromGenesis(genesis).appHash));
    expect(initChain!.validators).toEqual([]);
    expect(initChain!.consensusParams).toBeUndefined();
    expect((await app.info()).height).toBe(0);
  });

  test('comes again, also with another genesis, as long as no block was committed', async () => {
    await app.initChain(genesis);
    await app.ask({ finalizeBlock: { height: 1n } });
    await app.stop();
    await app.start();
    const other = testGenesis({ cancellers: [operatorAddress(3)] });
    const { initChain } = await app.initChain(other);
    expect(hex(initChain!.appHash)).toBe(hex(LedgerState.fromGenesis(other).appHash));
    await app.block(1, []);
  });

  const wrong: readonly (readonly [string, Partial<NonNullable<RequestParts['initChain']>>, RegExp])[] = [
    [
      'an unknown field',
      { appStateBytes: Buffer.from('{"format":2,"address_prefix":"txlt","accounts":[],"x":1}') },
      /app_state\.x is unknown/,
    ],
    [
      'no canceller',
      { appStateBytes: Buffer.from('{"format":2,"address_prefix":"txlt","accounts":[],"cancellers":[]}') },
      /app_state\.cancellers must name at least one/,
    ],
    [
      'the state of a chain of format 1',
      { appStateBytes: Buffer.from('{"address_prefix":"txlt","accounts":[],"operators":[]}') },
      /this is a chain of format 1.*start a new chain/,
    ],
    [
      'another version of the application',
      { consensusParams: { block: { maxBytes: 104_857_600n, maxGas: -1n }, version: { app: 0n } } },
      /consensus_params\.version\.app must be "1"/,
    ],
    ['no application state', { appStateBytes: Buffer.alloc(0) }, /not a JSON object/],
    ['bytes that are no JSON', { appStateBytes: Buffer.from('\xff{', 'latin1') }, /not a JSON object/],
    ['a chain id in capitals', { chainId: 'Chain' }, /chain_id must match/],
    ['another initial height', { initialHeight: 5n }, /initial_height must be "1"/],
    [
      'a bound on block bytes',
      { consensusParams: { block: { maxBytes: 22_020_096n, maxGas: -1n } } },
      /consensus_params\.block\.max_bytes must be "104857600"/,
    ],
    [
      'vote extensions',
      { consensusParams: { abci: { voteExtensionsEnableHeight: 5n } } },
      /vote_extensions_enable_height/,
    ],
    ['no validator', { validators: [] }, /validators must name at least one/],
    [
      'a validator without power',
      { validators: [{ pubKey: { ed25519: Buffer.alloc(32, 9) }, power: 0n }] },
      /validators\[0\]/,
    ],
  ];

  test.each(wrong)('is refused with %s, in words that say so', async (_name, change, words) => {
    const { exception } = await app.ask({ initChain: { ...initChainOf(genesis), ...change } });
    expect(exception?.error).toMatch(words);
    expect(exception?.error).toMatch(/^the genesis is refused: /);
    // Nothing of it was kept, and the right one is taken.
    expect((await app.initChain(genesis)).initChain).toBeDefined();
  });

  test('is refused once there is a block, and changes nothing', async () => {
    await atHeightOne();
    const before = await app.info();
    expect((await app.initChain(genesis)).exception?.error).toMatch(
      /InitChain, but this application is at height 1 of txledger-test-1/,
    );
    expect((await app.info()).appHash).toBe(before.appHash);
    expect(app.defects).toEqual([]);
  });

  test('is refused for another chain than the one that the operator named', async () => {
    await app.stop();
    await app.start({ chainId: 'another-chain' });
    expect((await app.initChain(genesis)).exception?.error).toMatch(
      /of chain txledger-test-1, but TXLEDGER_CHAIN_ID is another-chain/,
    );
  });
});

describe('blocks', () => {
  test.each([
    ['before InitChain', false, 1n, /InitChain comes first/],
    ['that was committed before', true, 1n, /FinalizeBlock of height 1, but this application is at height 1/],
    ['after the next', true, 3n, /FinalizeBlock of height 3, but this application is at height 1/],
  ])('one %s is refused and changes nothing', async (_name, started, height, words) => {
    if (started) await atHeightOne();
    const before = await app.info();
    expect((await app.ask({ finalizeBlock: { height, txs: raws(signedTransfer()) } })).exception?.error).toMatch(words);
    expect(await app.info()).toEqual(before);
    expect((await app.ask({ commit: {} })).exception?.error).toMatch(/Commit without FinalizeBlock/);
  });

  test('one that was executed and never committed is executed anew, whatever it holds now', async () => {
    await atHeightOne();
    const reference = LedgerState.fromGenesis(genesis);
    const transfer = signedTransfer({ amount: 3n }).raw;
    const first = await app.ask({ finalizeBlock: { height: 2n, txs: [transfer] } });
    // What is not committed is not answered either.
    const { query } = await app.ask({ query: { path: `/account/${devAddress(0)}` } });
    expect(Buffer.from(query!.value).toString()).toBe(`{"balance":"${DEV_BALANCE}","nonce":0,"void":""}`);
    expect(query!.height).toBe(1n);
    expect((await app.info()).height).toBe(1);
    const again = await app.ask({ finalizeBlock: { height: 2n, txs: [transfer] } });
    expect(hex(again.finalizeBlock!.appHash)).toBe(hex(first.finalizeBlock!.appHash));
    expect(again.finalizeBlock!.txResults[0]!.code).toBe(0);
    const other = await app.block(2, []);
    expect(hex(other.appHash)).toBe(hex(reference.appHash));
  });

  test('nothing is pruned', async () => {
    await app.initChain(genesis);
    await app.ask({ finalizeBlock: { height: 1n } });
    expect((await app.ask({ commit: {} })).commit).toEqual({ retainHeight: 0n });
  });
});

describe('proposals', () => {
  beforeEach(atHeightOne);

  test('hold cancels first, whatever the order of arrival, and honest validators accept them', async () => {
    const transfer = signedTransfer({ from: 0 });
    const other = signedTransfer({ from: 1 });
    const cancel = signedCancel({ from: 0 });
    const block = await prepare(2, raws(transfer, other, cancel));
    expect(block).toEqual([cancel.hash, other.hash]);
    expect(await process(2, raws(cancel, other))).toBe(ACCEPT);
    expect(await process(2, raws(transfer, cancel))).toBe(REJECT);
    expect(await process(2, raws(cancel, transfer))).toBe(REJECT);
  });

  test('leave out what is not executable, also bytes that never were in the mempool', async () => {
    const good = signedTransfer({ from: 3 });
    const forged = Buffer.from(signedTransfer({ from: 4 }).raw);
    const at = forged.indexOf('"signature":"') + 20;
    forged[at] = forged[at] === 0x30 ? 0x31 : 0x30;
    expect(await prepare(2, [forged, Buffer.from('{}'), signedTransfer({ from: 5, nonce: 1 }).raw, good.raw])).toEqual([
      good.hash,
    ]);
  });

  test('keep to the bytes that the node allows', async () => {
    const transfers = Array.from({ length: 10 }, (_, nonce) => signedTransfer({ nonce }));
    const three = transfers.slice(0, 3).reduce((sum, { raw }) => sum + bytesInBlock(raw), 0);
    expect(await prepare(2, raws(...transfers), BigInt(three))).toEqual(transfers.slice(0, 3).map(({ hash }) => hash));
    expect(await prepare(2, raws(...transfers), BigInt(three - 1))).toHaveLength(2);
    expect(await prepare(2, raws(...transfers), 0n)).toEqual([]);
  });

  test('limits are ours where the node allows more', () => {
    expect(blockLimits(100_000_000n)).toEqual(blockLimits());
    expect(blockLimits()).toEqual({
      bytesMax: BLOCK_BYTES_MAX,
      transactionsMax: BLOCK_TRANSACTIONS_MAX,
      allowValidatorChanges: true,
    });
    expect(blockLimits(1000n).bytesMax).toBe(1000);
  });

  test('every signature that this process has not verified is verified', async () => {
    const forged = Buffer.from(signedTransfer({ from: 4 }).raw);
    const at = forged.indexOf('"signature":"') + 20;
    forged[at] = forged[at] === 0x30 ? 0x31 : 0x30;
    expect((await app.check(signedTransfer({ from: 4 }).raw)).code).toBe(0);
    expect(await process(2, [forged])).toBe(REJECT);
    expect(app.logs.at(-1)).toMatchObject({
      level: 'warn',
      fields: { height: 2, index: 0, reason: expect.stringContaining('signature') },
    });
    // Decided all the same, it has a code and no effect.
    const { txResults } = await app.block(2, [forged]);
    expect(txResults.map(({ code, codespace }) => ({ code, codespace }))).toEqual([
      { code: CODES.invalid_signature, codespace: 'txledger' },
    ]);
  });

  test('are executed again when the block got another time, as in another round', async () => {
    const validUntil = 1_800_000_000;
    const txs = [signedTransfer({ validUntil }).raw];
    const at = (seconds: number) => ({ height: 2n, txs, time: { seconds: BigInt(seconds), nanos: 0 } });
    const { processProposal } = await app.ask({ processProposal: at(validUntil) });
    expect(processProposal!.status).toBe(ACCEPT);
    const late = await app.ask({ processProposal: at(validUntil + 1) });
    expect(late.processProposal!.status).toBe(REJECT);
    const { finalizeBlock: answer } = await app.ask({ finalizeBlock: at(validUntil + 1) });
    expect(answer!.txResults.map(({ code }) => code)).toEqual([CODES.validity_passed]);
  });

  test('are executed where they were chosen or judged, and no other block is taken for them', async () => {
    const [first, second, third] = [
      signedTransfer({ from: 0, to: 1, amount: 5n }),
      signedTransfer({ from: 2, to: 90, amount: 7n }),
      signedTransfer({ from: 0, nonce: 1 }),
    ];
    const appHashOf = (...block: Uint8Array[]) => {
      const state = LedgerState.fromGenesis(genesis);
      state.commit(finalizeBlock(state, [], BLOCK));
      return hex(state.commit(finalizeBlock(state, block, BLOCK)).appHash);
    };
    const decided = async (...block: Uint8Array[]) => {
      const { finalizeBlock: answer } = await app.ask({ finalizeBlock: { height: 2n, txs: block } });
      return {
        appHash: hex(answer!.appHash),
        codes: answer!.txResults.map(({ code }) => code),
        logs: answer!.txResults.map(({ log }) => log),
      };
    };
    // Each is decided without a commit: the next begins on the stored state again, where nothing is remembered.
    for (const proposed of [[first.raw, second.raw], [second.raw, first.raw], [first.raw]]) {
      expect(await prepare(2, proposed)).toEqual(proposed.map(txHash));
      expect(await process(2, proposed)).toBe(ACCEPT);
      expect(await decided(...proposed)).toEqual({
        appHash: appHashOf(...proposed),
        codes: proposed.map(() => 0),
        logs: proposed.map(() => ''),
      });
      expect(await process(2, proposed)).toBe(ACCEPT);
      expect(await decided(...proposed)).toMatchObject({ appHash: appHashOf(...proposed) });
      for (const other of [[second.raw], [first.raw, second.raw, third.raw], [third.raw], []]) {
        await prepare(2, proposed);
        await process(2, proposed);
        expect(await decided(...other)).toMatchObject({
          appHash: appHashOf(...other),
          codes: other.map((raw) => (raw === third.raw && other.length === 1 ? CODES.nonce_gap : 0)),
        });
      }
    }
    await prepare(2, [first.raw]);
    const spoilt = Buffer.from(first.raw);
    spoilt.writeUInt8(spoilt.readUInt8(first.raw.length - 10) ^ 1, first.raw.length - 10);
    expect(await process(2, [spoilt])).toBe(REJECT);
    // After the commit the same bytes are another block.
    await prepare(2, [first.raw]);
    await app.block(2, [first.raw]);
    expect(await process(3, [first.raw])).toBe(REJECT);
    const { txResults } = await app.block(3, [first.raw]);
    expect(txResults.map(({ code }) => code)).toEqual([CODES.nonce_too_low]);
  });

  test('do not depend on the check state', async () => {
    await app.check(signedTransfer({ from: 0, to: 1 }).raw);
    const [same, otherPayment] = [signedTransfer({ from: 0, to: 1 }), signedTransfer({ from: 0, to: 2 })];
    expect((await app.check(otherPayment.raw)).code).toBe(CODES.check_nonce_taken);
    expect(await process(2, raws(otherPayment))).toBe(ACCEPT);
    expect(await prepare(2, raws(otherPayment, same))).toEqual([otherPayment.hash]);
  });

  test('of another height are refused', async () => {
    expect((await app.ask({ processProposal: { height: 7n } })).exception?.error).toMatch(
      /ProcessProposal of height 7/,
    );
    expect((await app.ask({ prepareProposal: { height: 1n, maxTxBytes: 100n } })).exception?.error).toMatch(
      /PrepareProposal of height 1/,
    );
  });
});

describe('CheckTx', () => {
  beforeEach(atHeightOne);

  test('admits several nonces of an account in sequence, and answers 0 again for the same bytes', async () => {
    for (let nonce = 0; nonce < 3; nonce++) expect((await app.check(signedTransfer({ nonce }).raw)).code).toBe(0);
    expect((await app.check(signedTransfer({ nonce: 1 }).raw)).code).toBe(0);
    expect((await app.check(signedTransfer({ nonce: 1, amount: 2n }).raw)).code).toBe(CODES.check_nonce_taken);
    expect((await app.check(signedTransfer({ nonce: 5 }).raw)).code).toBe(CODES.nonce_gap);
  });

  test('judges a cancel by the committed state, and a cancel changes nothing for what comes after it', async () => {
    expect((await app.check(signedTransfer().raw)).code).toBe(0);
    // The check state is at nonce 1 already; the committed one is not.
    expect((await app.check(signedCancel().raw)).code).toBe(0);
    expect((await app.check(signedTransfer({ nonce: 1 }).raw)).code).toBe(0);
    expect((await app.check(signedCancel().raw)).code).toBe(0);
    expect((await app.check(signedCancel({ signer: devSeed(5) }).raw)).code).toBe(CODES.signer_not_allowed);
    await app.block(2, raws(signedCancel()));
    // Without effect any more, it is not let in again.
    expect((await app.check(signedCancel().raw)).code).toBe(CODES.cancel_outside_window);
  });

  test('refuses for lack of funds at the door, and evicts nobody for it', async () => {
    const all = signedTransfer({ amount: DEV_BALANCE });
    expect((await app.check(all.raw)).code).toBe(0);
    const more = signedTransfer({ nonce: 1, amount: 5n });
    expect((await app.check(more.raw)).code).toBe(CODES.check_funds);
    await app.block(2, raws(all));
    expect((await app.check(more.raw, RECHECK)).code).toBe(0);
    expect((await app.check(signedTransfer({ from: strangerSeed }).raw)).code).toBe(CODES.unknown_account);
  });

  test('evicts at recheck what has waited ten blocks, and takes it in again when it is broadcast anew', async () => {
    const { raw } = signedTransfer();
    expect((await app.check(raw)).code).toBe(0);
    let height = 1;
    for (let waited = 1; waited < RECHECK_BLOCKS_MAX; waited++) {
      await app.block(++height, []);
      expect({ waited, code: (await app.check(raw, RECHECK)).code }).toEqual({ waited, code: 0 });
    }
    await app.block(++height, []);
    expect((await app.check(raw, RECHECK)).code).toBe(CODES.check_waited);
    expect((await app.check(raw)).code).toBe(0);
    await app.block(++height, []);
    expect((await app.check(raw, RECHECK)).code).toBe(0);
  });

  test('starts anew at each commit, before any recheck', async () => {
    const [mine, other] = [signedTransfer({ to: 1 }), signedTransfer({ to: 2 })];
    expect((await app.check(mine.raw)).code).toBe(0);
    expect((await app.check(other.raw)).code).toBe(CODES.check_nonce_taken);
    await app.block(2, []);
    expect((await app.check(other.raw)).code).toBe(0);
    expect((await app.check(mine.raw, RECHECK)).code).toBe(CODES.check_nonce_taken);
  });

  test('evicts what a block made useless', async () => {
    const [mine, other] = [signedTransfer({ to: 1 }), signedTransfer({ to: 2 })];
    expect((await app.check(mine.raw)).code).toBe(0);
    await app.block(2, raws(other));
    expect((await app.check(mine.raw, RECHECK)).code).toBe(CODES.nonce_too_low);
  });

  test('is answered to a query as well, which keeps nothing: whoever may only read holds no nonce', async () => {
    const [first, second] = [signedTransfer({ nonce: 0, amount: 1n }), signedTransfer({ nonce: 0, amount: 2n })];
    const judged = async (raw: Uint8Array) => {
      const { query } = await app.ask({ query: { path: '/check_tx', data: raw } });
      return [query!.code, JSON.parse(Buffer.from(query!.value).toString()).code];
    };
    expect(await judged(first.raw)).toEqual([0, CODES.ok]);
    expect((await app.ask({ checkTx: { tx: second.raw } })).checkTx!.code).toBe(CODES.ok);
    expect(await judged(first.raw)).toEqual([0, CODES.check_nonce_taken]);
    expect(await judged(Buffer.alloc(2_000))).toEqual([0, CODES.malformed]);
  });

  test('answers every kind of bad bytes with its code', async () => {
    expect(await app.check(Buffer.from('nonsense'))).toMatchObject({
      code: CODES.malformed,
      codespace: 'txledger',
      log: expect.stringMatching(/./),
    });
    expect((await app.check(signedTransfer({ chainId: 'other-1' }).raw)).code).toBe(CODES.wrong_chain);
    expect((await app.check(signedGovernance({ sequence: 1 }).raw)).code).toBe(CODES.governance_sequence);
  });

  test('says that there is no state yet while a node fetches one', async () => {
    const empty = new AppFixture();
    await empty.start();
    try {
      expect(await empty.check(signedTransfer().raw)).toMatchObject({
        code: CODES.check_full,
        log: expect.stringContaining('no state yet'),
      });
      expect((await empty.ask({ query: { path: '/governance' } })).query).toMatchObject({ code: 2, height: 0n });
    } finally {
      await empty.dispose();
    }
  });
});

describe('requests of no consequence', () => {
  test('Echo, Flush and Info are answered, vote extensions are unused', async () => {
    expect((await app.ask({ echo: { message: 'hello' } })).echo).toEqual({ message: 'hello' });
    expect((await app.ask({ flush: {} })).flush).toEqual({});
    expect((await app.ask({ info: {} })).info).toEqual({
      data: 'txledger',
      version: '0.1.0',
      appVersion: 1n,
      lastBlockHeight: 0n,
      lastBlockAppHash: new Uint8Array(0),
    });
    expect((await app.ask({ extendVote: {} })).extendVote!.voteExtension).toHaveLength(0);
    const verify = async (voteExtension: Uint8Array) =>
      (await app.ask({ verifyVoteExtension: { voteExtension } })).verifyVoteExtension!.status;
    expect([await verify(Buffer.alloc(0)), await verify(Buffer.from('x'))]).toEqual([ACCEPT, REJECT]);
  });
});

describe('evidence', () => {
  const four = testGenesis({
    validators: [0, 1, 2, 3].map((i) => ({ publicKey: validatorKey(i), power: 10, name: '' })),
  });
  const addressOf = (i: number) => Buffer.from(validatorAddress(Buffer.from(validatorKey(i), 'hex')), 'hex');
  const misbehavior = (i: number, type = 1) => [
    {
      type,
      validator: { address: addressOf(i), power: 10n },
      height: 1n,
      time: { seconds: 1n, nanos: 0 },
      totalVotingPower: 40n,
    },
  ];

  test.each([1, 2])(
    "of kind %i ends with power 0: CometBFT is told, with an event, and the app hash is the ledger's",
    async (type) => {
      await app.initChain(four);
      const proposal = { txs: [], height: 1n, misbehavior: misbehavior(2, type) };
      const { processProposal } = await app.ask({ processProposal: proposal });
      expect(processProposal?.status).toBe(1);
      const { finalizeBlock: done } = await app.ask({ finalizeBlock: proposal });
      expect(done!.validatorUpdates.map(({ pubKey, power }) => [hex(pubKey.ed25519!).toLowerCase(), power])).toEqual([
        [validatorKey(2), 0n],
      ]);
      expect(
        done!.events.map((event) => [event.type, event.attributes.find(({ key }) => key === 'publicKey')?.value]),
      ).toEqual([['evidence', validatorKey(2)]]);
      const state = LedgerState.fromGenesis(four);
      const kind = type === 1 ? 'duplicate_vote' : 'light_client_attack';
      state.commit(
        finalizeBlock(state, [], {
          ...BLOCK,
          misbehavior: [{ kind, validatorAddress: addressOf(2).toString('hex').toUpperCase(), height: 1 }],
        }),
      );
      expect(hex(done!.appHash)).toBe(hex(state.appHash));
      await app.ask({ commit: {} });
      // It is kept, over a restart too.
      await app.stop();
      await app.start();
      expect((await app.info()).appHash).toBe(hex(state.appHash));
      const governance = await app.ask({ query: { path: '/governance/validators' } });
      expect(Buffer.from(governance.query!.value).toString()).not.toContain(validatorKey(2));
    },
  );

  test('a proposal that was judged without it is executed anew with it', async () => {
    await app.initChain(four);
    await app.ask({ processProposal: { txs: [], height: 1n } });
    const { finalizeBlock: done } = await app.ask({
      finalizeBlock: { txs: [], height: 1n, misbehavior: misbehavior(3) },
    });
    expect(done!.validatorUpdates).toHaveLength(1);
  });

  test('against the last validator, a stranger, or of an unknown kind changes nothing', async () => {
    await app.initChain(genesis);
    for (const [i, type] of [
      [0, 1],
      [7, 1],
      [0, 0],
      [0, 9],
    ] as const) {
      const { finalizeBlock: done } = await app.ask({
        finalizeBlock: { txs: [], height: 1n, misbehavior: misbehavior(i, type) },
      });
      expect(done!.validatorUpdates).toEqual([]);
    }
  });
});

describe('rules that this program does not know', () => {
  const genesisOf = (height: number) =>
    testGenesis({
      rules: [
        { version: 1, height: 1 },
        { version: 2, height },
      ],
    });

  test('end the application before the block is executed, and at every start after that, in words that say what to do', async () => {
    await app.initChain(genesisOf(2));
    await app.block(1, []);
    const { exception } = await app.ask({ finalizeBlock: { txs: [], height: 2n } });
    expect(exception?.error).toMatch(
      /from height 2 on the chain follows version 2 of its rules, and this program knows version 1 at most/,
    );
    expect(app.defects).toHaveLength(1);
    await app.stop();
    await expect(app.start()).rejects.toThrow(/install a version of txledger that knows them/);
  });

  test.each(['prepareProposal', 'processProposal'] as const)(
    'are not proposed by, nor voted for: %s',
    async (request) => {
      await app.initChain(genesisOf(2));
      await app.block(1, []);
      const { exception } = await app.ask({ [request]: { txs: [], height: 2n } });
      expect(exception?.error).toMatch(/version 2 of its rules/);
    },
  );
});

describe('what the process remembers of transactions', () => {
  test('is bounded, and what is forgotten is verified again', () => {
    const verified = new VerifiedTransactions(TEST_CHAIN, 2);
    const transfers = Array.from({ length: 6 }, (_, nonce) => signedTransfer({ nonce }));
    const [first] = transfers.map(({ raw }) => verified.read(raw));
    const again = verified.read(transfers[0]!.raw);
    expect(first!.ok && again.ok && first!.verified !== again.verified).toBe(true);
    const last = verified.read(transfers[5]!.raw);
    const lastAgain = verified.read(transfers[5]!.raw);
    expect(last.ok && lastAgain.ok && last.verified === lastAgain.verified).toBe(true);
  });

  test('never takes good bytes for other bytes', () => {
    const verified = new VerifiedTransactions(TEST_CHAIN);
    const { raw } = signedTransfer();
    expect(verified.read(raw).ok).toBe(true);
    for (let at = 0; at < raw.length; at++) {
      const spoilt = Buffer.from(raw);
      spoilt.writeUInt8(spoilt.readUInt8(at) ^ 1, at);
      expect(verified.read(spoilt).ok).toBe(false);
    }
  });

  test('waiting times are forgotten once nobody can wait that long', () => {
    const waiting = new WaitingTransactions();
    waiting.arrived('a', 1);
    waiting.arrived('b', 2);
    waiting.prune(1 + RECHECK_BLOCKS_MAX);
    expect(waiting.size).toBe(2);
    waiting.prune(2 + RECHECK_BLOCKS_MAX);
    expect(waiting.size).toBe(1);
    expect(waiting.blocks('b', 5)).toBe(3);
    expect(waiting.blocks('unknown', 5)).toBe(0);
    expect(waiting.blocks('unknown', 7)).toBe(2);
  });
});

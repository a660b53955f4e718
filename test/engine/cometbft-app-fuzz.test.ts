/** Every request of ABCI with whatever its fields can hold: an answer or a refusal, never a defect, which would end the process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Request, Response } from 'cosmjs-types/tendermint/abci/types';
import fc from 'fast-check';
import { AbciRefusal, answerRequest, Application, FrameError } from '../../server/engine/cometbft/app/index.ts';
import { readCheckTx } from '../../server/engine/cometbft/app/check-tx-frame.ts';
import { FIELDS_MAX, refuseManyFields } from '../../server/engine/cometbft/app/frame-fields.ts';
import { openSqliteAppStore } from '../../server/engine/cometbft/app/sqlite-app-store.ts';
import { openSqliteSnapshotStore } from '../../server/engine/cometbft/app/sqlite-snapshot-store.ts';
import {
  devAddress,
  signedCancel,
  signedGovernance,
  signedTransfer,
  TEST_CHAIN_ID,
  testGenesis,
} from '../ledger/support.ts';
import { initChainOf, type RequestParts } from './support/abci-client.ts';
import { cases } from '../support/many-cases.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
let folder: string;
let app: Application;
let close: () => void;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'txledger-fuzz-'));
  const store = openSqliteAppStore(path.join(folder, 'app.db'));
  const snapshots = openSqliteSnapshotStore(path.join(folder, 'snapshots.db'));
  app = new Application({
    store,
    snapshots,
    snapshotIntervalBlocks: 2,
    chainId: TEST_CHAIN_ID,
    later: setImmediate,
    logger: quiet,
  });
  close = () => {
    app.close();
    store.close();
    snapshots.close();
  };
});
afterEach(() => {
  close();
  rmSync(folder, { recursive: true, force: true });
});

const INT64_MAX = 2n ** 63n - 1n;
const int64 = fc.oneof(
  fc.constantFrom(
    0n,
    1n,
    -1n,
    INT64_MAX,
    -INT64_MAX - 1n,
    253_402_300_800n,
    253_402_300_799n,
    -62_135_596_801n,
    2n ** 53n,
  ),
  fc.bigInt({ min: -INT64_MAX - 1n, max: INT64_MAX }),
);
const int32 = fc.oneof(fc.constantFrom(0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 1_000_000_000), fc.integer());
const uint32 = fc.oneof(fc.constantFrom(0, 1, 2 ** 32 - 1), fc.nat());
const good = [
  signedTransfer({}).raw,
  signedTransfer({ nonce: 1 }).raw,
  signedTransfer({ from: 2 }).raw,
  signedCancel({ nonce: 3 }).raw,
  signedGovernance({}).raw,
];
const bytes = fc.oneof(fc.uint8Array({ maxLength: 80 }), fc.constantFrom(...good), fc.constant(new Uint8Array(0)));
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(TEST_CHAIN_ID, '/governance', '/store/accounts/key', `/account/${devAddress(0)}`, '/check_tx'),
);
const time = fc.option(fc.record({ seconds: int64, nanos: int32 }), { nil: undefined });
const txs = fc.array(bytes, { maxLength: 6 });
const validator = fc.record({ address: bytes, power: int64 });
const commit = fc.record({
  round: int32,
  votes: fc.array(fc.record({ validator, blockIdFlag: int32 }), { maxLength: 2 }),
});
const misbehavior = fc.array(fc.record({ type: int32, validator, height: int64, time, totalVotingPower: int64 }), {
  maxLength: 2,
});
const genesis = initChainOf(testGenesis());
const pubKey = fc.oneof(fc.record({ ed25519: bytes }), fc.record({ secp256k1: bytes }), fc.constant(undefined));
const initChain = fc.record(
  {
    time,
    chainId: text,
    initialHeight: int64,
    consensusParams: fc.oneof(
      fc.constant(undefined),
      fc.record({
        block: fc.record({ maxBytes: int64, maxGas: int64 }),
        version: fc.record({ app: int64.map((value) => BigInt.asUintN(64, value)) }),
      }),
    ),
    validators: fc.array(fc.record({ pubKey, power: int64 }), { maxLength: 3 }),
    appStateBytes: fc.oneof(
      bytes,
      fc.json().map((json) => Buffer.from(json)),
    ),
  },
  { requiredKeys: [] },
);
const snapshot = fc.record({
  height: int64.map((value) => BigInt.asUintN(64, value)),
  format: fc.oneof(uint32, fc.constant(1)),
  chunks: uint32,
  hash: bytes,
  metadata: bytes,
});

const requests = fc.oneof(
  // Almost right, so that what is behind the first check is met too.
  initChain.map((change) => ({ initChain: { ...genesis, ...change } })),
  fc.constant({ initChain: genesis }),
  fc.record({ query: fc.record({ path: text, data: bytes, height: int64, prove: fc.boolean() }) }),
  fc.record({ checkTx: fc.record({ tx: bytes, type: int32 }) }),
  fc.record({
    prepareProposal: fc.record({
      txs,
      maxTxBytes: int64,
      height: fc.oneof(int64, fc.constantFrom(1n, 2n)),
      time,
      localLastCommit: commit,
      misbehavior,
      nextValidatorsHash: bytes,
      proposerAddress: bytes,
    }),
  }),
  fc.record({
    processProposal: fc.record({
      txs,
      height: fc.oneof(int64, fc.constantFrom(1n, 2n)),
      time,
      proposedLastCommit: commit,
      misbehavior,
      hash: bytes,
      proposerAddress: bytes,
    }),
  }),
  fc.record({
    finalizeBlock: fc.record({
      txs,
      height: fc.oneof(int64, fc.constantFrom(1n, 2n, 3n)),
      time,
      decidedLastCommit: commit,
      misbehavior,
      hash: bytes,
      proposerAddress: bytes,
    }),
  }),
  fc.record({ offerSnapshot: fc.record({ snapshot: fc.option(snapshot, { nil: undefined }), appHash: bytes }) }),
  fc.record({ applySnapshotChunk: fc.record({ index: uint32, chunk: bytes, sender: text }) }),
  fc.record({
    loadSnapshotChunk: fc.record({
      height: int64.map((value) => BigInt.asUintN(64, value)),
      format: uint32,
      chunk: uint32,
    }),
  }),
  fc.record({
    verifyVoteExtension: fc.record({ hash: bytes, validatorAddress: bytes, height: int64, voteExtension: bytes }),
  }),
  fc.constantFrom(
    { info: {} },
    { echo: { message: 'x' } },
    { flush: {} },
    { listSnapshots: {} },
    { extendVote: {} },
    { commit: {} },
  ),
);

/** As it comes from the wire. Whether it was answered, refused, or could not be read. */
function ask(frame: Uint8Array): 'answered' | 'refused' | 'unreadable' {
  let request: Request;
  try {
    request = Request.decode(frame);
  } catch {
    return 'unreadable';
  }
  try {
    const response = answerRequest(app, request);
    if (response) Response.encode(response).finish();
    return 'answered';
  } catch (error) {
    expect(error).toBeInstanceOf(AbciRefusal);
    return 'refused';
  }
}

const frameOf = (parts: RequestParts): Uint8Array =>
  Request.encode(Request.fromPartial(parts as Parameters<typeof Request.fromPartial>[0])).finish();

test('whatever the fields hold, a request is answered or refused', () => {
  const seen = { answered: 0, refused: 0, unreadable: 0 };
  fc.assert(
    fc.property(requests, (parts) => {
      seen[ask(frameOf(parts as RequestParts))] += 1;
    }),
    { numRuns: 2_000 },
  );
  expect(seen.answered).toBeGreaterThan(300);
  expect(seen.refused).toBeGreaterThan(100);
});

test('whatever the bytes are, a frame is answered, refused or ends the connection', () => {
  const change = fc.record({ at: fc.nat(200), by: fc.integer({ min: 1, max: 255 }) });
  fc.assert(
    fc.property(requests, fc.array(change, { maxLength: 4 }), (parts, changes) => {
      const frame = Buffer.from(frameOf(parts as RequestParts));
      for (const { at, by } of changes)
        if (frame.length > 0) frame.writeUInt8(frame.readUInt8(at % frame.length) ^ by, at % frame.length);
      ask(frame);
    }),
    { numRuns: 2_000 },
  );
});

test('CheckTx is read as the general reader reads it, or left to it', () => {
  const checkTx = fc.record({
    tx: fc.oneof(
      bytes,
      fc.uint8Array({ minLength: 100, maxLength: 300 }),
      fc.nat(20_000).map((length) => new Uint8Array(length)),
    ),
    type: fc.constantFrom(0, 0, 1, 1, 2, -1),
  });
  const change = fc.record({ at: fc.oneof(fc.nat(8), fc.nat(400)), by: fc.integer({ min: 1, max: 255 }) });
  const seen = { read: 0, left: 0 };
  fc.assert(
    fc.property(
      checkTx,
      fc.array(change, { maxLength: 2 }),
      fc.uint8Array({ maxLength: 3 }),
      fc.nat(3),
      (parts, changes, more, less) => {
        const whole = Buffer.concat([
          frameOf({ checkTx: parts } as RequestParts),
          changes.length > 1 ? more : new Uint8Array(0),
        ]);
        const frame = whole.subarray(0, whole.length - (changes.length === 2 ? less : 0));
        for (const { at, by } of changes)
          if (frame.length > 0) frame.writeUInt8(frame.readUInt8(at % frame.length) ^ by, at % frame.length);
        const read = readCheckTx(frame);
        seen[read === undefined ? 'left' : 'read'] += 1;
        if (read === undefined) return;
        const general = Request.decode(frame);
        expect(
          Object.entries(general)
            .filter(([, value]) => value !== undefined)
            .map(([name]) => name),
        ).toEqual(['checkTx']);
        expect({ type: read.type, tx: Buffer.from(read.tx) }).toEqual({
          type: general.checkTx!.type,
          tx: Buffer.from(general.checkTx!.tx),
        });
      },
    ),
    { numRuns: cases(1_500, 5_000) },
  );
  expect(seen.read).toBeGreaterThan(300);
  expect(seen.left).toBeGreaterThan(150);
  expect(readCheckTx(frameOf({ checkTx: { tx: good[0]!, type: 1 } }))).toEqual({ tx: good[0], type: 1 });
});

describe('InitChain with a time that is none', () => {
  test.each([
    ['of the year 10000', 253_402_300_800n, 0],
    ['of the year 0', -62_135_596_801n, 0],
    ['of the largest number of seconds', INT64_MAX, 0],
    ['of negative nanoseconds', 1n, -1],
    ['of a second of nanoseconds', 1n, 1_000_000_000],
  ])('%s is refused with a sentence, and a good one is taken after it', (_name, seconds, nanos) => {
    const request = Request.decode(frameOf({ initChain: { ...genesis, time: { seconds, nanos } } }));
    expect(() => answerRequest(app, request)).toThrow(AbciRefusal);
    expect(() => answerRequest(app, request)).toThrow(
      `its time, ${seconds} s and ${nanos} ns since 1970, is outside the years 1 to 9999`,
    );
    expect(ask(frameOf({ initChain: genesis }))).toBe('answered');
  });

  test.each([-62_135_596_800n, -1n, 0n, 253_402_300_799n])('is not one of %s seconds', (seconds) => {
    expect(ask(frameOf({ initChain: { ...genesis, time: { seconds, nanos: 999_999_999 } } }))).toBe('answered');
  });
});

describe('a frame', () => {
  const varint = (value: number): Buffer => {
    const head: number[] = [];
    let rest = value;
    for (; rest >= 0x80; rest >>>= 7) head.push((rest & 0x7f) | 0x80);
    return Buffer.from([...head, rest]);
  };
  const field = (number: number, content: Buffer): Buffer =>
    Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);
  const empty = (number: number, count: number): Buffer => Buffer.alloc(2 * count, Buffer.from([number * 8 + 2, 0]));

  test.each([
    ['transactions of a proposal', field(16, empty(2, FIELDS_MAX + 1))],
    ['transactions of a proposal to judge', field(17, empty(1, FIELDS_MAX + 1))],
    ['transactions of a block', field(20, empty(1, FIELDS_MAX + 1))],
    ['votes of a block', field(20, field(2, empty(2, FIELDS_MAX + 1)))],
    ['votes of a proposal', field(16, field(3, empty(2, FIELDS_MAX + 1)))],
    ['validators of a genesis', field(5, empty(4, FIELDS_MAX + 1))],
    ['key types of a genesis', field(5, field(3, field(3, empty(1, FIELDS_MAX + 1))))],
  ])('of a million bytes that is nothing but empty %s is not read', (_name, frame) => {
    expect(() => refuseManyFields(frame)).toThrow(FrameError);
  });

  test('of a large block, a large chunk or a large genesis is', () => {
    const tx = Buffer.from(good[0]!);
    const block = field(20, Buffer.concat(Array.from({ length: 50_000 }, () => field(1, tx))));
    const chunk = field(15, Buffer.concat([field(2, empty(1, 2 * FIELDS_MAX)), field(3, Buffer.from('peer'))]));
    const state = field(5, field(5, empty(1, 2 * FIELDS_MAX)));
    for (const frame of [block, chunk, state]) expect(() => refuseManyFields(frame)).not.toThrow();
  });
});

/** Which spans a transfer has, from the request that brings it to the block that decides it, whichever core is below. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TRACED_TRANSFERS_MAX } from '../../server/gateway/limits.ts';
import type { Judgement } from '../../server/gateway/accept/judge.ts';
import type { Submission } from '../../server/gateway/core-api.ts';
import { TransferTraces } from '../../server/gateway/transfer-traces.ts';
import { signedTransfer } from '../ledger/support.ts';
import { ALICE, Fixture, inputOf } from './support/fixture.ts';
import { RecordingTracer } from './support/recording-tracer.ts';

let fixture: Fixture;
let tracer: RecordingTracer;
beforeEach(async () => {
  tracer = new RecordingTracer();
  fixture = await Fixture.open({ tracer });
});
afterEach(() => fixture.dispose());

const names = (request: string): string[] => tracer.below(request).map(({ name }) => name);

describe('a transfer', () => {
  test('has verify, accept and block below its request, and the block says what became of it', async () => {
    const transfer = signedTransfer({ nonce: 0 });
    await tracer.request('submit', () => fixture.gateway.submit(inputOf(transfer), ALICE));
    expect(names('submit')).toEqual(['verify', 'accept']);
    await fixture.block();
    const [, accept, block] = tracer.below('submit');
    expect(accept?.attributes).toEqual({
      'txledger.group.size': 1,
      'txledger.transfers': 1,
      'txledger.tx_hash': transfer.hash,
    });
    const { height, hash } = fixture.engine.committed.at(-1) ?? {};
    expect(block).toEqual({
      name: 'block',
      attributes: {
        'txledger.block.height': height,
        'txledger.block.hash': hash,
        'txledger.transfers': 1,
        'txledger.tx_hash': transfer.hash,
        'txledger.status': 'committed',
        'txledger.result.code': 0,
      },
    });
    await fixture.block();
    expect(names('submit')).toHaveLength(3);
  });

  test('that is sent twice has its block in both traces', async () => {
    const input = inputOf(signedTransfer({ nonce: 0 }));
    await tracer.request('first', () => fixture.gateway.submit(input, ALICE));
    await tracer.request('again', () => fixture.gateway.submit(input, ALICE));
    await fixture.block();
    expect([names('first'), names('again')]).toEqual([
      ['verify', 'accept', 'block'],
      ['verify', 'accept', 'block'],
    ]);
  });

  test('outside of a request has no span', async () => {
    await fixture.gateway.submit(inputOf(signedTransfer({ nonce: 0 })), ALICE);
    await fixture.block();
    expect(tracer.spans).toEqual([]);
  });

  test('that is refused has no block', async () => {
    await tracer.request('refused', () => fixture.gateway.submit(inputOf(signedTransfer({ nonce: 5_000 })), ALICE));
    await fixture.block();
    expect(tracer.below('refused').map(({ name, attributes }) => [name, attributes['txledger.problem.code']])).toEqual([
      ['verify', undefined],
      ['accept', 'nonce_too_high'],
    ]);
  });
});

test('the transfers of a batch share their spans, also over several blocks', async () => {
  const inputs = [0, 1, 3].map((nonce) => inputOf(signedTransfer({ nonce })));
  await tracer.request('batch', () => fixture.gateway.submitBatch(inputs, ALICE));
  await fixture.block();
  await fixture.gateway.submit(inputOf(signedTransfer({ nonce: 2 })), ALICE);
  await fixture.block();
  expect(tracer.below('batch').map(({ name, attributes }) => [name, attributes['txledger.transfers']])).toEqual([
    ['verify', 3],
    ['accept', 3],
    ['block', 2],
    ['block', 1],
  ]);
});

test('a cancel has the block that decides it in its trace', async () => {
  const transfer = signedTransfer({ nonce: 4 });
  await fixture.gateway.submit(inputOf(transfer), ALICE);
  await tracer.request('cancel', () => fixture.gateway.cancel(transfer.hash, ALICE, 0));
  await fixture.block();
  expect(tracer.below('cancel').map(({ name, attributes }) => [name, attributes['txledger.status']])).toEqual([
    ['block', 'cancelled'],
  ]);
});

test('of more transfers than are remembered the oldest are forgotten', () => {
  const traces = new TransferTraces(tracer, fixture.clock);
  for (let at = 0; at <= TRACED_TRANSFERS_MAX; at += 1) traces.follow(`hash ${at}`, `request ${at}`);
  const settled = [0, 1, TRACED_TRANSFERS_MAX].map((at) => ({ hash: `hash ${at}`, status: 'committed' }));
  traces.settled({ height: 1, hash: '', startedMs: 0 }, settled);
  expect(tracer.spans.map(({ parent }) => parent)).toEqual(['request 1', `request ${TRACED_TRANSFERS_MAX}`]);
});

test('a settled transfer that is sent again is not followed', () => {
  const traces = new TransferTraces(tracer, fixture.clock);
  const judgement = { kind: 'replayed', transfer: { hash: 'H', status: 'committed' } } as unknown as Judgement;
  traces.accepted([{ txHash: 'H', trace: 'request' } as Submission], [judgement], 0);
  traces.settled({ height: 1, hash: '', startedMs: 0 }, [{ hash: 'H', status: 'committed' }]);
  expect(tracer.spans.map(({ name }) => name)).toEqual(['accept']);
});

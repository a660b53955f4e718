/**
 * Every recorded answer of a stock CometBFT v0.38.26 node that its methods (not its HTTP doors) decide, asked of the embedded
 * engine: the same types, keys, order of keys and kinds of text, and errors equal to the letter.
 *
 * The chain stands at the height at which the recorded one stood, so even texts that name the height must be equal. Whatever may
 * differ is listed with its reason, and the list itself is checked.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { APPLICATION_VERSION } from '../../server/engine/abci-query.ts';
import type { RpcArguments, RpcMethod } from '../../server/engine/port.ts';
import { devAddress, signedTransfer } from '../ledger/support.ts';
import { recordedSession, recordings, shapeDifferences, type Recording } from './support/golden-rpc.ts';
import { allEvents } from './support/all-events.ts';
import { Fixture } from './support/fixture.ts';
import { readFileSync } from 'node:fs';

/** Differences in shape, each with the methods it concerns and why it is right. */
const ALLOWED: readonly { methods: readonly RpcMethod[]; difference: string; why: string }[] = [
  {
    methods: ['genesis'],
    difference: '$.genesis.app_state: ours only',
    why: 'the recorded application had no state in its genesis; ours has its accounts there, as CometBFT prints any app_state',
  },
];

/** Methods whose answer depends on what waits in the mempool; they are asked after everything else. */
const MEMPOOL_METHODS: readonly RpcMethod[] = [
  'broadcast_tx_async',
  'broadcast_tx_commit',
  'broadcast_tx_sync',
  'check_tx',
  'num_unconfirmed_txs',
  'unconfirmed_txs',
];

const fixture = new Fixture();
const all = recordings();
const reading = all.filter(({ method }) => !MEMPOOL_METHODS.includes(method));
const writing = all.filter(({ method }) => MEMPOOL_METHODS.includes(method));
const named = (list: readonly Recording[]) => list.map((recording) => [recording.name, recording] as const);
const recording = (name: string): any => all.find((found) => found.name === name)?.result;

/** What stands in recorded requests, and what takes its place: in hex, lower case. */
const replacements = new Map<string, string>();
const theirAddress: string = recording('tx.get').tx_result.events[0].attributes[0].value;
const used = new Set<string>();

async function ask(method: RpcMethod, args: RpcArguments): Promise<any> {
  const outcome = await fixture.engine.rpc(method, args);
  return outcome.ok ? JSON.parse(outcome.json) : outcome;
}

function translated(args: RpcArguments): RpcArguments {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      if (value instanceof Uint8Array) {
        const replacement = replacements.get(Buffer.from(value).toString('hex'));
        return [name, replacement === undefined ? value : Buffer.from(replacement, 'hex')];
      }
      if (typeof value !== 'string') return [name, value];
      let text = value.replaceAll(theirAddress, devAddress(0));
      for (const [theirs, ours] of replacements) text = text.replaceAll(theirs.toUpperCase(), ours.toUpperCase());
      return [name, text];
    }),
  );
}

function expectSameShape(method: RpcMethod, ours: unknown, theirs: unknown): void {
  const differences = shapeDifferences(ours, theirs).filter((difference) => {
    const allowed = ALLOWED.find((entry) => entry.methods.includes(method) && entry.difference === difference);
    if (allowed) used.add(`${method} ${difference}`);
    return allowed === undefined;
  });
  expect(differences).toEqual([]);
}

beforeAll(async () => {
  await fixture.start();
  const { clock, engine } = fixture;
  const block = async (nonces: number[]) => {
    await engine.broadcast(nonces.map((nonce) => ({ raw: signedTransfer({ nonce, amount: 5n }).raw })));
    await clock.advance(1000);
  };
  await clock.advance(2 * 9500);
  // Transactions in blocks 4, 5 and 6, the last of four; block 7 is empty: as in the recorded chain.
  await block([0]);
  await block([1]);
  await block([2, 3, 4, 5]);
  await clock.advance(1000);
  const blockHash = async (height: number) => (await ask('block', { height })).block_id.hash as string;
  const replace = (theirs: string, ours: string) => replacements.set(theirs.toLowerCase(), ours.toLowerCase());
  replace(recording('block.get').block_id.hash, await blockHash(4));
  replace(recording('tx.get').hash, signedTransfer({ nonce: 0, amount: 5n }).hash);
  replace(Buffer.from(theirAddress).toString('hex'), Buffer.from(devAddress(0)).toString('hex'));
});

afterAll(() => fixture.dispose());

describe('methods that read', () => {
  test('are all recorded, and asked at the recorded height', async () => {
    expect(await fixture.engine.status()).toMatchObject({ height: 7, mempoolSize: 0 });
    expect(new Set(all.map(({ method }) => method)).size).toBe(28);
    expect(reading.length).toBeGreaterThan(90);
  });

  test.each(named(reading))('%s', async (_, { method, args, result, error }) => {
    const ours = await ask(method, translated(args));
    if (error) {
      expect(ours).toEqual({ ok: false, status: expect.any(Number), error });
      expect([400, 404]).toContain(ours.status);
    } else {
      expect(ours).not.toHaveProperty('error');
      expectSameShape(method, ours, result);
    }
  });

  test('answer the values that do not depend on the chain as the stock node does', async () => {
    expect((await ask('status', {})).node_info).toMatchObject({
      version: recording('status.get').node_info.version,
      protocol_version: recording('status.get').node_info.protocol_version,
    });
    for (const name of [
      'block_by_hash.err-unknown-hash.get',
      'header_by_hash.err-missing-hash.get',
      'tx_search.empty.post',
      'health.get',
    ]) {
      const { method, args, result } = all.find((found) => found.name === name)!;
      expect(await ask(method, args)).toEqual(result);
    }
    const { block, evidence, ...rest } = recording('consensus_params.get').consensus_params;
    const ours = (await ask('consensus_params', { height: 4 })).consensus_params;
    // The largest there is, so that cancels cannot hide behind a backlog: the application keeps blocks small itself.
    // As Info says it, where the stock node's example application says 1 there and 0 here.
    expect(ours).toEqual({ ...rest, block: { ...block, max_bytes: '104857600' }, evidence, version: { app: '1' } });
  });
});

describe('methods around the mempool', () => {
  let nonce = 6;
  const next = () => signedTransfer({ nonce: nonce++, amount: 5n }).raw;

  test.each(named(writing))('%s', async (_, { name, method, args, result, error }: any) => {
    const isAccepted = result !== undefined && (result.check_tx ?? result).code === 0;
    const given = { ...args };
    if ('tx' in given && (isAccepted || name.includes('duplicate'))) given.tx = next();
    if (name.includes('future-nonce')) given.tx = signedTransfer({ nonce: nonce + 10 }).raw;
    if (name.includes('duplicate')) await fixture.engine.broadcast([{ raw: given.tx }]);
    if (method === 'unconfirmed_txs' || method === 'num_unconfirmed_txs')
      await fixture.engine.broadcast([{ raw: next() }, { raw: next() }]);
    const asked = ask(method, given);
    if (method === 'broadcast_tx_commit' && isAccepted) {
      // The check takes a few turns before the waiting for a block begins.
      for (let i = 0; i < 20; i++) await Promise.resolve();
      await fixture.clock.advance(1000);
    }
    const ours = await asked;
    if (error) {
      expect(ours).toEqual({ ok: false, status: 400, error });
    } else {
      expect(ours).not.toHaveProperty('error');
      expectSameShape(method, ours, result);
      expect((ours.check_tx ?? ours).code === 0).toBe((result.check_tx ?? result).code === 0);
    }
  });

  test('unconfirmed_txs keeps its limit, where the stock node answers one more', async () => {
    await fixture.engine.broadcast([{ raw: next() }, { raw: next() }]);
    expect(recording('unconfirmed_txs.get').n_txs).toBe('2');
    expect(await ask('unconfirmed_txs', { limit: 1 })).toMatchObject({ n_txs: '1', txs: [expect.any(String)] });
  });
});

describe('events', () => {
  const session = recordedSession();
  const recorded = (type: string) =>
    session.find(({ result }) => result?.data?.type === `tendermint/event/${type}`).result;

  test.each(['NewBlockHeader', 'Tx'])('%s has the recorded shape and keys', async (type) => {
    const [block] = await allEvents(fixture.engine, 4, 1);
    const event = block!.events.find((found) => found.type === type)!;
    const theirs = recorded(type);
    // The recorded transactions used gas, and left a zero out as ours do.
    const value = theirs.data.value;
    if (type === 'Tx') {
      delete value.TxResult.result.gas_wanted;
      delete value.TxResult.result.gas_used;
    }
    expect(shapeDifferences(JSON.parse(event.json), theirs.data)).toEqual([]);
    expect(Object.keys(theirs.events).filter((key) => event.events[key] === undefined)).toEqual([]);
    expect(event.events['tm.event']).toEqual([type]);
  });

  test('NewBlock is the block and its results, as libs/json writes EventDataNewBlock', async () => {
    const [block] = await allEvents(fixture.engine, 4, 1);
    const event = JSON.parse(block!.events[0]!.json);
    const { block: whole, block_id } = await ask('block', { height: 4 });
    const { txs_results, app_hash } = await ask('block_results', { height: 4 });
    expect(event).toEqual({
      type: 'tendermint/event/NewBlock',
      value: {
        block: whole,
        block_id,
        result_finalize_block: { tx_results: txs_results, validator_updates: null, app_hash },
      },
    });
    expect(Object.keys(event.value.result_finalize_block)).toEqual(['tx_results', 'validator_updates', 'app_hash']);
  });

  test('come block by block in the order in which a stock node publishes them', async () => {
    const blocks = await allEvents(fixture.engine, 1, 7);
    expect(blocks.map(({ height }) => height)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(blocks.map(({ events }) => events.map(({ type }) => type).join())).toEqual([
      ...Array.from({ length: 3 }, () => 'NewBlock,NewBlockHeader'),
      'NewBlock,NewBlockHeader,Tx',
      'NewBlock,NewBlockHeader,Tx',
      'NewBlock,NewBlockHeader,Tx,Tx,Tx,Tx',
      'NewBlock,NewBlockHeader',
    ]);
    expect(await allEvents(fixture.engine, 1_000, 5)).toEqual([]);
  });
});

test('every allowed difference was met', () => {
  expect([...used].sort()).toEqual(
    ALLOWED.flatMap(({ methods, difference }) => methods.map((method) => `${method} ${difference}`)).sort(),
  );
});

test('the application calls itself by the version of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(APPLICATION_VERSION).toBe(version);
});

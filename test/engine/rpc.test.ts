/** The chain's RPC where the recorded answers of a stock node end: proofs, pages, heights that are not there, and the mempool. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { goJson } from '../../server/engine/rpc/go-json.ts';
import { BROADCAST_COMMIT_MS_MAX } from '../../server/engine/embedded/rpc/transactions.ts';
import type { RpcArguments, RpcMethod } from '../../server/engine/port.ts';
import { CODES, parseGenesis, VERSIONS_KEPT_MAX } from '../../server/ledger/index.ts';
import { leaf, rootFromPath, runProofOps } from '../ledger/reference-tree.ts';
import {
  DEV_BALANCE,
  devAddress,
  governorAddress,
  operatorAddress,
  signedCancel,
  signedGovernance,
  signedTransfer,
} from '../ledger/support.ts';
import { createHash } from 'node:crypto';
import { allEvents } from './support/all-events.ts';
import { Fixture, GENESIS_MS, genesis } from './support/fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = new Fixture();
});
afterEach(() => fixture.dispose());

async function ask(method: RpcMethod, args: RpcArguments = {}): Promise<any> {
  const outcome = await fixture.engine.rpc(method, args);
  if (!outcome.ok) throw new Error(`${method} failed: ${outcome.status} ${JSON.stringify(outcome.error)}`);
  return JSON.parse(outcome.json);
}

async function fail(
  method: RpcMethod,
  args: RpcArguments = {},
): Promise<{ status: number; code: number; data: string }> {
  const outcome = await fixture.engine.rpc(method, args);
  if (outcome.ok) throw new Error(`${method} answered ${outcome.json}`);
  return { status: outcome.status, code: outcome.error.code, data: outcome.error.data };
}

/** Commits these transactions as the next block, and the empty one after it. */
async function block(...transactions: { raw: Uint8Array }[]): Promise<void> {
  const results = await fixture.engine.broadcast(transactions.map(({ raw }) => ({ raw })));
  const refused = results.find(({ code }) => code !== 0);
  if (refused) throw new Error(refused.log);
  await fixture.clock.advance(2000);
}

const text = (base64: string) => Buffer.from(base64, 'base64').toString('utf8');
const bytes = (base64: string) => Buffer.from(base64, 'base64');
const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest();

/** What a light client does with the answer: the operations must lead to the application hash in the next header. */
async function expectProven({ response }: any): Promise<void> {
  const ops = response.proofOps.ops.map((op: any) => ({ type: op.type, key: bytes(op.key), data: bytes(op.data) }));
  expect(ops.map(({ key }: any) => key.toString())).toEqual([
    text(response.key),
    expect.stringMatching(/^(accounts|governance)$/),
  ]);
  const { header } = await ask('header', { height: Number(response.height) + 1 });
  expect(runProofOps(bytes(response.value), ops).toString('hex').toUpperCase()).toBe(header.app_hash);
}

describe('abci_query', () => {
  const account = (height: number | undefined, address = devAddress(0), prove = true) =>
    ask('abci_query', { path: '/store/accounts/key', data: Buffer.from(address), height, prove });

  test('answers for the last height whose application hash stands in a header, and proves it', async () => {
    await fixture.start();
    await fixture.clock.advance(0);
    await block(signedTransfer({ nonce: 0, amount: 5n }));
    const { height } = await fixture.engine.status();
    const answer = await account(undefined);
    expect(answer.response).toMatchObject({ code: 0, log: '', height: String(height - 1), codespace: '' });
    expect(text(answer.response.value)).toBe(`{"balance":"${DEV_BALANCE - 5n}","nonce":1,"void":""}`);
    await expectProven(answer);
    expect((await account(0, devAddress(0), false)).response.proofOps).toBeNull();
  });

  test('proves every kept height against its own header', async () => {
    await fixture.start();
    await fixture.clock.advance(0);
    for (let nonce = 0; nonce < 5; nonce++)
      await block(signedTransfer({ nonce, amount: 7n, to: operatorAddress(5 + nonce) }));
    await block(signedGovernance(), signedCancel({ from: 3, nonce: 2 }));
    const { height: tip } = await fixture.engine.status();
    const balances = new Set<string>();
    for (let height = 1; height < tip; height++) {
      const answer = await account(height);
      expect(answer.response.height).toBe(String(height));
      balances.add(text(answer.response.value));
      await expectProven(answer);
      await expectProven(
        await ask('abci_query', {
          path: '/store/governance/key',
          data: Buffer.from('cancellers'),
          height,
          prove: true,
        }),
      );
    }
    expect(balances.size).toBe(6);
    // The newest state is there too; its proof holds as soon as the next header is.
    const newest = await account(tip);
    await fixture.clock.advance(10_000);
    await expectProven(newest);
  });

  test('says which heights it can answer for', async () => {
    await fixture.start();
    await fixture.clock.advance(0);
    await block(signedTransfer({ nonce: 0 }));
    const { height: tip } = await fixture.engine.status();
    for (const height of [tip + 1, -1]) {
      const { response } = await account(height);
      expect(response).toMatchObject({
        code: 2,
        codespace: 'txledger-query',
        log: `height ${height} is not available, this node answers for 0 to ${tip}`,
      });
    }
    // A restart forgets: the first new block opens the way back again.
    await fixture.restart();
    expect((await account(undefined)).response.height).toBe(String(tip));
    expect((await account(tip - 1)).response.code).toBe(2);
    await fixture.clock.advance(10_000);
    const answer = await account(undefined);
    expect(Number(answer.response.height)).toBe((await fixture.engine.status()).height - 1);
    await expectProven(answer);
  });

  test('keeps a bounded number of heights', async () => {
    await fixture.start();
    await fixture.clock.advance(9_500 * (VERSIONS_KEPT_MAX + 5));
    const { height: tip } = await fixture.engine.status();
    expect((await account(tip - VERSIONS_KEPT_MAX)).response.code).toBe(0);
    expect((await account(tip - VERSIONS_KEPT_MAX - 1)).response.code).toBe(2);
  });

  test('answers an unknown key without a value, and an unknown path with a code', async () => {
    await fixture.start();
    await fixture.clock.advance(0);
    expect((await account(undefined, operatorAddress(9))).response).toMatchObject({
      code: 0,
      value: null,
      proofOps: null,
      log: 'there is no such key',
    });
    for (const path of ['', '/store/accounts', '/store/nothing/key', 'store/accounts/key', '/accounts', '/account/']) {
      expect((await ask('abci_query', { path })).response).toMatchObject({
        code: 1,
        log: `unknown path ${path}`,
        value: null,
      });
    }
    expect(await fail('abci_query', { path: '/account', data: Buffer.alloc(257) })).toMatchObject({
      status: 400,
      code: -32603,
    });
  });

  test('has paths for people, at the latest height', async () => {
    await fixture.start();
    await fixture.clock.advance(0);
    await fixture.engine.broadcast([{ raw: signedTransfer({ nonce: 0, amount: 5n }).raw }]);
    await fixture.clock.advance(1000);
    const value = async (args: RpcArguments) => text((await ask('abci_query', args)).response.value);
    const mine = `{"balance":"${DEV_BALANCE - 5n}","nonce":1,"void":""}`;
    expect(await value({ path: '/account', data: Buffer.from(devAddress(0)) })).toBe(mine);
    expect(await value({ path: `/account/${devAddress(0)}` })).toBe(mine);
    expect(await value({ path: '/account', data: Buffer.from(devAddress(0)), height: 1 })).toBe(
      `{"balance":"${DEV_BALANCE}","nonce":0,"void":""}`,
    );
    expect(await value({ path: `/account/${operatorAddress(9)}` })).toBe('{"balance":"0","nonce":0,"void":""}');
    expect((await ask('abci_query', { path: '/account', data: Buffer.from('nobody') })).response).toMatchObject({
      code: 3,
      value: null,
    });
    expect(JSON.parse(await value({ path: '/governance' }))).toEqual({
      cancellers: [operatorAddress(0)],
      currency: { code: 'TST', scale: 2 },
      governors: [governorAddress(0)],
      openingMinimum: '1',
      rules: [{ height: 1, version: 1 }],
      threshold: 1,
      sequence: 0,
      validators: [{ power: 10, publicKey: genesis.validators[0]?.publicKey }],
    });
  });
});

describe('before the first block', () => {
  beforeEach(async () => {
    fixture.clock.jump(GENESIS_MS - 1000 - fixture.clock.nowMs());
    await fixture.start();
    await fixture.clock.advance(0);
  });

  test('the latest of everything is nothing, as on a stock node', async () => {
    expect(await ask('block')).toEqual({ block_id: { hash: '', parts: { total: 0, hash: '' } }, block: null });
    expect(await ask('header')).toEqual({ header: null });
    expect(await ask('commit')).toBeNull();
    expect((await ask('status')).sync_info).toMatchObject({
      latest_block_height: '0',
      latest_block_hash: '',
      latest_block_time: '1970-01-01T00:00:00Z',
    });
    expect((await ask('abci_info')).response).not.toHaveProperty('last_block_height');
    expect((await ask('validators')).block_height).toBe('1');
    expect((await ask('dump_consensus_state')).round_state).toMatchObject({ height: '1', last_commit: null });
    expect(await ask('tx_search', { query: 'tx.height > 0' })).toEqual({ txs: [], total_count: '0' });
    expect(await ask('block_search', { query: 'block.height > 0' })).toEqual({ blocks: [], total_count: '0' });
    expect(await allEvents(fixture.engine, 1, 10)).toEqual([]);
  });

  test('what needs a block fails with the texts of a stock node', async () => {
    expect(await fail('block_results')).toEqual({
      status: 404,
      code: -32603,
      data: 'could not find results for height #0',
    });
    expect(await fail('blockchain')).toMatchObject({ data: "min height 1 can't be greater than max height 0" });
    expect(await fail('block', { height: 1 })).toEqual({
      status: 404,
      code: -32603,
      data: 'height 1 must be less than or equal to the current blockchain height 0',
    });
  });
});

describe('lists', () => {
  const transfers = Array.from({ length: 70 }, (_, nonce) => signedTransfer({ nonce, to: 1 + (nonce % 2) }));

  beforeEach(async () => {
    await fixture.start();
    await fixture.clock.advance(0);
    for (let i = 0; i < 70; i += 35) await block(...transfers.slice(i, i + 35));
  });

  test('tx_search joins its pages to the whole list, in either order', async () => {
    const hashes = transfers.map(({ hash }) => hash);
    for (const [order_by, expected] of [
      ['asc', hashes],
      ['desc', hashes.toReversed()],
      ['', hashes],
    ] as const) {
      const found: string[] = [];
      for (let page = 1; page <= 7; page++) {
        const { txs, total_count } = await ask('tx_search', {
          query: `transfer.from='${devAddress(0)}'`,
          page,
          per_page: 10,
          order_by,
        });
        expect(total_count).toBe('70');
        found.push(...txs.map(({ hash }: any) => hash));
      }
      expect(found).toEqual(expected);
    }
    const query = `transfer.from='${devAddress(0)}'`;
    expect(await fail('tx_search', { query, page: 8, per_page: 10 })).toMatchObject({
      status: 400,
      data: 'page should be within [1, 7] range, given 8',
    });
    expect(await fail('tx_search', { query, page: 0 })).toMatchObject({
      data: 'page should be within [1, 3] range, given 0',
    });
    expect((await ask('tx_search', { query })).txs.length).toBe(30);
    expect((await ask('tx_search', { query, per_page: 0 })).txs.length).toBe(30);
    expect((await ask('tx_search', { query, per_page: 1_000_000 })).txs.length).toBe(70);
  });

  test('tx_search combines conditions, and finds nothing where nothing is', async () => {
    const total = async (query: string) => (await ask('tx_search', { query, per_page: 1 })).total_count;
    const [from, to] = [`transfer.from='${devAddress(0)}'`, `transfer.to='${devAddress(1)}'`];
    expect(await total(`${from} AND ${to}`)).toBe('35');
    expect(await total(`${from} AND ${to} AND tx.height = 2`)).toBe('18');
    expect(await total('transfer.nonce = 69')).toBe('1');
    expect(await total('transfer.nonce >= 60 AND transfer EXISTS')).toBe('10');
    expect(await total(`tx.hash='${transfers[5]!.hash}'`)).toBe('1');
    expect(await total(`tx.hash='${transfers[5]!.hash.toLowerCase()}' AND tx.height=2`)).toBe('1');
    expect(await total(`tx.hash='${transfers[5]!.hash}' AND tx.height=4`)).toBe('0');
    expect(await total(`tx.hash='${'0'.repeat(64)}'`)).toBe('0');
    expect(await total(`tx.hash='${transfers[5]!.hash}' AND tx.hash='${transfers[6]!.hash}'`)).toBe('0');
    expect(await fail('tx_search', { query: "tx.hash='xyz'" })).toMatchObject({
      status: 400,
      data: expect.stringContaining('is not hex'),
    });
    expect(await total("tm.event='Tx'")).toBe('0');
    expect(await fail('tx_search', { query: `a='${'x'.repeat(600)}'` })).toMatchObject({
      status: 400,
      data: 'maximum query length exceeded',
    });
    expect(await fail('tx_search', { query: Array(9).fill('a=1').join(' AND ') })).toMatchObject({ status: 400 });
  });

  test('tx proves its place in the block', async () => {
    for (const { hash, raw } of [transfers[0]!, transfers[34]!, transfers[50]!]) {
      const { proof, height, index, tx } = await ask('tx', { hash: Buffer.from(hash, 'hex'), prove: true });
      expect(bytes(tx)).toEqual(Buffer.from(raw));
      const leafHash = leaf(sha256(raw));
      expect(bytes(proof.proof.leaf_hash)).toEqual(leafHash);
      expect(Number(proof.proof.index)).toBe(index);
      const root = rootFromPath(index, Number(proof.proof.total), leafHash, proof.proof.aunts.map(bytes))!
        .toString('hex')
        .toUpperCase();
      expect(root).toBe(proof.root_hash);
      expect(root).toBe((await ask('header', { height: Number(height) })).header.data_hash);
    }
  });

  test('tx finds nothing under what is no hash', async () => {
    for (const hash of [Buffer.of(1, 2, 3), Buffer.alloc(33)]) {
      expect(await fail('tx', { hash })).toEqual({
        status: 404,
        code: -32603,
        data: `tx (${hash.toString('hex').toUpperCase()}) not found`,
      });
    }
  });

  test('block_search answers ranges of heights, the latest first', async () => {
    const heights = async (args: RpcArguments) =>
      (await ask('block_search', args)).blocks.map(({ block: { header } }: any) => Number(header.height));
    expect(await heights({ query: 'block.height > 1 AND block.height <= 4' })).toEqual([4, 3, 2]);
    expect(await heights({ query: 'block.height > 0', order_by: 'asc', per_page: 2, page: 2 })).toEqual([3, 4]);
    expect(await heights({ query: "block.height > 0 AND reward.to = 'x'" })).toEqual([]);
    expect(await fail('block_search', { query: 'block.height > 0', page: 9 })).toMatchObject({
      data: 'page should be within [1, 1] range, given 9',
    });
    expect(await fail('block_search', { query: 'block.height > 0', order_by: 'up' })).toMatchObject({ status: 400 });
  });

  test('blockchain lists at most twenty headers, the latest first', async () => {
    await fixture.clock.advance(9_500 * 30);
    const { height: tip } = await fixture.engine.status();
    const heights = async (minHeight: number, maxHeight: number) =>
      (await ask('blockchain', { minHeight, maxHeight })).block_metas.map(({ header }: any) => Number(header.height));
    const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i);
    expect(await heights(0, 0)).toEqual(down(tip, tip - 19));
    expect(await heights(1, 5)).toEqual(down(5, 1));
    expect(await heights(3, 0)).toEqual(down(tip, tip - 19));
    expect(await heights(tip - 2, tip + 100)).toEqual(down(tip, tip - 2));
    expect(await heights(0, 3)).toEqual(down(3, 1));
    expect(await fail('blockchain', { minHeight: tip + 5, maxHeight: tip + 9 })).toMatchObject({
      data: `min height ${tip + 5} can't be greater than max height ${tip}`,
    });
    expect(await fail('blockchain', { minHeight: -1 })).toMatchObject({ data: 'heights must be non-negative' });
  });

  test('commit is canonical once it stands in the next block', async () => {
    const { height: tip } = await fixture.engine.status();
    const { canonical, signed_header } = await ask('commit', { height: tip - 1 });
    expect(canonical).toBe(true);
    expect(signed_header.commit).toEqual((await ask('block', { height: tip })).block.last_commit);
    expect(await ask('commit')).toMatchObject({ canonical: false, signed_header: { commit: { height: String(tip) } } });
    expect((await ask('commit', { height: tip })).canonical).toBe(false);
  });

  test('validators has one page', async () => {
    expect((await ask('validators', { page: 1, per_page: 5 })).count).toBe('1');
    expect(await fail('validators', { page: 2 })).toMatchObject({
      status: 400,
      data: 'page should be within [1, 1] range, given 2',
    });
  });
});

describe('the mempool', () => {
  beforeEach(async () => {
    await fixture.start();
    await fixture.clock.advance(0);
  });

  test('check_tx judges and keeps nothing', async () => {
    const { raw } = signedTransfer({ nonce: 0 });
    expect(await ask('check_tx', { tx: raw })).toMatchObject({ code: 0, log: '', codespace: '' });
    expect(await ask('check_tx', { tx: signedTransfer({ nonce: 0, amount: 2n }).raw })).toMatchObject({ code: 0 });
    expect(await ask('check_tx', { tx: signedTransfer({ nonce: 1 }).raw })).toMatchObject({
      code: CODES.nonce_gap,
      codespace: 'txledger',
    });
    expect((await fixture.engine.status()).mempoolSize).toBe(0);
    await fixture.engine.broadcast([{ raw }]);
    expect(await ask('check_tx', { tx: signedTransfer({ nonce: 1 }).raw })).toMatchObject({ code: 0 });
    expect(await ask('check_tx', { tx: signedTransfer({ nonce: 0, amount: 2n }).raw })).toMatchObject({
      code: CODES.check_nonce_taken,
    });
  });

  test('unconfirmed_txs lists cancels before transfers, and how much waits in all', async () => {
    const sent = [signedTransfer({ nonce: 0 }), signedTransfer({ nonce: 1 }), signedCancel({ from: 2, nonce: 5 })];
    await fixture.engine.broadcast(sent);
    const { n_txs, total, total_bytes, txs } = await ask('unconfirmed_txs', { limit: 2 });
    expect([n_txs, total, Number(total_bytes)]).toEqual(['2', '3', sent.reduce((sum, { raw }) => sum + raw.length, 0)]);
    expect(txs.map(bytes)).toEqual([Buffer.from(sent[2]!.raw), Buffer.from(sent[0]!.raw)]);
    expect(await ask('num_unconfirmed_txs')).toEqual({ n_txs: '3', total: '3', total_bytes, txs: null });
  });

  const turns = async () => {
    for (let i = 0; i < 20; i++) await Promise.resolve();
  };

  test('broadcast_tx_commit answers what the block did, also when it failed', async () => {
    await fixture.engine.broadcast([{ raw: signedTransfer({ from: 2, to: 3, amount: DEV_BALANCE }).raw }]);
    const failing = signedTransfer({ from: 3, to: 4, amount: 2n * DEV_BALANCE });
    const asked = ask('broadcast_tx_commit', { tx: failing.raw });
    await turns();
    // A cancel goes first and takes the money away again that the check had counted on.
    await fixture.engine.broadcast([{ raw: signedCancel({ from: 2, nonce: 0 }).raw }]);
    await fixture.clock.advance(1000);
    expect(await asked).toMatchObject({
      check_tx: { code: 0 },
      tx_result: { code: CODES.insufficient_funds, codespace: 'txledger', events: [{ type: 'transfer_failed' }] },
      hash: failing.hash,
      height: '2',
    });
  });

  test('broadcast_tx_commit names the transaction when its time is up', async () => {
    // A clock that jumps ahead holds all blocks.
    fixture.clock.jump(60_000);
    const { raw, hash } = signedTransfer({ nonce: 0 });
    const asked = fail('broadcast_tx_commit', { tx: raw });
    await turns();
    await fixture.clock.advance(BROADCAST_COMMIT_MS_MAX);
    expect(await asked).toEqual({
      status: 503,
      code: -32603,
      data: `timed out waiting for tx to be included in a block (tx ${hash})`,
    });
  });
});

describe('genesis', () => {
  beforeEach(() => fixture.start());

  test('is the file, as CometBFT prints it, whole or in chunks', async () => {
    const { genesis: document } = await ask('genesis');
    expect(document).toEqual(JSON.parse(Buffer.from(genesis.bytes).toString('utf8')));
    const { chunk, total, data } = await ask('genesis_chunked', { chunk: 0 });
    expect([chunk, total]).toEqual(['0', '1']);
    expect(text(data)).toBe(JSON.stringify(document));
    const parsed = parseGenesis(bytes(data));
    expect(parsed.ok && parsed.genesis.accounts).toEqual(genesis.accounts);
    expect(await fail('genesis_chunked', { chunk: 1 })).toMatchObject({ data: 'there are 0 chunks, 1 is invalid' });
  });
});

describe('arguments', () => {
  beforeEach(async () => {
    await fixture.start();
    await fixture.clock.advance(0);
  });

  test('of the wrong type are refused as invalid', async () => {
    const wrong: [RpcMethod, RpcArguments][] = [
      ['block', { height: '1' }],
      ['block', { height: 1.5 }],
      ['tx', { hash: 'AB' }],
      ['tx_search', { query: 5 }],
    ];
    for (const [method, args] of wrong) {
      expect(await fail(method, args)).toMatchObject({ status: 400, code: -32602 });
    }
  });

  test('may be any int64', async () => {
    expect(await fail('block', { height: 2n ** 63n - 1n })).toMatchObject({
      data: 'height 9223372036854775807 must be less than or equal to the current blockchain height 1',
    });
    expect(await fail('header', { height: -(2n ** 63n) })).toMatchObject({
      data: 'height must be greater than 0, but got -9223372036854775808',
    });
    expect((await ask('validators', { height: 1n })).block_height).toBe('1');
  });

  test('are not needed by broadcast_evidence to be refused', async () => {
    expect(await fail('broadcast_evidence', { evidence: '{"type":"tendermint/DuplicateVoteEvidence"}' })).toEqual({
      status: 400,
      code: -32603,
      data: 'evidence has no meaning here: one validator signs this chain alone',
    });
  });
});

test('JSON escapes what Go escapes', () => {
  expect(goJson({ '<a>': 'b & \u2028\u2029 "ä" \n' })).toBe(
    '{"\\u003ca\\u003e":"b \\u0026 \\u2028\\u2029 \\"ä\\" \\n"}',
  );
});

test('a closed engine answers nothing', async () => {
  const engine = await fixture.start();
  await fixture.stop();
  await expect(engine.rpc('health', {})).rejects.toThrow('closed');
  await expect(allEvents(engine, 1, 1)).rejects.toThrow('closed');
});

/** What a restart finds and does: after a crash at any moment of a block's one durable step, and with files that do not belong together. */
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { blockId, dataHash, decodeCommit, encodeBlock, upperHex } from '../../server/engine/encoding/index.ts';
import { AT_START_BLOCKS, readBlock, SLICE_BLOCKS } from '../../server/engine/embedded/history-check.ts';
import {
  enginePaths,
  sqliteChainStore,
  validatorKeyFromSeed,
  type ExecutedBlock,
} from '../../server/engine/embedded/index.ts';
import type { CommittedBlock } from '../../server/engine/port.ts';
import { finalizeBlock, LedgerState } from '../../server/ledger/index.ts';
import { openChainReader } from '../../server/store/embedded/connection.ts';
import {
  signedCancel,
  signedTransfer,
  testGenesis,
  validatorKey as publicKeyHex,
  validatorSeed,
} from '../ledger/support.ts';
import { crashing, MOMENTS, type Moment } from './support/crash.ts';
import { Fixture, genesis } from './support/fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = new Fixture();
});
afterEach(() => fixture.dispose());

const raw = (nonce: number) => signedTransfer({ from: 0, to: 1, nonce, amount: 3n }).raw;

/** A chain of some blocks with a transfer each, then stopped. */
async function makeChain(blocks: number): Promise<void> {
  const engine = await fixture.start();
  await fixture.clock.advance(0);
  for (let nonce = 0; nonce < blocks - 1; nonce++) {
    await engine.broadcast([{ raw: raw(nonce) }]);
    await fixture.clock.advance(1000);
  }
  expect((await engine.status()).height).toBe(blocks);
  await fixture.stop();
}

/** One block more, without a transaction, then stopped. */
async function makeEmptyBlock(): Promise<void> {
  await fixture.start();
  await fixture.clock.advance(9_500);
  await fixture.stop();
}

/** Executes the whole chain from genesis, with nothing but the ledger. */
function replay(blocks: readonly CommittedBlock[]): string {
  const state = LedgerState.fromGenesis(genesis);
  for (const block of blocks) {
    const { transactions, codes } = block;
    const finalized = finalizeBlock(state, transactions, block);
    expect(finalized.results.map(({ code }) => code)).toEqual(codes);
    state.commit(finalized);
  }
  return upperHex(state.appHash);
}

async function allBlocks(): Promise<CommittedBlock[]> {
  const blocks = fixture.blocks(1, 100);
  blocks.forEach((block, i) => {
    expect(block.height).toBe(i + 1);
    expect(block.parentHash).toBe(blocks[i - 1]?.hash ?? '');
    expect(block.timeMs).toBeGreaterThan(blocks[i - 1]?.timeMs ?? 0);
  });
  return blocks;
}

const signatureAt = (height: number): string =>
  fixture.withChain((store) =>
    upperHex(decodeCommit(store.commit(height) ?? new Uint8Array()).signatures[0]?.signature ?? new Uint8Array()),
  );

/** What the tables hold, by the heights that they name. */
const heightsIn = (table: string): number[] =>
  fixture.withChain(
    (_, sql) =>
      sql.prepare(`SELECT height FROM ${table} WHERE height IS NOT NULL ORDER BY height`).pluck().all() as number[],
  );

describe('a block is one durable step', () => {
  /** Starts an engine whose third block crashes at this moment. */
  async function startCrashing(moment: Moment, applied: (block: ExecutedBlock) => void = () => {}) {
    const { database, settle } = fixture.open();
    const height = () => database.sql.prepare('SELECT coalesce(max(height), 0) FROM blocks').pluck().get() as number;
    // From the start of the third block until its end: inside and after the step it counts itself.
    const due = () => height() >= (moment === 'before the step' ? 2 : 3);
    const crashes = crashing({ database, settle }, moment, due);
    return await fixture.start({ chain: sqliteChainStore(crashes.database), settle: crashes.settle, applied });
  }

  test.each(MOMENTS)(
    'a crash %s leaves the whole block or nothing of it, and executes nothing twice',
    async (moment) => {
      const applied: number[] = [];
      const crashed = await startCrashing(moment, ({ stored }) => applied.push(stored.height));
      await fixture.clock.advance(0);
      await crashed.broadcast([{ raw: raw(0) }]);
      await fixture.clock.advance(1000);
      await crashed.broadcast([{ raw: raw(1) }, { raw: signedCancel({ from: 5, nonce: 3 }).raw }]);
      const waiting = crashed.waitForHeight(3, 60_000);
      await fixture.clock.advance(1000);
      // Nothing of a block is visible before its step has returned, and memory that is ahead of the disk is not shown.
      expect(fixture.fatal.map(({ name }) => name)).toEqual(['Crash']);
      expect(await crashed.status()).toMatchObject({ height: 2, healthy: false });
      expect((await crashed.rpc('block', { height: 3 })).ok).toBe(false);
      expect((await crashed.rpc('block', { height: 2 })).ok).toBe(true);
      expect(applied).toEqual([1, 2]);
      const query = await crashed.rpc('abci_query', { path: '/account', data: Buffer.from(signedTransfer().tx.from) });
      expect(JSON.parse(query.ok ? query.json : '{}').response.height).toBe('2');
      await fixture.stop();
      expect(await waiting).toBe(2);

      const stored = moment === 'after the step' ? 3 : 2;
      expect(heightsIn('blocks')).toEqual(Array.from({ length: stored }, (_, i) => i + 1));
      expect(heightsIn('sign_state')).toEqual([stored]);
      expect(heightsIn('transfers')).toEqual([2, 3].slice(0, stored - 1));
      expect(heightsIn('other_transactions')).toEqual(stored === 3 ? [3] : []);
      expect(fixture.signState()).toMatchObject({ height: stored });
      const signed = signatureAt(stored);
      expect(upperHex(fixture.signState().signature ?? new Uint8Array())).toBe(signed);

      await fixture.clock.advance(5_000);
      const engine = await fixture.start();
      expect((await engine.status()).height).toBe(stored);
      await engine.broadcast([{ raw: raw(1) }, { raw: raw(2) }]);
      await fixture.clock.advance(2_000);
      const blocks = await allBlocks();
      const sent = blocks
        .flatMap(({ transactions }) => transactions.map((tx) => Buffer.from(tx).toString()))
        .filter((text) => !text.includes('"txHash"'));
      expect(sent).toEqual([raw(0), raw(1), raw(2)].map((tx) => Buffer.from(tx).toString()));
      expect(blocks.at(-1)?.appHash).toBe(replay(blocks));
      await fixture.stop();
      expect(signatureAt(stored)).toBe(signed);
    },
  );

  test('what settles is written in the transaction of the block, and sees it there', async () => {
    const { sql, settle } = fixture.open();
    const seen: [height: number, inTransaction: boolean, stored: number][] = [];
    const lastHeight = sql.prepare('SELECT max(height) FROM blocks').pluck();
    const engine = await fixture.start({
      settle(block) {
        seen.push([block.stored.height, sql.inTransaction, lastHeight.get() as number]);
        settle(block);
      },
    });
    await fixture.clock.advance(0);
    await engine.broadcast([{ raw: raw(0) }]);
    await fixture.clock.advance(1000);
    expect(seen).toEqual([
      [1, true, 1],
      [2, true, 2],
    ]);
  });

  test('the owner of the rows hears of a block when it is on disk, before anyone who waits for it, with everything that it changed', async () => {
    fixture.open();
    const reader = openChainReader(enginePaths(fixture.dataDir).chain);
    const heard: string[] = [];
    const blocks: ExecutedBlock[] = [];
    const engine = await fixture.start({
      applied(block) {
        blocks.push(block);
        const onDisk = reader.prepare('SELECT max(height) FROM blocks').pluck().get() as number;
        heard.push(`applied ${block.stored.height}, ${onDisk} on disk`);
      },
    });
    await fixture.clock.advance(0);
    const transaction = signedTransfer({ from: 0, to: 1, amount: 3n });
    void engine.waitForHeight(2, 60_000).then((height) => heard.push(`waited for ${height}`));
    expect(await engine.broadcast([{ raw: transaction.raw, transaction }])).toEqual([{ code: 0, log: '' }]);
    await fixture.clock.advance(1000);
    reader.close();
    expect(heard).toEqual(['applied 1, 1 on disk', 'applied 2, 2 on disk', 'waited for 2']);
    const [, block] = blocks;
    // The very object: nothing of it was made again on the way.
    expect(block?.transactions.length).toBe(1);
    expect(block?.transactions[0]).toBe(transaction);
    expect(block).toMatchObject({ stateChanged: true, governance: undefined, results: [{ code: 0, log: '' }] });
    expect(block?.accounts.map(({ account: { nonce } }) => nonce)).toEqual([1, 0]);
  });

  test('a copy from before the last start is refused, also when the process was killed', async () => {
    await makeChain(3);
    const { chain, signState } = enginePaths(fixture.dataDir);
    copyFileSync(chain, `${chain}.old`);
    await makeEmptyBlock();
    rmSync(signState);
    await fixture.start();
    // As after a kill: the engine does not close, so what it exported at its start is all there is.
    const exported = readFileSync(signState);
    await fixture.stop();
    writeFileSync(signState, exported);
    copyFileSync(`${chain}.old`, chain);
    await expect(fixture.start()).rejects.toThrow(
      /chain\.db is missing or an old copy: priv_validator_state\.json says height 4/,
    );
  });

  test('the signature is exported when the engine closes, and not with each block', async () => {
    const engine = await fixture.start();
    await fixture.clock.advance(9_500 * 2);
    expect((await engine.status()).height).toBe(3);
    expect(existsSync(enginePaths(fixture.dataDir).signState)).toBe(false);
    await fixture.stop();
    expect(fixture.signState()).toMatchObject({ height: 3, round: 0, step: 3 });
    expect(fixture.withChain((store) => store.lastSigned())).toEqual(fixture.signState());
  });

  test('a chain that was stopped before its first block, or killed without an export, goes on', async () => {
    await fixture.start();
    await fixture.stop();
    expect(existsSync(enginePaths(fixture.dataDir).signState)).toBe(false);
    await makeChain(3);
    rmSync(enginePaths(fixture.dataDir).signState);
    expect((await (await fixture.start()).status()).height).toBe(3);
  });
});

test('transactions are found by hash, wherever they are', async () => {
  await makeChain(4);
  const transfer = Buffer.from(signedTransfer({ from: 0, to: 1, nonce: 1, amount: 3n }).hash, 'hex');
  const cancel = signedCancel({ from: 5, nonce: 3 });
  const engine = await fixture.start();
  await engine.broadcast([{ raw: cancel.raw }]);
  await fixture.clock.advance(1000);
  await fixture.stop();
  fixture.withChain((store, sql) => {
    expect(store.locate(transfer)).toEqual([{ height: 3, index: 0 }]);
    expect(store.locate(Buffer.from(cancel.hash, 'hex'))).toEqual([{ height: 5, index: 0 }]);
    // Another hash with the same first bytes, in a newer segment, is not mistaken for it; and an older segment is looked at too.
    const other = Buffer.concat([transfer.subarray(0, 6), Buffer.alloc(26, 1)]);
    sql
      .prepare(
        'INSERT INTO transfers (seq, hash, from_id, to_id, amount, nonce, status, first_seen_at_ms, height, position) VALUES (70000, ?, 1, 1, 1, 0, 1, 0, 2, 0)',
      )
      .run(other);
    sql.prepare('INSERT INTO by_hash (segment, prefix, seq) VALUES (1, ?, 70000)').run(other.readUIntBE(0, 6));
    expect(store.locate(transfer)).toEqual([{ height: 3, index: 0 }]);
    expect(store.locate(other)).toEqual([{ height: 2, index: 0 }]);
    expect(store.locate(Buffer.concat([transfer.subarray(0, 6), Buffer.alloc(26, 2)]))).toEqual([]);
    // A transfer that a block executed under another signature is found by the hash of those bytes.
    sql.prepare('UPDATE transfers SET executed_as = hash, hash = ? WHERE seq = 70000').run(Buffer.alloc(32, 9));
    expect(store.locate(other)).toEqual([{ height: 2, index: 0 }]);
  });
});

describe('files that do not belong together, or that were changed, refuse to start', () => {
  const refuses = (message: RegExp, changes = {}) => expect(fixture.start(changes)).rejects.toThrow(message);
  const chain = () => enginePaths(fixture.dataDir).chain;
  const tamper = (statement: string, ...values: unknown[]) =>
    fixture.withChain((_, sql) => void sql.prepare(statement).run(...values));

  test('chain.db gone: nothing is signed again from genesis', async () => {
    await makeChain(4);
    rmSync(chain());
    await refuses(
      /chain\.db is missing or an old copy: priv_validator_state\.json says height 4, round 0, step 3, and the last block of chain\.db is 0\. .* Put the chain\.db back that belongs to priv_validator_state\.json/,
    );
    expect(fixture.withChain((store) => store.load())).toBeUndefined();
    expect(fixture.signState()).toMatchObject({ height: 4 });
  });

  test('chain.db from an old copy: no second block is signed at a signed height', async () => {
    await makeChain(3);
    copyFileSync(chain(), `${chain()}.old`);
    await fixture.start();
    await fixture.clock.advance(20_000);
    await fixture.stop();
    const signed = fixture.signState();
    expect(signed.height).toBeGreaterThan(3);
    copyFileSync(`${chain()}.old`, chain());
    await refuses(/chain\.db is missing or an old copy/);
    await fixture.clock.advance(20_000);
    expect(fixture.signState()).toEqual(signed);
    expect(heightsIn('blocks')).toEqual([1, 2, 3]);
  });

  test('chain.db from an old copy that went its own way to the same height', async () => {
    await makeChain(3);
    const { signState } = enginePaths(fixture.dataDir);
    copyFileSync(chain(), `${chain()}.old`);
    await fixture.start();
    await fixture.clock.advance(9_500);
    await fixture.stop();
    const signed = fixture.signState();
    expect(signed.height).toBe(4);
    copyFileSync(signState, `${signState}.new`);
    copyFileSync(`${chain()}.old`, chain());
    rmSync(signState);
    await fixture.clock.advance(5);
    await fixture.start();
    await fixture.clock.advance(0);
    expect((await fixture.engine.status()).height).toBe(4);
    await fixture.stop();
    copyFileSync(`${signState}.new`, signState);
    await refuses(/chain\.db is of another history: .* with another signature/);
    expect(fixture.signState()).toEqual(signed);
  });

  test('a signing state at the same height but a later round, or one that is unreadable; one that is lower or absent does no harm', async () => {
    await makeChain(4);
    const { signState } = enginePaths(fixture.dataDir);
    const text = readFileSync(signState, 'utf8');
    writeFileSync(signState, text.replace('"round": 0', '"round": 1'));
    await refuses(/chain\.db is missing or an old copy: priv_validator_state\.json says height 4, round 1/);
    writeFileSync(signState, text.slice(0, 40));
    await refuses(/priv_validator_state\.json is unreadable/);
    writeFileSync(signState, text.replace('"height": "4"', '"height": "2"'));
    await fixture.start();
    await fixture.stop();
    expect(fixture.signState()).toMatchObject({ height: 4 });
  });

  test('a recorded signature that is not the one under the last block, or that is gone', async () => {
    await makeChain(4);
    rmSync(enginePaths(fixture.dataDir).signState);
    const signed = fixture.withChain((store) => store.lastSigned());
    const message =
      /chain\.db is damaged: the signature that it recorded last, at height \d, is not the one under its last block, 4\. Put a backup of chain\.db back/;
    for (const change of ['height = 3', 'height = 5', "signature = x'00'", "sign_bytes = x'00'", 'signature = NULL']) {
      tamper(`UPDATE sign_state SET ${change}`);
      await refuses(message);
      tamper(
        'UPDATE sign_state SET height = ?, signature = ?, sign_bytes = ?',
        signed?.height,
        signed?.signature,
        signed?.signBytes,
      );
    }
    await fixture.start();
    await fixture.stop();
    rmSync(enginePaths(fixture.dataDir).signState);
    tamper('DELETE FROM sign_state');
    await refuses(message);
  });

  test('a changed balance', async () => {
    await makeChain(3);
    tamper('UPDATE accounts SET balance = balance + 1 WHERE leaf = 4');
    await refuses(
      /chain\.db is damaged: its accounts give the application hash .* at height 3, where .* was recorded\. Put a backup of chain\.db back/,
    );
  });

  test('a changed balance before the first block', async () => {
    await fixture.start();
    await fixture.stop();
    tamper('UPDATE accounts SET balance = balance + 1 WHERE leaf = 4');
    await refuses(/chain\.db is damaged: its accounts give the application hash .* at height 0/);
  });

  test('a lost account', async () => {
    await makeChain(3);
    tamper('DELETE FROM accounts WHERE leaf = 4');
    await refuses(/chain\.db is damaged: the stored accounts are damaged at leaf 4\. Put a backup of chain\.db back/);
  });

  test.each(['DELETE FROM governance', "UPDATE governance SET record = '{'"])(
    'no record of governance: %s',
    async (change) => {
      await makeChain(3);
      tamper(change);
      await refuses(/chain\.db is damaged: it has no record of governance\. Put a backup of chain\.db back/);
    },
  );

  test('a last block that does not name what was recorded before it', async () => {
    await makeChain(3);
    for (const [column, name] of [
      ['app_hash', 'application'],
      ['results_hash', 'results'],
    ] as const) {
      const before = fixture.withChain((_, sql) =>
        sql.prepare(`SELECT ${column} FROM blocks WHERE height = 2`).pluck().get(),
      );
      tamper(`UPDATE blocks SET ${column} = ? WHERE height = 2`, Buffer.alloc(32));
      await refuses(
        new RegExp(`chain\\.db is damaged: block 3 names the ${name} hash [0-9A-F]+, where 0+ was recorded`),
      );
      tamper(`UPDATE blocks SET ${column} = ? WHERE height = 2`, before);
    }
    await fixture.start();
  });

  test('results of the last block that do not give their hash', async () => {
    await makeChain(3);
    tamper(`UPDATE blocks SET failures = '[[0,1,"insufficient funds"]]' WHERE height = 3`);
    await refuses(/chain\.db is damaged: the results of block 3 do not give the hash that was recorded with them/);
  });

  test('a block of which one byte changed', async () => {
    await makeChain(3);
    const bytes = fixture.withChain((store) => Buffer.from(store.block(2)?.bytes ?? []));
    const at = bytes.indexOf('"amount":"3"') + '"amount":"'.length;
    bytes[at] = 0x34;
    tamper('UPDATE blocks SET bytes = ? WHERE height = 2', bytes);
    await refuses(/chain\.db is damaged: the bytes of block 2 do not give its hash/);
  });

  test('a packed block, whole and damaged', async () => {
    await makeChain(3);
    const bytes = fixture.withChain((store) => Buffer.from(store.block(2)?.bytes ?? []));
    const packed = Buffer.concat([Buffer.of(0), brotliCompressSync(bytes)]);
    tamper('UPDATE blocks SET bytes = ? WHERE height = 2', packed);
    await fixture.start();
    await fixture.stop();
    tamper('UPDATE blocks SET bytes = ? WHERE height = 2', packed.subarray(0, packed.length - 5));
    await refuses(/chain\.db is damaged: block 2 is unreadable \(.+\)\. Put a backup of chain\.db back/);
    bytes[bytes.indexOf('"amount":"3"') + '"amount":"'.length] = 0x34;
    tamper('UPDATE blocks SET bytes = ? WHERE height = 2', Buffer.concat([Buffer.of(0), brotliCompressSync(bytes)]));
    await refuses(/chain\.db is damaged: the bytes of block 2 do not give its hash/);
  });

  /** Puts a block with another transaction in the place of one that was executed, right in itself. */
  function forge(height: number): void {
    const { stored, block } = fixture.withChain((store) => readBlock(store, height));
    const transactions = [signedTransfer({ from: 1, to: 0, nonce: 0, amount: 900n }).raw];
    const header = { ...block.header, dataHash: dataHash(transactions) };
    const bytes = encodeBlock({ ...block, header, transactions });
    const id = blockId(header, bytes);
    tamper(
      'UPDATE blocks SET bytes = ?, hash = ?, parts_total = ?, parts_hash = ? WHERE height = ?',
      bytes,
      id.hash,
      id.parts.total,
      id.parts.hash,
      stored.height,
    );
  }

  test.each([1, 2, 3])('an executed block with a forged transfer, at height %i of 4', async (height) => {
    await makeChain(4);
    forge(height);
    await refuses(
      new RegExp(
        `chain\\.db is damaged: block ${height} is not the one that block ${height + 1} follows\\. Put a backup of chain\\.db back`,
      ),
    );
  });

  test('the last block with a forged transfer', async () => {
    await makeChain(4);
    forge(4);
    await refuses(/chain\.db is damaged: the commit of block 4 is not signed by this validator/);
  });

  test('an old block with a forged transfer ends the engine soon after the start, and all others pass', async () => {
    await makeChain(2);
    await fixture.start();
    const heights = AT_START_BLOCKS + 2 * SLICE_BLOCKS;
    while ((await fixture.engine.status()).height < heights) await fixture.clock.advance(10_000);
    await fixture.restart();
    await fixture.clock.advance(5_000);
    expect(fixture.fatal).toEqual([]);
    await fixture.stop();
    forge(2);
    await fixture.start();
    expect(fixture.fatal).toEqual([]);
    await fixture.clock.advance(5_000);
    expect(fixture.fatal.map(({ message }) => message)).toEqual([
      expect.stringContaining('block 2 is not the one that block 3 follows'),
    ]);
    expect(fixture.logs.at(-1)).toMatchObject({
      level: 'error',
      message: 'the engine stops: a stored block is not the one that was signed',
    });
  });

  test('a commit of another key', async () => {
    await makeChain(3);
    const bytes = fixture.withChain((store) => Buffer.from(store.commit(3) ?? []));
    bytes[bytes.length - 1]! ^= 1;
    tamper('UPDATE blocks SET commit_bytes = ? WHERE height = 3', bytes);
    await refuses(/the commit of block 3 is not signed by this validator/);
  });

  test('the file of another genesis', async () => {
    await makeChain(2);
    const { search } = enginePaths(fixture.dataDir);
    rmSync(search);
    await refuses(/chain\.db belongs to chain txledger-test-1 with genesis/, {
      genesis: testGenesis({ genesisTime: '2026-11-21T09:00:01Z' }),
    });
  });

  test('a key that is not in genesis, or a genesis with several validators, before anything is written', async () => {
    await refuses(/the validator key is not the one in genesis/, {
      validatorKey: validatorKeyFromSeed(validatorSeed(1)),
    });
    const two = [0, 1].map((i) => ({ publicKey: publicKeyHex(i), power: 2, name: '' }));
    await refuses(/genesis names 2 validators/, { genesis: testGenesis({ validators: two }) });
    expect(existsSync(enginePaths(fixture.dataDir).search)).toBe(false);
    expect(fixture.withChain((store) => store.load())).toBeUndefined();
  });
});

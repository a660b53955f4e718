/** `txledger graduate` and `store copy` on the folder of a killed service of an earlier version; test/graduate/run.ts has the real node. */
import { attachLog } from '../../server/store/embedded/chain-log.ts';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ClassicLevel } from 'classic-level';
import Sqlite from 'better-sqlite3';
import { copyStore } from '../../server/app/copy/copy-store.ts';
import { dataDirFiles } from '../../server/app/data-dir-files.ts';
import { graduate, type Graduated } from '../../server/app/graduate/graduate.ts';
import { readSeal, refuseSealed } from '../../server/app/graduate/seal.ts';
import { verifyFolder } from '../../server/app/backup/verify.ts';
import { crc32c } from '../../server/engine/cometbft/home/crc32c.ts';
import { factsOfApp } from '../../server/engine/cometbft/app/sqlite-app-reader.ts';
import { parseValidatorKey, validatorKeyFromSeed, formatValidatorKey } from '../../server/engine/validator-key.ts';
import { openChainReader } from '../../server/store/embedded/connection.ts';
import { ChainReader } from '../../server/store/embedded/reader.ts';
import { openSqliteStore } from '../../server/store/index.ts';
import { openChainDatabase } from '../../server/store/embedded/connection.ts';
import { removeTemporaryFolders } from '../app/support.ts';
import { unpackFolders } from '../backup/support.ts';
import { copyFolder } from './life.ts';

const SEED_BYTES = 32;
let parent = '';
let pristine = '';
let copies = 0;

beforeAll(async () => {
  const folders = await unpackFolders();
  // The command takes a chain in the form of this version, as a start leaves it.
  openChainDatabase({ path: path.join(folders.chain, 'chain.db') }).close();
  parent = folders.parent;
  pristine = folders.chain;
});
afterAll(removeTemporaryFolders);

/** A chain of its own for a test, and where it may go. */
function folders(): { dataDir: string; home: string } {
  copies += 1;
  return {
    dataDir: copyFolder(pristine, path.join(parent, `data-${copies}`)),
    home: path.join(parent, `home-${copies}`),
  };
}

const run = (
  { dataDir, home }: { dataDir: string; home: string },
  onProgress: () => void = () => undefined,
): Promise<Graduated> =>
  graduate({
    dataDir,
    home,
    appDir: path.join(home, 'app'),
    env: {},
    cwd: '/',
    clock: {
      nowMs: Date.now,
      nowNs: () => BigInt(Date.now()) * 1_000_000n,
      monotonicMs: () => performance.now(),
      setTimer: () => ({ cancel() {} }),
    },
    random: { bytes: (count) => Buffer.alloc(count, 7) },
    onProgress,
  });

async function rowsOf(home: string, name: string): Promise<Map<string, Uint8Array>> {
  const database = new ClassicLevel<string, Uint8Array>(path.join(home, 'data', name), {
    keyEncoding: 'utf8',
    valueEncoding: 'view',
    createIfMissing: false,
  });
  const rows = new Map<string, Uint8Array>();
  for await (const [key, value] of database.iterator()) rows.set(key, value);
  await database.close();
  return rows;
}

describe('a home', () => {
  test('has every block, every height of the state, what was signed last, and the application at the same height', async () => {
    const at = folders();
    const { seal } = await run(at);
    const { height } = seal;
    const blocks = await rowsOf(at.home, 'blockstore.db');
    const states = await rowsOf(at.home, 'state.db');
    for (let each = 1; each <= height; each += 1) {
      expect([`H:${each}`, `P:${each}:0`, `C:${each - 1}`, `SC:${each}`].filter((key) => !blocks.has(key))).toEqual([]);
      expect(
        [`abciResponsesKey:${each}`, `validatorsKey:${each + 2}`, `consensusParamsKey:${each + 1}`].filter(
          (key) => !states.has(key),
        ),
      ).toEqual([]);
    }
    // They changed at height 1, and stand there only.
    expect(Buffer.from(states.get(`validatorsKey:${height + 2}`) ?? []).toString('hex')).toBe('1001');
    expect(Buffer.from(states.get(`consensusParamsKey:${height + 1}`) ?? []).toString('hex')).toBe('0a001001');
    expect(blocks.get('blockStore')).toEqual(Uint8Array.from([8, 1, 16, ...varint(height)]));
    const signed = openChainReader(dataDirFiles(at.dataDir).chain)
      .prepare('SELECT height, round, step, signature, sign_bytes AS signBytes FROM sign_state')
      .get() as any;
    expect(JSON.parse(readFileSync(path.join(at.home, 'data/priv_validator_state.json'), 'utf8'))).toEqual({
      height: String(signed.height),
      round: signed.round,
      step: signed.step,
      signature: signed.signature.toString('base64'),
      signbytes: signed.signBytes.toString('hex').toUpperCase(),
    });
    expect(signed.height).toBe(height);
    const app = factsOfApp(path.join(at.home, 'app/app.db'));
    expect([
      app?.height,
      Buffer.from(app?.appHash ?? [])
        .toString('hex')
        .toUpperCase(),
    ]).toEqual([height, seal.appHash]);
  });

  test('is made once: a second run changes nothing, whatever the node has done since, and another home is refused', async () => {
    const at = folders();
    await run(at);
    const state = path.join(at.home, 'data/priv_validator_state.json');
    writeFileSync(state, 'the node has signed more');
    expect((await run(at)).wasComplete).toBe(true);
    expect(readFileSync(state, 'utf8')).toBe('the node has signed more');
    await expect(run({ ...at, home: `${at.home}-2` })).rejects.toThrow(
      /goes on in .* A second home would be a second chain/,
    );
    expect(() => refuseSealed(dataDirFiles(at.dataDir))).toThrow(/goes on in the CometBFT home .* second history/);
  });

  test('keeps the settings that an operator made, and is refused when a node has run in it or it has the key already', async () => {
    const at = folders();
    mkdirSync(path.join(at.home, 'data/blockstore.db'), { recursive: true });
    await expect(run(at)).rejects.toThrow(/a node has run in/);
    const withKey = folders();
    mkdirSync(path.join(withKey.home, 'config'), { recursive: true });
    writeFileSync(
      path.join(withKey.home, 'config/priv_validator_key.json'),
      readFileSync(dataDirFiles(withKey.dataDir).validatorKey),
    );
    await expect(run(withKey)).rejects.toThrow(/would sign the heights again/);
    expect(existsSync(dataDirFiles(withKey.dataDir).seal)).toBe(false);

    const signed = folders();
    mkdirSync(path.join(signed.home, 'data'), { recursive: true });
    writeFileSync(path.join(signed.home, 'data/priv_validator_state.json'), '{"height":"7","round":0,"step":3}');
    await expect(run(signed)).rejects.toThrow(/has signed blocks/);

    const made = folders();
    mkdirSync(path.join(made.home, 'config'), { recursive: true });
    writeFileSync(
      path.join(made.home, 'config/priv_validator_key.json'),
      formatValidatorKey(Buffer.alloc(SEED_BYTES, 9)),
    );
    writeFileSync(path.join(made.home, 'config/config.toml'), 'moniker = "mine"\n');
    await expect(run(made)).rejects.toThrow(/config.toml of the home cannot be changed/);
    writeFileSync(path.join(made.home, 'config/config.toml'), STOCK);
    await run(made);
    expect(readFileSync(path.join(made.home, 'config/config.toml'), 'utf8')).toMatch(
      /moniker = "mine"[^]*max_open_connections = 2000/,
    );
    const key = parseValidatorKey(readFileSync(path.join(made.home, 'config/priv_validator_key.json'), 'utf8'));
    expect(
      key.ok &&
        Buffer.from(key.key.publicKey).equals(Buffer.from(validatorKeyFromSeed(Buffer.alloc(SEED_BYTES, 9)).publicKey)),
    ).toBe(false);
    expect(existsSync(path.join(made.home, 'config/priv_validator_key.json.before-graduation'))).toBe(true);
  });

  test('is not made where others could put another home in its place', async () => {
    const at = folders();
    chmodSync(path.dirname(at.home), 0o777);
    await expect(run(at)).rejects.toThrow(/^Others can write the folder /);
    expect(existsSync(at.home)).toBe(false);
    chmodSync(path.dirname(at.home), 0o700);
  });

  test('has no key before the seal is there, at any step', async () => {
    const at = folders();
    // The step after everything is made fails: no seal, no key.
    const opened = run(at, () => chmodSync(at.dataDir, 0o777));
    await expect(opened).rejects.toThrow(/Others can write the folder .*graduated\.json/);
    expect(existsSync(path.join(at.home, 'config/priv_validator_key.json'))).toBe(false);
    expect(existsSync(path.join(at.home, 'graduating/data/state.db'))).toBe(true);
    expect(readSeal(dataDirFiles(at.dataDir))).toBeUndefined();
  });
});

test('CRC-32C gives the check value of RFC 3720', () =>
  expect(crc32c(Buffer.from('123456789')).toString(16)).toBe('e3069283'));

describe('a copied store', () => {
  test('shows what the embedded service showed, and holds what its journal held', async () => {
    const at = folders();
    await expect(
      copyStore({ from: at.dataDir, to: path.join(parent, 'early.db'), onProgress: () => undefined }),
    ).rejects.toThrow(/Run `txledger graduate` first/);
    await run(at);
    const gateway = path.join(parent, 'gateway-copy');
    mkdirSync(gateway, { mode: 0o700 });
    const to = path.join(gateway, 'gateway.db');
    const copied = await copyStore({ from: at.dataDir, to, onProgress: () => undefined });
    expect(copied.wasThere).toBe(false);
    // A service refuses a folder with anything else in it.
    expect(readdirSync(gateway)).toEqual(['gateway.db']);
    expect((await copyStore({ from: at.dataDir, to, onProgress: () => undefined })).wasThere).toBe(true);
    const sql = openChainReader(dataDirFiles(at.dataDir).chain);
    attachLog(sql, dataDirFiles(at.dataDir).chain);
    const chain = new ChainReader(sql);
    const pending = [...chain.pendingRows()].map(({ transfer }) => transfer.hash);
    const journaled = chain.journal().flatMap((entry) => (entry.kind === 'accepted' ? [entry.transfer.hash] : []));
    expect(journaled.length).toBeGreaterThan(0);
    const store = await openSqliteStore({ path: to });
    const found = await store.read(async (tx) => ({
      pending: (await tx.pendingTransfers()).map(({ hash }) => hash),
      cancels: await tx.cancelsRequested(),
      tokens: await tx.tokens(),
      bindings: await tx.allBindings(),
      follower: await tx.follower(),
    }));
    expect(found.pending.toSorted()).toEqual([...pending, ...journaled].toSorted());
    expect(found.cancels.length).toBe(chain.journal().filter(({ kind }) => kind === 'cancel').length);
    expect(found.tokens.map(({ id }) => id)).toEqual(
      sql.prepare('SELECT id FROM tokens ORDER BY created_at_ms, id').pluck().all(),
    );
    expect(found.bindings.length).toBe(sql.prepare('SELECT count(*) FROM address_bindings').pluck().get());
    expect(found.follower?.verifiedHeight).toBe(found.follower?.height);
    for (const status of ['committed', 'failed', 'cancelled', 'expired'] as const) {
      const { transfers } = await store.read((tx) => tx.listTransfers({ limit: 1000, status }));
      const hashes = sql
        .prepare('SELECT hex(hash) FROM transfers WHERE status = ? ORDER BY seq DESC')
        .pluck()
        .all(['pending', 'committed', 'failed', 'cancelled', 'expired'].indexOf(status));
      expect([status, transfers.map(({ hash }) => hash)]).toEqual([status, hashes]);
      expect(hashes.length).toBeGreaterThan(0);
    }
    await store.close();
    sql.close();
    writeFileSync(path.join(gateway, 'genesis.json'), readFileSync(dataDirFiles(at.dataDir).genesis));
    // Counts of what is pending, money and signatures, each against the rows.
    expect(
      (await verifyFolder({ folder: gateway, env: {}, cwd: '/', isQuick: false, from: 1, onProgress: () => undefined }))
        .fault,
    ).toBeUndefined();
  });

  test('refuses a file that holds something else', async () => {
    const at = folders();
    await run(at);
    const other = path.join(parent, 'other.db');
    new Sqlite(other).exec('CREATE TABLE t (a)').close();
    await expect(copyStore({ from: at.dataDir, to: other, onProgress: () => undefined })).rejects.toThrow(
      /holds something else/,
    );
  });
});

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)];
}

/** The settings of `cometbft init` that are changed, among others. */
const STOCK = `moniker = "mine"
[rpc]
max_open_connections = 900
max_request_batch_size = 10
[p2p]
send_rate = 5120000
recv_rate = 5120000
[mempool]
size = 5000
cache_size = 10000
max_txs_bytes = 1073741824
recheck = true
[consensus]
timeout_propose = "3s"
timeout_precommit = "1s"
timeout_commit = "1s"
create_empty_blocks = true
create_empty_blocks_interval = "0s"
double_sign_check_height = 0
[storage]
discard_abci_responses = false
[tx_index]
indexer = "kv"
`;

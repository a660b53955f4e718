/**
 * Folders that released versions wrote become folders of this one, and lose nothing: compared with what the old server answered before it was
 * killed (fixtures/record-folder.ts made them).
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { dataDirFiles, type DataDirFile } from '../../server/app/data-dir.ts';
import { upgradeFolder, type UpgradeOptions } from '../../server/app/upgrade/upgrade-folder.ts';
import { formatSignState } from '../../server/engine/embedded/sign-state.ts';
import { decodeBlock, decodeCommit, precommitSignBytes } from '../../server/engine/encoding/index.ts';
import { encodeTransaction, LedgerState, parseGenesis, txHash, type GenesisDocument } from '../../server/ledger/index.ts';
import { chainAdmin } from '../../server/store/embedded/admin.ts';
import { openChainDatabase } from '../../server/store/embedded/connection.ts';
import { removeTemporaryFolders, spawnSource, temporaryFolder } from './support.ts';

const FIXTURES = path.join(import.meta.dirname, 'fixtures');
const TEST_MS_MAX = 120_000;

afterAll(removeTemporaryFolders);

type Files = Record<DataDirFile, string>;

async function unpack(name: string): Promise<Files> {
  const folder = await temporaryFolder('upgrade');
  execFileSync('tar', ['xzf', path.join(FIXTURES, `${name}.tar.gz`), '-C', folder]);
  return dataDirFiles(folder);
}

function genesisOf(files: Files): GenesisDocument {
  const parsed = parseGenesis(readFileSync(files.genesis));
  if (!parsed.ok) throw new Error('the genesis of the fixture');
  return parsed.genesis;
}

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const clock = { nowMs: () => 1_800_000_000_000 } as UpgradeOptions['clock'];
const upgrade = (files: Files, more: Partial<UpgradeOptions> = {}): Promise<boolean> => upgradeFolder({ files, genesis: genesisOf(files), clock, logger: quiet, ...more });

function edit<T>(file: string, work: (sql: Sqlite.Database) => T): T {
  const sql = new Sqlite(file);
  try {
    return work(sql);
  } finally {
    sql.close();
  }
}

/** All that the file holds. */
const dump = (files: Files): Record<string, unknown[]> =>
  edit(files.chain, (sql) => {
    const tables = sql.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all() as string[];
    return Object.fromEntries(tables.map((table) => [table, sql.prepare(`SELECT * FROM ${table}`).safeIntegers(true).all()]));
  });

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();
const time = (ms: number | null): string | undefined => (ms === null ? undefined : new Date(ms).toISOString());
const STATUSES = ['pending', 'committed', 'failed', 'cancelled', 'expired'];

/** What an answer of the old server says of a transfer, as far as a row holds it. */
function ofAnswer({ history, reason, nonce: _nonce, ...rest }: any) {
  const at = (event: string) => history.find((each: any) => each.event === event)?.at;
  const decided = history.find((each: any) => each.height !== undefined);
  const marks = { broadcast: at('broadcast'), cancelRequested: at('cancel_requested'), expiryRequested: at('expiry_requested') };
  return { ...rest, ...marks, decidedBy: decided?.txHash, supersededBy: rest.status === 'failed' ? reason.txHash : undefined };
}

function ofRow(row: any) {
  const isVoided = row.status > 1;
  return {
    from: row.from, to: row.to, amount: row.amount, txHash: hex(row.hash), status: STATUSES[row.status],
    firstSeenAt: time(row.first_seen_at_ms), height: row.height ?? undefined, blockTime: time(row.block_time_ms),
    broadcast: time(row.broadcast_at_ms), cancelRequested: time(row.cancel_requested_at_ms), expiryRequested: time(row.expiry_requested_at_ms),
    decidedBy: isVoided ? hex(row.reason_hash) : undefined, supersededBy: row.status === 2 ? hex(row.reason_hash) : undefined,
  };
}

const ROWS = `SELECT t.*, f.address AS "from", g.address AS "to", s.owner FROM transfers t JOIN accounts f ON f.id = t.from_id JOIN accounts g ON g.id = t.to_id
  LEFT JOIN submitters s ON s.id = t.submitter_id ORDER BY t.seq DESC`;

describe.each(['97c6cf1', '1886462'])('a folder of %s', (name) => {
  const record = JSON.parse(readFileSync(path.join(FIXTURES, `${name}.json`), 'utf8'));

  test('keeps every transfer, account, block, token, binding and audit entry', async () => {
    const files = await unpack(name);
    const genesis = genesisOf(files);
    const progress = new Set<string>();
    expect(await upgrade(files, { onProgress: (what, done, of) => void progress.add(`${what} ${done === of}`) })).toBe(true);
    expect([...progress].sort()).toEqual(['blocks false', 'blocks true', 'transfers true']);

    const sql = openChainDatabase({ path: files.chain });
    const uptimeMs = edit(path.join(path.dirname(files.chain), 'before-upgrade', 'gateway.db'), (before) => before.prepare('SELECT uptime_ms FROM follower').pluck().get());
    expect(sql.prepare('SELECT * FROM chain').get()).toEqual({
      id: 1, chain_id: genesis.chainId, genesis_hash: genesis.hash, genesis_time_ms: Date.parse(genesis.genesisTime), uptime_ms: uptimeMs, next_journal_id: 1,
    });
    const rows = sql.prepare(ROWS).all() as any[];
    expect(rows.map(ofRow)).toEqual(record.details.map(ofAnswer));
    if (name === '1886462') expect(rows.map(({ nonce }) => nonce)).toEqual(record.details.map(({ nonce }: any) => nonce));

    const blocks = sql.prepare('SELECT * FROM blocks ORDER BY height').all() as any[];
    const roots = (at: number) => ({ appHashBefore: hex(blocks[at - 1].app_hash), resultsHashBefore: hex(blocks[at - 1].results_hash) });
    const told = record.blocks.map((block: any, at: number) => (at === 0 ? { ...block, appHashBefore: '', resultsHashBefore: '' } : block));
    expect(
      blocks.map((block, at) => {
        const codes = Array.from({ length: block.transaction_count }, (_, index) => JSON.parse(block.failures).find(([i]: number[]) => i === index)?.[1] ?? 0);
        const signature = Buffer.from(decodeCommit(block.commit_bytes).signatures[0]!.signature).toString('base64');
        return { height: block.height, hash: hex(block.hash), ...(at === 0 ? { appHashBefore: '', resultsHashBefore: '' } : roots(at)), codes, signature };
      }),
    ).toEqual(told);
    expect(hex(blocks.at(-1).app_hash)).toBe(record.appHash);

    const accounts = new Map((sql.prepare('SELECT * FROM accounts WHERE leaf IS NOT NULL ORDER BY leaf').all() as any[]).map((row) => [row.address, row]));
    expect(record.accounts.map(({ address }: any) => ({ balance: accounts.get(address).balance, nonce: accounts.get(address).nonce }))).toEqual(
      record.accounts.map(({ balance, nonce }: any) => ({ balance, nonce })),
    );
    const restored = LedgerState.restore(genesis, {
      height: record.height,
      governance: JSON.parse(sql.prepare('SELECT record FROM governance').pluck().get() as string),
      accounts: [...accounts.values()].map(({ leaf, address, balance, nonce, voids }) => ({
        leaf, address, account: { balance: BigInt(balance), nonce, voids: voids === '' ? 0n : BigInt(`0x${voids}`) },
      })),
    });
    expect(hex(restored.appHash)).toBe(record.appHash);

    const admin = chainAdmin(sql);
    expect(admin.tokens().map(({ id, owner, scopes, createdAtMs }) => ({ id, owner, scopes, createdAt: time(createdAtMs) }))).toEqual(
      expect.arrayContaining(record.tokens.map(({ id, owner, scopes, createdAt }: any) => ({ id, owner, scopes, ...(createdAt === undefined ? { createdAt: expect.anything() } : { createdAt }) }))),
    );
    expect(admin.allBindings().map(({ address, owner }) => ({ address, owner }))).toEqual(record.bindings.map(({ address, owner }: any) => ({ address, owner })));
    expect(admin.auditEntries({ after: 0, limit: 1000 }).map(({ atMs, ...entry }) => ({ ...entry, at: time(atMs) }))).toEqual(record.audit);
    for (const { txHash: hash, owner, tokenId, cancelTokenId } of record.submissions) expect(admin.submission(hash)).toMatchObject({ hash, owner, tokenId, cancelTokenId });
    expect(sql.prepare('SELECT owner, idempotency_key, seq FROM idempotency_keys ORDER BY seq').all()).toEqual(
      name === '97c6cf1' ? [] : ['order-1', 'parked'].map((key) => ({ owner: 'dev', idempotency_key: key, seq: expect.any(Number) })),
    );
    if (name === '1886462') {
      const keyed = sql.prepare("SELECT hash FROM transfers JOIN idempotency_keys USING (seq) WHERE idempotency_key = 'order-1'").pluck().get();
      expect(hex(keyed as Buffer)).toBe(record.keyed);
    }
    sql.close();
  });

  test('has everything where this version looks for it: indexes, pending rows, places in blocks', async () => {
    const files = await unpack(name);
    await upgrade(files);
    edit(files.chain, (sql) => {
      const rows = sql.prepare('SELECT seq, hash, executed_as, from_id, to_id, nonce, status, reason, height, position FROM transfers ORDER BY seq').all() as any[];
      const prefixes = rows.flatMap(({ seq, hash, executed_as }) => [hash, executed_as ?? []].flat().map((each: Buffer) => ({ segment: 0, prefix: each.readUIntBE(0, 6), seq })));
      const sorted = (list: object[]) => list.map((each) => JSON.stringify(each)).sort();
      expect(sorted(sql.prepare('SELECT * FROM by_hash').all() as object[])).toEqual(sorted(prefixes));
      expect(sql.prepare('SELECT * FROM by_slot ORDER BY seq').all()).toEqual(rows.map(({ seq, from_id, nonce }) => ({ segment: 0, from_id, nonce, seq })));
      expect(sql.prepare('SELECT * FROM by_sender ORDER BY seq').all()).toEqual(rows.map(({ seq, from_id }) => ({ segment: 0, account_id: from_id, seq })));
      expect(sql.prepare('SELECT * FROM by_receiver ORDER BY seq').all()).toEqual(rows.map(({ seq, to_id }) => ({ segment: 0, account_id: to_id, seq })));

      const genesis = genesisOf(files);
      const signedOf = new Map<string, string>();
      for (const { seq, from_id, nonce, signature } of sql.prepare('SELECT * FROM pending ORDER BY seq').all() as any[]) {
        const [row] = sql.prepare(`${ROWS.replace('ORDER BY t.seq DESC', 'WHERE t.seq = ?')}`).all(seq) as any[];
        expect(row).toMatchObject({ status: 0, from_id, nonce });
        const transfer = { kind: 'transfer', chainId: genesis.chainId, from: row.from, to: row.to, amount: BigInt(row.amount), nonce, signature: signature.toString('hex') } as const;
        signedOf.set(txHash(encodeTransaction(transfer)), hex(row.hash));
      }
      expect([...signedOf].every(([made, stored]) => made === stored)).toBe(true);
      expect(signedOf.size).toBe(record.details.filter(({ status }: any) => status === 'pending').length);

      const executed = rows.filter(({ status, reason }) => status === 1 || reason === 1);
      for (const { hash, executed_as, height, position } of executed) expect({ hash: hex(executed_as ?? hash), at: [height, position] }).toEqual({ hash: hex(executed_as ?? hash), at: placeOf(sql, executed_as ?? hash) });
      expect(rows.filter(({ position }) => position !== null)).toHaveLength(executed.length);
      // A void for each of the transfers that one decided.
      const voids = sql.prepare('SELECT hash, height FROM other_transactions ORDER BY height').all() as any[];
      expect(voids.map(({ hash }) => hex(hash)).sort()).toEqual(record.details.map((detail: any) => ofAnswer(detail).decidedBy).filter((hash: unknown) => hash !== undefined).sort());
      expect(sql.pragma('integrity_check', { simple: true })).toBe('ok');
    });
    expect(readdirSync(path.dirname(files.chain)).sort()).toEqual(['before-upgrade', 'chain.db', 'genesis.json', 'priv_validator_state.json']);
    expect(readdirSync(path.join(path.dirname(files.chain), 'before-upgrade'))).toEqual(expect.arrayContaining(['blocks.db', 'gateway.db', 'ledger.db']));
    expect(await upgrade(files)).toBe(false);
  });

  test('is taken over just the same after a kill at any step', async () => {
    const undisturbed = await unpack(name);
    await upgrade(undisturbed);
    const expected = dump(undisturbed);
    const steps: string[] = [];
    for (let step = 1; ; step++) {
      const files = await unpack(name);
      const killed = await killedAt(step, files);
      if (killed === undefined) break;
      steps.push(killed);
      await upgrade(files);
      expect(dump(files)).toEqual(expected);
      expect(existsSync(files.blocks) || existsSync(files.gateway) || existsSync(`${files.chain}.tmp`)).toBe(false);
      expect(await upgrade(files)).toBe(false);
    }
    expect(steps).toEqual(expect.arrayContaining(['migrated', 'replayed', 'built', 'renamed', 'moved gateway.db', 'moved blocks.db']));
  }, TEST_MS_MAX);
});

function placeOf(sql: Sqlite.Database, hash: Buffer): [number, number] {
  const blocks = sql.prepare('SELECT height, bytes FROM blocks WHERE transaction_count > 0').all() as { height: number; bytes: Buffer }[];
  for (const { height, bytes } of blocks) {
    const at = decodeBlock(bytes).transactions.findIndex((raw) => txHash(raw) === hex(hash));
    if (at >= 0) return [height, at];
  }
  return [0, 0];
}

/** @returns the step at which it killed itself; undefined when it came to its end. */
async function killedAt(step: number, files: Files): Promise<string | undefined> {
  const child = spawnSource(`
    import { readFileSync, writeSync } from 'node:fs';
    import { upgradeFolder } from './server/app/upgrade/upgrade-folder.ts';
    import { parseGenesis } from './server/ledger/index.ts';
    const files = ${JSON.stringify(files)};
    let left = ${step};
    await upgradeFolder({ files, genesis: parseGenesis(readFileSync(files.genesis)).genesis, clock: { nowMs: () => 1_800_000_000_000 },
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      onStep(step) { if (--left === 0) { writeSync(1, step); process.kill(process.pid, 'SIGKILL'); } } });
  `);
  let output = '';
  for await (const chunk of child.stdout ?? []) output += String(chunk);
  return output === '' ? undefined : output;
}

describe('what a kill of the earlier version leaves', () => {
  /** The last block of the fixture holds one transfer. */
  const LAST = 22;

  /** gateway.db as it was when it had not followed the last block: its one transfer is pending. */
  function rewindGateway(files: Files): void {
    const { hash, timeMs } = edit(files.blocks, (sql) => {
      const row = sql.prepare('SELECT hash, time_ns FROM blocks WHERE height = ?').safeIntegers(true).get(LAST - 1) as { hash: Buffer; time_ns: bigint };
      return { hash: hex(row.hash), timeMs: Number(row.time_ns / 1_000_000n) };
    });
    edit(files.gateway, (sql) => {
      const [row, ...others] = sql.prepare('SELECT * FROM transfers WHERE height = ?').all(LAST) as any[];
      expect(others).toEqual([]);
      sql.prepare('UPDATE transfers SET status = 0, height = NULL, block_time_ms = NULL WHERE seq = ?').run(row.seq);
      sql.prepare('UPDATE follower SET height = ?, hash = ?, block_time_ms = ?').run(LAST - 1, hash, timeMs);
      sql.exec('UPDATE counters SET pending = pending + 1');
      sql.prepare('UPDATE owners SET pending = pending + 1 WHERE id = ?').run(row.owner_id);
      const move = (id: number, amount: number, nonce: number, reserved: number) => {
        const account = sql.prepare('SELECT balance, reserved FROM accounts WHERE id = ?').get(id) as { balance: string; reserved: string };
        sql.prepare('UPDATE accounts SET balance = ?, nonce = nonce + ?, reserved = ? WHERE id = ?').run(String(BigInt(account.balance) + BigInt(amount)), nonce, String(BigInt(account.reserved) + BigInt(reserved)), id);
      };
      move(row.from_id, Number(row.amount), -1, Number(row.amount));
      move(row.to_id, -Number(row.amount), 0, 0);
    });
  }

  const withoutLastCommit = (files: Files): unknown => edit(files.blocks, (sql) => sql.prepare('DELETE FROM commits WHERE height = ?').run(LAST));

  /** What the file said when block `height` was the last that was signed. */
  function signedUpTo(files: Files, height: number): void {
    const { row, commit } = edit(files.blocks, (sql) => ({
      row: sql.prepare('SELECT hash, parts_total, parts_hash FROM blocks WHERE height = ?').get(height) as { hash: Buffer; parts_total: number; parts_hash: Buffer },
      commit: decodeCommit(sql.prepare('SELECT bytes FROM commits WHERE height = ?').pluck().get(height) as Buffer),
    }));
    const { timestampNs, signature } = commit.signatures[0]!;
    const blockId = { hash: row.hash, parts: { total: row.parts_total, hash: row.parts_hash } };
    const signBytes = precommitSignBytes({ chainId: genesisOf(files).chainId, height, round: 0, blockId, timestampNs });
    writeFileSync(files.validatorState, formatSignState({ height, round: 0, step: 3, signature, signBytes }));
  }

  let expected: Record<string, unknown[]> | undefined;
  const undisturbed = async (): Promise<Record<string, unknown[]>> => {
    if (expected === undefined) {
      const files = await unpack('1886462');
      await upgrade(files);
      expected = dump(files);
    }
    return expected;
  };

  test('gateway.db that had not followed the last block is settled from it', async () => {
    const files = await unpack('1886462');
    rewindGateway(files);
    await upgrade(files);
    expect(dump(files)).toEqual(await undisturbed());
  });

  test('a block that was signed gets its commit of that very signature', async () => {
    const files = await unpack('1886462');
    rewindGateway(files);
    withoutLastCommit(files);
    await upgrade(files);
    expect(dump(files)).toEqual(await undisturbed());
  });

  test('a block that was not signed is left out, and what was in it is pending', async () => {
    const files = await unpack('1886462');
    rewindGateway(files);
    signedUpTo(files, LAST - 1);
    withoutLastCommit(files);
    await upgrade(files);
    const found = dump(files) as Record<string, any[]>;
    expect(found['blocks']).toEqual((await undisturbed())['blocks']?.slice(0, LAST - 1));
    expect(found['sign_state']).toMatchObject([{ height: BigInt(LAST - 1) }]);
    expect(found['pending']).toHaveLength(4);
    expect(found['transfers']?.filter(({ status }) => status === 0n)).toHaveLength(4);
  });

  test('after a kill between the last block and what it settles, any step may be killed again', async () => {
    for (const step of [2, 3]) {
      const files = await unpack('1886462');
      rewindGateway(files);
      withoutLastCommit(files);
      expect(await killedAt(step, files)).toBe(step === 2 ? `followed ${LAST}` : 'replayed');
      await upgrade(files);
      expect(dump(files)).toEqual(await undisturbed());
    }
  });

  test('a file that a killed upgrade left half written, with a journal to roll it back, is begun again', async () => {
    const files = await unpack('1886462');
    const child = spawnSource(`
      import Database from 'better-sqlite3';
      const sql = new Database(${JSON.stringify(`${files.chain}.tmp`)});
      sql.pragma('cache_size = 10');
      sql.exec('CREATE TABLE blocks (x)');
      sql.exec('BEGIN');
      for (let i = 0; i < 500; i++) sql.prepare('INSERT INTO blocks VALUES (zeroblob(4000))').run();
      sql.exec("UPDATE blocks SET x = 'changed'");
      process.kill(process.pid, 'SIGKILL');
    `);
    await once(child, 'exit');
    expect(existsSync(`${files.chain}.tmp-journal`)).toBe(true);
    await upgrade(files);
    expect(dump(files)).toEqual(await undisturbed());
    expect(readdirSync(path.dirname(files.chain)).filter((name) => name.startsWith('chain.db'))).toEqual(['chain.db']);
  });

  test('gateway.db that is gone is made again from the blocks, without what no block knows', async () => {
    const files = await unpack('1886462');
    for (const suffix of ['', '-wal']) rmSync(`${files.gateway}${suffix}`);
    await upgrade(files);
    const [found, before] = [dump(files), await undisturbed()] as Record<string, any[]>[];
    const committed = (rows: any[]) => rows.filter(({ status }) => status === 1n).map(({ hash, height, position, amount }) => ({ hash: hex(hash), height, position, amount })).sort((a, b) => a.hash.localeCompare(b.hash));
    expect(committed(found!['transfers'] as any[])).toEqual(committed(before!['transfers'] as any[]));
    expect(found!['blocks']).toEqual(before!['blocks']);
    expect(found!['tokens']).toEqual([]);
  });

  test('a folder in which only a token was made keeps it', async () => {
    const files = await unpack('1886462');
    for (const file of [files.blocks, files.ledger]) for (const suffix of ['', '-wal']) rmSync(`${file}${suffix}`);
    rmSync(files.validatorState);
    edit(files.gateway, (sql) => sql.exec('DELETE FROM follower; DELETE FROM transfers; DELETE FROM accounts; DELETE FROM idempotency_keys'));
    await upgrade(files);
    const found = dump(files);
    expect(found['tokens']).toEqual((await undisturbed())['tokens']);
    expect([found['blocks'], found['sign_state'], found['accounts']?.length]).toEqual([[], [], 10]);
  });
});

describe('what no kill leaves', () => {
  const refused = async (spoil: (files: Files) => void, message: string): Promise<void> => {
    const files = await unpack('1886462');
    spoil(files);
    await expect(upgrade(files)).rejects.toThrow(message);
    expect([existsSync(files.chain), existsSync(files.blocks), existsSync(files.gateway)]).toEqual([false, true, true]);
  };
  const block = (change: string) => (files: Files) => edit(files.blocks, (sql) => sql.exec(change));

  test.each<[string, (files: Files) => unknown, string]>([
    ['a signature above the last block', block('DELETE FROM commits WHERE height > 20; DELETE FROM blocks WHERE height > 20'), 'blocks to height 20 and commits to 20, and priv_validator_state.json says that height 22'],
    ['no signature', (files) => rmSync(files.validatorState), 'says that height 0 was signed last'],
    ['an unreadable signing state', (files) => writeFileSync(files.validatorState, '{'), 'priv_validator_state.json, which says what the validator signed last, is unreadable'],
    ['another block at the signed height', block('UPDATE blocks SET bytes = (SELECT bytes FROM blocks WHERE height = 21) WHERE height = 22'), 'the bytes of block 22 do not give its hash'],
    ['a block that does not follow', block("UPDATE commits SET bytes = (SELECT bytes FROM commits WHERE height = 3) WHERE height = 7"), 'block 8 does not follow block 7 and its commit'],
    ['a last commit that is not signed', block('UPDATE commits SET bytes = (SELECT bytes FROM commits WHERE height = 3) WHERE height = 22'), 'the commit of block 22 is not signed'],
    ['a block that is missing', block('DELETE FROM commits WHERE height = 9; DELETE FROM blocks WHERE height = 9'), 'block 9 is missing'],
    ['blocks.db of another chain', block("UPDATE chain SET chain_id = 'other'"), 'blocks.db belongs to chain other'],
    ['gateway.db of another chain', (files) => edit(files.gateway, (sql) => sql.exec("UPDATE follower SET chain_id = 'other'")), 'gateway.db is of another chain'],
    ['gateway.db ahead of the blocks', (files) => edit(files.gateway, (sql) => sql.exec("UPDATE follower SET height = 40, hash = 'AB'")), 'gateway.db stands at block 40'],
  ])('is refused, and nothing is moved: %s', async (_what, spoil, message) => {
    await refused((files) => void spoil(files), message);
  });

  test('nothing is done to a gateway.db beside a chain.db that was not made of it', async () => {
    const files = await unpack('1886462');
    openChainDatabase({ path: files.chain }).close();
    expect(await upgrade(files)).toBe(false);
    mkdirSync(path.join(path.dirname(files.chain), 'before-upgrade'));
    for (const name of ['blocks.db', 'ledger.db', 'gateway.db']) writeFileSync(path.join(path.dirname(files.chain), 'before-upgrade', name), '');
    await upgrade(files);
    expect(existsSync(files.gateway)).toBe(true);
  });
});

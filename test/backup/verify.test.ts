import { rewriteFirst } from '../log/support/rewrite.ts';
import {
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { formatManifest, type Manifest, readManifest } from '../../server/app/backup/manifest.ts';
import { describeFile } from '../../server/app/backup/files.ts';
import { linesOf } from '../../server/app/backup/restore-rows.ts';
import { bringUpToDate, CURRENT, rowsIntoFile } from '../../server/store/backup/rows-into-file.ts';
import { removeTemporaryFolders } from '../app/support.ts';
import { backUp, type Folders, restoreInto, tamper, unpackFolders, verify } from './support.ts';

let folders: Folders;
let backup = '';
let restored = '';
let copies = 0;

beforeAll(async () => {
  folders = await unpackFolders();
  ({ folder: backup } = await backUp(folders.chain, path.join(folders.parent, 'backup')));
  restored = path.join(folders.parent, 'restored');
  await restoreInto(restored, backup);
});
afterAll(removeTemporaryFolders);

function copyOf(folder: string): string {
  copies += 1;
  const copy = path.join(folders.parent, `copy-${copies}`);
  cpSync(folder, copy, { recursive: true });
  return copy;
}

test('a backup of each kind of folder verifies, and so do the folders themselves', async () => {
  expect(await verify(backup)).toMatchObject({
    facts: { chainId: 'txledger-dev-1' },
    checked: expect.arrayContaining([expect.stringMatching(/^\d+ blocks executed from genesis$/)]),
  });
  expect((await verify(folders.chain)).fault).toBeUndefined();
  expect((await verify(restored)).fault).toBeUndefined();
  for (const folder of [folders.gateway, folders.application]) {
    expect((await verify(folder)).fault).toBeUndefined();
    const { folder: out } = await backUp(folder, `${folder}-backup`);
    expect((await verify(out)).fault).toBeUndefined();
  }
  expect((await verify(backup, { isQuick: true, from: 5 })).checked.at(-1)).toMatch(
    /from height 5: hashes, parents and signatures/,
  );
});

const FIRST_TRANSFER = '(SELECT min(seq) FROM transfers WHERE status = 1)';
const PENDING = '(SELECT min(seq) FROM pending)';

describe('of a chain, told with the first difference: ', () => {
  test.each<[what: string, statements: string, told: RegExp]>([
    [
      'a balance',
      'UPDATE accounts SET balance = CAST(balance AS INTEGER) + 1 WHERE leaf = 3',
      /after block \d+ the balance of account txlt1\w+ is \d+ by the blocks, and \d+ in the database/,
    ],
    ['a nonce', 'UPDATE accounts SET nonce = nonce + 1 WHERE leaf = 0', /the nonce of account txlt1/],
    [
      'an account that is removed',
      'DELETE FROM accounts WHERE leaf = (SELECT max(leaf) FROM accounts)',
      /account txlt1\w+ is missing|has the sender txlt1\w+ in the block, and null in the database/,
    ],
    [
      'an account that is added',
      "INSERT INTO accounts (address, leaf, balance, nonce, voids) VALUES ('txlt1x', (SELECT max(leaf) + 1 FROM accounts), '5', 0, '')",
      /has the account txlt1x, which the blocks do not give/,
    ],
    [
      'a governance record',
      'UPDATE governance SET record = replace(record, \'"threshold":1\', \'"threshold":2\')',
      /roles and validators are others/,
    ],
    [
      'an application hash',
      'UPDATE blocks SET app_hash = zeroblob(32) WHERE height = 4',
      /block 4: executing it gives the application hash/,
    ],
    [
      'a results hash',
      'UPDATE blocks SET results_hash = zeroblob(32) WHERE height = 4',
      /block 4: its results give the hash/,
    ],
    [
      'a recorded result',
      'UPDATE blocks SET failures = \'[[0,1,"no"]]\' WHERE height = (SELECT min(height) FROM events)',
      /block \d+: its transactions have other results/,
    ],
    ['a block that is removed', 'DELETE FROM blocks WHERE height = 3', /there is no block 3/],
    [
      'a block that is cut off',
      'DELETE FROM blocks WHERE height = (SELECT max(height) FROM blocks)',
      /block \d+: it is the last, and the signature/,
    ],
    [
      'a bit of a block',
      "UPDATE blocks SET bytes = CAST(substr(bytes, 1, 40) || x'00' || substr(bytes, 42) AS BLOB) WHERE height = 2",
      /block 2/,
    ],
    [
      'a commit',
      'UPDATE blocks SET commit_bytes = (SELECT commit_bytes FROM blocks WHERE height = 2) WHERE height = 3',
      /block 3: its commit is not signed by the validator/,
    ],
    [
      'a signature of a commit',
      "UPDATE blocks SET commit_bytes = CAST(substr(commit_bytes, 1, length(commit_bytes) - 1) || x'ff' AS BLOB) WHERE height = 3",
      /block 3: its commit is not signed by the validator/,
    ],
    ['a block time', 'UPDATE blocks SET time_ns = time_ns + 1 WHERE height = 3', /block 3: its row says another time/],
    [
      'what was signed last',
      'UPDATE sign_state SET height = height - 1',
      /the signature that is recorded as the last one/,
    ],
    [
      'a transfer that is removed',
      `DELETE FROM transfers WHERE seq = ${FIRST_TRANSFER}`,
      /block \d+: the event \d+-\d+ names the transfer with seq \d+, which is not there/,
    ],
    [
      'a status',
      `UPDATE transfers SET status = 2 WHERE seq = ${FIRST_TRANSFER}`,
      /block \d+: the transfer \w+ has result code 0, and status 2/,
    ],
    ['cancelled for expired', 'UPDATE transfers SET status = 3 WHERE status = 4', /was made void by/],
    [
      'an amount',
      `UPDATE transfers SET amount = '9' WHERE seq = ${FIRST_TRANSFER}`,
      /has the amount 1 in the block, and 9 in the database/,
    ],
    ['a receiver', `UPDATE transfers SET to_id = from_id WHERE seq = ${FIRST_TRANSFER}`, /has the receiver/],
    [
      'a height',
      `UPDATE transfers SET height = height + 1 WHERE seq = ${FIRST_TRANSFER}`,
      /was settled by it, and the database says block/,
    ],
    [
      'a reference',
      "UPDATE payment_members SET reference = 'other' WHERE reference IS NOT NULL",
      /has the reference order-99 in the block, and other/,
    ],
    [
      'an event that is removed',
      'DELETE FROM events WHERE height = (SELECT min(height) FROM events)',
      /the event \d+-0 of the transfer \w+ is missing/,
    ],
    [
      'an event that is added',
      'INSERT INTO events (height, idx, seq) VALUES ((SELECT max(height) FROM events), 99, 1)',
      /the event \d+-99 is of nothing in the block/,
    ],
    [
      'a settled transfer that no block has',
      `UPDATE transfers SET status = 1 WHERE seq = ${PENDING}`,
      /settled transfers in the database/,
    ],
    [
      'a pending transfer that is removed',
      `DELETE FROM pending WHERE seq = ${PENDING}`,
      /has no row among those that are pending/,
    ],
    [
      'a pending amount',
      `UPDATE transfers SET amount = '999' WHERE seq = ${PENDING}`,
      /pending transfer \w+ is not what its hash says/,
    ],
    [
      'a pending signature',
      `UPDATE pending SET signature = zeroblob(64) WHERE seq = ${PENDING}`,
      /is not what its hash says|is not what its sender signed/,
    ],
    ['an entry of an index', `DELETE FROM by_hash WHERE seq = ${FIRST_TRANSFER}`, /an entry of an index is missing/],
    [
      'a surplus entry of an index',
      'INSERT INTO by_sender (segment, account_id, seq) VALUES (0, 1, 999)',
      /entries of by_sender/,
    ],
    [
      'a cancel that is not found',
      'DELETE FROM other_transactions WHERE hash = (SELECT min(hash) FROM other_transactions)',
      /is not found by its hash/,
    ],
    [
      'a token that is removed',
      'DELETE FROM tokens WHERE id = (SELECT min(id) FROM tokens)',
      /that the token \w+ was made, and it is not there/,
    ],
    ['a binding that is removed', 'DELETE FROM address_bindings', /was bound, and it is not/],
    [
      'a binding that nobody made',
      "INSERT INTO address_bindings VALUES ('txlt1x', 'acme', 1)",
      /the audit trail does not say so/,
    ],
    [
      'a line of the audit trail',
      "UPDATE audit SET subject = 'x' WHERE id = 2",
      /line 2 of the audit trail does not fit the line before it/,
    ],
    ['a line of the audit trail that is removed', 'DELETE FROM audit WHERE id = 2', /line 2 .* is missing/],
    [
      'a line of the audit trail that is put in',
      "INSERT INTO audit SELECT max(id) + 1, 1, 'a', 'server.stop', 'b', '{}', zeroblob(32) FROM audit",
      /line \d+ of the audit trail does not fit the line before it/,
    ],
    [
      'an Idempotency-Key without a transfer',
      'UPDATE idempotency_keys SET seq = 999',
      /belongs to a transfer that is not there/,
    ],
  ])('%s', async (_what, statements, told) => {
    const copy = copyOf(restored);
    tamper(path.join(copy, 'chain.db'), statements);
    expect((await verify(copy)).fault).toMatch(told);
  });

  test.each([
    ['what was accepted since', false, /the hash of entry 1 is not that of its bytes/],
    ['what was accepted since, with hashes that fit', true, /the accepted transfer \w+ is not what its hash says/],
  ])('%s', async (_what, forged, told) => {
    const copy = copyOf(restored);
    rewriteFirst(path.join(copy, 'log.db'), (text) => text.replace(/\t6\t/, '\t7\t'), { forged });
    expect((await verify(copy)).fault).toMatch(told);
  });
});

describe('of a gateway: ', () => {
  test.each<[what: string, statements: string, told: RegExp]>([
    ['a balance', "UPDATE accounts SET balance = '1' WHERE id = 1", /the balances add up to/],
    ['what is reserved', "UPDATE accounts SET reserved = '1' WHERE reserved = '0'", /in pending transfers/],
    ['a transfer that is removed', 'DELETE FROM transfers WHERE seq = 1', /events of transfers|a transfer/],
    ['a status', 'UPDATE transfers SET status = 1 WHERE status = 0', /has 0 events, and status 1/],
    ['an amount', "UPDATE transfers SET amount = '77' WHERE seq = 1", /is not what its hash says/],
    ['a signature', 'UPDATE transfers SET signature = zeroblob(64) WHERE seq = 1', /is not what its hash says/],
    ['the count of what is pending', 'UPDATE counters SET pending = pending + 1', /are counted as pending/],
    ['an event that is removed', 'DELETE FROM events WHERE seq = 1', /has 0 events/],
    ['an audit entry that is removed', 'DELETE FROM audit WHERE id = 1', /some were removed/],
  ])('%s', async (_what, statements, told) => {
    const copy = copyOf(folders.gateway);
    tamper(path.join(copy, 'gateway.db'), statements);
    expect((await verify(copy)).fault).toMatch(told);
  });
});

describe('of a gateway of this version: ', () => {
  const moved =
    'INSERT INTO transfers SELECT seq, hash, from_id, to_id, amount, nonce, signature, owner_id, 1, NULL, NULL, NULL, first_seen_at_ms, seen_block_ms, seen_uptime_ms, NULL, NULL, NULL, 1, 1, NULL, NULL, reference, valid_until FROM pending LIMIT 1';
  test.each<[what: string, statements: string, told: RegExp]>([
    [
      'a pending transfer that is settled too',
      `${moved}; INSERT INTO events SELECT 1, 999, max(seq) FROM pending`,
      /pending and settled|has \d events|account's next nonce/,
    ],
    ['a number that no shard gave', 'UPDATE shards SET last_seq = 0', /was given by no shard/],
    ['a shard too few', 'DELETE FROM shards', /are not those that this program makes/],
    ['the count of a shard', 'UPDATE shards SET pending = pending + 1', /are counted as pending/],
    ['the count of an owner', 'UPDATE owner_pending SET pending = pending + 1', /is counted with/],
  ])('%s', async (_what, statements, told) => {
    const copy = copyOf(folders.gateway);
    await bringUpToDate(path.join(copy, 'gateway.db'));
    expect((await verify(copy)).fault).toBeUndefined();
    tamper(path.join(copy, 'gateway.db'), statements);
    expect((await verify(copy)).fault).toMatch(told);
  });
});

test('of an application: a balance', async () => {
  const copy = copyOf(folders.application);
  tamper(path.join(copy, 'app.db'), "UPDATE accounts SET balance = '1' WHERE leaf = 0");
  expect((await verify(copy)).fault).toMatch(/give the application hash/);
});

describe('of a backup: ', () => {
  test('a byte flipped in any file', async () => {
    for (const { name, bytes } of readManifest(backup).files) {
      for (const at of [0, Math.floor(bytes / 2), bytes - 1]) {
        const copy = copyOf(backup);
        const content = readFileSync(path.join(copy, name));
        content.writeUInt8(content.readUInt8(at) ^ 1, at);
        writeFileSync(path.join(copy, name), content);
        expect((await verify(copy)).fault).toContain(`${name} was changed`);
        rmSync(copy, { recursive: true });
      }
    }
  });

  test('a file that is missing or cut off', async () => {
    const missing = copyOf(backup);
    rmSync(path.join(missing, 'genesis.json'));
    expect((await verify(missing)).fault).toMatch(/genesis\.json is missing/);
    const short = copyOf(backup);
    truncateSync(path.join(short, 'chain.db'), 8192);
    expect((await verify(short)).fault).toMatch(/chain\.db has 8192 bytes, and the manifest says/);
  });

  test.each<[what: string, change: (manifest: Manifest) => unknown, told: RegExp]>([
    [
      'a height',
      ({ state, ...rest }) => ({ ...rest, state: { ...state, height: 1 } }),
      /"height" is \d+ in the database, and 1 in the manifest/,
    ],
    [
      'a count',
      ({ counts, ...rest }) => ({ ...rest, counts: { ...counts, tokens: 1 } }),
      /the number of tokens is \d+ in the database, and 1 in the manifest/,
    ],
    ['another format', (manifest) => ({ ...manifest, format: 2 }), /of format 2, and this program reads format 1/],
    ['no files', ({ files: _files, ...rest }) => rest, /members are missing/],
    [
      'no database among its files',
      ({ files, ...rest }) => ({ ...rest, files: files.filter(({ name }) => name !== 'chain.db') }),
      /it does not name chain\.db/,
    ],
    [
      'a file twice',
      ({ files, ...rest }) => ({ ...rest, files: [...files, files[0]] }),
      /it names the file \{"name":"chain\.db"/,
    ],
    [
      'a file that no backup has',
      ({ files, ...rest }) => ({ ...rest, files: [...files, { ...files[0], name: 'priv_validator_state.json' }] }),
      /it names the file/,
    ],
    [
      'a log of a database',
      ({ files, ...rest }) => ({ ...rest, files: [...files, { ...files[0], name: 'chain.db-wal' }] }),
      /it names the file/,
    ],
    [
      'an absolute path',
      ({ files, ...rest }) => ({ ...rest, files: [{ ...files[0], name: '/etc/passwd' }] }),
      /it names the file/,
    ],
    [
      'a size below nothing',
      ({ files, ...rest }) => ({ ...rest, files: [{ ...files[0], bytes: -1 }] }),
      /it names the file/,
    ],
    ['no counts', (manifest) => ({ ...manifest, counts: null }), /are not what they should be/],
    [
      'counts beyond numbers',
      (manifest) => ({ ...manifest, counts: { tokens: 1e300 } }),
      /are not what they should be/,
    ],
    [
      'a missing count',
      (manifest) => ({ ...manifest, counts: {} }),
      /the number of \w+ is \d+ in the database, and undefined in the manifest/,
    ],
    [
      'words for the terminal',
      (manifest) => ({ ...manifest, chainId: '\u001b[2Jtxledger' }),
      /are not what they should be/,
    ],
    [
      'a key that is none',
      ({ keys, ...rest }) => ({ ...rest, keys: { ...keys, missing: ['\u001b[2J'] } }),
      /are not what they should be/,
    ],
    [
      'a file outside',
      ({ files, ...rest }) => ({ ...rest, files: [{ ...files[0], name: '../chain.db' }] }),
      /it names the file/,
    ],
  ])('a manifest with %s', async (_what, change, told) => {
    const copy = copyOf(backup);
    writeFileSync(path.join(copy, 'manifest.json'), formatManifest(change(readManifest(backup)) as Manifest));
    expect((await verify(copy)).fault).toMatch(told);
  });

  describe('where the log and the audit trail end: ', () => {
    let newer: string;
    beforeAll(async () => {
      ({ folder: newer } = await backUp(restored, path.join(folders.parent, 'newer')));
    });

    /** The file is what the manifest says of it again. */
    async function tampered(name: string, statements: string): Promise<string> {
      const copy = copyOf(newer);
      tamper(path.join(copy, name), statements);
      const manifest = readManifest(copy);
      const files = await Promise.all(
        manifest.files.map((file) => (file.name === name ? describeFile(copy, name) : file)),
      );
      writeFileSync(path.join(copy, 'manifest.json'), formatManifest({ ...manifest, files }));
      return copy;
    }

    test('it says so, and verify shows the same', async () => {
      const { heads } = readManifest(newer);
      const hash = expect.stringMatching(/^[0-9A-F]{64}$/);
      expect(heads).toEqual({ log: { seq: expect.any(Number), hash }, audit: { id: expect.any(Number), hash } });
      const { facts, lines, checked, fault } = await verify(newer);
      expect([fault, facts['heads']]).toEqual([undefined, heads]);
      expect(lines).toContainEqual(['audit trail', `line ${heads?.audit.id}, hash ${heads?.audit.hash}`]);
      expect(checked).toContain(`the hash of each line of the audit trail (${heads?.audit.id})`);
    });

    test('lines that were cut off, or hashed again, are not those of the manifest, for verify and restore', async () => {
      const { id } = readManifest(newer).heads!.audit;
      const never = path.join(folders.parent, 'never');
      const folder = await tampered('chain.db', `UPDATE audit SET hash = zeroblob(32) WHERE id = ${id}`);
      const told = new RegExp(
        `the last line of the audit trail is \\{"id":${id},"hash":"0{64}"\\} in the database, and`,
      );
      expect((await verify(folder)).fault).toMatch(told);
      await expect(restoreInto(never, folder)).rejects.toThrow(told);
      expect(existsSync(never)).toBe(false);
    });

    test.each<[what: string, change: (manifest: Manifest) => unknown, told: RegExp]>([
      [
        'without them',
        (manifest) => ({ ...manifest, heads: undefined }),
        /the last entry of the log is \{.*, and undefined in the manifest/,
      ],
      [
        'with another entry',
        (manifest) => ({ ...manifest, heads: { ...manifest.heads, log: { seq: 1, hash: 'AB'.repeat(32) } } }),
        /the last entry of the log is \{"seq":\d+,.*\} in the database, and \{"seq":1,/,
      ],
      [
        'with another line',
        (manifest) => ({ ...manifest, heads: { ...manifest.heads, audit: { id: 1, hash: 'AB'.repeat(32) } } }),
        /the last line of the audit trail is/,
      ],
      [
        'with no hash',
        (manifest) => ({ ...manifest, heads: { audit: { id: 1, hash: '\u001b[2J' } } }),
        /not what they should/,
      ],
    ])('a manifest %s', async (_what, change, told) => {
      const copy = copyOf(newer);
      writeFileSync(path.join(copy, 'manifest.json'), formatManifest(change(readManifest(newer)) as Manifest));
      expect((await verify(copy)).fault).toMatch(told);
    });
  });

  test('with a link in the place of a file, or with what SQLite would read beside it', async () => {
    const linked = copyOf(backup);
    renameSync(path.join(linked, 'chain.db'), path.join(folders.parent, 'elsewhere.db'));
    symlinkSync(path.join(folders.parent, 'elsewhere.db'), path.join(linked, 'chain.db'));
    expect((await verify(linked)).fault).toMatch(/chain\.db is no plain file/);
    const beside = copyOf(backup);
    writeFileSync(path.join(beside, 'chain.db-wal'), 'pages');
    expect((await verify(beside)).fault).toMatch(/chain\.db-wal is not in the manifest/);
    const device = copyOf(backup);
    rmSync(path.join(device, 'manifest.json'));
    symlinkSync('/dev/zero', path.join(device, 'manifest.json'));
    await expect(verify(device)).rejects.toThrow(/it is no manifest of a backup/);
  });

  test('that was not finished', async () => {
    const copy = `${copyOf(backup)}.partial`;
    cpSync(backup, copy, { recursive: true });
    expect((await verify(copy)).fault).toMatch(/was not finished/);
    const without = copyOf(backup);
    rmSync(path.join(without, 'manifest.json'));
    rmSync(path.join(without, 'genesis.json'));
    expect((await verify(without)).fault).toBeDefined();
  });
});

describe('of rows of PostgreSQL: ', () => {
  const rowsOf = async function* (line: string): AsyncGenerator<string> {
    yield line;
  };
  test.each(['{"id\\") SELECT randomblob(1e9) --": 1}', 'null', '"row"', '[]', '{}'])(
    'a line that is no row (%s)',
    async (line) => {
      const file = path.join(folders.parent, `rows-${(copies += 1)}.db`);
      await expect(
        rowsIntoFile(file, CURRENT, (table) => (table === 'tokens' ? rowsOf(line) : linesOf('/dev/null'))),
      ).rejects.toThrow(/a line of tokens is no row/);
    },
  );

  test('a file without the end of a line is not read as a whole', async () => {
    const file = path.join(folders.parent, 'long.jsonl');
    writeFileSync(file, '');
    truncateSync(file, 64 * 1024 * 1024);
    await expect(linesOf(file).next()).rejects.toThrow(/a line of more than 16777216 characters/);
    writeFileSync(file, '{"a":1}\n\u00e9\n');
    const lines: string[] = [];
    for await (const line of linesOf(file)) lines.push(line);
    expect(lines).toEqual(['{"a":1}', '\u00e9']);
  });
});

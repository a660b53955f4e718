/** A log with an entry of a later version: whoever meets it says so in one sentence, skips nothing, and changes nothing (protocol.md, rule 36). */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { describeFile } from '../../server/app/backup/files.ts';
import { formatManifest, readManifest } from '../../server/app/backup/manifest.ts';
import { dataDirFiles } from '../../server/app/data-dir-files.ts';
import { entryHash } from '../../server/log/log.ts';
import { ACCESS, attachLog } from '../../server/store/embedded/chain-log.ts';
import { decodeAccess } from '../../server/store/embedded/access-entry.ts';
import { openChainReader } from '../../server/store/embedded/connection.ts';
import { removeTemporaryFolders } from '../app/support.ts';
import { backUp, restoreInto, unpackFolders, verify } from '../backup/support.ts';
import { freePort, READY_MS_MAX, txledger } from '../e2e/support/server.ts';

let parent: string;
let folder: string;
let backup: string;
let copies = 0;

/** Its log has groups, and the line of the restore as its last entry. */
beforeAll(async () => {
  const folders = await unpackFolders();
  ({ parent } = folders);
  const { folder: old } = await backUp(folders.chain, path.join(parent, 'old'), { withKeys: true });
  folder = path.join(parent, 'restored');
  await restoreInto(folder, old);
  ({ folder: backup } = await backUp(folder, path.join(parent, 'backup'), { withKeys: true }));
}, READY_MS_MAX);
afterAll(removeTemporaryFolders);

function copyOf(from: string): string {
  copies += 1;
  const copy = path.join(parent, `copy-${copies}`);
  cpSync(from, copy, { recursive: true });
  return copy;
}

/** With hashes that fit, as the later version writes them. */
function change(file: string, place: 'head' | 'middle', changed: (bytes: Buffer) => Buffer): void {
  const sql = new Database(file);
  const rows = sql.prepare<[], [number, Buffer, Buffer]>('SELECT seq, hash, bytes FROM log ORDER BY seq').raw().all();
  expect(rows.length).toBeGreaterThan(2);
  let previous = rows[0]?.[1] as Buffer;
  for (const [index, [seq, , bytes]] of rows.entries()) {
    if (index === 0) continue;
    const isIt = index === (place === 'head' ? rows.length - 1 : 1);
    const now = isIt ? changed(bytes) : bytes;
    previous = entryHash(previous, seq, now);
    sql.prepare('UPDATE log SET hash = ?, bytes = ? WHERE seq = ?').run(previous, now, seq);
  }
  sql.close();
}

const headed = (format: number, kind: number) => (bytes: Buffer) =>
  Buffer.concat([Buffer.of(format, kind), bytes.subarray(2)]);
const contents = (at: string): Buffer[] => ['log.db', 'chain.db'].map((name) => readFileSync(path.join(at, name)));

describe.each<[what: string, place: 'head' | 'middle', changed: (bytes: Buffer) => Buffer, told: RegExp]>([
  [
    'a later format',
    'head',
    headed(2, ACCESS),
    /entry \d+ (has format 2, and this program reads format 1|is of a format or kind that this program does not know)/,
  ],
  [
    'a later format',
    'middle',
    headed(2, 1),
    /entry \d+ (has format 2, and this program reads format 1|is of a format or kind that this program does not know)/,
  ],
  [
    'an unknown kind',
    'head',
    headed(1, 5),
    /entry \d+ is of (kind 5, which|a format or kind that) this program does not know/,
  ],
  [
    'an unknown kind',
    'middle',
    headed(1, 5),
    /entry \d+ is of (kind 5, which|a format or kind that) this program does not know/,
  ],
  [
    'an unknown change of access',
    'head',
    () => Buffer.concat([Buffer.of(1, ACCESS), Buffer.from('[["dropToken","a1"]]')]),
    /a change of access \["dropToken","a1"\], which this program does not know/,
  ],
])('%s at the %s of the log', (_what, place, changed, told) => {
  test(
    'is refused by a start, verify and backup, and the folder is left as it was',
    async () => {
      const copy = copyOf(folder);
      change(path.join(copy, 'log.db'), place, changed);
      const before = contents(copy);
      const files = dataDirFiles(copy);
      const development = { DATA_DIR: copy, PORT: String(await freePort()) };
      const production = {
        ...development,
        GENESIS_FILE: files.genesis,
        VALIDATOR_KEY_FILE: files.validatorKey,
        OPERATOR_KEY_FILE: files.operatorKey,
      };
      // The first makes a token before its threads begin, because dev.json is not there.
      for (const [name, settings] of Object.entries({ start: development, serve: production })) {
        const { code, stderr } = await txledger([name], settings);
        expect(stderr).toMatch(told);
        expect(stderr).toMatch(/: a later version wrote it; run that one\.$/m);
        expect(stderr).not.toMatch(/^\s+at /m);
        expect(code).toBe(2);
      }
      const command = await txledger(['audit', 'list'], { DATA_DIR: copy });
      expect([command.code, command.stderr]).toEqual([2, expect.stringMatching(told)]);
      expect((await verify(copy)).fault).toMatch(told);
      await expect(backUp(copy, path.join(parent, 'never'))).rejects.toThrow(told);
      expect(existsSync(path.join(parent, 'never'))).toBe(false);
      const sql = openChainReader(path.join(copy, 'chain.db'));
      if (!told.source.includes('dropToken'))
        expect(() => attachLog(sql, path.join(copy, 'chain.db'))).toThrow(/a later version wrote it; run that one$/);
      sql.close();
      expect(contents(copy).map((bytes, i) => bytes.equals(before[i] as Buffer))).toEqual([true, true]);
    },
    READY_MS_MAX,
  );

  test('is refused by verify and restore of a backup, and nothing is restored', async () => {
    const copy = copyOf(backup);
    change(path.join(copy, 'log.db'), place, changed);
    const manifest = readManifest(copy);
    const files = await Promise.all(
      manifest.files.map((file) => (file.name === 'log.db' ? describeFile(copy, file.name) : file)),
    );
    writeFileSync(path.join(copy, 'manifest.json'), formatManifest({ ...manifest, files }));
    expect((await verify(copy)).fault).toMatch(told);
    await expect(restoreInto(path.join(parent, 'never'), copy)).rejects.toThrow(told);
    expect(existsSync(path.join(parent, 'never'))).toBe(false);
  });
});

/** An older release reads all of this. A change that it does not know needs a kind or a format of its own, so that it says so and skips nothing. */
test('the changes that an entry of format 1 and kind 4 may have are these', () => {
  const known = [
    ['insertToken', 'revokeToken', 'expireToken', 'setTokenScopes', 'setTokenLimits', 'saveBinding', 'removeBinding'],
    ['markTokensUsed', 'appendAudit'],
    ['insertWebhook', 'changeWebhook', 'deleteWebhook', 'addWork', 'movePlaces'],
  ].flat();
  for (const name of known)
    expect(decodeAccess(JSON.stringify([[name, { secretSha256: '' }]]))).toMatchObject([[name, {}]]);
});

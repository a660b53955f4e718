import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { removeStalePidFile, unprivilegedUser } from '../../scripts/localnet/postgres.ts';
import { run } from '../../scripts/localnet/run.ts';
import { openForTraversal } from '../../scripts/localnet/traverse.ts';
import { printed, removeTemporaryFolders, spawnSource, temporaryFolder } from '../app/support.ts';
import { endChild } from '../support/child-process.ts';

afterAll(removeTemporaryFolders);

const NOBODY = { uid: 65_534, gid: 65_534 };
const modeOf = (folder: string): string => (statSync(folder).mode & 0o777).toString(8);

/** Only root can become another user, and only as root has PostgreSQL to be another one. */
const suite = process.getuid?.() === 0 ? describe : describe.skip;

suite('for a user who is not root', () => {
  /** A temporary folder, closed to others, with two more in it and the user's own at the end. */
  async function tree(): Promise<{ top: string; middle: string; own: string; secret: string }> {
    const top = await temporaryFolder('localnet');
    chmodSync(top, 0o700);
    const middle = path.join(top, 'closed', 'data');
    const own = path.join(middle, 'postgres');
    mkdirSync(own, { recursive: true, mode: 0o700 });
    chownSync(own, NOBODY.uid, NOBODY.gid);
    const secret = path.join(middle, 'secret');
    writeFileSync(secret, 'geheim', { mode: 0o600 });
    return { top, middle, own, secret };
  }

  test('a way is opened to his folder through closed ones of root, and no further than for passing through', async () => {
    const { top, middle, own, secret } = await tree();
    expect(await openForTraversal(own, NOBODY)).toEqual([top, path.join(top, 'closed'), middle]);
    expect([top, path.join(top, 'closed'), middle, own].map(modeOf)).toEqual(['701', '701', '701', '700']);
    const as = (command: string) => run('/bin/sh', ['-c', command], { user: NOBODY, cwd: '/' });
    expect((await as(`touch ${own}/file`)).code).toBe(0);
    expect((await as(`ls ${middle}`)).code).not.toBe(0);
    expect((await as(`cat ${secret}`)).code).not.toBe(0);
  });

  test('nothing is changed that lets him pass already', async () => {
    const { own } = await tree();
    await openForTraversal(own, NOBODY);
    expect(await openForTraversal(own, NOBODY)).toEqual([]);
  });

  test('a folder that another user closed stays closed, and is named', async () => {
    const { middle, own } = await tree();
    chownSync(middle, 1, 1);
    await expect(openForTraversal(own, NOBODY)).rejects.toThrow(`cannot pass through ${middle}`);
    expect(modeOf(middle)).toBe('700');
  });

  test('a closed folder of his own group is not opened by the bit for others', async () => {
    const { middle, own } = await tree();
    chownSync(middle, 0, NOBODY.gid);
    await expect(openForTraversal(own, NOBODY)).rejects.toThrow(`cannot pass through ${middle}`);
  });

  test('the user is postgres where there is one, else nobody', () => {
    const nobody = 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n';
    expect(unprivilegedUser(nobody)).toEqual(NOBODY);
    expect(unprivilegedUser(`${nobody}postgres:x:101:104::/var/lib/postgresql:/bin/bash\n`)).toEqual({
      uid: 101,
      gid: 104,
    });
    expect(() => unprivilegedUser('root:x:0:0:root:/root:/bin/bash\n')).toThrow('neither a user postgres nor nobody');
  });
});

describe('postmaster.pid of a server that was killed', () => {
  test('is taken away when no process works in the folder, and left while one does', async () => {
    const folder = await temporaryFolder('localnet');
    const file = path.join(folder, 'postmaster.pid');
    writeFileSync(file, '1\n');
    const holder = spawnSource(
      `process.chdir(${JSON.stringify(folder)}); console.log('there'); setInterval(() => undefined, 1000);`,
    );
    try {
      await printed(holder, 'there');
      removeStalePidFile(folder);
      expect(statSync(file).size).toBe(2);
    } finally {
      await endChild(holder, 'SIGKILL');
    }
    removeStalePidFile(folder);
    expect(() => statSync(file)).toThrow('ENOENT');
  });
});

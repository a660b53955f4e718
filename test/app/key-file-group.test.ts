import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parseGroup } from '../../server/app/key-file-group.ts';
import { readSecretFile, writeSecretFile } from '../../server/app/secret-file.ts';
import { removeTemporaryFolders, temporaryFolder } from './support.ts';

afterAll(removeTemporaryFolders);

const OWN_GROUP = process.getegid?.() ?? 0;

async function keyFile(mode: number): Promise<string> {
  const file = path.join(await temporaryFolder(), 'key.json');
  writeSecretFile(file, 'secret');
  chmodSync(file, mode);
  return file;
}

describe('a key file of the group that the operator named', () => {
  test.each([0o640, 0o600, 0o440, 0o400])('is read with the mode %o', async (mode) => {
    expect(readSecretFile(await keyFile(mode), 'the key', OWN_GROUP)).toBe('secret');
  });

  test.each([0o660, 0o644, 0o650, 0o604, 0o641, 0o740])('is refused with the mode %o', async (mode) => {
    const file = await keyFile(mode);
    expect(() => readSecretFile(file, 'the key', OWN_GROUP)).toThrow(
      `More than its owner and the group ${OWN_GROUP} can use the key at ${file}: its mode is 0${mode.toString(8)}, expected 0640 or 0600 (chmod 640 ${file}).`,
    );
  });

  test('is refused with 0640 where it is of another group, and without the variable', async () => {
    const file = await keyFile(0o640);
    expect(() => readSecretFile(file, 'the key', OWN_GROUP + 1)).toThrow(
      `The group ${OWN_GROUP} can read the key at ${file}; TXLEDGER_KEY_FILE_GROUP lets only the group ${OWN_GROUP + 1} read it`,
    );
    expect(() => readSecretFile(file, 'the key')).toThrow('expected 0600');
  });

  (process.getuid?.() === 0 ? test : test.skip)('still belongs to the user or to root', async () => {
    const file = await keyFile(0o640);
    chownSync(file, 12_345, OWN_GROUP);
    expect(() => readSecretFile(file, 'the key', OWN_GROUP)).toThrow('belongs to user 12345');
  });
});

describe('the name of a group', () => {
  test('is looked up in the file of groups, and a number is taken as it is', async () => {
    const file = path.join(await temporaryFolder(), 'group');
    writeFileSync(file, 'root:x:0:\nledger:x:998:alice,bob\nledger-2:x:999:\nempty:x::\nshort\n');
    expect(
      ['ledger', 'ledger-2', '4000', 'ledge', 'alice', '', 'empty', 'short'].map((text) => parseGroup(text, file)),
    ).toEqual([998, 999, 4000, undefined, undefined, undefined, undefined, undefined]);
    expect(parseGroup('ledger', `${file}-missing`)).toBeUndefined();
  });
});

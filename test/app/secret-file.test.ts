import { chmodSync, chownSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { isTrusted } from '../../server/app/ownership.ts';
import { createSecretFile, readSecretFile, SecretFileError, writeSecretFile } from '../../server/app/secret-file.ts';
import { linkNew } from '../../server/platform/disk-file.ts';
import { removeTemporaryFolders, temporaryFolder } from './support.ts';

afterAll(removeTemporaryFolders);

describe('a file with secrets', () => {
  test('is readable by its owner only, and nothing is left of its temporary name', async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, 'key.json');
    writeSecretFile(file, 'secret');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readSecretFile(file, 'the key')).toBe('secret');
    expect(readdirSync(folder)).toEqual(['key.json']);
  });

  test('that is new replaces nothing, also when another one came while it was written', async () => {
    const file = path.join(await temporaryFolder(), 'key.json');
    createSecretFile(file, 'secret');
    expect(() => createSecretFile(file, 'other')).toThrow(`${file} exists already and is not overwritten.`);
    expect(readSecretFile(file, 'the key')).toBe('secret');
    writeFileSync(`${file}.given`, 'of another user');
    expect(() => linkNew(`${file}.given`, `${file}.other`, statSync(file))).toThrow(
      /key\.json\.other is not the file that was written: another user, .*Do not use it/,
    );
  });

  test('is not written into a folder that is not there, and a sentence says so', async () => {
    const file = path.join(await temporaryFolder(), 'none', 'key.json');
    expect(() => createSecretFile(file, 'secret')).toThrow(SecretFileError);
    expect(() => createSecretFile(file, 'secret')).toThrow(`Cannot write ${file}: ENOENT`);
  });

  test.each([0o640, 0o604, 0o644, 0o610, 0o660, 0o666])('is refused when its mode is %o', async (mode) => {
    const file = path.join(await temporaryFolder(), 'key.json');
    writeSecretFile(file, 'secret');
    chmodSync(file, mode);
    expect(() => readSecretFile(file, 'the operator key')).toThrow(SecretFileError);
    expect(() => readSecretFile(file, 'the operator key')).toThrow(
      /Others can read the operator key at .*expected 0600/,
    );
  });

  test.each([0o600, 0o400])('is accepted when its mode is %o', async (mode) => {
    const file = path.join(await temporaryFolder(), 'key.json');
    writeSecretFile(file, 'secret');
    chmodSync(file, mode);
    expect(readSecretFile(file, 'the operator key')).toBe('secret');
  });

  test('is refused with its path when it is missing or far too large to be one', async () => {
    const file = path.join(await temporaryFolder(), 'key.json');
    expect(() => readSecretFile(file, 'the operator key')).toThrow(`Cannot read the operator key at ${file}`);
    writeSecretFile(file, 'x'.repeat(65 * 1024));
    expect(() => readSecretFile(file, 'the operator key')).toThrow('this is no key file');
  });

  (process.getuid?.() === 0 ? test : test.skip)('of another user is refused, with what to do', async () => {
    const file = path.join(await temporaryFolder(), 'key.json');
    writeSecretFile(file, 'secret');
    chownSync(file, 12_345, 12_345);
    expect(() => readSecretFile(file, 'the operator key (OPERATOR_KEY_FILE)')).toThrow(
      `The operator key (OPERATOR_KEY_FILE) at ${file} belongs to user 12345, expected user 0, as whom this process runs (chown 0 ${file}).`,
    );
  });

  test("is trusted when it is the process's own or root's", () => {
    expect([
      isTrusted(1000, 1000),
      isTrusted(0, 1000),
      isTrusted(1001, 1000),
      isTrusted(1000, 0),
      isTrusted(5, undefined),
    ]).toEqual([true, true, false, false, true]);
  });
});

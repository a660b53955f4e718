/** What is in generated/ is what spec/ gives, and a check that finds a difference names it. */
import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { differingFiles, generate, GENERATED_FILES } from '../../scripts/generate.ts';
import { REPOSITORY } from './support/contract.ts';

/** Below a folder, sorted. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [relative(folder, join(entry.parentPath, entry.name))] : []))
    .sort();

const committed = join(REPOSITORY, 'generated');

describe('npm run generate', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'generate-test-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test('gives the committed files and no others, however often it runs', async () => {
    const specFile = join(REPOSITORY, 'spec', 'openapi.yaml');
    await generate(specFile, folder);
    expect(differingFiles(committed, folder)).toEqual([]);
    await generate(specFile, folder);
    expect(differingFiles(committed, folder)).toEqual([]);
    expect(filesIn(folder)).toEqual([...GENERATED_FILES].sort());
    expect(filesIn(committed)).toEqual([...GENERATED_FILES].sort());
  });

  test('gives the same bytes for a contract that lies elsewhere', async () => {
    cpSync(join(REPOSITORY, 'spec'), join(folder, 'spec'), { recursive: true });
    await generate(join(folder, 'spec', 'openapi.yaml'), join(folder, 'generated'));
    expect(differingFiles(committed, join(folder, 'generated'))).toEqual([]);
  });

  test.each([...GENERATED_FILES])('notices an edited %s', (file) => {
    cpSync(committed, folder, { recursive: true });
    appendFileSync(join(folder, file), '\n');
    expect(differingFiles(committed, folder)).toEqual([file]);
  });

  test.each([...GENERATED_FILES])('notices a missing %s', (file) => {
    cpSync(committed, folder, { recursive: true });
    rmSync(join(folder, file));
    expect(differingFiles(committed, folder)).toEqual([file]);
  });

  test('says what is wrong with a contract that cannot be bundled', async () => {
    const specFile = join(folder, 'openapi.yaml');
    writeFileSync(
      specFile,
      'openapi: 3.1.1\ninfo: {title: t, version: 1.0.0}\npaths:\n  /gone:\n    $ref: paths/gone.yaml\n',
    );
    await expect(generate(specFile, join(folder, 'generated'))).rejects.toThrow(
      /redocly bundle .* failed:[^]*gone\.yaml/,
    );
  });
});

/**
 * The contract is clean under every rule of redocly.yaml. Every rule of our own, and those of Redocly's that callers
 * rely on, can fail: each is broken in a copy of spec/ and must say so. All copies are linted in one process.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { REPOSITORY } from './support/contract.ts';
import { lint } from './support/lint.ts';
import { PLANTS } from './support/lint-plants.ts';
import { RPC_PATHS, RPC_PLANTS } from './support/lint-plants-rpc.ts';
import { SpoiltCopy } from './support/spoilt-copy.ts';

const plants = [PLANTS, RPC_PLANTS]
  .flatMap((rules) =>
    Object.entries(rules).map(([rule, ways]) => ({ rule, ways, rpcPaths: rules === RPC_PLANTS ? RPC_PATHS : [] })),
  )
  .flatMap(({ rule, ways, rpcPaths }) => Object.entries(ways).map(([what, spoil]) => ({ rule, what, spoil, rpcPaths })))
  .map((plant, index) => ({ ...plant, index }));

const LINT_TIMEOUT_MS = 300_000;

describe('the lint of the contract', () => {
  let folder: string;
  let clean: string[] = [];
  let withoutRpc: string[] = [];
  let withRpcPaths: string[] = [];
  let spoilt: string[][] = [];

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'contract-lint-'));
    const copies = plants.map(({ spoil, rpcPaths, index }) => {
      const copy = new SpoiltCopy(join(folder, String(index)), rpcPaths);
      spoil(copy);
      return copy.rootDocument;
    });
    const unspoilt = [[], RPC_PATHS].map(
      (paths, index) => new SpoiltCopy(join(folder, `unspoilt${index}`), paths).rootDocument,
    );
    const reports = lint([join(REPOSITORY, 'spec', 'openapi.yaml'), ...unspoilt, ...copies]);
    [clean = [], withoutRpc = [], withRpcPaths = [], ...spoilt] = reports;
  }, LINT_TIMEOUT_MS);

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test('finds nothing in the contract as it is', () => {
    expect(clean).toEqual([]);
  });

  test('finds nothing in a copy before it is spoilt, but parts that it has and does not use', () => {
    expect(withoutRpc).toEqual([]);
    expect(withRpcPaths.filter((problem) => !problem.startsWith('contract/no-orphans: '))).toEqual([]);
  });

  test.each(plants)('$rule finds $what', ({ rule, index }) => {
    expect(spoilt[index]).toEqual(expect.arrayContaining([expect.stringMatching(new RegExp(`^${rule}: `))]));
  });

  test('is seen to fail by every rule of our own', () => {
    const configuration = readFileSync(join(REPOSITORY, 'redocly.yaml'), 'utf8');
    const ours = [...configuration.matchAll(/^ {2}((?:contract|rule)\/[a-z-]+):/gm)].map((match) => match[1]);
    expect(ours.length).toBeGreaterThan(0);
    expect(Object.keys({ ...PLANTS, ...RPC_PLANTS })).toEqual(expect.arrayContaining(ours));
  });
});

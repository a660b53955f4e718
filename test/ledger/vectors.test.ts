import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  CODES,
  finalizeBlock,
  LedgerState,
  type Misbehavior,
  parseGenesis,
  verifyTransaction,
} from '../../server/ledger/index.ts';
import { TEST_CHAIN } from './support.ts';

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const VECTORS = path.join(ROOT, 'spec', 'vectors');

/** Python is a requirement of the tests, not an option: a check that is skipped where it could fail is none. */
function checkWithPython(folder: string) {
  const python = spawnSync('python3', [path.join(ROOT, 'test/ledger/vectors_check.py'), folder], { encoding: 'utf8' });
  if (python.error)
    throw new Error('the vectors are checked by python3 with the package cryptography: install both', {
      cause: python.error,
    });
  return { status: python.status, output: python.stdout + python.stderr };
}

describe('the published vectors', () => {
  test('are what scripts/make-vectors.ts writes', () => {
    const check = spawnSync(process.execPath, [path.join(ROOT, 'scripts/make-vectors.ts'), '--check'], {
      encoding: 'utf8',
    });
    expect(check.stderr.replaceAll(/^.*ExperimentalWarning.*$|^\(Use .*$|\n/gm, '')).toBe('');
    expect(check.status).toBe(0);
  });

  test('of signing are what the independent program that made them makes', () => {
    const made = spawnSync(
      'python3',
      [path.join(ROOT, 'test/ledger/signing_vectors.py'), '--check', path.join(VECTORS, 'signing-vectors.json')],
      { encoding: 'utf8' },
    );
    expect({ status: made.status, output: made.stdout + made.stderr }).toEqual({ status: 0, output: '8 vectors\n' });
  });

  test('are decided the same by an independent program', () => {
    const { status, output } = checkWithPython(VECTORS);
    expect(output).toContain('chain.json');
    expect({ status, output }).toMatchObject({ status: 0 });
  });

  test('cover every code that bytes and blocks can have', () => {
    const refused = JSON.parse(readFileSync(path.join(VECTORS, 'transactions.json'), 'utf8')) as {
      refused: { code: number }[];
    };
    const chain = JSON.parse(readFileSync(path.join(VECTORS, 'chain.json'), 'utf8')) as {
      blocks: { transactions: { code: number }[] }[];
    };
    const seen = new Set(
      [...refused.refused, ...chain.blocks.flatMap(({ transactions }) => transactions)].map(({ code }) => code),
    );
    // Not in a block or its bytes: limits of 64 cancellers, 16 governors and 128 validators, and the codes of proposals and CheckTx.
    const elsewhere = (name: string) =>
      ['governance_limit', 'governance_not_available'].includes(name) || /^(block|check)_/.test(name);
    const missing = Object.entries(CODES).filter(([name, code]) => !seen.has(code) && !elsewhere(name));
    expect(missing).toEqual([]);
  });

  test('are listed in their README, every one', () => {
    const readme = readFileSync(path.join(VECTORS, 'README.md'), 'utf8');
    for (const file of readdirSync(VECTORS).filter((name) => name.endsWith('.json')))
      expect(readme).toContain(`[${file}](${file})`);
  });

  test('lead this ledger to the same app hash from the file alone', () => {
    const chain = JSON.parse(readFileSync(path.join(VECTORS, 'chain.json'), 'utf8')) as {
      genesis: string;
      blocks: {
        height: number;
        time: number;
        transactions: { raw: string; code: number }[];
        misbehavior?: Misbehavior[];
        appHash: string;
      }[];
    };
    const parsed = parseGenesis(Buffer.from(chain.genesis));
    if (!parsed.ok) throw new Error(parsed.errors.join());
    const state = LedgerState.fromGenesis(parsed.genesis);
    for (const { height, time, transactions, misbehavior = [], appHash } of chain.blocks) {
      const block = finalizeBlock(
        state,
        transactions.map(({ raw }) => Buffer.from(raw)),
        { height, timeNs: BigInt(time) * 1_000_000_000n, misbehavior },
      );
      expect(block.results.map(({ code }) => code)).toEqual(transactions.map(({ code }) => code));
      expect(Buffer.from(state.commit(block).appHash).toString('hex')).toBe(appHash);
    }
  });

  test('name each refusal as this ledger does', () => {
    const { refused } = JSON.parse(readFileSync(path.join(VECTORS, 'transactions.json'), 'utf8')) as {
      refused: { name: string; raw?: string; rawHex?: string; refusal: string }[];
    };
    for (const { name, raw, rawHex, refusal } of refused) {
      const result = verifyTransaction(TEST_CHAIN, raw === undefined ? Buffer.from(rawHex!, 'hex') : Buffer.from(raw));
      expect([name, result.ok ? 'accepted' : result.refusal.name]).toEqual([name, refusal]);
    }
  });
});

describe('the independent program', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'vectors-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ['addresses.json', '"reason": "checksum"', '"reason": "format"'],
    ['ed25519.json', '"accepted": false', '"accepted": true'],
    ['ed25519-speccheck.json', '9046a64750444938', '9046a64750444939'],
    ['signing-vectors.json', '2CA587E992E30E90', '2CA587E992E30E91'],
    ['transactions.json', '"refusal": "wrong_chain"', '"refusal": "malformed"'],
    ['tree.json', '"index": 1,', '"index": 0,'],
    ['chain.json', '"code": 18', '"code": 17'],
  ])('fails when one thing in %s is wrong', (file, good, wrong) => {
    cpSync(VECTORS, folder, { recursive: true });
    const text = readFileSync(path.join(VECTORS, file), 'utf8');
    expect(text.includes(good)).toBe(true);
    writeFileSync(path.join(folder, file), text.replace(good, wrong));
    const { status, output } = checkWithPython(folder);
    expect(status).toBe(1);
    expect(output).toContain(`${file}:`);
  });
});

/** Which library verifies signatures, and that it makes no difference but time. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chooseSignatureLibrary, loadSodium } from '../../server/app/signatures.ts';
import { nodeEquation, useEquation, verifyStrict } from '../../server/ledger/index.ts';
import { ROOT } from '../../scripts/steps.ts';
import { craftedSignatures } from '../ledger/crafted-signatures.ts';
import { cases } from '../support/many-cases.ts';

/** The heavier comparison is `node test/ledger/compare-equations.ts`. */
const COMPARED = cases(3_000, 10_000);

afterAll(() => useEquation(nodeEquation));

describe('the library that verifies signatures', () => {
  test('is libsodium where it loads and gives the published answers', () => {
    expect(chooseSignatureLibrary()).toEqual({ name: 'sodium-native' });
  });

  test('agrees with node:crypto on every crafted signature, with components of small order among those accepted', () => {
    const sodium = loadSodium();
    const accepted = new Map<string, number>();
    let compared = 0;
    for (const { kind, publicKey, message, signature } of craftedSignatures('test')) {
      if (compared++ === COMPARED) break;
      const expected = verifyStrict(publicKey, message, signature, nodeEquation);
      if (verifyStrict(publicKey, message, signature, sodium) !== expected)
        throw new Error(`${kind}: ${Buffer.from(signature).toString('hex')}`);
      if (expected) accepted.set(kind, (accepted.get(kind) ?? 0) + 1);
    }
    expect([...accepted.keys()].toSorted()).toEqual(['a component of small order', 'good']);
  });

  test('is node:crypto where libsodium cannot be loaded, and says why', () => {
    const missing = (): never => {
      throw new Error("Cannot find module 'sodium-native'\nRequire stack: ...");
    };
    expect(chooseSignatureLibrary(missing)).toEqual({
      name: 'node:crypto',
      why: "sodium-native cannot be loaded: Cannot find module 'sodium-native'",
    });
  });

  test.each([
    ['accepts all that passes the STRICT checks', () => true],
    ['refuses everything', () => false],
    [
      'throws',
      () => {
        throw new Error('planted');
      },
    ],
  ])('is node:crypto where the other one %s', (_how, equation) => {
    const chosen = chooseSignatureLibrary(() => equation);
    expect(chosen).toMatchObject({ name: 'node:crypto', why: expect.stringMatching(/published vector \d+ wrongly/) });
  });

  test('is named in the log by a process that has to use the slower one', () => {
    const hidden =
      "import { registerHooks } from 'node:module'; registerHooks({ resolve(name, context, next) { if (name === 'sodium-native') throw new Error('no binary'); return next(name, context); } });";
    const source = `${hidden} const { beginProcess } = await import('file://${ROOT}/server/app/begin.ts'); beginProcess('info');`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', source], { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toMatchObject({ level: 'warn', why: 'sodium-native cannot be loaded: no binary' });
  });
});

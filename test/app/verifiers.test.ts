/** Verification of batches on threads: the same answers as on one, in order, whatever dies. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { packChecks, unpackChecks } from '../../server/app/threads/packed-checks.ts';
import { SPREAD_CHECKS_MIN, Verifiers } from '../../server/app/threads/verifiers.ts';
import type { SignatureCheck } from '../../server/gateway/admission.ts';
import { verifyInTurns } from '../../server/gateway/verification.ts';
import type { Clock } from '../../server/engine/ports.ts';
import { TURN_MS_MAX } from '../../server/gateway/limits.ts';
import { devPublicKey, devSeed } from '../ledger/support.ts';
import { signEd25519, verifyStrict } from '../../server/ledger/index.ts';
import { realClock } from '../http/support/server.ts';
import { removeTemporaryFolders, temporaryFolder } from './support.ts';

const logged: { fields: object; message: string }[] = [];
const note = (fields: object, message: string): void => void logged.push({ fields, message });
const logger = { debug: note, info: note, warn: note, error: note };
let opened: Verifiers | undefined;
const open = (threads: number, worker?: URL): Verifiers =>
  (opened = new Verifiers({ threads, clock: realClock, logger, ...(worker && { worker }) }));
afterEach(async () => {
  await opened?.close();
  logged.length = 0;
});
afterAll(removeTemporaryFolders);

/** Good signatures, and among them every third one that is not, in a way of its own. */
function checksOf(count: number): SignatureCheck[] {
  return Array.from({ length: count }, (_, index) => {
    const message = Buffer.from(`message ${index}${'.'.repeat(index % 300)}`);
    const signature = Buffer.from(signEd25519(devSeed(index % 10), message));
    const publicKey = Buffer.from(devPublicKey(index % 10));
    if (index % 9 === 0) signature[index % 64]! ^= 1;
    if (index % 9 === 3) message[0]! ^= 1;
    if (index % 9 === 6) return { publicKey: Buffer.alloc(32), message, signature };
    return { publicKey, message, signature };
  });
}
const expected = (checks: readonly SignatureCheck[]): boolean[] =>
  checks.map(({ publicKey, message, signature }) => verifyStrict(publicKey, message, signature));

test('what is packed is unpacked as it was, and what is no signature is not packed', () => {
  const checks = checksOf(20);
  expect(
    unpackChecks(packChecks(checks)!).map((check) => ({
      publicKey: Buffer.from(check.publicKey),
      message: Buffer.from(check.message),
      signature: Buffer.from(check.signature),
    })),
  ).toEqual(checks);
  expect(packChecks([{ ...checks[0]!, signature: new Uint8Array(63) }])).toBeUndefined();
});

describe('verification', () => {
  test.each([0, 1, 3])('on %i threads beside its own answers as verifyStrict does, in order', async (threads) => {
    const verifiers = open(threads);
    for (const count of [0, 1, SPREAD_CHECKS_MIN - 1, SPREAD_CHECKS_MIN, 100, 1_000]) {
      const checks = checksOf(count);
      expect(await verifiers.verify(checks)).toEqual(expected(checks));
    }
    expect(verifiers.threads).toBe(threads);
  });

  test('of several batches at once keeps them apart', async () => {
    const verifiers = open(2);
    const batches = [checksOf(300), checksOf(77), checksOf(500).toReversed(), checksOf(40)];
    expect(await Promise.all(batches.map((checks) => verifiers.verify(checks)))).toEqual(batches.map(expected));
  });

  test('starts no thread for a few signatures', async () => {
    const verifiers = open(2);
    await verifiers.verify(checksOf(SPREAD_CHECKS_MIN - 1));
    expect(verifiers.threads).toBe(0);
  });

  test('takes in what is no signature as a wrong one', async () => {
    const checks = checksOf(100).map((check, index) =>
      index === 50 ? { ...check, signature: new Uint8Array(3) } : check,
    );
    const verifiers = open(1);
    await verifiers.verify(checksOf(1_000));
    expect((await verifiers.verify(checks))[50]).toBe(false);
  });

  test('gives the thread away between turns', async () => {
    // Each look at the clock finds a millisecond gone, so a turn is over after a few signatures.
    let nowMs = 0;
    let turns = 0;
    const clock: Clock = {
      ...realClock,
      monotonicMs: () => (nowMs += 1),
      setTimer: (fn, delayMs) => realClock.setTimer(() => void ((turns += 1), fn()), delayMs),
    };
    const checks = checksOf(100);
    expect(await verifyInTurns(clock)(checks)).toEqual(expected(checks));
    expect(turns).toBeGreaterThanOrEqual(checks.length / (TURN_MS_MAX + 1));
  });
});

describe('a verifier thread that dies', () => {
  const dying = async (code: string): Promise<URL> => {
    const file = path.join(await temporaryFolder('verifiers'), 'dying.mjs');
    writeFileSync(file, `import { parentPort } from 'node:worker_threads';\n${code}`);
    return pathToFileURL(file);
  };

  test.each([
    ['with a slice in hand', `parentPort.postMessage('ready'); parentPort.on('message', () => process.exit(3));`],
    [
      'by an exception',
      `parentPort.postMessage('ready'); parentPort.on('message', () => { throw new Error('dead'); });`,
    ],
    ['before it has begun', `process.exit(4);`],
  ])('%s leaves its work to the others', async (_, code) => {
    const verifiers = open(2, await dying(code));
    const checks = checksOf(1_000);
    for (let round = 0; round < 20 && (round === 0 || verifiers.threads > 0); round++)
      expect(await verifiers.verify(checks)).toEqual(expected(checks));
    expect(verifiers.threads).toBe(0);
    expect(logged.map(({ message }) => message)).toEqual(
      Array.from({ length: 2 }, () => 'a verifier thread died; signatures of batches are verified without it'),
    );
    expect(await verifiers.verify(checks)).toEqual(expected(checks));
  });

  test('is no loss at the end: a closed pool answers from its own thread', async () => {
    const verifiers = open(1);
    const under = verifiers.verify(checksOf(500));
    await verifiers.close();
    expect(await under).toEqual(expected(checksOf(500)));
    expect(logged).toEqual([]);
    expect(await verifiers.verify(checksOf(50))).toEqual(expected(checksOf(50)));
  });
});

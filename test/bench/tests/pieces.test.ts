import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { OTHER, pieceOf } from '../pieces/piece.ts';
import { type CpuProfile, readProfiles, sharesOf } from '../pieces/profile.ts';
import { piecesText, WHOLE } from '../pieces/report.ts';
import type { PiecesResult } from '../report/result.ts';

const frame = (functionName: string, url = '') => ({ functionName, url });
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(idle)') },
    { id: 2, callFrame: frame('crypto_sign_verify_detached', 'file:///somewhere/node_modules/sodium-native/index.js') },
    { id: 3, callFrame: frame('(garbage collector)') },
  ],
  startTime: 1_000,
  // At 1,100, 1,200, 1,300, 1,400 and 1,500.
  samples: [2, 3, 1, 2, 3],
  timeDeltas: [100, 100, 100, 100, 100],
};

describe('the pieces of a request', () => {
  test.each([
    ['exports.crypto_sign_verify_detached', 'file:///x/node_modules/sodium-native/index.js', 'signature'],
    ['hash', 'node:internal/crypto/hash', 'SHA-256'],
    ['writeLatin1String', '', 'system calls on sockets and files'],
    ['postMessage', '', 'between threads'],
    ['next', 'file:///x/node_modules/router/index.js', 'Express and router'],
    ['validate12', '', 'validation by the contract'],
    ['reading', 'file:///x/server/store/embedded/connection.ts', 'SQLite and the store'],
    ['runCommit', 'file:///x/server/store/embedded/connection.ts', 'COMMIT, its wait for the disk included'],
    // Of builds before.
    ['commitWriting', 'file:///x/server/store/embedded/connection.ts', 'COMMIT, its wait for the disk included'],
    ['serve', 'file:///x/server/http/pipeline.ts', 'the pipeline of a request'],
    ['readStrictJson', 'file:///x/server/platform/strict-json.ts', 'strict JSON'],
    ['parserOnIncoming', 'node:_http_server', 'http, streams and event loop of Node.js'],
    ['(program)', '', OTHER],
    ['(idle)', '', undefined],
    ['fdatasync', '', undefined],
  ])('%s of %j', (functionName, url, piece) => {
    expect(pieceOf(frame(functionName, url))).toBe(piece);
  });

  test('are shares of the time in which the thread worked, between two moments', () => {
    expect(sharesOf(profile, { fromUs: 1_150, toUs: 1_450 })).toEqual({
      'garbage collection on the thread': 0.5,
      signature: 0.5,
    });
    expect(sharesOf(profile, { fromUs: 0, toUs: 2_000 })).toEqual({
      'garbage collection on the thread': 0.5,
      signature: 0.5,
    });
    expect(sharesOf(profile, { fromUs: 1_350, toUs: 1_450 })).toEqual({ signature: 1 });
    expect(sharesOf(profile, { fromUs: 1_250, toUs: 1_350 })).toEqual({});
  });

  test('are read by thread: the main one, and workers by their file or that of their job', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'pieces-'));
    try {
      const ofFiles = (...files: string[]): object => ({
        ...profile,
        nodes: [
          ...profile.nodes,
          ...files.map((file, index) => ({
            id: 4 + index,
            callFrame: frame('', `file:///x/server/app/threads/${file}`),
          })),
        ],
      });
      writeFileSync(path.join(folder, 'CPU.20260102.030405.77.0.001.cpuprofile'), JSON.stringify(profile));
      writeFileSync(
        path.join(folder, 'CPU.20260102.030405.77.2.003.cpuprofile'),
        JSON.stringify(ofFiles('job.worker.ts', 'jobs/statements.ts')),
      );
      writeFileSync(
        path.join(folder, 'CPU.20260102.030405.77.3.004.cpuprofile'),
        JSON.stringify(ofFiles('ledger.worker.ts')),
      );
      writeFileSync(path.join(folder, 'other.txt'), '');
      expect([...readProfiles(folder).keys()]).toEqual(['main', 'statem', 'ledger']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('add up to what the threads took', () => {
    const result = {
      kind: 'pieces',
      recordedAt: '2026-01-02T03:04:05Z',
      machine: { cores: 2, processor: 'P', memoryGib: 1, node: 'v24' },
      build: 'this',
      commit: 'abc1234',
      scenarios: {
        byId: {
          title: 'GET by id',
          verificationUs: 50,
          threads: { main: { signature: 60, 'SHA-256': 0.4, metrics: 39.6 }, v8: { [WHOLE]: 25 } },
        },
      },
    } satisfies PiecesResult;
    const text = piecesText(result);
    expect(text.split('\n').slice(2, 8)).toEqual([
      '| main | signature | 60.0 |',
      '| main | metrics | 39.6 |',
      `| v8 | ${WHOLE} | 25.0 |`,
      '| **all** | **microseconds** | **125** |',
      '|  | verifications by node:crypto | 2.50 |',
      '',
    ]);
  });
});

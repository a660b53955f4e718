import { describe, expect, test } from '@jest/globals';
import { parseLags } from '../measure/event-loops.ts';
import { memoryOf, writtenBy } from '../measure/process-facts.ts';
import { groupOf, sum, threadTimes, usedBetween } from '../measure/processor.ts';
import { parseCounts } from '../measure/syncs.ts';
import { order } from '../rounds.ts';

describe('what is read of a process', () => {
  test.each([
    ['MainThread', 'main'],
    ['V8Worker', 'v8'],
    ['DelayedTaskSche', 'v8'],
    ['libuv-worker', 'libuv'],
    ['txledger-gatewa', 'gateway'],
    ['txledger-verifi', 'verifier'],
    ['txledger-engine', 'engine'],
    ['txledger-http-2', 'http'],
    ['txledger-writer', 'writer'],
  ])('the thread %s is of the group %s', (name, group) => {
    expect(groupOf(name)).toBe(group);
  });

  test('time by group, threads that are new included', () => {
    const before = new Map([
      ['1', { group: 'main', us: 10 }],
      ['2', { group: 'http', us: 5 }],
    ]);
    const after = new Map([
      ['1', { group: 'main', us: 30 }],
      ['2', { group: 'http', us: 6 }],
      ['3', { group: 'http', us: 4 }],
    ]);
    expect(usedBetween(before, after)).toEqual({ main: 20, http: 5 });
  });

  test('work of this process is seen in its threads', () => {
    const before = threadTimes(process.pid);
    const startUs = process.cpuUsage().user;
    while (process.cpuUsage().user - startUs < 50_000) Math.sqrt(startUs);
    expect(sum(usedBetween(before, threadTimes(process.pid)))).toBeGreaterThan(40_000);
  });

  test('memory and written bytes are numbers', () => {
    expect(memoryOf(process.pid).rssMib).toBeGreaterThan(10);
    expect(Object.values(writtenBy(process.pid)).every((value) => Number.isInteger(value))).toBe(true);
  });

  test('the longest block of each event loop, less the interval of its timer', () => {
    const metrics =
      '# HELP x\nnodejs_eventloop_lag_max_seconds{thread="http-1"} 0.035\nnodejs_eventloop_lag_max_seconds{thread="writer"} 0.004\nnodejs_eventloop_lag_mean_seconds 9\n';
    expect(parseLags(metrics)).toEqual({ 'http-1': 25, writer: 0 });
    expect(parseLags('nodejs_eventloop_lag_max_seconds 0.012\n')['main']).toBeCloseTo(2);
  });

  test('a count of syncs that is missing stays missing', () => {
    expect(parseCounts('12,,syscalls:sys_enter_fsync,1,100.00,,\n30,,syscalls:sys_enter_fdatasync,1,100.00,,\n')).toBe(
      42,
    );
    expect(
      parseCounts('<not supported>,,syscalls:sys_enter_fsync,0,,,\n30,,syscalls:sys_enter_fdatasync,1,100.00,,\n'),
    ).toBeUndefined();
    expect(parseCounts('')).toBeUndefined();
  });
});

test('every second round puts the builds to it in the reverse order', () => {
  expect([0, 1, 2].map((round) => order(['a', 'b'], round))).toEqual([
    ['a', 'b'],
    ['b', 'a'],
    ['a', 'b'],
  ]);
});

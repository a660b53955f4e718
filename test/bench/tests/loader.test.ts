import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { closedLoop } from '../load/closed-loop.ts';
import { intendedMs, openLoop } from '../load/open-loop.ts';
import { requestBytes } from '../load/request-bytes.ts';
import { ResponseParser } from '../load/response-parser.ts';

const answer = (status: number, body: string): string =>
  `HTTP/1.1 ${status} Whatever\r\nX-A: b\r\ncontent-Length: ${Buffer.byteLength(body)}\r\nConnection: keep-alive\r\n\r\n${body}`;

function parsed(chunks: readonly Buffer[]): [number, string][] {
  const seen: [number, string][] = [];
  const parser = new ResponseParser((status, body) => seen.push([status, body.toString()]));
  for (const chunk of chunks) {
    // A socket reads into one buffer again and again.
    const shared = Buffer.from(chunk);
    parser.feed(shared);
    shared.fill(0);
  }
  return seen;
}

describe('the parser of answers', () => {
  const wire = Buffer.from(answer(202, '{"a":"ü"}') + answer(200, '') + answer(404, 'x'.repeat(300)));
  const expected: [number, string][] = [
    [202, '{"a":"ü"}'],
    [200, ''],
    [404, 'x'.repeat(300)],
  ];

  test('reads several answers in one chunk', () => {
    expect(parsed([wire])).toEqual(expected);
  });

  test('reads them cut at any two places', () => {
    for (let first = 1; first < wire.length - 1; first += 1) {
      for (const second of [first + 1, Math.floor((first + wire.length) / 2), wire.length - 1]) {
        expect(
          parsed([
            wire.subarray(0, first),
            wire.subarray(first, Math.max(first, second)),
            wire.subarray(Math.max(first, second)),
          ]),
        ).toEqual(expected);
      }
    }
  });

  test('reads them byte by byte', () => {
    expect(parsed(Array.from(wire, (byte) => Buffer.from([byte])))).toEqual(expected);
  });

  test('does not guess the end of an answer without Content-Length', () => {
    expect(() => parsed([Buffer.from('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n')])).toThrow(
      'without Content-Length',
    );
  });

  test('reads an answer in chunks, however it arrives', () => {
    const chunked = Buffer.from(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\nC\r\n":"\r\n0\r\n\r\n"}\r\n0\r\n\r\nHTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n',
    );
    const answers = [
      [200, '{"a":"\r\n0\r\n\r\n"}'],
      [204, ''],
    ];
    expect(parsed([chunked])).toEqual(answers);
    expect(parsed(Array.from(chunked, (byte) => Buffer.from([byte])))).toEqual(answers);
  });
});

/** Counts requests by their blank line and answers each as `reply` says, in bytes. */
async function serving(
  reply: (count: number, answerNow: (status: number) => void) => void,
  work: (port: number) => Promise<void>,
): Promise<void> {
  let count = 0;
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      for (let at = chunk.indexOf('\r\n\r\n'); at >= 0; at = chunk.indexOf('\r\n\r\n', at + 1))
        reply(count++, (status) => void socket.write(answer(status, String(count))));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work((server.address() as AddressInfo).port);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

const accepts = (status: number): boolean => status === 200;

describe('the closed loop', () => {
  test('sends each request once and names the refused ones', async () => {
    await serving(
      (count, answerNow) => answerNow(count === 7 ? 429 : 200),
      async (port) => {
        const asked: number[] = [];
        const request = (index: number): Buffer => (asked.push(index), requestBytes({ port, path: `/${index}` }));
        const result = await closedLoop({ port, connections: 4, count: 50, request, accepts });
        expect(asked.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index));
        expect(result.count).toBe(50);
        expect(result.refused).toHaveLength(1);
        expect(Object.keys(result.refusals)).toEqual(['429']);
        expect(result.latenciesMs).toHaveLength(50);
      },
    );
  });

  test('ends early when it is told to', async () => {
    await serving(
      (_, answerNow) => answerNow(200),
      async (port) => {
        let left = 10;
        const result = await closedLoop(
          { port, connections: 1, count: 1000, request: () => requestBytes({ port, path: '/' }), accepts },
          () => left-- === 0,
        );
        expect(result.count).toBe(10);
      },
    );
  });

  test('rejects when the server ends a connection', async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await expect(
      closedLoop({ port, connections: 1, count: 1, request: () => requestBytes({ port, path: '/' }), accepts }),
    ).rejects.toThrow('closed a connection');
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('the open loop', () => {
  test('means to send at equal distances', () => {
    expect([0, 1, 2, 1000].map((index) => intendedMs(index, 500))).toEqual([0, 2, 4, 2000]);
  });

  test('counts a stall for every request that was meant to be sent in it', async () => {
    const STALL_MS = 300;
    let stalled = false;
    await serving(
      (count, answerNow) => {
        if (count === 0) setTimeout(() => ((stalled = true), answerNow(200)), STALL_MS);
        else answerNow(200);
      },
      async (port) => {
        // One connection: what is meant to be sent in the stall waits for it, and is late by what is left of it.
        const result = await openLoop(
          { port, connections: 1, count: 20, request: () => requestBytes({ port, path: '/' }), accepts },
          100,
        );
        expect(stalled).toBe(true);
        expect(result.count).toBe(20);
        const late = Array.from(result.latenciesMs).filter((ms) => ms >= STALL_MS / 2);
        // At 100 a second, 15 or 16 were meant to be sent in the first half of the stall.
        expect(late.length).toBeGreaterThanOrEqual(14);
      },
    );
  });
});

/** What happens below requests: broken bytes, slow and half-open connections, pipelines, clients that go away. */
import { once } from 'node:events';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { HEADER_BYTES_MAX } from '../../server/http/limits.ts';
import { TestServer } from './support/server.ts';
import { RawConnection } from './support/socket.ts';
import { COMMITTED, PENDING, TOKEN, TRANSFER } from './support/stub-gateway.ts';

const server = new TestServer();
const open: RawConnection[] = [];
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => server.gateway.reset());
afterEach(() => {
  for (const connection of open.splice(0)) connection.socket.destroy();
});

const connect = (to: TestServer = server): RawConnection => {
  const connection = new RawConnection(to.port);
  open.push(connection);
  return connection;
};
const body = JSON.stringify(TRANSFER);
const head = (lines: string): string => `${lines}\r\n\r\n`;
const GET = head('GET /chain HTTP/1.1\r\nHost: 127.0.0.1');
const POST_HEAD = `POST /transactions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json`;

describe('bytes that are not a request', () => {
  test.each([
    ['not HTTP at all', '\u0016\u0003\u0001\u0002\u0000', 400, 'invalid_request'],
    ['an unknown method', 'FETCH / HTTP/1.1\r\n\r\n', 400, 'invalid_request'],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n', 400, 'invalid_request'],
    ['a header without a colon', head('GET /chain HTTP/1.1\r\nHost: 127.0.0.1\r\nnonsense'), 400, 'invalid_request'],
    ['a space before the colon', head('GET /chain HTTP/1.1\r\nHost : 127.0.0.1'), 400, 'invalid_request'],
    ['a NUL in a header', head('GET /chain HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\u0000b'), 400, 'invalid_request'],
    ['two different lengths', head(`${POST_HEAD}\r\nContent-Length: 5\r\nContent-Length: 6`), 400, 'invalid_request'],
    [
      'a length and chunks',
      head(`${POST_HEAD}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked`),
      400,
      'invalid_request',
    ],
    ['a length that is no number', head(`${POST_HEAD}\r\nContent-Length: 0x5`), 400, 'invalid_request'],
    ['a negative length', head(`${POST_HEAD}\r\nContent-Length: -5`), 400, 'invalid_request'],
    ['a broken chunk', `${head(`${POST_HEAD}\r\nTransfer-Encoding: chunked`)}zz\r\n`, 400, 'invalid_request'],
    ['no Host', head('GET /chain HTTP/1.1'), 400, 'invalid_request'],
    ['two Hosts', head('GET /chain HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example'), 400, 'invalid_request'],
    [
      'two Authorizations',
      head(
        `GET /transactions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\nAuthorization: Bearer x`,
      ),
      400,
      'invalid_request',
    ],
    ['an empty Host', head('GET /chain HTTP/1.1\r\nHost:'), 421, 'host_not_allowed'],
    [
      'another host in the target',
      head('GET http://evil.example/chain HTTP/1.1\r\nHost: 127.0.0.1'),
      421,
      'host_not_allowed',
    ],
    [
      'headers of 16 KiB and more',
      head(`GET /chain HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(HEADER_BYTES_MAX)}`),
      431,
      'headers_too_large',
    ],
    [
      'a path of 16 KiB and more',
      head(`GET /${'x'.repeat(HEADER_BYTES_MAX)} HTTP/1.1\r\nHost: 127.0.0.1`),
      431,
      'headers_too_large',
    ],
    ['a tunnel', head('CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443'), 405, 'method_not_allowed'],
    [
      'a target with a port that is none',
      head('GET http://127.0.0.1:99999999/chain HTTP/1.1\r\nHost: 127.0.0.1'),
      421,
      'host_not_allowed',
    ],
    [
      'a target with a user',
      head('GET http://a:b@127.0.0.1/chain HTTP/1.1\r\nHost: 127.0.0.1'),
      400,
      'invalid_request',
    ],
    [
      'a target of another scheme',
      head('GET ftp://127.0.0.1/chain HTTP/1.1\r\nHost: 127.0.0.1'),
      400,
      'invalid_request',
    ],
    ['a fragment in the path', head('GET /chain#x HTTP/1.1\r\nHost: 127.0.0.1'), 400, 'invalid_request'],
    ['a fragment in the query', head('GET /chain?#x HTTP/1.1\r\nHost: 127.0.0.1'), 400, 'invalid_request'],
    ['raw bytes in the path', head('GET /cha\u00edn HTTP/1.1\r\nHost: 127.0.0.1'), 400, 'invalid_request'],
    ['the server as a whole', head('OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1'), 404, 'not_found'],
  ])('%s is answered by a problem document', async (_name, bytes, status, code) => {
    const answer = await connect().send(bytes).problem();
    expect({ status: answer.status, code: answer.code }).toEqual({ status, code });
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(server.gateway.calls).toEqual([]);
  });

  test('any bytes at all after a known path are refused or read, never a defect and never an HTML page', async () => {
    const unit = fc.oneof(
      fc.constantFrom(
        '%',
        '?',
        '&',
        '=',
        '/',
        '#',
        '[',
        ']',
        '\\',
        ';',
        ':',
        '@',
        '..',
        '%2f',
        '%00',
        '%ff',
        '\u00e9',
        '\u007f',
        '+',
        ' ',
        '//',
        'limit',
        '1',
      ),
      fc.string({ maxLength: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          '',
          '/',
          '/transactions',
          '/transactions/',
          '/accounts/',
          '/chain',
          '/docs',
          'http://127.0.0.1',
        ),
        fc.array(unit, { maxLength: 8 }),
        async (path, units) => {
          const target = (path + units.join('')).replaceAll(/[\r\n]/g, '');
          const bytes = head(
            `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close`,
          );
          const answer = await connect().send(Buffer.from(bytes, 'utf8')).answer();
          expect(answer?.status ?? 0).toBeLessThan(500);
          expect(answer?.headers).toMatchObject({
            'x-request-id': expect.anything(),
            'x-content-type-options': 'nosniff',
          });
          if ((answer?.status ?? 0) >= 400) expect(answer?.headers['content-type']).toBe('application/problem+json');
        },
      ),
      { numRuns: 300 },
    );
  });

  test('an absolute target of this host is served like its path', async () => {
    const answer = await connect().send(head('GET http://127.0.0.1/chain HTTP/1.1\r\nHost: other.example')).answer();
    expect(answer?.status).toBe(200);
  });

  test('garbage behind a request is refused after the answer to it, never instead of it', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const plain = server.gateway.onChain;
    server.gateway.onChain = () => held.then(plain);
    const refused = once(server.server, 'clientError');
    const connection = connect().send(`${GET}garbage\r\n\r\n`);
    await refused;
    release();
    expect((await connection.answer())?.status).toBe(200);
    expect((await connection.problem()).status).toBe(400);
    await connection.closed();
  });

  test('requests in a pipeline are answered in their order', async () => {
    const connection = connect().send(GET + GET.replace('/chain', '/nowhere') + GET);
    expect(
      [await connection.answer(), await connection.answer(), await connection.answer()].map((answer) => answer?.status),
    ).toEqual([200, 404, 200]);
  });
});

describe('requests that do not arrive in time', () => {
  const hasty = new TestServer({ requestMsMax: 200, validateResponses: false });
  beforeAll(() => hasty.start());
  afterAll(() => hasty.stop());

  test.each([
    ['headers that stop half-way', 'GET /chain HTTP/1.1\r\nHost: 127.0.0.1\r\n'],
    ['a body that stops half-way', `${head(`${POST_HEAD}\r\nContent-Length: ${body.length}`)}${body.slice(0, 20)}`],
    ['a body that never begins', head(`${POST_HEAD}\r\nContent-Length: ${body.length}`)],
    ['chunks that stop coming', `${head(`${POST_HEAD}\r\nTransfer-Encoding: chunked`)}5\r\n{"fro\r\n`],
  ])('%s get 408 and the connection ends', async (_name, bytes) => {
    const connection = connect(hasty).send(bytes);
    const answer = await connection.problem();
    expect({ status: answer.status, code: answer.code }).toEqual({ status: 408, code: 'request_timeout' });
    await connection.closed();
    expect(hasty.gateway.calls).toEqual([]);
  });

  test('a request that is answered while the rest of its body is missing ends quietly at the deadline', async () => {
    const connection = connect(hasty).send(`${head(`${POST_HEAD.replace(TOKEN, 'wrong')}\r\nContent-Length: 100`)}{`);
    expect((await connection.problem('POST /transactions')).status).toBe(401);
    await connection.closed();
    expect(await connection.answer()).toBeUndefined();
  });
});

describe('bodies', () => {
  test('that are announced as too large are refused before they are sent', async () => {
    const answer = await connect()
      .send(head(`${POST_HEAD}\r\nContent-Length: 10000000`))
      .problem('POST /transactions');
    expect(answer.code).toBe('body_too_large');
  });

  test('that turn out too large are refused, read to their end, and leave the connection usable', async () => {
    const connection = connect().send(head(`${POST_HEAD}\r\nTransfer-Encoding: chunked`));
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    connection.send(chunk.repeat(20) + '0\r\n\r\n');
    expect((await connection.problem('POST /transactions')).code).toBe('body_too_large');
    connection.send(GET);
    expect((await connection.answer())?.status).toBe(200);
  });

  test('in many small pieces arrive whole', async () => {
    const connection = connect().send(head(`${POST_HEAD}\r\nTransfer-Encoding: chunked`));
    connection.socket.setNoDelay(true);
    for (const character of body) connection.send(`1\r\n${character}\r\n`);
    connection.send('0\r\n\r\n');
    expect((await connection.answer())?.status).toBe(202);
    expect(server.gateway.calls[0]?.args[0]).toEqual(TRANSFER);
  });

  test('are asked for with 100 Continue only once they are wanted', async () => {
    const expecting = `${POST_HEAD}\r\nContent-Length: ${body.length}\r\nExpect: 100-continue`;
    const wanted = connect().send(head(expecting));
    expect((await wanted.answer())?.status).toBe(100);
    wanted.send(body);
    expect((await wanted.answer())?.status).toBe(202);
    const unwanted = connect().send(head(expecting.replace(TOKEN, 'wrong')));
    const refusal = await unwanted.problem('POST /transactions');
    expect({ status: refusal.status, connection: refusal.headers.connection }).toEqual({
      status: 401,
      connection: 'close',
    });
    await unwanted.closed();
  });

  test('of a GET are ignored', async () => {
    const connection = connect().send(
      `${head('GET /chain HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/x\r\nContent-Length: 5')}12345${GET}`,
    );
    expect([(await connection.answer())?.status, (await connection.answer())?.status]).toEqual([200, 200]);
  });
});

describe('a client that goes away', () => {
  test('ends its wait at once, and what it submitted stays submitted', async () => {
    let aborted = (): void => {};
    const gone = new Promise<void>((resolve) => {
      aborted = resolve;
    });
    let waiting = (): void => {};
    const waits = new Promise<void>((resolve) => {
      waiting = resolve;
    });
    server.gateway.onWait = (_txHash, _waitMs, signal) => {
      waiting();
      return new Promise((resolve) => {
        signal?.addEventListener('abort', () => {
          aborted();
          resolve(PENDING);
        });
      });
    };
    const connection = connect().send(
      `${head(`${POST_HEAD}\r\nPrefer: wait=30\r\nContent-Length: ${body.length}`)}${body}`,
    );
    await waits;
    connection.socket.destroy();
    await gone;
    expect(server.gateway.calls.map((call) => call.method)).toEqual(['submit', 'waitUntilSettled']);
  });

  test('does not abort a wait that ends by itself', async () => {
    let seen: AbortSignal | undefined;
    server.gateway.onWait = async (_txHash, _waitMs, signal) => {
      seen = signal;
      return COMMITTED;
    };
    expect((await server.submit(TRANSFER, { Prefer: 'wait=5' })).status).toBe(201);
    expect(seen?.aborted).toBe(false);
  });

  test('in the middle of its body reaches nobody', async () => {
    const connection = connect().send(`${head(`${POST_HEAD}\r\nContent-Length: ${body.length}`)}${body.slice(0, 50)}`);
    const before = server.log.length;
    connection.socket.end();
    await connection.closed();
    expect(server.gateway.calls).toEqual([]);
    expect(server.log.slice(before).filter((line) => line.level === 'error')).toEqual([]);
  });
});

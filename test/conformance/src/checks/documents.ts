/** HEAD, ETag, metrics, and the other renditions of the contract. */
import { expectProblem } from '../catalogue.ts';
import type { Check } from '../check.ts';
import { expect, expectEqual } from '../expect.ts';
import type { Session } from '../session.ts';

const HEAD = 'the description of the contract: HEAD';
const RENDITIONS = [
  ['getOpenapiJson', '/openapi.json'],
  ['getOpenapiYaml', '/openapi.yaml'],
  ['getOpenapiClientJson', '/openapi.client.json'],
] as const;

/** So many reads, so far apart, in which hardly ever as many blocks come. */
const CLOCK_READS = 8;
const CLOCK_READ_MS = 20;

/** Samples by name and labels. */
function samplesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([a-zA-Z_:][\w:]*(?:\{.*\})?) (\S+)(?: \S+)?$/.exec(line) ?? [];
      expect(
        name !== '' && !Number.isNaN(Number(value.replace('Inf', 'Infinity'))),
        `a line of the metrics is a sample: ${line}`,
      );
      return [name, Number(value.replace('Inf', 'Infinity'))];
    }),
  );
}

const counters = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (\S+) counter$/gm)].flatMap(([, name]) => name ?? []);

const metricsOf = async (session: Session): Promise<string> =>
  (await session.ask('getMetrics', '/metrics', { headers: { authorization: '' } })).text;

export const DOCUMENT_CHECKS: readonly Check[] = [
  {
    id: 'documents.head',
    promise:
      'HEAD is answered wherever GET is, with its status and Content-Length and no body; HEAD of a broadcast is 405',
    where: HEAD,
    run: async (session) => {
      for (const path of [
        '/chain',
        '/transactions?limit=1',
        `/transactions/${'EF'.repeat(32)}`,
        '/livez',
        '/openapi.yaml',
        '/rpc/health',
        '/rpc/block?height=1',
      ]) {
        const [get, head] = [await session.call(path), await session.call(path, { method: 'HEAD' })];
        expectEqual([head.status, head.text], [get.status, ''], `status and body of HEAD ${path}`);
        expectEqual(head.headers['content-type'], get.headers['content-type'], `Content-Type of HEAD ${path}`);
        // The requestId of a problem may be of any length.
        if (get.status === 200 && path !== '/transactions?limit=1')
          expectEqual(head.headers['content-length'], get.headers['content-length'], `Content-Length of HEAD ${path}`);
      }
      expectEqual(
        (await session.call('/transactions?limit=1', { method: 'HEAD', headers: { authorization: '' } })).status,
        401,
        'HEAD without a token',
      );
      expectEqual(
        (await session.call('/rpc/broadcast_tx_sync?tx=0x00', { method: 'HEAD' })).status,
        405,
        'HEAD of a broadcast',
      );
    },
  },
  {
    id: 'documents.allow',
    promise: 'a method that a path does not have is 405 method_not_allowed, with the methods that it has in Allow',
    where: 'the description of the contract: Errors',
    run: async (session) => {
      const { operations } = await session.contract();
      const all = [...operations.values()];
      for (const path of new Set(all.map((each) => each.path))) {
        const has = all.filter((each) => each.path === path).map(({ method }) => method.toUpperCase());
        const lacks = ['PUT', 'PATCH', 'DELETE'].find((method) => !has.includes(method)) ?? 'TRACE';
        const answer = await session.call(path.replaceAll(/\{[^}]+\}/g, 'x'), { method: lacks });
        expectProblem(answer, 'method_not_allowed');
        // HEAD is wherever GET is, and declared nowhere.
        const allowed = String(answer.headers['allow']).split(', ');
        expectEqual(allowed.filter((method) => method !== 'HEAD').toSorted(), has.toSorted(), `Allow of ${path}`);
        const isRead = has.includes('GET') && !path.includes('/broadcast_tx_');
        if (!path.startsWith('/rpc/broadcast'))
          expectEqual(allowed.includes('HEAD'), isRead, `HEAD in Allow of ${path}`);
      }
    },
  },
  {
    id: 'documents.etag',
    promise: 'a rendition of the contract that a client has already is 304 without a body, by its ETag',
    where: 'the contract, getOpenapiJson',
    run: async (session) => {
      for (const [operationId, path] of RENDITIONS) {
        const { headers } = await session.ask(operationId, path);
        const { etag } = headers;
        expect(etag !== undefined && /^(W\/)?"[^"]+"$/.test(etag), `${path} has an ETag`);
        const same = await session.ask(operationId, path, { headers: { 'if-none-match': etag ?? '' } });
        expectEqual([same.status, same.text], [304, ''], `status and body of ${path} that is known already`);
        // RFC 9110, section 13.1.2: a list, anything at all, and a comparison in which weak and strong are alike.
        for (const known of [`"another", ${etag}`, `${etag} , W/"another"`, '*', etag?.replace(/^W\//, '') ?? ''])
          expectEqual(
            (await session.ask(operationId, path, { headers: { 'if-none-match': known } })).status,
            304,
            `the status of ${path} with If-None-Match: ${known}`,
          );
        const other = await session.ask(operationId, path, { headers: { 'if-none-match': '"another"' } });
        expectEqual(
          [other.status, other.headers.etag],
          [200, etag],
          `status and ETag of ${path} where another one is known`,
        );
      }
    },
  },
  {
    id: 'documents.renditions',
    promise:
      'all renditions of the contract are of one version, and that for generators has every operation but those of the RPC',
    where: 'the contract, getOpenapiClientJson',
    run: async (session) => {
      const { document, operations } = await session.contract();
      const client = (await session.ask('getOpenapiClientJson', '/openapi.client.json')).body;
      expectEqual(client.info.version, document['info'].version, 'the version of the rendition for generators');
      const ids = Object.values<any>(client.paths).flatMap((item) =>
        Object.values<any>(item).flatMap(({ operationId }) => operationId ?? []),
      );
      const others = [...operations.values()].filter(({ path }) => !path.startsWith('/rpc'));
      expectEqual(
        ids.toSorted(),
        others.map(({ operationId }) => operationId).toSorted(),
        'the operations of the rendition for generators',
      );
    },
  },
  {
    id: 'documents.catalogue',
    promise: 'the API catalogue leads to the contract and to the documentation',
    where: 'the contract, getApiCatalog',
    run: async (session) => {
      const { status, body, headers } = await session.ask('getApiCatalog', '/.well-known/api-catalog');
      expectEqual(
        [status, headers['content-type']?.split(';')[0]],
        [200, 'application/linkset+json'],
        'status and media type of the API catalogue',
      );
      const links = body.linkset.find((each: any) => each['service-desc'] !== undefined) ?? {};
      for (const relation of ['service-desc', 'service-doc'])
        for (const { href } of links[relation] ?? [{ href: '/no-such-path' }]) {
          const url = new URL(href, `${session.baseUrl}/.well-known/api-catalog`);
          const { status: found } = await session.call(
            url.pathname.slice(new URL(session.baseUrl).pathname.replace(/\/$/, '').length),
          );
          expectEqual(found, 200, `the status of what ${relation} leads to`);
        }
    },
  },
  {
    id: 'documents.chain',
    promise:
      'getChain tells the time of the last block and the clock of the service, which goes on while no block comes',
    where: 'the contract, getChain',
    run: async (session) => {
      let before = 0;
      for (let read = 0; read < CLOCK_READS; read++) {
        const { body } = await session.ask('getChain', '/chain');
        const now = Date.parse(body.serviceTime);
        expect(now > before, `serviceTime is later than ${CLOCK_READ_MS} ms before, got ${body.serviceTime}`);
        before = now;
        const { header } = (await session.ask('getRpcHeader', `/rpc/header?height=${body.height}`)).body.result;
        expectEqual(
          Date.parse(body.lastBlockTime),
          Date.parse(header.time),
          `lastBlockTime and the time of block ${body.height}`,
        );
        await new Promise((resolve) => setTimeout(resolve, CLOCK_READ_MS));
      }
    },
  },
  {
    id: 'documents.metrics',
    promise:
      'metrics are in the Prometheus text format and as OpenMetrics, need no token, and counters never run backwards',
    where: 'the contract, getMetrics',
    run: async (session) => {
      const before = await metricsOf(session);
      await session.call('/chain');
      const after = await metricsOf(session);
      const names = new Set(counters(before));
      expect(names.size > 0, 'the metrics have counters');
      const [first, second] = [samplesOf(before), samplesOf(after)];
      let sum = 0;
      for (const [name, value] of second) {
        if (!names.has(name.split('{')[0] ?? '')) continue;
        const earlier = first.get(name) ?? 0;
        expect(value >= earlier, `${name} runs backwards, from ${earlier} to ${value}`);
        sum += value - earlier;
      }
      expect(sum > 0, 'a counter counts the request before');
      const open = await session.ask('getMetrics', '/metrics', {
        headers: { accept: 'application/openmetrics-text', authorization: '' },
      });
      expectEqual(
        [open.status, open.headers['content-type']?.split(';')[0]],
        [200, 'application/openmetrics-text'],
        'status and media type of OpenMetrics',
      );
      expect(open.text.endsWith('# EOF\n'), 'OpenMetrics ends with # EOF');
    },
  },
];

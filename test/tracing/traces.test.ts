/** Traces as a collector receives them from a running server with two HTTP threads; and a server without them. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { chainOf, type Chain } from '../e2e/support/chain.ts';
import { call, freePort, READY_MS_MAX, Server } from '../e2e/support/server.ts';
import { Collector, type ReceivedSpan } from './collector.ts';

const LOG_POLL_MS = 20;

const collector = new Collector();
let chain: Chain<Server>;
let folder = '';
let requests = 0;

/** Another trace each time, as a caller begins it. */
function traceparent(flags = '01'): { header: string; traceId: string; spanId: string } {
  requests += 1;
  const traceId = requests.toString(16).padStart(32, 'a');
  const spanId = requests.toString(16).padStart(16, 'b');
  return { header: `00-${traceId}-${spanId}-${flags}`, traceId, spanId };
}

const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.filter((span) => span.name === name);
  if (found.length !== 1)
    throw new Error(`${found.length} spans ${name} among ${spans.map((span) => span.name).join(', ')}`);
  return found[0] as ReceivedSpan;
};

/** The log of the server once it has this. Lines are gathered for a moment before they are written. */
async function logged(text: string): Promise<string> {
  while (!chain.server.output.includes(text)) await sleep(LOG_POLL_MS);
  return chain.server.output;
}

beforeAll(async () => {
  folder = await temporaryFolder('traces');
  const variables = {
    HTTP_THREADS: '2',
    BLOCK_INTERVAL_MS: '50',
    OTEL_EXPORTER_OTLP_ENDPOINT: await collector.listen(),
    OTEL_BSP_SCHEDULE_DELAY: '20',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=collector',
  };
  const server = new Server({ dataDir: path.join(folder, 'traced'), port: await freePort(), variables });
  await server.start();
  chain = chainOf(server, await server.development());
}, READY_MS_MAX);

afterAll(async () => {
  await chain?.server.stop('SIGKILL');
  await collector.close();
  await removeTemporaryFolders();
});

describe('a payment', () => {
  test('is one trace from the caller to the block, each span below the request', async () => {
    const { header, traceId, spanId } = traceparent();
    const { status, body } = await chain.submit(chain.signed(1, 2, 5n, 0), {
      traceparent: header,
      tracestate: 'vendor=value',
    });
    expect(status).toBe(202);
    const spans = await collector.trace(traceId, ['POST /transactions', 'verify', 'accept', 'block']);
    expect(spans).toHaveLength(4);
    const request = named(spans, 'POST /transactions');
    expect(request).toMatchObject({ parentSpanId: spanId, kind: 2, traceState: 'vendor=value', status: 0 });
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/transactions',
      'url.path': '/transactions',
      'url.scheme': 'http',
      'http.response.status_code': 202,
      'txledger.tx_hash': body.txHash,
    });
    expect(request.service).toMatchObject({
      'service.name': 'transaction-ledger',
      'deployment.environment.name': 'test',
      'txledger.chain.id': 'txledger-dev-1',
    });
    for (const name of ['verify', 'accept', 'block'])
      expect(named(spans, name)).toMatchObject({ parentSpanId: request.spanId, kind: 1 });
    expect(named(spans, 'accept').attributes).toEqual({
      'txledger.group.size': 1,
      'txledger.transfers': 1,
      'txledger.tx_hash': body.txHash,
    });
    const detail = (await chain.get(`/transactions/${body.txHash}`)).body;
    const block = (await chain.get(`/rpc/block?height=${detail.height}`)).body.result;
    expect(named(spans, 'block').attributes).toEqual({
      'txledger.block.height': detail.height,
      'txledger.block.hash': block.block_id.hash,
      'txledger.transfers': 1,
      'txledger.tx_hash': body.txHash,
      'txledger.status': 'committed',
      'txledger.result.code': 0,
    });
    for (const span of spans) expect(span.endNs).toBeGreaterThanOrEqual(span.startNs);
    expect(named(spans, 'block').startNs).toBeGreaterThan(named(spans, 'accept').startNs);
    // The log leads from a request to its trace.
    await logged(`"traceId":"${traceId}"`);
  });

  test('that is refused says with which code, and has no block', async () => {
    const { header, traceId } = traceparent();
    const { status, body } = await chain.submit(chain.signed(1, 2, 5n, 5_000), { traceparent: header });
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'nonce_too_high' });
    const spans = await collector.trace(traceId, ['POST /transactions', 'accept']);
    expect(named(spans, 'accept').attributes).toMatchObject({ 'txledger.problem.code': 'nonce_too_high' });
    expect(named(spans, 'POST /transactions')).toMatchObject({
      status: 0,
      attributes: { 'http.response.status_code': 422, 'txledger.problem.code': 'nonce_too_high' },
    });
    expect(spans.map(({ name }) => name)).not.toContain('block');
  });

  test('in a batch shares the spans of the batch', async () => {
    const { header, traceId } = traceparent();
    const transactions = [0, 1, 2].map((nonce) => chain.signed(3, 2, 1n, nonce));
    const init = {
      method: 'POST',
      token: chain.dev.token,
      body: JSON.stringify({ transactions }),
      headers: { 'content-type': 'application/json', traceparent: header },
    };
    const { body } = await call(`${chain.server.baseUrl}/transactions/batch`, init);
    expect(body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'accepted',
      'accepted',
      'accepted',
    ]);
    const spans = await collector.trace(traceId, ['POST /transactions/batch', 'verify', 'accept', 'block']);
    expect(named(spans, 'accept').attributes).toEqual({ 'txledger.group.size': 3, 'txledger.transfers': 3 });
    expect(named(spans, 'block').attributes).toMatchObject({ 'txledger.transfers': 3 });
  });

  test('that is cancelled has its block in the trace of the cancel too', async () => {
    const submitted = traceparent();
    const { body } = await chain.submit(chain.signed(4, 2, 1n, 7), { traceparent: submitted.header });
    const cancel = traceparent();
    expect((await chain.cancel(body.txHash, { traceparent: cancel.header })).status).toBe(200);
    const attributes = { 'txledger.status': 'cancelled', 'txledger.tx_hash': body.txHash };
    for (const { traceId } of [submitted, cancel])
      expect(named(await collector.trace(traceId, ['block']), 'block').attributes).toMatchObject(attributes);
    expect(
      named(await collector.trace(cancel.traceId, ['DELETE /transactions/{txHash}']), 'DELETE /transactions/{txHash}')
        .parentSpanId,
    ).toBe(cancel.spanId);
  });
});

describe('the context of a caller', () => {
  test('that records nothing is kept, and one that is invalid is not: a trace begins', async () => {
    const unsampled = traceparent('00');
    await chain.get('/chain');
    expect((await chain.submit(chain.signed(5, 2, 1n, 0), { traceparent: unsampled.header })).status).toBe(202);
    const invalid = `00-${'0'.repeat(32)}-${'c'.repeat(16)}-01`;
    const { body } = await chain.submit(chain.signed(5, 2, 1n, 1), {
      traceparent: invalid,
      'x-request-id': 'invalid-context',
    });
    const [, traceId = ''] =
      /"requestId":"invalid-context".*?"traceId":"([0-9a-f]{32})"/.exec(
        await logged('"requestId":"invalid-context"'),
      ) ?? [];
    const spans = await collector.trace(traceId, ['POST /transactions', 'block']);
    expect(named(spans, 'POST /transactions')).toMatchObject({
      parentSpanId: '',
      attributes: { 'txledger.tx_hash': body.txHash },
    });
    // Its block, which is later, is here already.
    expect(collector.spans.filter((span) => span.traceId === unsampled.traceId)).toEqual([]);
  });
});

describe('what a collector never receives', () => {
  test('no token, no signature, no body, no probe, and no path that the service does not have', async () => {
    const transfer = chain.signed(6, 2, 1n, 0);
    const { header, traceId } = traceparent();
    expect((await chain.submit(transfer, { traceparent: header })).status).toBe(202);
    const lost = traceparent();
    const { token } = chain.dev;
    await call(`${chain.server.baseUrl}/${token}?token=${token}`, { headers: { traceparent: lost.header } });
    for (const probe of ['/livez', '/readyz', '/metrics']) await chain.get(probe);
    await collector.trace(traceId, ['block']);
    await collector.trace(lost.traceId, ['HTTP']);
    const [, secret = ''] = /_([^_]+)$/.exec(chain.dev.token) ?? [];
    expect(secret.length).toBeGreaterThan(20);
    expect(collector.text).toContain('"x-key":"collector"');
    for (const hidden of [
      chain.dev.token,
      secret,
      transfer.signature,
      transfer.from,
      '/livez',
      '/readyz',
      '/metrics',
      '127.0.0.1"',
    ])
      expect({ hidden, found: collector.text.replaceAll(/"host":"[^"]*"/g, '').includes(hidden) }).toEqual({
        hidden,
        found: false,
      });
  });
});

describe('a collector that does not answer', () => {
  test('holds up neither requests nor the end of the service', async () => {
    collector.isDeaf = true;
    const startedMs = performance.now();
    expect((await chain.submit(chain.signed(7, 2, 1n, 0), { Prefer: 'wait=10' })).status).toBe(201);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
    const stoppedMs = performance.now();
    expect(await chain.server.stop('SIGTERM')).toBe(0);
    // 1 s for the HTTP threads together, and 1 s for the ledger thread after them.
    expect(performance.now() - stoppedMs).toBeLessThan(6_000);
  });
});

describe('without a collector', () => {
  test(
    'no thread loads anything of OpenTelemetry',
    async () => {
      const [list, hook] = [path.join(folder, 'loaded'), path.join(folder, 'hook.mjs')];
      // It runs in every thread, and is told of each module that is imported or required there.
      const record = `appendFileSync(${JSON.stringify(list)}, url + '\\n')`;
      writeFileSync(
        hook,
        `import { appendFileSync } from 'node:fs';\nimport { registerHooks } from 'node:module';\nregisterHooks({ load: (url, context, next) => { ${record}; return next(url, context); } });\n`,
      );
      const variables = {
        HTTP_THREADS: '2',
        BLOCK_INTERVAL_MS: '50',
        NODE_OPTIONS: `--import=${pathToFileURL(hook).href}`,
        OTEL_SERVICE_NAME: 'named-and-not-traced',
      };
      const server = new Server({ dataDir: path.join(folder, 'untraced'), port: await freePort(), variables });
      await server.start();
      const own = chainOf(server, await server.development());
      expect(
        (await own.submit(own.signed(0, 1, 1n, 0), { traceparent: traceparent().header, Prefer: 'wait=10' })).status,
      ).toBe(201);
      expect(await server.stop('SIGTERM')).toBe(0);
      const loaded = readFileSync(list, 'utf8').split('\n');
      const paths = loaded.map((url) => url.replace(/^.*\/(?=server\/|node_modules\/)/, ''));
      expect(paths).toEqual(
        expect.arrayContaining([
          'server/app/boot.ts',
          'server/gateway/embedded/core.ts',
          'server/app/threads/http.worker.ts',
        ]),
      );
      // prom-client has the interfaces of OpenTelemetry with it, whether anything traces or not.
      expect(paths.filter((file) => /open-tracer|@opentelemetry\/(?!api\/)/.test(file))).toEqual([]);
    },
    READY_MS_MAX,
  );
});

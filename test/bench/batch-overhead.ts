/**
 * What a batch costs beside the verification of its signatures, on one thread: strict JSON, the contract's schema, addresses, hashes and the answer,
 * through the HTTP layer and the gateway's front over a core that accepts everything. Ratios to node:crypto's verification in the same run.
 *
 *   node test/bench/batch-overhead.ts [rounds]
 *
 * @module
 */
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import type { GatewayCoreApi } from '../../server/gateway/core-api.ts';
import { createGatewayFront } from '../../server/gateway/front.ts';
import type { Gateway } from '../../server/gateway/types.ts';
import { createHttpApp, createHttpServer, loadContract } from '../../server/http/index.ts';
import { chooseSignatureLibrary } from '../../server/app/signatures.ts';
import { nodeEquation, signBytes, verifyStrict } from '../../server/ledger/index.ts';
import { devPublicKey, signedTransfer, TEST_CHAIN } from '../ledger/support.ts';
import { StubGateway, TOKEN } from '../http/support/stub-gateway.ts';
import { realClock } from '../http/support/server.ts';

const ROUNDS = Number(process.argv[2] ?? 15);
const SIZES = [100, 1_000];

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const core = {
  submitGroup: async (submissions) =>
    submissions.map(({ from, to, amount, txHash }) => ({
      ok: true,
      replayed: false,
      transaction: {
        txHash,
        from,
        to,
        amount: `${amount}`,
        status: 'pending',
        firstSeenAtMs: Date.now(),
        reason: { code: 'broadcast', detail: 'It is broadcast to the chain again and again until a block decides.' },
      },
    })),
} as Partial<GatewayCoreApi> as GatewayCoreApi;

async function serverWith(verify: boolean): Promise<number> {
  const options = { chain: TEST_CHAIN, clock: realClock };
  const front = createGatewayFront(
    core,
    verify ? options : { ...options, verifySignatures: async (checks) => checks.map(() => true) },
  );
  const gateway: Gateway = Object.assign(new StubGateway(), { submitBatch: front.submitBatch });
  const contract = loadContract();
  const config = {
    allowedHosts: ['127.0.0.1'],
    corsOrigins: [],
    trustedProxies: [],
    connectionsMax: 100,
    connectionsPerAddressMax: 100,
    rpcAccess: 'reads' as const,
    websocketsPerClientMax: 20,
    rateLimits: undefined,
    validateResponses: false,
    development: false,
  };
  const { app, ready, connections, rpcSockets } = createHttpApp({
    gateway,
    contract,
    config,
    logger: silent,
    clock: realClock,
    metrics: new Registry(),
    requestIdPrefix: 'bench',
  });
  await ready;
  const server = createHttpServer(app, { contract, logger: silent, requestIdPrefix: 'bench', connections, rpcSockets });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return (server.address() as AddressInfo).port;
}

/** CPU of this process, both sides of the connection included, in microseconds a transfer. */
async function batchUs(port: number, body: Buffer, transfers: number): Promise<{ us: number; longestMs: number }> {
  const before = process.cpuUsage();
  let longestMs = 0;
  let lastMs = performance.now();
  const watch = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - lastMs);
    lastMs = performance.now();
  }, 1);
  await new Promise<void>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const outgoing = request(
      { host: '127.0.0.1', port, path: '/transactions/batch', method: 'POST', headers, agent: false },
      (incoming) => {
        incoming.on('data', () => undefined);
        incoming.on('end', () =>
          incoming.statusCode === 200 ? resolve() : reject(new Error(`answered ${incoming.statusCode}`)),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
  clearInterval(watch);
  const { user, system } = process.cpuUsage(before);
  return { us: (user + system) / transfers, longestMs };
}

const transfers = Array.from({ length: Math.max(...SIZES) }, (_, index) =>
  signedTransfer({ from: index % 10, nonce: Math.floor(index / 10) }),
);
const checks = transfers.map(({ tx }) => ({
  key: devPublicKey(0),
  message: signBytes(tx),
  signature: Buffer.from(tx.signature, 'hex'),
}));
const best = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0;
const [all, without] = [await serverWith(true), await serverWith(false)];
const library = chooseSignatureLibrary().name;
for (const size of SIZES) {
  const body = Buffer.from(
    JSON.stringify({
      transactions: transfers.slice(0, size).map(({ tx, hash }) => ({
        from: tx.from,
        to: tx.to,
        amount: `${tx.amount}`,
        nonce: tx.nonce,
        signature: tx.signature,
        txHash: hash,
      })),
    }),
  );
  const rows: { verification: number; whole: number; beside: number; longestMs: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    for (const { key, message, signature } of checks.slice(0, size))
      verifyStrict(key, message, signature, nodeEquation);
    const { user, system } = process.cpuUsage(start);
    const whole = await batchUs(all, body, size);
    const beside = await batchUs(without, body, size);
    rows.push({ verification: (user + system) / size, whole: whole.us, beside: beside.us, longestMs: whole.longestMs });
  }
  const verification = best(rows.map((row) => row.verification));
  const shown = (name: 'whole' | 'beside'): string =>
    `${best(rows.map((row) => row[name])).toFixed(1)} us (${(best(rows.map((row) => row[name])) / verification).toFixed(2)} verifications)`;
  console.log(
    `batch of ${size}, ${body.length} bytes: verification by node:crypto ${verification.toFixed(1)} us; a transfer with ${library} ${shown('whole')}, beside its signature ${shown('beside')}; longest turn ${best(rows.map((row) => row.longestMs)).toFixed(1)} ms`,
  );
}
process.exit(0);

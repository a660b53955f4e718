/**
 * Requests without a valid token, against production: each was answered however many came. All of them are charged
 * to the address, so that the quota ends each flood with 429; probes from the very same address are never refused.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, flood } from './load.ts';
import type { Asked } from './load.ts';
import { checkoutOfArguments, probe, report, Target } from './target.ts';

const CONNECTIONS = 8;
const EACH = 400;
/** Units a second of one address: small, so that few requests pass the quota of any machine. */
const RATE_PER_S = 50;
/** Two seconds' worth may come at once, and some comes back while the flood lasts. */
const BURST = 2 * RATE_PER_S;

const notifications = JSON.stringify(
  Array.from({ length: 10 }, () => ({ jsonrpc: '2.0', method: 'block_search', params: { query: 'block.height > 0' } })),
);
const FLOODS: Readonly<Record<string, Asked>> = {
  unauthenticated: { path: '/transactions' },
  malformedToken: { path: '/transactions', headers: { authorization: 'Bearer a,b' } },
  notFound: { path: '/nowhere' },
  methodNotAllowed: { method: 'DELETE', path: '/chain' },
  head: { method: 'HEAD', path: '/chain' },
  foreignHost: { path: '/chain', headers: { host: 'evil.example' } },
  foreignOrigin: { path: '/chain', headers: { origin: 'https://evil.example' } },
  metrics: { path: '/metrics' },
  docs: { path: '/docs' },
  home: { path: '/' },
  openapi: { path: '/openapi.json' },
  rpcHealth: { path: '/rpc/health' },
  blockSearch: { path: '/rpc/block_search?query=%22block.height%20%3E%200%22' },
  notifications: { method: 'POST', path: '/rpc', body: notifications },
};

const variables = { TXLEDGER_RATE_PER_IP_PER_S: String(RATE_PER_S), LOG_LEVEL: 'error' };
const target = await Target.start({ command: 'serve', checkout: checkoutOfArguments(), variables });
try {
  const passed: Record<string, number> = {};
  const statuses: Record<string, Record<string, number>> = {};
  const probes = probe(`${target.baseUrl}/livez`, { localAddress: '127.0.0.20' });
  const startedMs = performance.now();
  for (const [at, [name, asked]] of Object.entries(FLOODS).entries()) {
    // Each flood comes from an address of its own, with a whole quota; half of them share it with the probe.
    const client = new Client(target, `127.0.0.${20 + at}`, CONNECTIONS);
    statuses[name] = await flood(client, EACH, CONNECTIONS, () => asked);
    passed[name] = EACH - (statuses[name]['429'] ?? 0);
    client.close();
  }
  const seconds = (performance.now() - startedMs) / 1000;
  await sleep(0);
  const livez = await probes.stop();
  // What came back meanwhile is counted for all of them, so the bound is generous; without a limit all 400 pass.
  const allowed = BURST + RATE_PER_S * Math.ceil(seconds);
  const held = Object.values(passed).every((count) => count <= Math.min(allowed, EACH - 1)) && livez.failed === 0;
  report('flood-unauthenticated', target, held, { each: EACH, passed, livez, seconds: Math.round(seconds * 10) / 10 });
} finally {
  await target.stop();
}

/**
 * Requests without a valid token from many addresses, against production: each was answered however many came. All of them are charged to their
 * address, so that the quota ends each flood with 429; probes from one of the very same addresses are never refused.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ADDRESSES, addressOf, Client, floodFrom } from './load.ts';
import type { Asked } from './load.ts';
import { checkoutOfArguments, probe, report, Target } from './target.ts';

const CONNECTIONS = 2;
/** Of each address. */
const EACH = 160;
/** Units a second of one address: small, so that few requests pass the quota of any machine. */
const RATE_PER_S = 20;
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
  const probes = probe(`${target.baseUrl}/livez`, { localAddress: addressOf(0) });
  const startedMs = performance.now();
  for (const [at, [name, asked]] of Object.entries(FLOODS).entries()) {
    // Each flood comes from addresses of its own, with whole quotas; the first has one that probes come from as well.
    const clients = Array.from(
      { length: ADDRESSES },
      (_, of) => new Client(target, addressOf(at * ADDRESSES + of), CONNECTIONS),
    );
    statuses[name] = await floodFrom(clients, EACH, CONNECTIONS, () => asked);
    passed[name] = (EACH * ADDRESSES - (statuses[name]['429'] ?? 0)) / ADDRESSES;
    for (const client of clients) client.close();
  }
  const seconds = (performance.now() - startedMs) / 1000;
  await sleep(0);
  const livez = await probes.stop();
  // What came back meanwhile is counted for all of them, so the bound is generous; without a limit all of them pass.
  const allowed = BURST + RATE_PER_S * Math.ceil(seconds);
  const held = Object.values(passed).every((count) => count <= Math.min(allowed, EACH - 1)) && livez.failed === 0;
  report('flood-unauthenticated', target, held, {
    addresses: ADDRESSES,
    each: EACH,
    passed,
    livez,
    seconds: Math.round(seconds * 10) / 10,
  });
} finally {
  await target.stop();
}

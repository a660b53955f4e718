/**
 * Sixteen addresses send 24,000 tokens that do not exist, more than the cache holds, against production. Each was a query of the
 * store and pushed a real token out. Now its address is charged for each, few reach the store, and a real token of
 * another address is looked up no more often than it expires from the cache.
 */
import { randomBytes } from 'node:crypto';
import { Client, flood, floodFrom, HONEST, latencies } from './load.ts';
import { checkoutOfArguments, report, Target } from './target.ts';

/** Of each address, and more than its quota lets through. */
const TOKENS = 1_500;
const CONNECTIONS = 4;
const ATTACK_MS_MAX = 12_000;
/** Units a second of one address: all that it can spend in that time is less than its tokens cost. */
const RATE_PER_S = 400;
/** Within the quota of their address, however fast they are answered. */
const HONEST_MAX = 700;
/** TOKEN_CACHE_MS: a real token is looked up again after this. */
const CACHE_MS = 2_000;

const target = await Target.start({
  command: 'serve',
  checkout: checkoutOfArguments(),
  variables: { TXLEDGER_RATE_PER_IP_PER_S: String(RATE_PER_S) },
});
try {
  const attackers = Client.attackers(target, CONNECTIONS);
  const honest = new Client(target, HONEST, 1);
  const metrics = async () => {
    const { text } = await honest.ask({ path: '/metrics' });
    const of = (id: string): number =>
      Number(new RegExp(`^txledger_token_lookups_total\\{id="${id}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN);
    return { known: of('known'), unknown: of('unknown') };
  };
  const list = { path: '/transactions', headers: { authorization: `Bearer ${target.token}` } };
  await honest.ask(list);
  const before = await metrics();
  const startedMs = performance.now();
  const untilMs = startedMs + ATTACK_MS_MAX;
  const taken: number[] = [];
  let attacking = true;
  const asking = flood(honest, HONEST_MAX, 1, () => list, {
    get untilMs() {
      return attacking ? untilMs : 0;
    },
    onAnswer: ({ ms }) => taken.push(ms),
  });
  const statuses = await floodFrom(
    attackers,
    TOKENS,
    CONNECTIONS,
    () => ({
      path: '/transactions',
      headers: { authorization: `Bearer txl_${randomBytes(8).toString('hex')}_${randomBytes(32).toString('hex')}` },
    }),
    { untilMs },
  );
  attacking = false;
  const honestStatuses = await asking;
  const elapsedMs = performance.now() - startedMs;
  const after = await metrics();
  for (const attacker of attackers) attacker.close();
  honest.close();

  const lookups = { known: after.known - before.known, unknown: after.unknown - before.unknown };
  const held =
    (statuses['429'] ?? 0) > 0 &&
    lookups.unknown <= (statuses['401'] ?? 0) &&
    lookups.known <= elapsedMs / CACHE_MS + 1 &&
    Object.keys(honestStatuses).join() === '200';
  report('unknown-tokens', target, held, {
    addresses: attackers.length,
    statuses,
    lookups,
    seconds: Math.round(elapsedMs / 100) / 10,
    honest: { ...latencies(taken, 0), statuses: honestStatuses },
  });
} finally {
  await target.stop();
}

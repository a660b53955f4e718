/**
 * One address sends 12,000 tokens that do not exist, more than the cache holds, against production. Each was a query of the
 * store and pushed a real token out. Now the address is charged for each, few reach the store, and a real token of
 * another address is looked up no more often than it expires from the cache.
 */
import { randomBytes } from 'node:crypto';
import { Client, flood, latencies } from './load.ts';
import { checkoutOfArguments, report, Target } from './target.ts';

const ATTACKER = '127.0.0.2';
const TOKENS = 12_000;
const CONNECTIONS = 16;
const ATTACK_MS_MAX = 12_000;
const HONEST_MAX = 5_000;
/** TOKEN_CACHE_MS: a real token is looked up again after this. */
const CACHE_MS = 2_000;

const target = await Target.start({ command: 'serve', checkout: checkoutOfArguments() });
try {
  const attacker = new Client(target, ATTACKER, CONNECTIONS);
  const honest = new Client(target, '127.0.0.1', 1);
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
  const statuses = await flood(
    attacker,
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
  attacker.close();
  honest.close();

  const lookups = { known: after.known - before.known, unknown: after.unknown - before.unknown };
  const held =
    (statuses['429'] ?? 0) > 0 &&
    lookups.unknown <= (statuses['401'] ?? 0) &&
    lookups.known <= elapsedMs / CACHE_MS + 1 &&
    Object.keys(honestStatuses).join() === '200';
  report('unknown-tokens', target, held, {
    statuses,
    lookups,
    seconds: Math.round(elapsedMs / 100) / 10,
    honest: { ...latencies(taken, 0), statuses: honestStatuses },
  });
} finally {
  await target.stop();
}

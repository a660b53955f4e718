/**
 * Webhooks with real processes: server and receiver killed at random under load, messages verified in three languages, and two gateways on one
 * PostgreSQL of which the one that delivers is killed.
 *
 *   node test/webhooks/run.ts [--events 100000] [--kills 200] [--takeovers 10] [--seed 1]
 */
import { parseArgs } from 'node:util';
import { POSTGRES_MISSING } from '../support/postgres.ts';
import { killsRun } from './kills.ts';
import { verifyInOtherLanguages } from './languages.ts';
import type { Verdict } from './support/received.ts';
import { takeoverRun } from './takeover.ts';

/** The promise. */
const TAKEOVER_MS_MAX = 2000;

/** The last ones: libraries refuse what is older than five minutes, and a long run takes more. */
const VERIFIED_MAX = 500;

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '4000' },
    kills: { type: 'string', default: '12' },
    takeovers: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
  },
});
const failures: string[] = [];

function check(what: string, { wanted, received, lost, outOfOrder, repeated }: Verdict): void {
  console.log(
    `${what}: ${wanted} events, ${received} messages, ${lost} lost, ${outOfOrder} out of order, ${repeated} repeated`,
  );
  if (wanted === 0 || lost > 0 || outOfOrder > 0) failures.push(what);
}

const { verdict, killed, messages, seconds } = await killsRun({
  events: Number(values.events),
  kills: Number(values.kills),
  seed: Number(values.seed),
});
check(`${killed.server} kills of the server, ${killed.receiver} of the receiver, ${Math.round(seconds)} s`, verdict);

const youngest = messages.slice(-VERIFIED_MAX);
const { python, go } = verifyInOtherLanguages(youngest);
const all = `verified ${youngest.length}, refused ${youngest.length} changed`;
console.log(`standardwebhooks in JavaScript: every message; in Python: ${python}; in Go: ${go}`);
if (messages.length === 0 || python !== all || go !== all) failures.push('languages');

if (POSTGRES_MISSING === undefined) {
  const takeover = await takeoverRun(Number(values.takeovers));
  check(`${takeover.takeoversMs.length} kills of the gateway that delivers`, takeover.verdict);
  const slowest = Math.max(...takeover.takeoversMs);
  console.log(`taken over within ${slowest} ms (${takeover.takeoversMs.join(', ')})`);
  if (slowest > TAKEOVER_MS_MAX) failures.push(`taken over within ${slowest} ms`);
} else console.log(`two gateways on one database: not run, ${POSTGRES_MISSING}`);

if (failures.length > 0) {
  console.error(`failed: ${failures.join('; ')}`);
  process.exitCode = 1;
}

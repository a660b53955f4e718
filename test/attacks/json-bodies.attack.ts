/**
 * Connections of sixteen addresses post JSON-RPC bodies of 1 MiB with 500,000 integers each (0.36 s of the HTTP thread each, once) while an
 * honest client pays; then one of each text that made a reader throw. No body may be built that is over the bounds.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DevelopmentFile } from '../../server/app/dev-file.ts';
import { signedBody } from '../e2e/support/chain.ts';
import { Client, flood, floodFrom, HONEST, latencies } from './load.ts';
import { checkoutOfArguments, report, Target } from './target.ts';

/** Of each address. */
const BODIES = 20;
const ATTACK_MS_MAX = 12_000;
const QUIET_PAYMENTS = 50;
const PAYMENTS_MAX = 900;

const integers = `{"jsonrpc":"2.0","id":1,"method":"health","params":[${'1,'.repeat(500_000)}1]}`;
const deep = 10_000;
const THROWN = [
  '{"jsonrpc":"2.0","id":1e400,"method":"health"}',
  `{"jsonrpc":"2.0","id":1,"method":"health","params":${'['.repeat(deep)}${']'.repeat(deep)}}`,
  `{"jsonrpc":"2.0","id":${'['.repeat(deep)}${']'.repeat(deep)},"method":"health"}`,
  `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
];

const target = await Target.start({ command: 'start', checkout: checkoutOfArguments() });
try {
  const dev = JSON.parse(readFileSync(path.join(target.dataDir, 'dev.json'), 'utf8')) as DevelopmentFile;
  const [sender, receiver] = dev.accounts;
  if (sender === undefined || receiver === undefined) throw new Error('the development chain has no accounts');
  const payments = Array.from({ length: PAYMENTS_MAX }, (_, nonce) =>
    JSON.stringify(signedBody(sender, { chainId: dev.chainId, to: receiver.address, amount: 1n, nonce })),
  );
  const honest = new Client(target, HONEST, 1);
  const pay = (nonce: number) => ({
    method: 'POST',
    path: '/transactions',
    headers: { authorization: `Bearer ${dev.token}` },
    body: payments[nonce] ?? '',
  });

  const quiet: number[] = [];
  const quietStatuses = await flood(honest, QUIET_PAYMENTS, 1, pay, { onAnswer: ({ ms }) => quiet.push(ms) });

  const attackers = Client.attackers(target, 1);
  const codes: Record<string, number> = {};
  const under: number[] = [];
  const untilMs = performance.now() + ATTACK_MS_MAX;
  let isOver = false;
  const paying = flood(honest, PAYMENTS_MAX - QUIET_PAYMENTS, 1, (index) => pay(QUIET_PAYMENTS + index), {
    get untilMs() {
      return isOver ? 0 : untilMs;
    },
    onAnswer: ({ ms }) => under.push(ms),
  });
  const statuses = await floodFrom(attackers, BODIES, 1, () => ({ method: 'POST', path: '/rpc', body: integers }), {
    untilMs,
    onAnswer: ({ text }) => {
      const code = /"code":(-?\d+)/.exec(text)?.[1] ?? 'none';
      codes[code] = (codes[code] ?? 0) + 1;
    },
  });
  isOver = true;
  const thrown: number[] = [];
  for (const attacker of attackers)
    for (const body of THROWN) thrown.push((await attacker.ask({ method: 'POST', path: '/rpc', body })).status);
  const deepQuery = { path: `/rpc/block?height=${encodeURIComponent(`"${'['.repeat(3000)}"`)}` };
  for (const attacker of attackers) thrown.push((await attacker.ask(deepQuery)).status);
  for (const attacker of attackers) attacker.close();
  const paid = await paying;
  honest.close();

  const answered = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const held =
    codes['-32600'] === answered && thrown.every((status) => status === 400) && Object.keys(paid).join() === '202';
  report('json-bodies', target, held, {
    bodies: answered,
    codes,
    thrown: thrown.length,
    thrownStatuses: [...new Set(thrown)],
    quiet: { ...latencies(quiet, 0), statuses: quietStatuses },
    under: { ...latencies(under, 0), statuses: paid },
  });
} finally {
  await target.stop();
}

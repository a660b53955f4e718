/**
 * Four connections post JSON-RPC bodies of 1 MiB with 500,000 integers each (0.36 s of the HTTP thread each, once) while an
 * honest client pays; then one of each text that made a reader throw. No body may be built that is over the bounds.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DevelopmentFile } from '../../server/app/dev-file.ts';
import { signedBody } from '../e2e/support/chain.ts';
import { Client, flood, latencies } from './load.ts';
import { checkoutOfArguments, report, Target } from './target.ts';

const ATTACKER = '127.0.0.2';
const CONNECTIONS = 4;
const BODIES = 200;
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
  const honest = new Client(target, '127.0.0.1', 1);
  const pay = (nonce: number) => ({
    method: 'POST',
    path: '/transactions',
    headers: { authorization: `Bearer ${dev.token}` },
    body: payments[nonce] ?? '',
  });

  const quiet: number[] = [];
  const quietStatuses = await flood(honest, QUIET_PAYMENTS, 1, pay, { onAnswer: ({ ms }) => quiet.push(ms) });

  const attacker = new Client(target, ATTACKER, CONNECTIONS);
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
  const statuses = await flood(
    attacker,
    BODIES,
    CONNECTIONS,
    () => ({ method: 'POST', path: '/rpc', body: integers }),
    {
      untilMs,
      onAnswer: ({ text }) => {
        const code = /"code":(-?\d+)/.exec(text)?.[1] ?? 'none';
        codes[code] = (codes[code] ?? 0) + 1;
      },
    },
  );
  isOver = true;
  const thrown: number[] = [];
  for (const body of THROWN) thrown.push((await attacker.ask({ method: 'POST', path: '/rpc', body })).status);
  const query = await attacker.ask({ path: `/rpc/block?height=${encodeURIComponent(`"${'['.repeat(3000)}"`)}` });
  attacker.close();
  const paid = await paying;
  honest.close();

  const answered = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const held =
    codes['-32600'] === answered &&
    thrown.every((status) => status === 400) &&
    query.status === 400 &&
    Object.keys(paid).join() === '202';
  report('json-bodies', target, held, {
    bodies: answered,
    codes,
    thrown: [...thrown, query.status],
    quiet: { ...latencies(quiet, 0), statuses: quietStatuses },
    under: { ...latencies(under, 0), statuses: paid },
  });
} finally {
  await target.stop();
}

/**
 * Searches that only the events of every transaction can answer: two of them at once made every other search `busy`, and each read all of the
 * history. Here sixteen addresses make them. A scan is bounded in the transactions it looks at, and a client in the searches it has under way; another client's search is
 * answered meanwhile.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DevelopmentFile } from '../../server/app/dev-file.ts';
import { signedBody } from '../e2e/support/chain.ts';
import { Client, flood, floodFrom, HONEST, latencies } from './load.ts';
import { checkoutOfArguments, report, Target } from './target.ts';

/** More than SCAN_CANDIDATES_MAX altogether, and of each account no more than may be ahead of its nonce, so that their order is of no consequence. */
const TRANSFERS = 10_200;
const AT_ONCE_EACH = 6;
const ATTACK_MS = 4_000;
const SCANS_AT_ONCE = 8;

const search = (query: string) => ({ path: `/rpc/tx_search?query=${encodeURIComponent(`"${query}"`)}&per_page=1` });

const target = await Target.start({
  command: 'start',
  checkout: checkoutOfArguments(),
  variables: { BLOCK_INTERVAL_MS: '50', LOG_LEVEL: 'error' },
});
try {
  const dev = JSON.parse(readFileSync(path.join(target.dataDir, 'dev.json'), 'utf8')) as DevelopmentFile;
  const { accounts, chainId, token } = dev;
  const honest = new Client(target, HONEST, accounts.length * AT_ONCE_EACH);
  const each = TRANSFERS / accounts.length;
  await Promise.all(
    accounts.map((sender, at) =>
      flood(honest, each, AT_ONCE_EACH, (nonce) => ({
        method: 'POST',
        path: '/transactions',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify(
          signedBody(sender, { chainId, to: accounts[(at + 1) % accounts.length]?.address ?? '', amount: 1n, nonce }),
        ),
      })),
    ),
  );
  const [first] = accounts;
  const found = async (): Promise<number> =>
    Number(/"total_count":"(\d+)"/.exec((await honest.ask(search('tx.height > 0'))).text)?.[1] ?? 0);
  const endMs = performance.now() + 10_000;
  while ((await found()) < TRANSFERS && performance.now() < endMs) continue;

  const attackers = Client.attackers(target, SCANS_AT_ONCE);
  const untilMs = performance.now() + ATTACK_MS;
  const looked: string[] = [];
  const taken: number[] = [];
  const failures: string[] = [];
  const [whole, narrow, ours] = await Promise.all([
    // All of the history, and then as many rows as one may look at.
    floodFrom(attackers, 200, SCANS_AT_ONCE / 2, () => search("transfer.sender CONTAINS 'txlt'"), {
      untilMs,
      onAnswer: ({ text }) => looked.push(/"data":"([^"]*)"/.exec(text)?.[1] ?? ''),
    }),
    floodFrom(
      attackers,
      200,
      SCANS_AT_ONCE / 2,
      () => search(`transfer.sender CONTAINS 'txlt' AND transfer.recipient = '${first?.address}'`),
      { untilMs },
    ),
    flood(
      honest,
      200,
      1,
      (index) => search(index % 2 === 0 ? `transfer.sender CONTAINS 'txlt' AND tx.height <= 3` : 'tx.height = 3'),
      {
        untilMs,
        onAnswer: ({ ms, status, text }) => {
          taken.push(ms);
          if (status !== 200) failures.push(text.slice(0, 200));
        },
      },
    ),
  ]);
  for (const attacker of attackers) attacker.close();
  honest.close();
  const held =
    Object.keys(whole).every((status) => status === '400' || status === '503') &&
    looked.some((text) => text.includes('at most')) &&
    Object.keys(ours).join() === '200';
  report('search-scan', target, held, {
    whole,
    narrow,
    said: looked[0],
    honest: { ...latencies(taken, failures.length), statuses: ours, failures: failures.slice(0, 1) },
  });
} finally {
  await target.stop();
}

/** Three hundred connections from sixteen addresses ask for long pages and read none of them: what they may cost, and what another client notices. */
import { checkoutOfArguments, probe, report, Target } from './target.ts';
import { fillBlocks, residentPeak, SEARCH, silentPeers } from './never-reading.ts';

const TRANSFERS = 10_000;
const CONNECTIONS = 300;
const WATCH_MS = 6_000;
const RISE_MIB_MAX = 200;

const target = await Target.start({
  command: 'start',
  checkout: checkoutOfArguments(),
  variables: { BLOCK_INTERVAL_MS: '1000', LOG_LEVEL: 'error' },
});
try {
  const blocks = await fillBlocks(target, TRANSFERS);
  // One page is read: what the first one builds is not part of the attack.
  const page = await fetch(`${target.baseUrl}/rpc/block_search?query=%22block.height%20%3E%201%22&per_page=100`);
  const pageBytes = (await page.arrayBuffer()).byteLength;
  const beforeMib = target.residentMib();
  const others = [
    probe(`${target.baseUrl}/livez`),
    probe(`${target.baseUrl}/transactions?limit=10`, { token: target.token }),
  ];
  const peers = await silentPeers(target, CONNECTIONS, SEARCH);
  const peakMib = await residentPeak(target, WATCH_MS);
  const [livez, list] = await Promise.all(others.map((other) => other.stop()));
  const riseMib = Math.round(peakMib - beforeMib);
  const held = riseMib < RISE_MIB_MAX && livez?.failed === 0 && list?.failed === 0 && list.count > 0;
  report('unread-answers', target, held, {
    connections: CONNECTIONS,
    blocks,
    pageBytes,
    beforeMib: Math.round(beforeMib),
    peakMib: Math.round(peakMib),
    riseMib,
    livez,
    list,
  });
  for (const { socket } of peers) socket.destroy();
} finally {
  await target.stop();
}

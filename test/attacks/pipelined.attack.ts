/** One connection of each of sixteen addresses sends forty searches at once and reads nothing: no more than one of each may be in memory. */
import { ADDRESSES } from './load.ts';
import { checkoutOfArguments, probe, report, Target } from './target.ts';
import { fillBlocks, residentPeak, SEARCH, silentPeers } from './never-reading.ts';

const TRANSFERS = 10_000;
const REQUESTS = 40;
const WATCH_MS = 5_000;
/** A page of 1 MiB for each, with what it takes to make it and what V8 has not collected yet; all pages together are 600 MiB. */
const RISE_MIB_MAX = 200;

const target = await Target.start({
  command: 'start',
  checkout: checkoutOfArguments(),
  variables: { BLOCK_INTERVAL_MS: '1000', LOG_LEVEL: 'error' },
});
try {
  await fillBlocks(target, TRANSFERS);
  const page = await fetch(`${target.baseUrl}/rpc/block_search?query=%22block.height%20%3E%201%22&per_page=100`);
  const pageBytes = (await page.arrayBuffer()).byteLength;
  const beforeMib = target.residentMib();
  const livez = probe(`${target.baseUrl}/livez`);
  const peers = await silentPeers(target, ADDRESSES, SEARCH.repeat(REQUESTS));
  const peakMib = await residentPeak(target, WATCH_MS);
  const others = await livez.stop();
  const riseMib = Math.round(peakMib - beforeMib);
  report('pipelined', target, riseMib < RISE_MIB_MAX && others.failed === 0, {
    connections: ADDRESSES,
    requests: REQUESTS,
    pageBytes,
    beforeMib: Math.round(beforeMib),
    peakMib: Math.round(peakMib),
    riseMib,
    livez: others,
  });
  for (const { socket } of peers) socket.destroy();
} finally {
  await target.stop();
}

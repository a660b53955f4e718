/**
 * Readiness of the network: each gateway reports that it is ready, and the last block is recent.
 *
 * @module
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** Its nodes make an empty block every 5 s (nodes.ts), whose header has the time of the block before. */
const BLOCK_AGE_MS_MAX = 30_000;
const POLL_MS = 100;
const ANSWER_MS_MAX = 3000;

async function ask(url: string): Promise<{ ok: boolean; body: unknown }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX), headers: { connection: 'close' } });
  return { ok: response.ok, body: await response.json() };
}

/** @returns undefined when this gateway is ready and its chain makes blocks, else what is missing. */
async function lack(gateway: string): Promise<string | undefined> {
  try {
    const ready = await ask(`${gateway}/readyz`);
    if (!ready.ok) return `${gateway}/readyz says ${JSON.stringify(ready.body)}`;
    const { body } = await ask(`${gateway}/chain`);
    const { height, lastBlockTime } = body as { height: number; lastBlockTime: string };
    const ageMs = Date.now() - Date.parse(lastBlockTime);
    return height >= 1 && ageMs <= BLOCK_AGE_MS_MAX
      ? undefined
      : `${gateway}/chain stands at height ${height} of ${lastBlockTime}`;
  } catch (error) {
    return `${gateway} does not answer: ${((error as Error).cause as Error | undefined)?.message ?? (error as Error).message}`;
  }
}

/** Polls until nothing is missing or `msMax` is over. @returns what is missing then. */
export async function awaitReady(gateways: readonly string[], msMax: number, given: AbortSignal): Promise<string[]> {
  const deadline = performance.now() + msMax;
  for (;;) {
    const lacking = (await Promise.all(gateways.map(lack))).filter((each) => each !== undefined);
    if (lacking.length === 0 || performance.now() > deadline || given.aborted) return lacking;
    await sleep(POLL_MS);
  }
}

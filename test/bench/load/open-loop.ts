/**
 * Requests at a fixed rate, whether or not the server keeps up. A latency counts from the moment at which its request was meant to be sent:
 * one that waits for a free connection behind a stall counts the stall ("coordinated omission" would leave it out).
 */
import { openConnections, type Connection } from './connection.ts';
import { type LoadResult, Tally, type Work } from './load-result.ts';

const MS_PER_S = 1000;
const TICK_MS = 1;

/** When request `index` is meant to be sent, milliseconds after the start. */
export function intendedMs(index: number, ratePerS: number): number {
  return (index * MS_PER_S) / ratePerS;
}

export async function openLoop(work: Work, ratePerS: number): Promise<LoadResult> {
  const connections = await openConnections(work.port, work.connections);
  const tally = new Tally(work);
  const startedMs = performance.now();
  const free: Connection[] = [...connections];
  let next = 0;
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const sendDue = (): void => {
        const elapsedMs = performance.now() - startedMs;
        while (next < work.count && free.length > 0 && intendedMs(next, ratePerS) <= elapsedMs)
          send(free.pop()!, next++);
      };
      const send = (connection: Connection, index: number): void => {
        const meantMs = startedMs + intendedMs(index, ratePerS);
        connection.onResponse = (status, body) => {
          tally.answer(index, meantMs, status, body);
          free.push(connection);
          if (tally.count === work.count) resolve();
          else sendDue();
        };
        connection.send(work.request(index));
      };
      for (const connection of connections) connection.onBroken = reject;
      timer = setInterval(sendDue, TICK_MS);
    });
    return tally.result();
  } finally {
    clearInterval(timer);
    for (const connection of connections) connection.close();
  }
}

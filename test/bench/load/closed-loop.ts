/** So many connections, each of which sends its next request when the last was answered. */
import { openConnections, type Connection } from './connection.ts';
import { type LoadResult, Tally, type Work } from './load-result.ts';

/** @param stop asked before each request: true ends the load early, as for reads that last as long as the writes beside them. */
export async function closedLoop(work: Work, stop: () => boolean = () => false): Promise<LoadResult> {
  const connections = await openConnections(work.port, work.connections);
  const tally = new Tally(work);
  let next = 0;
  const drive = (connection: Connection): Promise<void> =>
    new Promise((resolve, reject) => {
      connection.onBroken = reject;
      const send = (): void => {
        if (next >= work.count || stop()) return resolve();
        const index = next++;
        const sentMs = performance.now();
        connection.onResponse = (status, body) => {
          tally.answer(index, sentMs, status, body);
          send();
        };
        connection.send(work.request(index));
      };
      send();
    });
  try {
    await Promise.all(connections.map(drive));
    return tally.result();
  } finally {
    for (const connection of connections) connection.close();
  }
}

/**
 * The service as a later version of it may answer: the server behind a proxy that adds a member to every object of an answer and a header to
 * every answer, and puts a value that no one knows for every status, code and event.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { ADDED, grown } from '../../contract/support/grown.ts';
import { startProxy, type Proxy } from '../../conformance/matrix/proxy.ts';
import { freePort } from '../../e2e/support/server.ts';

/** Writes a dev.json whose `later` is the value that the programs have to expect then. */
export async function startLater(developmentFile: string, laterFile: string): Promise<Proxy> {
  const dev = JSON.parse(await readFile(developmentFile, 'utf8')) as { baseUrl: string };
  const proxy = await startProxy(dev.baseUrl, await freePort(), (_asked, answered) => {
    answered.body = grown(answered.body);
    answered.headers['added-in-2030'] = '1';
  });
  await writeFile(laterFile, JSON.stringify({ ...dev, baseUrl: proxy.baseUrl, later: ADDED }));
  return proxy;
}

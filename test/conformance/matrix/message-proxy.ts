/** Stands between a server and the kit's receiver, and changes one thing about the messages of webhooks. */
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';

export interface PassedMessage {
  readonly headers: Record<string, string>;
  text: string;
  /** Taken, and not passed on. */
  isLost?: boolean;
  /** Passed on twice. */
  isTwice?: boolean;
  /** Taken, whatever the receiver answers. */
  isAlwaysTaken?: boolean;
}

/** Changes a message in place. One is made for each run. */
export type MessageFault = (message: PassedMessage) => unknown;

export async function startMessageProxy(
  port: number,
  receiverPort: number,
  fault: MessageFault,
): Promise<{ url: string; close(): Promise<void> }> {
  const pass = (path: string, { headers, text }: PassedMessage): Promise<number> =>
    new Promise((resolve) => {
      const { host: _, 'content-length': _length, ...rest } = headers;
      const sent = send({
        hostname: '127.0.0.1',
        port: receiverPort,
        path,
        method: 'POST',
        headers: rest,
        agent: false,
      });
      sent.on('response', (response) => resolve(response.resume().statusCode ?? 0));
      // The receiver has ended: as for any sender, nobody takes it.
      sent.on('error', () => resolve(502));
      sent.end(text);
    });
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const message: PassedMessage = {
        headers: { ...incoming.headers } as Record<string, string>,
        text: Buffer.concat(chunks).toString(),
      };
      fault(message);
      void (async () => {
        const path = incoming.url ?? '/';
        let status = message.isLost === true ? 204 : await pass(path, message);
        if (message.isTwice === true) status = await pass(path, message);
        outgoing.writeHead(message.isAlwaysTaken === true ? 204 : status).end();
      })();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

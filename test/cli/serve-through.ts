import { signerFromSeed, signTransfer } from '../../client/src/index.ts';
import { developmentAccounts } from '../../server/app/dev-accounts.ts';
import { call } from '../e2e/support/server.ts';
import { serveAnswers, type Development } from './support.ts';

/** A service between a command and the real one, which passes everything on. */
export function serveThrough(
  { server, token }: Development,
  on: {
    /** Before a request is passed on. */
    readonly request?: (method: string, path: string) => Promise<void> | void;
    /** What is answered in place of a body. */
    readonly answer?: (path: string, body: Record<string, unknown>) => unknown;
    /** Whether POSTs take effect and are not answered. */
    readonly losesAnswers?: boolean;
  },
): ReturnType<typeof serveAnswers> {
  return serveAnswers((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const isPost = request.method === 'POST';
      await on.request?.(request.method as string, request.url as string);
      const { status, body } = await call(server.baseUrl + request.url, {
        method: request.method as string,
        headers: { 'content-type': 'application/json' },
        token,
        ...(isPost ? { body: Buffer.concat(chunks) } : {}),
      });
      if (isPost && on.losesAnswers === true) return void response.destroy();
      const answer = on.answer?.(request.url as string, body) ?? body;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    })();
  });
}

/** Another program of the sender: it submits a transfer with this nonce while a command runs. */
export async function submitElsewhere({ server, token }: Development, from: number, nonce: number): Promise<void> {
  const [sender, receiver] = [developmentAccounts()[from]!, developmentAccounts()[(from + 1) % 10]!];
  const { input } = await signTransfer({
    signer: await signerFromSeed(sender.seed),
    chain: { chainId: 'txledger-dev-1', addressPrefix: 'txlt' },
    to: receiver.address,
    amount: 77n,
    nonce,
  });
  await call(`${server.baseUrl}/transactions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    token,
    body: Buffer.from(JSON.stringify(input)),
  });
}

import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';

export interface RawRequest {
  method?: string;
  /** Sent as it stands. */
  path: string;
  headers?: Record<string, string>;
  body?: Uint8Array | string;
}

export interface RawAnswer {
  status: number;
  contentType: string | undefined;
  headers: NodeJS.Dict<string | string[]>;
  body: any;
}

/** A request with full control over its headers and bytes, which fetch does not give. */
export async function rawRequest(
  baseUrl: string,
  { method = 'GET', path, headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const bytes = body === undefined ? undefined : Buffer.from(body as string);
  const length: Record<string, string> = bytes === undefined ? {} : { 'content-length': String(bytes.length) };
  const outgoing = request({ hostname, port, method, path, agent: false, headers: { ...length, ...headers } });
  // A server that refuses a large body may close while it is still being sent; its answer counts.
  outgoing.on('error', () => undefined);
  outgoing.end(bytes);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  const contentType = response.headers['content-type'];
  return {
    status: response.statusCode ?? 0,
    contentType,
    headers: response.headers,
    body: contentType?.includes('json') ? JSON.parse(text) : text,
  };
}

/** Sends bytes that need not be HTTP. @returns the status of the first answer, and all of the text. */
export async function rawBytes(baseUrl: string, bytes: string): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes);
  socket.end();
  await once(socket, 'close');
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), text };
}

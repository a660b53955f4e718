/** The bytes of a request, as an ordinary client sends them. */
export interface RequestParts {
  port: number;
  method?: 'GET' | 'POST';
  path: string;
  token?: string;
  /** JSON. */
  body?: string;
}

export function requestBytes({ port, method = 'GET', path, token, body }: RequestParts): Buffer {
  const head = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Accept: application/json'];
  if (token !== undefined) head.push(`Authorization: Bearer ${token}`);
  if (body !== undefined) head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

/** GET /openapi.client.json: the rendition for client generators, byte for byte as generated, except for the public URL in `servers`. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

export function getOpenapiClientJson({ contract }: HandlerParts): Handler<'getOpenapiClientJson'> {
  return handler('getOpenapiClientJson', async () => ({ status: 200, body: { verbatim: contract.clientJson } }));
}

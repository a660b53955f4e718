/** GET /openapi.json: the bundle, byte for byte as generated, except for the public URL in `servers`. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

export function getOpenapiJson({ contract }: HandlerParts): Handler<'getOpenapiJson'> {
  return handler('getOpenapiJson', async () => ({ status: 200, body: { verbatim: contract.json } }));
}

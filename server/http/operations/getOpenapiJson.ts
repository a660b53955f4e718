/** GET /openapi.json: the bundle, byte for byte as generated. */
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

export function getOpenapiJson({ contract }: HandlerParts): Handler<'getOpenapiJson'> {
  return async () => ({ status: 200, body: { verbatim: contract.json } });
}

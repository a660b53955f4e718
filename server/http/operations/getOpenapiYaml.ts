/** GET /openapi.yaml: the bundle, byte for byte as generated, except for the public URL in `servers`. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

export function getOpenapiYaml({ contract }: HandlerParts): Handler<'getOpenapiYaml'> {
  return handler('getOpenapiYaml', async () => ({
    status: 200,
    mediaType: 'application/yaml',
    body: { verbatim: contract.yaml },
  }));
}

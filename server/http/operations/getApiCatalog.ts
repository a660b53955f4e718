/** GET /.well-known/api-catalog, and HEAD, which RFC 9727 section 2 requires: links to all parts of this API. */
import { apiCatalog } from '../docs/api-catalog.ts';
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

export function getApiCatalog({ contract, publicUrl }: HandlerParts): Handler<'getApiCatalog'> {
  const { body, link } = apiCatalog(contract.document, publicUrl);
  return handler('getApiCatalog', async () => ({
    status: 200,
    mediaType: 'application/linkset+json',
    body: { verbatim: body },
    headers: { Link: link },
  }));
}

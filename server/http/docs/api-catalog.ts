/**
 * /.well-known/api-catalog (RFC 9727): links to the contract, the pages and the probes of this API, as a set of links (RFC 9264,
 * application/linkset+json).
 *
 * RFC 9264 requires absolute URIs, so that a catalogue can be read away from its URL. With PUBLIC_URL they are absolute. Without it they
 * are relative to the catalogue itself: behind a proxy this process cannot determine its own address, and a relative reference is right at
 * every URL of the catalogue, also below a path prefix.
 */
import type { OpenapiDocument } from '../contract/bundle.ts';

/** Its own path below the base URL. */
const CATALOG_PATH = '.well-known/api-catalog';

interface Target {
  href: string;
  type: string;
}

export interface ApiCatalog {
  body: Buffer;
  /** The Link header (RFC 8288), which RFC 9727 requires on HEAD. */
  link: string;
}

/** @param publicUrl ends in a slash. */
export function apiCatalog({ paths }: OpenapiDocument, publicUrl: string | undefined): ApiCatalog {
  const base = publicUrl ?? '../';
  const self = publicUrl === undefined ? 'api-catalog' : `${publicUrl}${CATALOG_PATH}`;
  const target = (path: string, type: string): Target => ({ href: `${base}${path}`, type });
  const descriptions = [
    ['openapi.json', 'application/json'],
    ['openapi.client.json', 'application/json'],
    ['openapi.yaml', 'application/yaml'],
  ] as const;
  const linkset = [
    { anchor: self, item: [{ href: base }] },
    {
      anchor: base,
      'service-desc': descriptions.filter(([path]) => `/${path}` in paths).map(([path, type]) => target(path, type)),
      'service-doc': [target('docs', 'text/html'), target('docs/errors', 'text/html')],
      'service-meta': [target('changelog.atom', 'application/atom+xml'), target('llms.txt', 'text/plain')],
      status: [target('readyz', 'application/json'), target('livez', 'application/json')],
    },
  ];
  return { body: Buffer.from(`${JSON.stringify({ linkset }, null, 2)}\n`), link: `<${self}>; rel="api-catalog"` };
}

/**
 * Documents that are the same for everyone until the next start: pages, guides, vectors, the contract. Each is compressed once and has an
 * ETag, so that a client with a current copy gets 304.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';

import type { Exchange } from './exchange.ts';

const compress = promisify(gzip);
const expand = promisify(gunzip);
/** Characters of the hash in an ETag: with 96 bits, no two documents of a service have the same. */
const ETAG_CHARACTERS = 16;

export interface StoredDocument {
  readonly mediaType: string;
  /** Weak: it identifies the text, compressed or not. */
  readonly etag: string;
  readonly gzip: Buffer;
  /** The uncompressed bytes if they are in memory anyway; otherwise they are made from the compressed ones. */
  readonly plain: Buffer | undefined;
}

export async function storeDocument(mediaType: string, body: Buffer, keepsPlain = false): Promise<StoredDocument> {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, ETAG_CHARACTERS);
  return {
    mediaType,
    etag: `W/"${hash}"`,
    gzip: await compress(body, { level: constants.Z_BEST_COMPRESSION }),
    plain: keepsPlain ? body : undefined,
  };
}

/** `vary`: headers other than Accept-Encoding that selected this document. */
export async function sendDocument(
  exchange: Exchange,
  stored: StoredDocument,
  headers: Readonly<Record<string, string>>,
  vary?: string,
): Promise<void> {
  const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = exchange.request.headers;
  const about = {
    ...headers,
    ETag: stored.etag,
    Vary: vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`,
  };
  if (matches(ifNoneMatch, stored.etag)) exchange.send(304, undefined, EMPTY, about);
  else if (takesGzip(acceptEncoding))
    exchange.send(200, stored.mediaType, stored.gzip, { ...about, 'Content-Encoding': 'gzip' });
  else exchange.send(200, stored.mediaType, stored.plain ?? (await expand(stored.gzip)), about);
}

const EMPTY = Buffer.alloc(0);

/** RFC 9110 section 13.1.2: weak comparison with each entity tag of the list. */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([tag]) => tag === opaque);
}

/** RFC 9110 section 12.5.3: an entry for gzip decides, then an entry for `*`. */
export function takesGzip(acceptEncoding: string | undefined): boolean {
  const codings = (acceptEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.split(';').map((part) => part.trim()));
  const found =
    codings.find(([name]) => name === 'gzip' || name === 'x-gzip') ?? codings.find(([name]) => name === '*');
  return found !== undefined && !found.slice(1).some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
}

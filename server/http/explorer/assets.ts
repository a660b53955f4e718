/** The explorer's files as `npm run generate` built them, each compressed once and with an ETag of its bytes. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { constants, gzipSync } from 'node:zlib';

export interface Asset {
  /** Path below the base URL, without a leading slash. */
  readonly path: string;
  readonly mediaType: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
}

const GENERATED = new URL('../../../generated/explorer/', import.meta.url);

/** Facts about the service in the page, so that the page requests only resources that exist. */
const MODE_IN_PAGE = 'data-mode="production"';

export type ExplorerMode = 'production' | 'development' | 'public-development';

export function loadAssets(mode: ExplorerMode, folder: URL = GENERATED): readonly Asset[] {
  const read = (name: string): Buffer => readFileSync(new URL(name, folder));
  const page = read('index.html').toString('utf8');
  if (page.split(MODE_IN_PAGE).length !== 2)
    throw new Error(`generated/explorer/index.html must say ${MODE_IN_PAGE} once`);
  return [
    asset('', 'text/html; charset=utf-8', Buffer.from(page.replace(MODE_IN_PAGE, `data-mode="${mode}"`))),
    asset('explorer/app.js', 'text/javascript; charset=utf-8', read('app.js')),
    asset('explorer/app.css', 'text/css; charset=utf-8', read('app.css')),
  ];
}

function asset(path: string, mediaType: string, plain: Buffer): Asset {
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { path, mediaType, plain, gzipped: gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }), etag };
}

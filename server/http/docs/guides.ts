/**
 * Documents of the repository that partners and integrators need, and the files that they name, each at a path of its own below /docs.
 * Documents for operators and developers (decisions, OPERATING.md) are not served.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { mapLinks } from './links.ts';

const ROOT = new URL('../../../', import.meta.url);

/** A document in the repository, and the page that shows it. */
export interface Guide {
  readonly file: string;
  readonly path: string;
  /** Title in the menu. */
  readonly title: string;
  readonly description: string;
}

export const GUIDES: readonly Guide[] = [
  {
    file: 'docs/SIGNING.md',
    path: '/docs/signing',
    title: 'Sign a transfer',
    description: 'Which bytes are signed, worked out byte by byte, in Python, OpenSSL and JavaScript',
  },
  {
    file: 'docs/PARTNERS.md',
    path: '/docs/partners',
    title: 'For partners',
    description:
      'How to pay over HTTP from any language: nonces, waiting, sending again, events, webhooks, errors, limits',
  },
  {
    file: 'docs/INTEGRATORS.md',
    path: '/docs/integrators',
    title: 'For integrators',
    description: "The client package and the chain's RPC: a checkout, events, webhooks, batches, proofs",
  },
  {
    file: 'client/README.md',
    path: '/docs/client',
    title: 'Client package',
    description: 'What the JavaScript and TypeScript client does',
  },
  {
    file: 'client/API.md',
    path: '/docs/client-api',
    title: 'Client functions',
    description: 'Every function of the client with its parameters, errors and an example',
  },
  {
    file: 'client/CHANGELOG.md',
    path: '/docs/client-changelog',
    title: 'Client changelog',
    description: 'What each version of the client changed',
  },
  {
    file: 'spec/vectors/README.md',
    path: '/docs/vectors',
    title: 'Test vectors',
    description: 'Transactions, signatures, addresses and proofs as cases that any implementation can run, to download',
  },
  {
    file: 'test/conformance/README.md',
    path: '/docs/conformance',
    title: 'Conformance kit',
    description: 'A program that checks a server against the contract',
  },
  {
    file: 'spec/CHANGELOG.md',
    path: '/docs/changelog',
    title: 'Changelog',
    description: 'What each version of the contract changed',
  },
];

/** Folders of the repository whose links lead to a page. */
const FOLDERS: Readonly<Record<string, string>> = {
  'spec/vectors': '/docs/vectors',
  'spec/workflows': '/workflows',
  'docs/examples': '/docs/examples',
  spec: '/docs',
};

/** A file to download, unchanged. */
export interface ServedFile {
  readonly file: string;
  readonly path: string;
  readonly mediaType: string;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = { '.json': 'application/json', '.yaml': 'application/yaml' };
const PLAIN = 'text/plain; charset=utf-8';
/** Settings of generators, which PARTNERS.md refers to. */
const SETTINGS = ['test/clients/oapi-codegen/oapi-codegen.yaml', 'test/clients/kubb/kubb.config.mjs'];

export function servedFiles(): readonly ServedFile[] {
  const serve = (file: string, folder: string): ServedFile => ({
    file,
    path: `${folder}/${path.basename(file)}`,
    mediaType: MEDIA_TYPES[path.extname(file)] ?? PLAIN,
  });
  return [
    ...filesIn('spec/vectors', '.json').map((file) => serve(file, '/docs/vectors')),
    ...[...filesIn('docs/examples'), ...SETTINGS].map((file) => serve(file, '/docs/examples')),
  ];
}

function filesIn(folder: string, ending = ''): string[] {
  return readdirSync(new URL(`${folder}/`, ROOT), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map(({ name }) => `${folder}/${name}`)
    .sort();
}

export const readRepositoryFile = (file: string): Buffer => readFileSync(new URL(file, ROOT));

/** The text of a guide. Its links point to pages of this service; a link without such a page becomes plain text. */
export function guideMarkdown({ file, path: own }: Guide, files: readonly ServedFile[]): string {
  const pages = new Map([
    ...Object.entries(FOLDERS),
    ...GUIDES.map((guide) => [guide.file, guide.path] as const),
    ...files.map((served) => [served.file, served.path] as const),
  ]);
  return mapLinks(readRepositoryFile(file).toString('utf8'), (href) => {
    if (/^https?:/.test(href)) return href;
    const [target = '', fragment] = href.split('#');
    const place = fragment === undefined ? '' : `#${fragment}`;
    if (target === '') return `${own}${place}`;
    const found = pages.get(path.posix.join(path.posix.dirname(file), target));
    return found === undefined ? undefined : `${found}${place}`;
  });
}

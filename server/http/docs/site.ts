/**
 * All pages of /docs: their list, their order in the menu, and the Markdown of each. Nothing is read or made before it is requested
 * (decision 0079).
 */
import type { ProblemCatalogue } from '../contract/catalogue.ts';
import type { OpenapiDocument } from '../contract/bundle.ts';
import type { OperationSpec } from '../contract/operations.ts';
import { errorsMarkdown } from './errors.ts';
import { examplesMarkdown } from './examples.ts';
import { GUIDES, guideMarkdown, servedFiles } from './guides.ts';
import type { ServedFile } from './guides.ts';
import { headersMarkdown } from './headers.ts';
import { messageMarkdown, topicMarkdown } from './operations.ts';
import { overviewMarkdown } from './overview.ts';
import {
  ERRORS_PATH,
  HEADERS_PATH,
  isRpcTag,
  readReference,
  RPC_SCHEMAS_PATH,
  schemaNames,
  SCHEMAS_PATH,
} from './reference.ts';
import type { TagPage } from './reference.ts';
import { schemaMarkdown } from './schemas.ts';

export interface Page {
  readonly path: string;
  /** Title in the menu, and of the window. */
  readonly title: string;
  readonly description: string;
  /** Links in it are paths of this service, beginning with `/`. */
  readonly markdown: () => string;
}

export interface PageGroup {
  readonly title: string;
  readonly pages: readonly Page[];
}

export interface Site {
  readonly title: string;
  readonly overview: Page;
  readonly groups: readonly PageGroup[];
  /** All pages by path, including the overview. */
  readonly pages: ReadonlyMap<string, Page>;
  readonly files: ReadonlyMap<string, ServedFile>;
}

export const OVERVIEW_PATH = '/docs';
const CONVENTIONS_PATH = '/docs/conventions';
/** The tag whose description applies to all operations. */
const CONVENTIONS_TAG = 'Contract';

export function createSite(
  document: OpenapiDocument,
  catalogue: ProblemCatalogue,
  operations: readonly OperationSpec[],
): Site {
  const reference = readReference(document, operations);
  const files = servedFiles();
  const guide = (path: string): Page => {
    const found = GUIDES.find((one) => one.path === path);
    if (found === undefined) throw new Error(`There is no guide at ${path}.`);
    return { ...found, markdown: () => guideMarkdown(found, files) };
  };
  // In the tag Contract the first paragraph is about its own operations; the others apply to all operations and have a page of their own.
  const [ofContract = '', ...conventional] = (
    document.tags?.find(({ name }) => name === CONVENTIONS_TAG)?.description ?? ''
  ).split('\n\n');
  const tag = (page: TagPage): Page => ({
    path: page.path,
    title: page.name,
    description: sentence(page.description),
    markdown: () =>
      tagMarkdown(
        document,
        page.name === CONVENTIONS_TAG
          ? { ...page, description: `${ofContract}\n\nRead on: [Conventions](${CONVENTIONS_PATH}).` }
          : page,
      ),
  });
  const schemas = (path: string, title: string, description: string, names: readonly string[]): Page => ({
    path,
    title,
    description,
    markdown: () =>
      `# ${title}\n\n${description}.\n\n${names.map((name) => schemaMarkdown(document, name)).join('\n')}`,
  });
  const names = schemaNames(document);
  const errors: Page = {
    path: ERRORS_PATH,
    title: 'Errors',
    description: 'Every error code, its cause and what to do',
    markdown: () => errorsMarkdown(reference, catalogue, operations),
  };
  const headers: Page = {
    path: HEADERS_PATH,
    title: 'Headers',
    description: 'Every header of requests and answers',
    markdown: () => headersMarkdown(reference, operations),
  };
  const conventions: Page = {
    path: CONVENTIONS_PATH,
    title: 'Conventions',
    description: 'What holds for every operation: money, errors, quotas, repeating, compatibility',
    markdown: () => `# Conventions\n\n${conventional.join('\n\n')}`,
  };
  const examples: Page = {
    path: '/docs/examples',
    title: 'Examples',
    description: 'Programs to download: signing, accounts, receipts, a checkout, receivers of webhooks',
    markdown: () => examplesMarkdown(files),
  };
  const groups: readonly PageGroup[] = [
    {
      title: 'Start',
      pages: [guide('/docs/signing'), guide('/docs/partners'), guide('/docs/integrators'), conventions, errors],
    },
    {
      title: 'Reference',
      pages: [
        ...reference.tags.filter(({ name }) => !isRpcTag(name)).map(tag),
        schemas(SCHEMAS_PATH, 'Schemas', 'What requests and answers hold', names.api),
        headers,
      ],
    },
    {
      title: 'RPC of the chain',
      pages: [
        ...reference.tags.filter(({ name }) => isRpcTag(name)).map(tag),
        schemas(RPC_SCHEMAS_PATH, 'RPC schemas', 'What requests and answers of the RPC hold', names.rpc),
      ],
    },
    { title: 'Client', pages: [guide('/docs/client'), guide('/docs/client-api'), guide('/docs/client-changelog')] },
    { title: 'More', pages: [guide('/docs/vectors'), examples, guide('/docs/conformance'), guide('/docs/changelog')] },
  ];
  const listed = groups.flatMap((group) => group.pages);
  const overview: Page = {
    path: OVERVIEW_PATH,
    title: 'Everything',
    description: document.info.summary ?? document.info.title,
    markdown: () => overviewMarkdown(reference, listed),
  };
  return {
    title: document.info.title,
    overview,
    groups,
    pages: byPath([overview, ...listed]),
    files: byPath(files),
  };
}

/** Indexes pages by path. A tag and a guide of the same name would hide each other. */
function byPath<T extends { readonly path: string }>(all: readonly T[]): ReadonlyMap<string, T> {
  const found = new Map(all.map((one) => [one.path, one]));
  if (found.size !== all.length)
    throw new Error(
      `Two pages of the documentation have one address: ${all
        .map(({ path }) => path)
        .toSorted()
        .join(' ')}`,
    );
  return found;
}

function tagMarkdown(document: OpenapiDocument, { name, description, topics, messages }: TagPage): string {
  const sections = [
    ...topics.map((topic) => topicMarkdown(document, topic)),
    ...messages.map((message) => messageMarkdown(document, message)),
  ];
  return `# ${name}\n\n${description}\n\n${sections.join('\n\n')}`;
}

/** Returns the first sentence, for a list of pages. */
function sentence(markdown: string): string {
  const plain = markdown.replaceAll('`', '').replaceAll(/\s+/g, ' ').trim();
  return /^.*?(?=\.(?:\s|$))/.exec(plain)?.[0] ?? plain;
}

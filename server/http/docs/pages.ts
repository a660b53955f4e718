/**
 * Routes the pages. The pages of /docs are loaded and made at their first request, so that a start does not load them. The first page shows
 * the chain's height.
 */
import type { Express } from 'express';

import type { Clock } from '../../engine/ports.ts';
import type { Gateway } from '../../gateway/types.ts';

import type { ContractBundle } from '../contract/bundle.ts';
import type { ProblemCatalogue } from '../contract/catalogue.ts';
import type { OperationSpec } from '../contract/operations.ts';
import type { Exchange } from '../exchange.ts';
import { PAGE_CACHE_S } from '../limits.ts';
import { type PlainParts, registerPlain } from '../register.ts';
import { preferred } from '../media-type.ts';
import { sendDocument } from '../stored.ts';
import { homePage } from './home.ts';
import { CONTENT_SECURITY_POLICY } from './layout.ts';
import type { Library } from './library.ts';
import { twinOf } from './links.ts';
import { securityTxt } from './security-txt.ts';
import { loadWorkflows, workflowIndex } from './workflows.ts';

export interface PageRoutes extends PlainParts {
  /** True if `/` is the plain page with links to everything; otherwise it is the explorer. */
  hasHome: boolean;
  gateway: Gateway;
  contract: ContractBundle;
  catalogue: ProblemCatalogue;
  operations: readonly OperationSpec[];
  clock: Clock;
  securityContact: string | undefined;
  publicUrl: string | undefined;
}

const SECURITY_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
};
const CACHED = { ...SECURITY_HEADERS, 'Cache-Control': `public, max-age=${PAGE_CACHE_S}` };

/** Everything below /docs, and its own twin. Any other method than those of a page is answered 405 there, for every path. */
const DOCUMENTATION = /^\/docs(?:\.md|\/.+)?$/;

export function registerPages(app: Express, parts: PageRoutes): void {
  const { hasHome, gateway, contract, catalogue, operations, answers, clock, securityContact, publicUrl } = parts;
  let library: Promise<Library> | undefined;
  const openLibrary = (): Promise<Library> =>
    (library ??= import('./library.ts').then(({ Library }) => new Library(contract.document, catalogue, operations)));
  /** `path` is the template that represents it in logs and metrics; `show` returns false for an unknown page. */
  const serve = (
    path: string | RegExp,
    label: string,
    show: (exchange: Exchange, path: string) => Promise<boolean>,
  ): void => {
    registerPlain(app, path, label, parts, async (exchange) => {
      if (await show(exchange, exchange.request.path)) return;
      const detail = 'This path does not exist. Letter case and trailing slashes count.';
      answers.problem(exchange, { code: 'not_found', detail });
    });
  };
  const route = (
    path: string,
    headers: Record<string, string>,
    render: () => Promise<Buffer> | Buffer,
    mediaType = 'text/html; charset=utf-8',
  ): void => {
    serve(path, path, async (exchange) => {
      exchange.send(200, mediaType, await render(), headers);
      return true;
    });
  };
  serve(DOCUMENTATION, '/docs', async (exchange, path) => {
    const found = await openLibrary();
    const isPage = found.isPage(path);
    const document = await found.find(isPage && wantsMarkdown(exchange) ? twinOf(path) : path);
    if (document !== undefined) await sendDocument(exchange, document, CACHED, isPage ? 'Accept' : undefined);
    return document !== undefined;
  });
  route('/llms.txt', CACHED, () => contract.llmsTxt, 'text/plain; charset=utf-8');
  route('/changelog.atom', CACHED, () => contract.changelogFeed, 'application/atom+xml; charset=utf-8');
  const workflows = loadWorkflows();
  route('/workflows', CACHED, () => workflowIndex(workflows), 'application/json');
  for (const { name, yaml } of workflows) route(`/workflows/${name}`, CACHED, () => yaml, 'application/yaml');
  if (securityContact !== undefined) {
    route(
      '/.well-known/security.txt',
      CACHED,
      () => securityTxt(securityContact, publicUrl, clock.nowMs()),
      'text/plain; charset=utf-8',
    );
  }
  // A page that helps to find a fault must not fail with the same fault.
  if (hasHome)
    route('/', SECURITY_HEADERS, async () => homePage(contract.document, await gateway.chain().catch(() => undefined)));
}

/** True if Accept names Markdown, which only programs do: browsers, and requests without Accept, get HTML. */
function wantsMarkdown({ request: { headers } }: Exchange): boolean {
  return (
    /\btext\/markdown\b/i.test(headers.accept ?? '') &&
    preferred(headers.accept, ['text/markdown', 'text/html']) === 'text/markdown'
  );
}

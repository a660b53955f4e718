/** Routes the pages. The reference and the errors are rendered once, for whoever asks first; the front page tells the chain's height. */
import type { Express, Request, Response } from 'express';

import type { Clock } from '../../engine/ports.ts';
import type { Gateway } from '../../gateway/types.ts';

import type { Answers } from '../answer.ts';
import { limitPlain } from '../charge.ts';
import type { ContractBundle } from '../contract/bundle.ts';
import type { ProblemCatalogue } from '../contract/catalogue.ts';
import type { OperationSpec } from '../contract/operations.ts';
import type { Entry } from '../entry.ts';
import type { Exchange } from '../exchange.ts';
import type { Hosts } from '../host.ts';
import { PAGE_CACHE_S } from '../limits.ts';
import type { RateLimits } from '../rate-limit.ts';
import { refuseMethod } from '../register.ts';
import { errorsPage } from './errors.ts';
import { homePage } from './home.ts';
import { referencePage } from './reference.ts';
import { securityTxt } from './security-txt.ts';
import { CONTENT_SECURITY_POLICY } from './style.ts';
import { loadWorkflows, workflowIndex } from './workflows.ts';

export interface PageRoutes {
  /** Whether `/` is the plain page that leads to everything else; the explorer is there otherwise. */
  hasHome: boolean;
  enter: Entry;
  gateway: Gateway;
  contract: ContractBundle;
  catalogue: ProblemCatalogue;
  operations: readonly OperationSpec[];
  answers: Answers;
  hosts: Hosts;
  rateLimits: RateLimits | undefined;
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

export function registerPages(app: Express, parts: PageRoutes): void {
  const { hasHome, enter, gateway, contract, catalogue, operations, answers, hosts, rateLimits, clock, securityContact, publicUrl } = parts;
  const reference = once(() => referencePage(contract.document, operations));
  const errors = once(async () => errorsPage(contract.document, catalogue, operations));
  const route = (path: string, headers: Record<string, string>, render: () => Promise<Buffer> | Buffer, mediaType = 'text/html; charset=utf-8'): void => {
    const show = async (exchange: Exchange): Promise<void> => {
      exchange.send(200, mediaType, await render(), headers);
    };
    app.route(path).all((request: Request, response: Response) => {
      const exchange = enter(request, response);
      if (exchange === undefined) return undefined;
      exchange.route = path;
      if (request.method !== 'GET') return refuseMethod(exchange, { answers, hosts, rateLimits }, ['GET']);
      exchange.method = 'GET';
      const limited = limitPlain(exchange, rateLimits);
      if (limited !== undefined) return answers.problem(exchange, limited);
      return show(exchange);
    });
  };
  route('/docs', CACHED, reference);
  route('/docs/errors', CACHED, errors);
  route('/llms.txt', CACHED, () => contract.llmsTxt, 'text/plain; charset=utf-8');
  route('/changelog.atom', CACHED, () => contract.changelogFeed, 'application/atom+xml; charset=utf-8');
  const workflows = loadWorkflows();
  route('/workflows', CACHED, () => workflowIndex(workflows), 'application/json');
  for (const { name, yaml } of workflows) route(`/workflows/${name}`, CACHED, () => yaml, 'application/yaml');
  if (securityContact !== undefined) {
    route('/.well-known/security.txt', CACHED, () => securityTxt(securityContact, publicUrl, clock.nowMs()), 'text/plain; charset=utf-8');
  }
  // A page that helps to find out what is wrong must not fail with it.
  if (hasHome) route('/', SECURITY_HEADERS, async () => homePage(contract.document, await gateway.chain().catch(() => undefined)));
}

/** Also whoever asks while it is being made waits for the one that is. */
function once(make: () => Promise<Buffer>): () => Promise<Buffer> {
  let made: Promise<Buffer> | undefined;
  return () => (made ??= make());
}

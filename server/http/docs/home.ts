/** `/`: the page with links to everything. */
import type { ChainView } from '../../gateway/types.ts';
import type { OpenapiDocument } from '../contract/bundle.ts';
import { code, escape } from './html.ts';
import { page } from './layout.ts';

const LINKS: readonly (readonly [href: string, name: string, about: string])[] = [
  ['docs', 'Documentation', 'How to sign and pay, guides, and every operation, schema and header'],
  ['docs/errors', 'Errors', 'Every error code, its cause and resolution'],
  ['openapi.json', 'openapi.json', 'The contract, for tools'],
  ['openapi.yaml', 'openapi.yaml', 'The same, for people'],
  ['openapi.client.json', 'openapi.client.json', 'The same without the RPC, for generators of clients'],
  ['changelog.atom', 'Changes', 'What each version of the contract changed, as an Atom feed'],
  ['workflows', 'Workflows', 'Every promise as a workflow of Arazzo, for tools'],
  ['chain', 'Chain', 'Chain id, height, last block and genesis hash'],
  ['livez', 'Liveness', 'Whether the process is up'],
  ['readyz', 'Readiness', 'Whether the service takes work, and what is in the way'],
  ['metrics', 'Metrics', 'In the Prometheus text format'],
];

/** `chain` is undefined if the gateway does not have it yet. */
export function homePage(document: OpenapiDocument, chain: ChainView | undefined): Buffer {
  const links = LINKS.map(
    ([href, name, about]) =>
      `<li><a href="${href}"><strong>${escape(name)}</strong><span>${escape(about)}</span></a></li>`,
  );
  const facts =
    chain === undefined
      ? '<p>The chain cannot be asked at the moment; see <a href="readyz">readiness</a>.</p>'
      : `<dl class="facts"><dt>Chain</dt><dd>${code(chain.chainId)}</dd><dt>Height</dt><dd>${chain.height}</dd>
<dt>Last block</dt><dd><time datetime="${new Date(chain.lastBlockTimeMs).toISOString()}">${new Date(chain.lastBlockTimeMs).toISOString()}</time></dd></dl>`;
  const { summary, version } = document.info;
  const main = `<h1>Transaction Ledger</h1><p class="lead">${escape(summary ?? '')}</p>${facts}<ul class="links">${links.join('')}</ul><footer>Contract version ${escape(version)}</footer>`;
  return page({ path: '/', title: 'Transaction Ledger', description: summary ?? 'Transaction Ledger', main });
}

/** `User-Agent` (RFC 9110 section 10.1.5): products, the most important first. */
import { VERSION } from '../version.ts';
import { headerText } from './header-text.ts';

/**
 * Undefined in a browser: it has a name of its own, and one that a page sets is a header that the service would have to allow (CORS), so that
 * every call would fail where it does not.
 */
export function userAgentOf(application?: string): string | undefined {
  if (globalThis.navigator?.userAgent?.startsWith('Mozilla')) return undefined;
  return headerText('userAgent', `${application ? `${application} ` : ''}transaction-ledger-client/${VERSION}`);
}

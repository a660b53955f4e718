/** `User-Agent` (RFC 9110 section 10.1.5): products, the most important first. */
import { VERSION } from '../version.ts';
import { headerText } from './header-text.ts';

/**
 * Undefined in a browser: it sends its own `User-Agent`. The service would have to allow one that a page sets (CORS), and every call would
 * fail where it does not.
 */
export function userAgentOf(application?: string): string | undefined {
  if (globalThis.navigator?.userAgent?.startsWith('Mozilla')) return undefined;
  return headerText('userAgent', `${application ? `${application} ` : ''}transaction-ledger-client/${VERSION}`);
}

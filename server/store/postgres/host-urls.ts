/**
 * The hosts that a database URL names, as libpq writes them: `postgres://user:password@first:5432,second:5432/database`.
 *
 * Loads nothing, because every thread checks its configuration with it.
 */

/** More servers than one cluster has that a gateway may be sent to. */
export const HOSTS_MAX = 8;

/** Values of libpq for "a server that takes writes". A gateway needs nothing else, so it is also the default here. */
export const SESSION_ATTRS = ['read-write', 'primary'] as const;
const SESSION_ATTRS_NAME = 'target_session_attrs';

interface UrlParts {
  /** Scheme, user and password. */
  readonly before: string;
  readonly hosts: readonly string[];
  /** Database and parameters. */
  readonly after: string;
}

function partsOf(url: string): UrlParts | undefined {
  const [, scheme, authority, after] = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/s.exec(url) ?? [];
  if (scheme === undefined || authority === undefined || after === undefined) return undefined;
  const userEnd = authority.lastIndexOf('@') + 1;
  return { before: `${scheme}${authority.slice(0, userEnd)}`, hosts: authority.slice(userEnd).split(','), after };
}

/** The parameter belongs to the choice among hosts: the URL of a single server leaves it out. */
function withoutSessionAttrs(after: string): string {
  const [path = '', query] = after.split('?', 2);
  const kept = query?.split('&').filter((parameter) => !parameter.startsWith(`${SESSION_ATTRS_NAME}=`)) ?? [];
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

/** One URL for each host, in the order of the list; undefined when the text is not a URL of one database, or names a host twice. */
export function hostUrls(url: string): string[] | undefined {
  const parts = partsOf(url);
  if (parts === undefined || parts.hosts.length > HOSTS_MAX || new Set(parts.hosts).size !== parts.hosts.length)
    return undefined;
  const urls = parts.hosts.map((host) => `${parts.before}${host}${withoutSessionAttrs(parts.after)}`);
  if (parts.hosts.includes('') || !urls.every((each) => URL.canParse(each))) return undefined;
  const [first = ''] = urls;
  // The driver lets the parameter win over every host of the list, which would then name one server several times.
  return urls.length > 1 && new URL(first).searchParams.has('host') ? undefined : urls;
}

/** True when the URL requires a server that takes writes, or leaves that open. */
export function asksForPrimary(url: string): boolean {
  const [, query = ''] = url.split('?', 2);
  return new URLSearchParams(query)
    .getAll(SESSION_ATTRS_NAME)
    .every((value) => (SESSION_ATTRS as readonly string[]).includes(value));
}

export const asksForRole = (url: string): boolean =>
  new URLSearchParams(url.split('?', 2)[1] ?? '').has(SESSION_ATTRS_NAME);

/** The URL with everything but its hosts as `shown` has it: that of its first host, without its password. */
export function withAllHosts(url: string, shown: string): string {
  const [all, one] = [partsOf(url), partsOf(shown)];
  if (all === undefined || one === undefined || all.hosts.length === 1) return shown;
  return `${one.before}${all.hosts.join(',')}${one.after}`;
}

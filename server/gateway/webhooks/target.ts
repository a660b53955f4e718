/**
 * URLs that a webhook may name, and addresses that one may be sent to.
 *
 * The service sends requests to URLs of its callers, from inside the operator's network: so a target has to be a public address, unless the
 * operator allows another. The URL is checked when an endpoint is made; the address again, after its name was resolved, at every
 * connection, because the owner of a name decides its addresses.
 *
 * Sources: the IANA registries of special-purpose IPv4 and IPv6 addresses, RFC 6890, 6052 (NAT64), 7526 (6to4), 6598 (CGNAT).
 *
 * @module
 */
import { BlockList, isIP } from 'node:net';
import { OWNER_PATTERN } from '../access/changes.ts';
import type { Sentence } from '../status-types.ts';

/** The longest URL that any server accepts in a request line, and that is still readable in a log. */
export const WEBHOOK_URL_CHARS_MAX = 2048;

export interface TargetRules {
  /** On a development chain a receiver may be on this machine, without TLS. */
  loopback: boolean;
  /** Targets that the operator allows beside public addresses. */
  allowed: readonly AllowedTarget[];
}

/** One entry of TXLEDGER_WEBHOOK_ALLOW_PRIVATE: `owner@host:port`. */
export interface AllowedTarget {
  owner: string;
  /** An address, a network, or the name of a host, in lower case and without brackets. */
  host: string;
  port: number;
}

/** Owner and port of the webhook: a permission is for one owner, at one port. */
export interface TargetUse {
  owner: string;
  port: number;
  /** The name that the address was resolved from; absent where the URL holds the address itself. */
  host?: string;
}

/** `isPrivate`: only because the operator allows it, so its answers are shown to no one. */
export type TargetJudgement =
  | { ok: true; url: URL; use: TargetUse; isPrivate: boolean }
  /** `isInternal`: refused for its destination, not for its form. */
  | { ok: false; detail: Sentence; isInternal: boolean };

/** `kind` is for the operator's log: the caller gets nothing about the destination of a name. */
export type AddressJudgement = { ok: true; isPrivate: boolean } | { ok: false; kind: string };

/** The answer for every target that is refused for its address: the same for all addresses. */
const NOT_PUBLIC: Sentence =
  'The URL does not name a public address. Use the public address of the receiver, or ask the operator to allow this one.';

const PORTS_MAX = 65_535;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

/** The kind of an address that is not public. */
const SPECIAL_IPV4: readonly (readonly [kind: string, ...cidrs: string[]])[] = [
  ['an unspecified address', '0.0.0.0/8'],
  ['a loopback address', '127.0.0.0/8'],
  ['a private address', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  ['a shared address of a carrier', '100.64.0.0/10'],
  ['a link-local address', '169.254.0.0/16'],
  // Answers with secrets of the machine, on an address that looks public (Azure).
  ['the address of a metadata service', '168.63.129.16/32'],
  ['a multicast address', '224.0.0.0/4'],
  ['a documentation address', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'],
  ['a reserved address', '192.0.0.0/24', '192.88.99.0/24', '198.18.0.0/15', '240.0.0.0/4'],
];

/** Of IPv6 only 2000::/3 is public; everything outside of it that is not listed here is reserved. */
const SPECIAL_IPV6: readonly (readonly [kind: string, ...cidrs: string[]])[] = [
  ['an unspecified address', '::/128'],
  ['a loopback address', '::1/128'],
  ['a private address', 'fc00::/7', 'fec0::/10'],
  ['a link-local address', 'fe80::/10'],
  ['a multicast address', 'ff00::/8'],
  ['a documentation address', '2001:db8::/32', '3fff::/20'],
  // 2001::/23 has Teredo, benchmarks and identifiers in it; 2002::/16 is 6to4, behind which any IPv4 address can be.
  ['a reserved address', '2001::/23', '2002::/16'],
];
const PUBLIC_IPV6 = '2000::/3';

/** Prefixes of IPv6 whose last 32 bits are the IPv4 address that is meant: IPv4-mapped, and NAT64 of RFC 6052. */
const WITH_IPV4_INSIDE = ['::ffff:0:0/96', '64:ff9b::/96'];

const CIDR = /^(.+)\/(\d{1,3})$/;
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

interface Network {
  address: string;
  bits: number;
  family: 'ipv4' | 'ipv6';
}

function networkOf(text: string): Network | undefined {
  const [, address = text, bitsText] = CIDR.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return undefined;
  const most = version === 4 ? 32 : 128;
  const bits = bitsText === undefined ? most : Number(bitsText);
  return bits <= most ? { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' } : undefined;
}

function listOf(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const network = networkOf(cidr);
    if (network !== undefined) list.addSubnet(network.address, network.bits, network.family);
  }
  return list;
}

const named = (groups: typeof SPECIAL_IPV4) => groups.map(([kind, ...cidrs]) => ({ kind, list: listOf(cidrs) }));
const specialIpv4 = named(SPECIAL_IPV4);
const specialIpv6 = named(SPECIAL_IPV6);
const publicIpv6 = listOf([PUBLIC_IPV6]);
const withIpv4Inside = listOf(WITH_IPV4_INSIDE);
const loopback = listOf(['127.0.0.0/8', '::1/128']);

const isHostText = (text: string): boolean =>
  networkOf(text) !== undefined || (HOST_NAME.test(text) && !/^[\d.]+$/.test(text));

const ALLOWED_TARGET = /^([^@]*)@(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/;

/** Parses `owner@host:port`; a text is the fault, as the end of a sentence that begins with the entry. */
export function parseAllowedTarget(entry: string): AllowedTarget | string {
  const [, owner = '', bracketed, bare, portText] = ALLOWED_TARGET.exec(entry) ?? [];
  const host = bracketed ?? bare;
  if (host === undefined) {
    const bracketless = isIP(entry.split('/')[0] ?? '') === 6 ? `[${entry}]` : entry;
    return isHostText(entry)
      ? `allows every owner and every port: write OWNER@${bracketless}:PORT, an entry for each owner and port`
      : 'is not owner@host:port';
  }
  if (!OWNER_PATTERN.test(owner)) return `names an owner that is not ${OWNER_PATTERN.source}`;
  const port = Number(portText);
  if (port < 1 || port > PORTS_MAX) return `names a port that is not from 1 to ${PORTS_MAX}`;
  const isIpv6 = isIP(host.split('/')[0] ?? '') === 6;
  if (!isHostText(host) || isIpv6 !== (bracketed !== undefined))
    return 'names a host that is not an address, a network such as 10.0.0.0/8 or [fd00::/8], or the name of a host in lower case';
  return { owner, host, port };
}

const hostsFor = ({ allowed }: TargetRules, { owner, port }: TargetUse): string[] =>
  allowed.filter((entry) => entry.owner === owner && entry.port === port).map(({ host }) => host);

/** True when the operator allows this name to the owner at the port: then it may resolve to any address. */
export function isNameAllowed(rules: TargetRules, use: TargetUse): boolean {
  return use.host !== undefined && hostsFor(rules, use).includes(hostName(use.host));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** The IPv4 address inside, where the prefix has one. */
function ipv4Inside(address: string): string | undefined {
  if (!withIpv4Inside.check(address, 'ipv6')) return undefined;
  // The URL parser writes an address in one form, its last 32 bits as two groups, and drops leading zeros.
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split(':');
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group === '' ? '0' : group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Checks that an address may be connected to. */
export function judgeAddress(address: string, rules: TargetRules, use: TargetUse): AddressJudgement {
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return { ok: false, kind: 'no address that can be connected to' };
  if (isNameAllowed(rules, use)) return { ok: true, isPrivate: true };
  const meant = version === 6 ? ipv4Inside(address) : undefined;
  const candidates = meant === undefined ? [address] : [address, meant];
  const allowed = listOf(hostsFor(rules, use));
  if (candidates.some((one) => allowed.check(one, familyOf(one)))) return { ok: true, isPrivate: true };
  // A caller with a token of a development chain is on this machine, and may see the answers of their own receiver.
  if (rules.loopback && candidates.some((one) => loopback.check(one, familyOf(one))))
    return { ok: true, isPrivate: false };
  const kind =
    meant !== undefined || version === 4
      ? specialIpv4.find(({ list }) => list.check(meant ?? address, 'ipv4'))?.kind
      : (specialIpv6.find(({ list }) => list.check(address, 'ipv6'))?.kind ??
        (publicIpv6.check(address, 'ipv6') ? undefined : 'a reserved address'));
  return kind === undefined ? { ok: true, isPrivate: false } : { ok: false, kind };
}

/** Without the brackets of an IPv6 address and the dot that may end a name. */
export function hostName(host: string): string {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  return bare.replace(/\.$/, '').toLowerCase();
}

const isLoopbackName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/** Checks the URL that the owner of a webhook names, before any name is resolved. */
export function judgeTarget(text: string, rules: TargetRules, owner: string): TargetJudgement {
  const refused = (detail: Sentence): TargetJudgement => ({ ok: false, detail, isInternal: false });
  const internal: TargetJudgement = { ok: false, detail: NOT_PUBLIC, isInternal: true };
  if (text.length > WEBHOOK_URL_CHARS_MAX)
    return refused(
      `The URL has ${text.length} characters, and ${WEBHOOK_URL_CHARS_MAX} are allowed. Use a shorter one.`,
    );
  // The parser drops tabs and line feeds and takes a backslash for a slash: what is logged and what is called would differ.
  // oxlint-disable-next-line no-control-regex -- these are what must not be in it
  if (!URL.canParse(text) || /[\u0000-\u0020\u007f\\]/.test(text))
    return refused('The URL cannot be parsed. Send an absolute URL such as https://example.com/hooks.');
  const url = new URL(text);
  const host = hostName(url.hostname);
  const literal = isIP(host) !== 0;
  const isLoopback = isLoopbackName(host) || (literal && loopback.check(host, familyOf(host)));
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refused('The URL must begin with https://. Use an https URL.');
  if (url.protocol === 'http:' && !(rules.loopback && isLoopback)) {
    return refused(
      rules.loopback
        ? 'A URL with http:// may only name this machine, such as http://127.0.0.1:9000/hooks. Use an https URL.'
        : 'The URL must begin with https://. Use an https URL.',
    );
  }
  if (url.username !== '' || url.password !== '')
    return refused('The URL holds a user name or a password. Leave them out: the signature shows who sent a message.');
  if (text.includes('#'))
    return refused('The URL has a fragment, which is not sent to a server. Leave out what follows the number sign.');
  if (url.port === '0') return refused('The URL names port 0. Use the port that the receiver listens on.');
  if (host === '') return refused('The URL names no host. Send an absolute URL such as https://example.com/hooks.');
  const port = url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port);
  if (literal) {
    const judged = judgeAddress(host, rules, { owner, port });
    return judged.ok ? { ok: true, url, use: { owner, port }, isPrivate: judged.isPrivate } : internal;
  }
  const use = { owner, port, host };
  const isPrivate = isNameAllowed(rules, use);
  if (!isPrivate && isLoopbackName(host) && !rules.loopback) return internal;
  return { ok: true, url, use, isPrivate };
}

/** Which URLs an endpoint may have, and which addresses one may be connected to: a table of the hostile and the harmless. */
import { describe, expect, test } from '@jest/globals';
import {
  judgeAddress,
  judgeTarget,
  parseAllowedTarget,
  type TargetRules,
  WEBHOOK_URL_CHARS_MAX,
} from '../../server/gateway/webhooks/target.ts';

const PRODUCTION: TargetRules = { loopback: false, allowed: [] };
const DEVELOPMENT: TargetRules = { loopback: true, allowed: [] };

const OWNER = 'acme';
const isTaken = (url: string, rules: TargetRules, owner = OWNER): boolean => judgeTarget(url, rules, owner).ok;
/** What the operator's log says of an address; undefined where it may be connected to. */
const addressFault = (address: string, rules: TargetRules, host?: string, port = 443, owner = OWNER) => {
  const judged = judgeAddress(address, rules, { owner, port, ...(host !== undefined && { host }) });
  return judged.ok ? undefined : judged.kind;
};

describe('in production', () => {
  test.each([
    'https://example.com',
    'https://hooks.example.com:8443/txledger?shop=1',
    'https://8.8.8.8/hooks',
    'https://[2606:4700::1111]/hooks',
    'https://xn--bcher-kva.example/',
    'https://bücher.example/',
    'https://localhost.example.com/',
    'https://172.32.0.1/',
    'https://100.128.0.1/',
  ])('%s is taken', (url) => expect(judgeTarget(url, PRODUCTION, OWNER)).toMatchObject({ ok: true }));

  test.each([
    ['http://example.com/', 'https://'],
    ['ftp://example.com/', 'https://'],
    ['file:///etc/passwd', 'https://'],
    ['gopher://example.com/', 'https://'],
    ['javascript:alert(1)', 'https://'],
    ['data:text/plain,x', 'https://'],
    ['unix:/var/run/docker.sock', 'https://'],
    ['example.com/hooks', 'parsed'],
    ['//example.com', 'parsed'],
    ['https://', 'parsed'],
    ['https:// example.com', 'parsed'],
    ['https://exam\tple.com/', 'parsed'],
    ['https://example.com/\n', 'parsed'],
    ['https://example.com\\@127.0.0.1/', 'parsed'],
    ['https://a b.example/', 'parsed'],
    ['https://256.1.1.1/', 'parsed'],
    ['https://[::1', 'parsed'],
    ['https://[fe80::1%25eth0]/', 'parsed'],
    ['https://example.com:99999/', 'parsed'],
    ['https://user@example.com/', 'user name'],
    ['https://user:secret@example.com/', 'user name'],
    ['https://:secret@example.com/', 'user name'],
    ['https://example.com/#top', 'fragment'],
    ['https://example.com/#', 'fragment'],
    ['https://example.com:0/', 'port 0'],
  ])('%s is refused: %s', (url, reason) =>
    expect(judgeTarget(url, PRODUCTION, OWNER)).toMatchObject({ ok: false, detail: expect.stringContaining(reason) }),
  );

  // The log of the operator has the kind; whoever made the webhook is told the same of all of them.
  test.each([
    ['https://localhost/', 'this machine'],
    ['https://LOCALHOST./', 'this machine'],
    ['https://metadata.localhost/', 'this machine'],
    ['https://127.0.0.1/', 'a loopback address'],
    ['https://127.1/', 'a loopback address'],
    ['https://0x7f.0.0.1/', 'a loopback address'],
    ['https://0177.0.0.1/', 'a loopback address'],
    ['https://2130706433/', 'a loopback address'],
    ['https://127.0.0.1./', 'a loopback address'],
    ['https://①②⑦.0.0.1/', 'a loopback address'],
    ['https://0/', 'an unspecified address'],
    ['https://0.0.0.0/', 'an unspecified address'],
    ['https://10.1.2.3/', 'a private address'],
    ['https://172.16.0.1/', 'a private address'],
    ['https://172.31.255.255/', 'a private address'],
    ['https://192.168.1.1/', 'a private address'],
    ['https://100.64.0.1/', 'a shared address'],
    ['https://100.100.100.200/latest/meta-data/', 'a shared address'],
    ['https://169.254.169.254/latest/meta-data/', 'a link-local address'],
    ['https://0xa9fea9fe/', 'a link-local address'],
    ['https://168.63.129.16/', 'a metadata service'],
    ['https://192.0.0.192/', 'a reserved address'],
    ['https://198.18.0.1/', 'a reserved address'],
    ['https://192.88.99.1/', 'a reserved address'],
    ['https://240.0.0.1/', 'a reserved address'],
    ['https://255.255.255.255/', 'a reserved address'],
    ['https://224.0.0.1/', 'a multicast address'],
    ['https://192.0.2.1/', 'a documentation address'],
    ['https://[::]/', 'an unspecified address'],
    ['https://[::1]/', 'a loopback address'],
    ['https://[0:0:0:0:0:0:0:1]/', 'a loopback address'],
    ['https://[::ffff:127.0.0.1]/', 'a loopback address'],
    ['https://[::ffff:7f00:1]/', 'a loopback address'],
    ['https://[::ffff:10.0.0.1]/', 'a private address'],
    ['https://[::ffff:0:1]/', 'an unspecified address'],
    ['https://[::127.0.0.1]/', 'a reserved address'],
    ['https://[64:ff9b::a9fe:a9fe]/', 'a link-local address'],
    ['https://[64:ff9b::10.0.0.1]/', 'a private address'],
    ['https://[64:ff9b::]/', 'an unspecified address'],
    ['https://[64:ff9b:1::a00:1]/', 'a reserved address'],
    ['https://[2002:7f00:1::]/', 'a reserved address'],
    ['https://[2002:a00:1::1]/', 'a reserved address'],
    ['https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/', 'a reserved address'],
    ['https://[2001:db8::1]/', 'a documentation address'],
    ['https://[3fff::1]/', 'a documentation address'],
    ['https://[fe80::1]/', 'a link-local address'],
    ['https://[fc00::1]/', 'a private address'],
    ['https://[fd00:ec2::254]/', 'a private address'],
    ['https://[fec0::1]/', 'a private address'],
    ['https://[ff02::1]/', 'a multicast address'],
    ['https://[100::1]/', 'a reserved address'],
    ['https://[4000::1]/', 'a reserved address'],
  ])('%s is refused: %s', (url, kind) => {
    expect(judgeTarget(url, PRODUCTION, OWNER)).toEqual({
      ok: false,
      isInternal: true,
      detail:
        'The URL does not name a public address. Use the public address of the receiver, or ask the operator to allow this one.',
    });
    const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
    if (kind !== 'this machine') expect(addressFault(host, PRODUCTION)).toContain(kind);
  });

  test('a URL is as long as it may be, and no longer', () => {
    const long = (chars: number) => 'https://example.com/'.padEnd(chars, 'a');
    expect(isTaken(long(WEBHOOK_URL_CHARS_MAX), PRODUCTION)).toBe(true);
    expect(isTaken(long(WEBHOOK_URL_CHARS_MAX + 1), PRODUCTION)).toBe(false);
  });

  test('an address behind NAT64 is judged by the IPv4 address that is meant', () => {
    expect(addressFault('64:ff9b::808:808', PRODUCTION)).toBeUndefined();
    expect(addressFault('::ffff:8.8.8.8', PRODUCTION)).toBeUndefined();
    expect(addressFault('fe80::1%eth0', PRODUCTION)).toBeDefined();
    expect(addressFault('not an address', PRODUCTION)).toBeDefined();
  });
});

describe('on a development chain', () => {
  test.each([
    'http://127.0.0.1:9000/hooks',
    'http://localhost:9000/',
    'http://[::1]:9000/',
    'https://localhost/',
    'http://127.0.0.2/',
    'https://example.com/',
  ])('%s is taken', (url) => expect(isTaken(url, DEVELOPMENT)).toBe(true));
  test.each([
    'http://example.com/',
    'http://10.0.0.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/',
    'http://0.0.0.0/',
    'http://localhost.example.com/',
  ])('%s is refused', (url) => expect(isTaken(url, DEVELOPMENT)).toBe(false));
  test('a name that resolves to this machine is taken, one that resolves into its network is not', () => {
    expect(addressFault('127.0.0.1', DEVELOPMENT, 'hooks.example')).toBeUndefined();
    expect(addressFault('::ffff:127.0.0.1', DEVELOPMENT)).toBeUndefined();
    expect(addressFault('192.168.0.7', DEVELOPMENT, 'hooks.example')).toBe('a private address');
  });
});

describe('what the operator allows', () => {
  const allowed = [
    'acme@10.20.0.0/16:443',
    'acme@[fd00:1::/32]:443',
    'acme@192.168.0.7:8443',
    'acme@hooks.internal:443',
    'bob@10.99.0.0/16:443',
  ].map(parseAllowedTarget);
  const rules: TargetRules = { loopback: false, allowed: allowed.filter((entry) => typeof entry !== 'string') };
  test.each([
    'https://10.20.3.4/',
    'https://10.20.3.4:443/',
    'https://[fd00:1::5]/',
    'https://192.168.0.7:8443/',
    'https://[::ffff:10.20.3.4]/',
    'https://hooks.internal/',
    'https://HOOKS.internal./',
  ])('%s is taken, and is private', (url) =>
    expect(judgeTarget(url, rules, OWNER)).toMatchObject({ ok: true, isPrivate: true }),
  );
  test.each([
    'https://10.21.0.1/',
    'https://10.20.3.4:8443/',
    'https://192.168.0.7/',
    'https://192.168.0.8:8443/',
    'https://127.0.0.1/',
    'http://10.20.3.4/',
    'https://[fd00:2::5]/',
    'https://[fd00:1::5]:8443/',
    'https://10.99.0.1/',
  ])('%s is refused still', (url) => expect(isTaken(url, rules)).toBe(false));
  test.each(['https://10.20.3.4/', 'https://[fd00:1::5]/', 'https://192.168.0.7:8443/', 'https://[::ffff:10.20.3.4]/'])(
    '%s is refused to another owner',
    (url) => expect(isTaken(url, rules, 'bob')).toBe(false),
  );
  test('a name that is allowed may resolve to any address: for its owner, at its port, and for no other name', () => {
    expect(addressFault('10.99.0.1', rules, 'hooks.internal')).toBeUndefined();
    expect(addressFault('10.99.0.1', rules, 'hooks.internal', 8443)).toBe('a private address');
    expect(addressFault('10.99.0.1', rules, 'evil.hooks.internal')).toBe('a private address');
    expect(addressFault('10.1.0.1', rules, 'hooks.internal', 443, 'bob')).toBe('a private address');
    expect(judgeTarget('https://hooks.internal:8443/', rules, OWNER)).toMatchObject({ ok: true, isPrivate: false });
  });
  test('is written as owner@host:port', () => {
    expect(parseAllowedTarget('acme@10.0.0.0/8:8443')).toEqual({ owner: 'acme', host: '10.0.0.0/8', port: 8443 });
    expect(parseAllowedTarget('acme@[fd00::/8]:443')).toEqual({ owner: 'acme', host: 'fd00::/8', port: 443 });
    expect(parseAllowedTarget('a.b-c@receiver:1')).toEqual({ owner: 'a.b-c', host: 'receiver', port: 1 });
    for (const entry of [
      '',
      'acme@',
      'acme@10.0.0.1',
      '10.0.0.1:443',
      'acme@10.0.0.0/33:443',
      'acme@10.0.0:443',
      'acme@https://x:443',
      'acme@Hooks.internal:443',
      'acme@10.0.0.0/:443',
      'acme@a..b:443',
      'acme@*:443',
      'acme@*.internal:443',
      'acme@[fe80::1%eth0]:443',
      'acme@fd00::1:443',
      'acme@[10.0.0.1]:443',
      'acme@x:0',
      'acme@x:65536',
      'acme@x:https',
      'Acme@x:443',
      '@x:443',
      'a@b@x:443',
    ])
      expect([entry, typeof parseAllowedTarget(entry)]).toEqual([entry, 'string']);
  });
  test.each([
    ['10.1.0.0/16', 'OWNER@10.1.0.0/16:PORT'],
    ['hooks.internal', 'OWNER@hooks.internal:PORT'],
    ['fd00::/8', 'OWNER@[fd00::/8]:PORT'],
  ])('%s, as it was written before, is answered with %s', (entry, now) =>
    expect(parseAllowedTarget(entry)).toContain(`write ${now}`),
  );
});

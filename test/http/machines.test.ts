/** What programs read that know nothing of this service yet: the API catalogue, /llms.txt, the feed of changes. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, describe, expect, test } from '@jest/globals';

import { isStrictPublicKey, parseAddress } from '../../server/ledger/index.ts';
import { TestServer } from './support/server.ts';

const CATALOG = '/.well-known/api-catalog';
const MEDIA_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
/** The relations of RFC 8631, which a catalogue of one API has. */
const RELATIONS = ['service-desc', 'service-doc', 'service-meta', 'status'];

const server = await new TestServer().start();
const named = await new TestServer({ publicUrl: 'https://example.org:8443/ledger/' }).start();

/** A proxy that serves the API below a path and strips it, as nginx's `location /ledger/` does. */
const proxy = createServer((incoming, outgoing) => {
  const path = /^\/ledger(\/.*)$/.exec(incoming.url ?? '')?.[1];
  if (path === undefined) return void outgoing.writeHead(404).end();
  const { method, headers } = incoming;
  incoming.pipe(
    request(
      { port: server.port, path, method, headers },
      (answer) => void answer.pipe(outgoing.writeHead(answer.statusCode ?? 0, answer.headers)),
    ),
  );
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${server.port}/`;
const behindProxy = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/ledger/`;

afterAll(async () => {
  await server.stop();
  await named.stop();
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
});

type Links = Record<string, { href: string; type?: string }[]> & { anchor: never };
const contextOf = (linkset: Links[], relation: string): Links => linkset.find((links) => relation in links) as Links;

describe('the API catalogue', () => {
  test('is a set of links to the contract, the documents and the probes, marked as RFC 9727 asks', async () => {
    const { status, headers, body } = await server.ask({ path: CATALOG, token: null });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe(MEDIA_TYPE);
    expect(Object.keys(body)).toEqual(['linkset']);
    const links = contextOf(body.linkset, 'service-desc');
    expect(Object.keys(links)).toEqual(['anchor', ...RELATIONS]);
    expect(links['service-desc']?.map(({ href }) => href)).toEqual(
      expect.arrayContaining(['../openapi.json', '../openapi.yaml']),
    );
    expect(links['status']?.map(({ href }) => href)).toEqual(['../readyz', '../livez']);
  });

  test.each([
    ['at the root of a host', base],
    ['below a path', behindProxy],
  ])('leads to what it says, %s', async (_, origin) => {
    const url = `${origin}.well-known/api-catalog`;
    const { linkset } = (await (await fetch(url)).json()) as { linkset: Links[] };
    const [self, api] = [contextOf(linkset, 'item'), contextOf(linkset, 'service-desc')];
    expect(
      [self.anchor, self['item']?.[0]?.href, api.anchor].map((reference) => new URL(reference as string, url).href),
    ).toEqual([url, origin, origin]);
    for (const { href, type } of RELATIONS.flatMap((relation) => api[relation] ?? [])) {
      const answer = await fetch(new URL(href, url));
      expect({ href, status: answer.status, type: answer.headers.get('content-type')?.split(';')[0] }).toEqual({
        href,
        status: 200,
        type,
      });
      await answer.body?.cancel();
    }
  });

  test('has absolute URIs, as RFC 9264 asks, where the public address is known', async () => {
    const { headers, body } = await named.ask({ path: CATALOG, token: null });
    const links = contextOf(body.linkset, 'service-desc');
    const uris = [
      links.anchor as string,
      contextOf(body.linkset, 'item').anchor as string,
      ...RELATIONS.flatMap((relation) => links[relation] ?? []).map(({ href }) => href),
    ];
    for (const uri of uris) expect(uri).toMatch(/^https:\/\/example\.org:8443\/ledger\//);
    expect(uris).toEqual(
      expect.arrayContaining([
        'https://example.org:8443/ledger/',
        'https://example.org:8443/ledger/openapi.json',
        'https://example.org:8443/ledger/readyz',
      ]),
    );
    expect(headers.link).toBe('<https://example.org:8443/ledger/.well-known/api-catalog>; rel="api-catalog"');
  });

  test('answers HEAD with the headers of GET, the Link among them, and no body', async () => {
    const ask = { path: CATALOG, token: null } as const;
    const get = await server.ask(ask);
    const head = await server.ask({ ...ask, method: 'HEAD', unchecked: true });
    expect({ status: head.status, text: head.text, link: head.headers.link }).toEqual({
      status: 200,
      text: '',
      link: '<api-catalog>; rel="api-catalog"',
    });
    const lasting = ({ date: _date, 'x-request-id': _id, ...rest }: typeof get.headers): object => rest;
    expect(lasting(head.headers)).toEqual(lasting(get.headers));
    expect((await server.ask({ ...ask, method: 'POST' })).headers.allow).toBe('GET, HEAD');
  });

  test('is given to who asks for a set of links, and to no one who rules it out', async () => {
    for (const accept of ['application/linkset+json', MEDIA_TYPE, '*/*', 'application/*']) {
      expect((await server.ask({ path: CATALOG, token: null, headers: { Accept: accept } })).status).toBe(200);
    }
    expect(
      (await server.ask({ path: CATALOG, token: null, headers: { Accept: 'application/json' } })).body,
    ).toMatchObject({ code: 'not_acceptable' });
  });
});

describe('/llms.txt', () => {
  const links = (text: string): string[] =>
    [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, href]) => href as string);

  test('has the form of llmstxt.org: a title, a quoted summary, details without headings, then lists of links', async () => {
    const { status, headers, text } = await server.ask({ path: '/llms.txt', token: null, unchecked: true });
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/plain; charset=utf-8' });
    const [head = '', ...sections] = text.split(/^## /m);
    expect(head).toMatch(/^# [^\n]+\n\n> [^\n]+\n\n/);
    expect(head.match(/^#/gm)).toHaveLength(1);
    expect(sections.map((section) => section.split('\n', 1)[0])).toEqual([
      'Contract',
      'Documents',
      'Operations',
      'Optional',
    ]);
    for (const section of sections)
      for (const line of section.split('\n').slice(1).filter(Boolean))
        expect(line).toMatch(/^- \[[^\]]+\]\([^)]+\): ./);
  });

  test('links to nothing but this service, and to places that are there', async () => {
    const url = new URL('llms.txt', behindProxy);
    const hrefs = links(await (await fetch(url)).text());
    expect(hrefs.length).toBeGreaterThan(15);
    for (const href of hrefs) {
      const target = new URL(href, url);
      expect(target.href.startsWith(behindProxy)).toBe(true);
      const answer = await fetch(target);
      expect({ href, status: answer.status }).toEqual({ href, status: 200 });
      const text = await answer.text();
      if (target.hash !== '')
        expect(text).toMatch(new RegExp(`\\{#(?:[\\w -]* )?${target.hash.slice(1)}[ }]|id="${target.hash.slice(1)}"`));
    }
  });

  test('tells how to sign: its example verifies as it stands there', async () => {
    const { text } = await server.ask({ path: '/llms.txt', token: null, unchecked: true });
    const [signed = '', body = '', raw = ''] = [...text.matchAll(/^```\w+\n(.*?)\n```$/gms)].map(([, code]) => code);
    const { from, signature } = JSON.parse(body) as { from: string; signature: string };
    const address = parseAddress(from, 'txlt');
    if (!address.ok) throw new Error(address.message);
    expect(isStrictPublicKey(address.publicKey)).toBe(true);
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(address.publicKey).toString('base64url') },
      format: 'jwk',
    });
    expect(verify(null, Buffer.from(signed), key, Buffer.from(signature, 'hex'))).toBe(true);
    expect(text).toContain(`\`${createHash('sha256').update(raw).digest('hex').toUpperCase()}\``);
    expect(JSON.parse(raw)).toMatchObject(JSON.parse(body));
  });
});

test('the feed of changes is served as Atom, and may be kept for a while', async () => {
  const { status, headers, text } = await server.ask({ path: '/changelog.atom', token: null, unchecked: true });
  expect({ status, type: headers['content-type'], cache: headers['cache-control'] }).toEqual({
    status: 200,
    type: 'application/atom+xml; charset=utf-8',
    cache: 'public, max-age=300',
  });
  expect(text).toContain('<feed xmlns="http://www.w3.org/2005/Atom"');
});

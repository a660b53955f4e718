/** /docs: that everything has its place, every link its target, every page its twin, and nothing that is written becomes markup. */
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { readCatalogue } from '../../server/http/contract/catalogue.ts';
import { readOperations } from '../../server/http/contract/operations.ts';
import { anchor } from '../../server/http/docs/html.ts';
import { Library } from '../../server/http/docs/library.ts';
import { relative, safeTarget } from '../../server/http/docs/links.ts';
import { operationObject } from '../../server/http/docs/operations.ts';
import { renderMarkdown } from '../../server/http/docs/markdown.ts';
import type { StoredDocument } from '../../server/http/stored.ts';
import { contract } from './support/contract-check.ts';
import { TestServer } from './support/server.ts';

const server = new TestServer();
const { document } = contract;
const operations = readOperations(document);
const library = new Library(document, readCatalogue(document), operations);
const pages = library.paths.filter((path) => library.isPage(path));

const texts = new Map<string, string>();
const stored = async (path: string): Promise<StoredDocument> => (await library.find(path)) as StoredDocument;
async function text(path: string): Promise<string> {
  const known = texts.get(path) ?? gunzipSync((await stored(path)).gzip).toString('utf8');
  texts.set(path, known);
  return known;
}

const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
const hrefsOf = (html: string): string[] =>
  [...html.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href).filter((href) => !/^(data:|https?:)/.test(href));
/** Links of Markdown, those inside code left out. */
const linksOf = (markdown: string): string[] =>
  [
    ...markdown
      .replaceAll(/^(`{3,}).*?^\1$/gms, '')
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, href = '']) => href)
    .filter((href) => !href.startsWith('http'));

beforeAll(async () => {
  await server.start();
  for (const page of pages) await text(page);
});
afterAll(() => server.stop());

/** Whether a path is answered, by the library or by the service around it. */
const answered = new Map<string, Promise<number>>();
function statusOf(path: string): Promise<number> | number {
  if (library.paths.includes(path)) return 200;
  const known = answered.get(path) ?? server.ask({ path, token: null, unchecked: true }).then(({ status }) => status);
  answered.set(path, known);
  return known;
}

describe('what is there', () => {
  test('every operation, message, schema and header has its place on a page of its kind', async () => {
    const anchors = async (filter: (path: string) => boolean): Promise<Set<string>> =>
      new Set((await Promise.all(pages.filter(filter).map(text))).flatMap(idsOf));
    const reference = await anchors((path) => path !== '/docs');
    const messages = Object.entries(
      (document['webhooks'] ?? {}) as Record<string, { post?: { operationId?: string } }>,
    ).map(([name, { post }]) => anchor(post?.operationId ?? name));
    const schemas = Object.keys(document.components['schemas'] ?? {}).map((name) => `schema-${name}`);
    const headers = new Set(
      operations
        .flatMap(
          (operation) =>
            Object.values(operationObject(document, operation).responses ?? {}) as {
              $ref?: string;
              headers?: object;
            }[],
        )
        .flatMap(namesOfHeaders),
    );
    expect(headers.size).toBeGreaterThan(8);
    const wanted = [
      ...operations.map(({ id }) => id),
      ...messages,
      ...schemas,
      ...[...headers, ...operations.flatMap((operation) => operation.headers)].map((name) => `header-${name}`),
    ];
    expect(wanted.filter((id) => !reference.has(id))).toEqual([]);
  });

  const namesOfHeaders = (response: { $ref?: string; headers?: object }): string[] => {
    const found =
      response.$ref === undefined
        ? response
        : (document.components['responses']?.[response.$ref.split('/').at(-1) ?? ''] as { headers?: object });
    return Object.keys(found.headers ?? {});
  };

  test('the anchors of the time when the reference was one page are on the overview, each with the way to its place', async () => {
    const overview = await text('/docs');
    for (const id of [
      ...operations.map((operation) => operation.id),
      ...Object.keys(document.components['schemas'] ?? {}).map((name) => `schema-${name}`),
    ]) {
      const [, href = ''] =
        new RegExp(`<li><a href="([^"]+)">[^<]*</a> (?:<span id="[^"]+"></span>)*<span id="${id}"></span>`).exec(
          overview,
        ) ?? [];
      const { pathname, hash } = new URL(href, 'http://ledger.test/docs');
      expect({ id, pathname, found: idsOf(await text(pathname)).includes(hash.slice(1)) }).toEqual({
        id,
        pathname,
        found: true,
      });
    }
    for (const { tag } of operations) expect(overview).toContain(`id="tag-${tag.replaceAll(' ', '-')}"`);
  });

  test('what the service sends, under `webhooks:` of the contract, is on the page of its tag', async () => {
    const operation = {
      tags: ['Chain'],
      summary: 'A block was made',
      description: 'Sent <b>once</b>.',
      responses: { 204: { description: 'Taken.' } },
    };
    const withMessage = new Library(
      { ...document, webhooks: { 'block.made': { post: operation } } },
      readCatalogue(document),
      operations,
    );
    const html = gunzipSync(((await withMessage.find('/docs/chain')) as StoredDocument).gzip).toString('utf8');
    expect(html).toContain('<h2 id="block-made">block.made: A block was made');
    expect(html).toContain('Sent &lt;b&gt;once&lt;/b&gt;.');
    expect(html).toContain('<strong>204</strong>');
    const overview = gunzipSync(((await withMessage.find('/docs')) as StoredDocument).gzip).toString('utf8');
    expect(overview).toContain('<a href="docs/chain#block-made">');
  });

  test('a method of the RPC is explained once, for GET and POST', async () => {
    const page = await text('/docs/rpc-network');
    expect(page.match(/<h2 id="getRpcStatus"><span id="postRpcStatus"><\/span>/g)).toHaveLength(1);
    expect(page).not.toContain('<h2 id="postRpcStatus"');
    expect(page).toContain('curl -sS -X POST &quot;$URL/rpc/status&quot;');
  });

  test('the first page of the menu tells how to sign', async () => {
    const [, first] = /<nav class="side"[^>]*>.*?<a href="([^"]+)"/s.exec(await text('/docs/errors')) ?? [];
    expect(first).toBe('signing');
  });
});

describe('every page', () => {
  test.each(pages)(
    '%s: links and anchors lead somewhere, ids are single, one place in the menu is marked',
    async (path) => {
      const html = await text(path);
      const ids = idsOf(html);
      expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
      expect(html.match(/aria-current="page"/g)).toHaveLength(1);
      for (const href of new Set(hrefsOf(html))) {
        const { pathname, hash } = new URL(href.replaceAll('&amp;', '&'), `http://ledger.test${path}`);
        expect({ href, status: await statusOf(pathname) }).toEqual({ href, status: 200 });
        if (hash !== '')
          expect({ href, found: idsOf(await text(pathname)).includes(hash.slice(1)) }).toEqual({ href, found: true });
      }
    },
  );

  test.each(pages)('%s has a twin in Markdown, whose links lead on to twins', async (path) => {
    const twin = await text(`${path}.md`);
    expect((await stored(`${path}.md`)).mediaType).toBe('text/markdown; charset=utf-8');
    expect(twin).toMatch(/^# \S/);
    for (const href of new Set(linksOf(twin))) {
      const { pathname, hash } = new URL(href, `http://ledger.test${path}.md`);
      expect({ href, status: await statusOf(pathname), isPage: library.isPage(pathname) }).toEqual({
        href,
        status: 200,
        isPage: false,
      });
      if (hash !== '')
        expect({ href, found: idsOf(await text(pathname.slice(0, -'.md'.length))).includes(hash.slice(1)) }).toEqual({
          href,
          found: true,
        });
    }
  });
});

describe('an answer', () => {
  const ask = async (path: string, headers: Record<string, string> = {}): Promise<Response> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers });
    // An answer that is not read to its end holds its connection after the tests.
    await answer.clone().arrayBuffer();
    return answer;
  };

  test.each([
    '/docs',
    '/docs/signing',
    '/docs/partners.md',
    '/docs.md',
    '/docs/vectors/tree.json',
    '/docs/examples/sign.py',
    '/docs/docs.css',
    '/docs/docs.js',
    '/docs/search.json',
    '/openapi.json',
    '/openapi.yaml',
    '/openapi.client.json',
  ])('%s is compressed where that is asked for, and 304 to whoever has it', async (path) => {
    const [plain, packed] = await Promise.all(
      ['identity', 'br, gzip'].map((accept) => ask(path, { 'Accept-Encoding': accept })),
    );
    expect([plain?.headers.get('content-encoding'), packed?.headers.get('content-encoding')]).toEqual([null, 'gzip']);
    expect(await plain?.text()).toBe(await packed?.text());
    const etag = packed?.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{16}"$/);
    expect([plain?.headers.get('etag'), packed?.headers.get('vary')]).toEqual([
      etag,
      expect.stringMatching(/(^|, )Accept-Encoding$/),
    ]);
    const again = await ask(path, { 'If-None-Match': `"other", ${etag}` });
    expect({
      status: again.status,
      etag: again.headers.get('etag'),
      length: again.headers.get('content-length'),
      body: await again.text(),
    }).toEqual({ status: 304, etag, length: null, body: '' });
    expect((await ask(path, { 'If-None-Match': '"other"' })).status).toBe(200);
    expect((await ask(path, { 'Accept-Encoding': 'gzip;q=0' })).headers.get('content-encoding')).toBeNull();
  });

  test('is Markdown for programs that ask for it at the address of the page', async () => {
    for (const accept of ['text/markdown', 'text/markdown, text/html;q=0.9, */*;q=0.1', 'text/markdown, */*']) {
      const answer = await ask('/docs/signing', { Accept: accept });
      expect([answer.headers.get('content-type'), answer.headers.get('vary')]).toEqual([
        'text/markdown; charset=utf-8',
        'Accept, Accept-Encoding',
      ]);
      expect(await answer.text()).toBe(await text('/docs/signing.md'));
    }
    for (const accept of [
      'text/html,application/xhtml+xml,*/*;q=0.8',
      '*/*',
      'text/html, text/markdown;q=0.5',
      'text/markdown;q=0, */*',
    ]) {
      expect((await ask('/docs/signing', { Accept: accept })).headers.get('content-type')).toBe(
        'text/html; charset=utf-8',
      );
    }
  });

  test('is a problem where there is no page', async () => {
    for (const path of [
      '/docs/',
      '/docs/nope',
      '/docs/signing/',
      '/docs/signing.md.md',
      '/docs/../docs/x',
      '/docs/vectors/../../package.json',
      '/docs/vectors/README.md',
      '/docs/Signing',
      '/docs/%73igning',
      '/docs/__proto__',
    ]) {
      expect({ path, status: (await server.ask({ path, token: null, unchecked: true })).status }).toEqual({
        path,
        status: 404,
      });
    }
  });
});

describe('the search', () => {
  test('has every page, is small, and finds a section by its heading before one that mentions it', async () => {
    const { gzip } = await stored('/docs/search.json');
    // What one search costs a visitor; it is fetched when the field is entered.
    expect(gzip.length).toBeLessThan(76 * 1024);
    const entries = JSON.parse(await text('/docs/search.json')) as { t: string; p: string; u: string; x: string }[];
    const found = new Set(entries.map(({ u }) => new URL(u, 'http://ledger.test/docs').pathname));
    expect(pages.filter((path) => path !== '/docs' && !found.has(path))).toEqual([]);
    const { search } = (await import(new URL('../../server/http/docs/assets/docs.js', import.meta.url).href)) as {
      search: (all: typeof entries, query: string) => typeof entries;
    };
    const first = (query: string): string | undefined => search(entries, query)[0]?.u;
    expect(first('nonce_conflict')).toBe('docs/errors#nonce_conflict');
    expect(first('Nonce conflict')).toBe('docs/errors#nonce_conflict');
    expect(first('idempotency key')).toBe('docs/headers#header-Idempotency-Key');
    expect(first('submit a sig')).toBe('docs/transactions#submitTransaction');
    expect(first('one order')).toBe('docs/partners#one-order-one-payment');
    expect(first('verify webhook signature')).toMatch(/webhook/i);
    // No section has all of these words.
    expect(first('event stream reattach')).toMatch(/event/i);
    expect(first('stream reattach')).toBeUndefined();
    expect(search(entries, 'zzzz')).toEqual([]);
    expect(search(entries, ' /.')).toEqual([]);
    for (const { u } of entries)
      expect(idsOf(await text(new URL(u, 'http://ledger.test/docs').pathname))).toContain(
        new URL(u, 'http://ledger.test/docs').hash.slice(1) || 'main',
      );
  });
});

describe('text', () => {
  const TAG =
    /^<\/?(?:p|ul|ol|li|strong|em|del|code|pre|h[1-6]|a|span|table|thead|tbody|tr|th|td|div|details|summary|blockquote|hr|br)(?: (?:id|class|start|tabindex|role|scope|aria-label)="[^"<>]*"| href="(?:https?:\/\/[^"<>]*|#[\w-]*|(?:\.\.?\/)?[\w.-][\w./#?=&;%-]*|\.\/)")*>$/;
  const hostile = fc.constantFrom(
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<b',
    '>',
    '</code>',
    '<!--',
    '-->',
    '<![CDATA[',
    '**',
    '*',
    '_',
    '`',
    '```',
    '```json fold: <b>\n',
    '``` save="><b>\n',
    '[x](javascript:alert(1))',
    '[x](JAVASCRIPT&colon;alert(1))',
    '[x](data:text/html,<b>)',
    '[x](//evil.example)',
    '[x](/\\evil)',
    '[x](https://a"onclick=1)',
    '![x](https://evil.example/x.png)',
    '<javascript:alert(1)>',
    '<https://a.example/"><b>>',
    'www.evil.example',
    'a@evil.example',
    '[r]: javascript:alert(1)\n',
    '[r]',
    '{#x" onclick="y}',
    '{#ok}',
    '# ',
    '\n',
    '\n\n',
    '| a | b |\n|---|---|\n| <b> | c |\n',
    '- [x] ',
    '1. ',
    '> ',
    '~~',
    '---\n',
    '&lt;script&gt;',
    '&quot;',
    '&#60;',
    '"',
    "'",
    '\\',
    '<br>',
    '<br onclick=1>',
    '\u0000',
    '\u2028',
    'ü',
  );
  const within = (path: string) => (href: string) => safeTarget(path, href);

  test('of any kind becomes no markup but our own', () => {
    const property = fc.property(
      fc.array(fc.oneof(hostile, fc.string({ maxLength: 8 })), { maxLength: 12 }),
      (pieces) => {
        const { html } = renderMarkdown(pieces.join(''), within('/docs/x'));
        const tags = html.match(/<[^>]*>?/g) ?? [];
        expect(tags.filter((tag) => !TAG.test(tag))).toEqual([]);
        expect(html.replaceAll(/<[^>]*>/g, '')).not.toMatch(/[<>]/);
      },
    );
    fc.assert(property, { numRuns: 1_000 });
  });

  test('keeps bold around code, tables with pipes in code, and anchors that headings name', () => {
    expect(renderMarkdown('**Prefer `wait=N`** holds').html).toBe(
      '<p><strong>Prefer <code>wait=N</code></strong> holds</p>\n',
    );
    expect(renderMarkdown('| a |\n|---|\n| `x\\|y` |').html).toContain('<td><code>x|y</code></td>');
    expect(renderMarkdown('## Submit {#submitTransaction old}').html).toMatch(
      /^<h2 id="submitTransaction"><span id="old"><\/span>Submit /,
    );
    expect(renderMarkdown('## One order, one payment').headings).toEqual([
      { id: 'one-order-one-payment', depth: 2, text: 'One order, one payment' },
    ]);
  });

  test('links are relative to the page that shows them', () => {
    expect(relative('/docs', '/docs/errors#x')).toBe('docs/errors#x');
    expect(relative('/docs/errors', '/docs')).toBe('../docs');
    expect(relative('/docs/errors', '/docs/errors#x')).toBe('#x');
    expect(relative('/docs/vectors', '/docs/vectors/a.json')).toBe('vectors/a.json');
    expect(relative('/docs/errors', '/')).toBe('../');
    for (const href of [
      'javascript:alert(1)',
      '//evil.example',
      '/\\evil.example',
      'data:text/html,x',
      'x.html',
      'mailto:a@b',
    ])
      expect(safeTarget('/docs', href)).toBeUndefined();
  });
});

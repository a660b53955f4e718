/** Server and contract are one: registration, the validator's gaps, and the pages made from the contract. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { resolve } from '../../server/http/contract/bundle.ts';
import type { OpenapiDocument } from '../../server/http/contract/bundle.ts';
import { readCatalogue } from '../../server/http/contract/catalogue.ts';
import { readOperations } from '../../server/http/contract/operations.ts';
import { sliceContract } from '../../server/http/contract/slice.ts';
import { renderMarkdown } from '../../server/http/docs/markdown.ts';
import { assertContract } from '../../server/http/register.ts';
import { contract } from './support/contract-check.ts';
import { TestServer } from './support/server.ts';
import { SENDER, TRANSFER, TX_HASH } from './support/stub-gateway.ts';

const server = new TestServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const operations = readOperations(contract.document);
const handlers = Object.fromEntries(operations.map((operation) => [operation.id, () => {}]));
const changed = (change: (document: any) => void): OpenapiDocument => {
  const copy = structuredClone(contract.document);
  change(copy);
  return copy;
};

describe('the server does not start when it differs from the contract', () => {
  test('as they are, they agree', () => {
    expect(() => assertContract(operations, handlers)).not.toThrow();
    // Thirty-eight of REST, 28 methods of the RPC by GET and by POST, and JSON-RPC.
    expect(operations).toHaveLength(38 + 2 * 28 + 1);
  });

  test.each([
    [
      'an operation without a handler',
      (document: any) => (document.paths['/x'] = { get: { ...document.paths['/chain'].get, operationId: 'getX' } }),
      /getX has no handler/,
    ],
    [
      'a handler without an operation',
      (document: any) => delete document.paths['/webhooks'].get,
      /listWebhooks has no operation/,
    ],
    [
      'a public operation that now needs a token',
      (document: any) =>
        Object.assign(document.paths['/chain'].get, {
          security: [{ bearerAuth: [] }],
          'x-scopes': ['transactions:read'],
        }),
      /getChain needs a token/,
    ],
    [
      'a protected operation that is now public',
      (document: any) => (document.paths['/transactions'].get.security = []),
      /listTransactions needs no token/,
    ],
    ['an operation name used twice', (document: any) => (document.paths['/x'] = document.paths['/chain']), /twice/],
    [
      'a code that the server can answer and the catalogue does not say of the operation',
      (document: any) =>
        (document.components.schemas.ProblemCode['x-problems'].body_too_large.except = ['submitTransaction']),
      /submitTransaction can answer body_too_large/,
    ],
    [
      'a code that an operation lists and the catalogue does not say of it',
      (document: any) =>
        (document.components.schemas.ProblemCode['x-problems'].nonce_conflict.operations = ['submitCancel']),
      /submitTransaction lists nonce_conflict/,
    ],
    [
      'a catalogue that names an operation which there is not',
      (document: any) => delete document.paths['/chain'],
      /answered by getChain/,
    ],
    [
      'a token without any scope',
      (document: any) => delete document.paths['/transactions'].post['x-scopes'],
      /submitTransaction needs a token in the contract, and names no scope/,
    ],
    [
      'a scope that no token can have',
      (document: any) => (document.paths['/transactions'].get['x-scopes'] = ['all']),
      /scope all/,
    ],
    [
      'alternative security schemes',
      (document: any) => document.paths['/transactions'].get.security.push({}),
      /security schemes that need the same scopes/,
    ],
    [
      'alternatives of different scopes',
      (document: any) => document.paths['/transactions'].get.security.push({ basicAuth: ['transactions:write'] }),
      /security schemes that need the same scopes/,
    ],
    [
      'a token in a URL outside the RPC',
      (document: any) => document.paths['/transactions'].get.security.push({ basicAuth: [] }),
      /listTransactions takes tokens by Basic/,
    ],
    [
      'an operation of the RPC that takes no token in a URL',
      (document: any) => document.paths['/rpc/status'].get.security.pop(),
      /getRpcStatus takes tokens as Bearer and by Basic/,
    ],
    [
      'an operation without a name',
      (document: any) => delete document.paths['/chain'].get.operationId,
      /no operationId/,
    ],
  ])('%s', (_name, change, message) => {
    expect(() => assertContract(readOperations(changed(change)), handlers)).toThrow(message);
  });

  test('a code without an entry in the catalogue', () => {
    expect(() =>
      readCatalogue(changed((document) => delete document.components.schemas.ProblemCode['x-problems'].internal)),
    ).toThrow(/internal/);
  });
});

describe('the part of the contract that a validator is given', () => {
  test('has what the paths refer to, all of it, and nothing else', () => {
    const slice = sliceContract(contract.document, [{ path: '/chain', method: 'GET' }], false);
    expect(Object.keys(slice.paths)).toEqual(['/chain']);
    expect(Object.keys(slice.components)).toEqual(['securitySchemes', 'parameters']);
    const whole = sliceContract(contract.document, [{ path: '/chain', method: 'GET' }], true);
    expect(Object.keys(whole.components.schemas ?? {})).toContain('ChainId');
    expect(Object.keys(whole.components.schemas ?? {})).not.toContain('TransactionInput');
    for (const match of JSON.stringify(whole).matchAll(/"\$ref":"([^"]+)"/g))
      expect(() => resolve(whole, { $ref: match[1] })).not.toThrow();
  });

  test('has no examples, but keeps a member that is called so', () => {
    const document = changed((copy) => {
      copy.components.schemas.TransactionInput.properties.examples = { type: 'string', examples: ['x'] };
    });
    const slice = sliceContract(document, [{ path: '/transactions', method: 'POST' }], true);
    expect(slice.components).not.toHaveProperty('examples');
    expect(slice.components.schemas?.TransactionInput).toMatchObject({ properties: { examples: { type: 'string' } } });
    expect(JSON.stringify(slice)).not.toMatch(/"examples":\[/);
  });

  test('cannot be cut from a contract with a reference to nothing', () => {
    const document = changed((copy) => delete copy.components.schemas.Signature);
    expect(() => sliceContract(document, [{ path: '/transactions', method: 'POST' }], false)).toThrow(/Signature/);
  });
});

describe('the gaps of the validator are closed', () => {
  /** Unchecked, because the check of answers compiles validators of its own. */
  const submit = { method: 'POST', path: '/transactions', body: TRANSFER, unchecked: true };

  /** Ajv makes a validator with `new Function`: counting those counts compilations. */
  async function compilations(work: () => Promise<unknown>): Promise<number> {
    const real = globalThis.Function;
    let count = 0;
    globalThis.Function = new Proxy(real, {
      construct(target, parameters, newTarget) {
        count += 1;
        return Reflect.construct(target, parameters, newTarget) as object;
      },
    });
    try {
      await work();
    } finally {
      globalThis.Function = real;
    }
    return count;
  }

  test('the hot operations need nothing compiled, the probes are compiled at boot, and a tag at its first request', async () => {
    const fresh = new TestServer({ validateResponses: false });
    await fresh.start();
    const asked = async (...paths: string[]): Promise<void> => {
      for (const path of paths) await fresh.ask({ path, unchecked: true });
    };
    const probesAndHot = async (): Promise<void> => {
      await asked(
        '/livez',
        '/readyz',
        '/metrics',
        '/transactions',
        '/transactions?limit=x',
        `/transactions/${TX_HASH}`,
      );
      await asked(`/accounts/${SENDER}`, `/accounts?address=${SENDER}`);
      await fresh.ask(submit);
      await fresh.ask({ ...submit, body: {} });
      await fresh.ask({ ...submit, path: '/transactions/check' });
      await fresh.ask({ ...submit, path: '/transactions/batch', body: { transactions: [TRANSFER, {}] } });
      await fresh.ask({ method: 'DELETE', path: `/transactions/${TX_HASH}`, unchecked: true });
    };
    expect(await compilations(probesAndHot)).toBe(0);
    const chain = (): Promise<void> => asked('/chain');
    expect(await compilations(chain)).toBeGreaterThan(0);
    expect(await compilations(chain)).toBe(0);
    const status = (): Promise<unknown> => fresh.ask({ path: '/rpc/status', unchecked: true });
    expect(await compilations(status)).toBeGreaterThan(0);
    expect(await compilations(status)).toBe(0);
    await fresh.stop();
  });

  test('a new Content-Type parameter at each request compiles nothing, with or without a body', async () => {
    const fresh = new TestServer({ validateResponses: false });
    await fresh.start();
    await fresh.ask({ path: '/chain', unchecked: true });
    const grown = await compilations(async () => {
      for (let at = 0; at < 20; at += 1) {
        const headers = { 'Content-Type': `application/json; a${at}=1` };
        expect((await fresh.ask({ ...submit, headers })).status).toBe(415);
        expect((await fresh.ask({ path: '/transactions', headers, unchecked: true })).status).toBe(200);
        expect(
          (await fresh.ask({ path: '/chain', headers: { 'Content-Type': `text/x${at}` }, unchecked: true })).status,
        ).toBe(200);
      }
      for (const type of [
        'application/json; charset=utf-8',
        'Application/JSON;charset=UTF-8',
        'application/json;',
        'application/json ; charset="utf-8"',
      ]) {
        expect((await fresh.ask({ ...submit, headers: { 'Content-Type': type } })).status).toBe(202);
      }
    });
    expect(grown).toBe(0);
    await fresh.stop();
  });

  test('int64 and uint128 have their ranges, to the last number', async () => {
    expect((await server.submit({ ...TRANSFER, nonce: Number.MAX_SAFE_INTEGER })).status).toBe(202);
    expect((await server.submit({ ...TRANSFER, amount: String(2n ** 128n - 1n) })).status).toBe(202);
    expect((await server.submit({ ...TRANSFER, amount: String(2n ** 128n) })).status).toBe(400);
  });

  test('all faults of a body are told at once, each with its pointer, up to sixteen', async () => {
    const { body } = await server.submit({ from: 1, amount: '0', extra: true });
    const pointers = body.errors.map((error: { pointer: string }) => error.pointer);
    expect(new Set(pointers)).toEqual(new Set(['/from', '/to', '/amount', '/nonce', '/signature', '/extra']));
    const many = await server.submit(Object.fromEntries(Array.from({ length: 500 }, (_value, at) => [`x${at}`, 1])));
    expect(many.body.errors).toHaveLength(16);
  });

  test('coercion makes no string of a number and no number of a string in a body', async () => {
    for (const wrong of [{ amount: 100 }, { nonce: '0' }, { nonce: true }, { nonce: null }, { from: ['a'] }]) {
      expect((await server.submit({ ...TRANSFER, ...wrong })).status).toBe(400);
    }
  });
});

describe('the pages', () => {
  const read = async (path: string) => server.ask({ path, token: null, unchecked: true });
  const ids = (html: string): Set<string> =>
    new Set([...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1] ?? ''));
  const links = (html: string): string[] =>
    [...html.matchAll(/ href="([^"]+)"/g)].map((match) => match[1] ?? '').filter((href) => !href.startsWith('data:'));

  test('load and run nothing but the style and the script of this service, and say so in their policy', async () => {
    for (const path of ['/', '/docs', '/docs/errors', '/docs/signing']) {
      const { status, headers, text } = await read(path);
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      const markup = text
        .replace(/<script type="module" src="(?:docs\/)?docs\.js"><\/script>/, '')
        .replace(/<form class="search"[^<]*(?=<input)/, '');
      expect(markup).not.toMatch(/<script|<style|<iframe|<object|<embed|<form| src=|@import|url\(|\sstyle=|\son\w+=/i);
      const loaded = [...text.matchAll(/<link rel="(?:stylesheet|icon|preload)" href="([^"]+)"/g)].map(
        (match) => match[1] ?? '',
      );
      expect(loaded.filter((href) => !href.startsWith('data:') && !/^(?:docs\/)?docs\.css$/.test(href))).toEqual([]);
    }
  });

  test('/docs has an anchor for every operation and every schema, and names every path', async () => {
    const { text } = await read('/docs');
    const anchors = ids(text);
    for (const { id, path } of operations) {
      expect(anchors).toContain(id);
      expect(text).toContain(path);
    }
    for (const name of Object.keys(contract.document.components.schemas ?? {}))
      expect(anchors).toContain(`schema-${name}`);
  });

  test('the type of every problem is a place on a page that exists', async () => {
    const { body } = await server.ask({ path: '/nowhere' });
    const { pathname, hash } = new URL(body.type, 'http://ledger.test/nowhere');
    const fragment = hash.slice(1);
    const { status, text } = await read(pathname);
    expect(status).toBe(200);
    expect(ids(text)).toContain(fragment);
    for (const [code, entry] of readCatalogue(contract.document)) {
      expect(ids(text)).toContain(code);
      expect(text).toContain(entry.title.replaceAll("'", '&#39;'));
    }
  });

  test('every link on every page leads somewhere', async () => {
    for (const path of ['/', '/docs', '/docs/errors']) {
      const page = await read(path);
      for (const href of new Set(links(page.text))) {
        const target = new URL(href, `http://127.0.0.1${path}`);
        const found = await read(target.pathname);
        expect({ path, href, status: found.status }).toEqual({ path, href, status: 200 });
        if (target.hash !== '')
          expect({ path, href, found: ids(found.text).has(target.hash.slice(1)) }).toEqual({ path, href, found: true });
      }
    }
  });

  test('the front page names the chain', async () => {
    expect((await read('/')).text).toContain('<code>txledger-dev-1</code>');
  });

  test('without the explorer there is none of its files', async () => {
    for (const path of ['/explorer/app.js', '/explorer/app.css', '/explorer/development.json'])
      expect((await read(path)).status).toBe(404);
  });

  test('the contract cannot put markup into a page', () => {
    const hostile = '<script>x</script> `<b>` [x](javascript:alert(1)) ["><img>](https://a"b) **<i>**';
    const { html } = renderMarkdown(hostile);
    expect(html).not.toMatch(/<(script|b|img|i)>/);
    expect(html).not.toMatch(/href="javascript/);
    expect(html.match(/"/g)?.length ?? 0).toBeLessThanOrEqual(2);
  });
});

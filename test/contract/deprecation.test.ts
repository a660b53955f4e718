/**
 * How something is taken out of the contract, tried on a copy that deprecates an operation, a query parameter, a member of a request and one of an
 * answer. The copy goes through what the contract goes through: lint, generate, the server, the pages of the reference, the judge of the changelog,
 * the client and its types.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient, getChain } from '../../client/src/index.ts';
import { judge, unlistedDeprecations } from '../../scripts/contract/judge.ts';
import type { Contract } from '../../scripts/contract/landed.ts';
import { generate } from '../../scripts/generate.ts';
import { loadContract, type ContractBundle, type OpenapiDocument } from '../../server/http/contract/bundle.ts';
import { readOperations } from '../../server/http/contract/operations.ts';
import { TestServer } from '../http/support/server.ts';
import { RECEIVER, SENDER, TOKEN } from '../http/support/stub-gateway.ts';
import { contract as published } from './support/contract.ts';
import { lint } from './support/lint.ts';
import { SpoiltCopy } from './support/spoilt-copy.ts';

const SINCE = '2027-01-10';
const SUNSET = '2027-07-15';
const ANSWERED = {
  deprecation: '@1799539200',
  sunset: 'Thu, 15 Jul 2027 00:00:00 GMT',
  link: '<./docs/changelog>; rel="deprecation sunset"; type="text/html"',
};
const NEXT = '1.999.0';
const TRIAL_TIMEOUT_MS = 300_000;

/** The two keywords, indented as they stand at the place. */
const mark = (indent: number, instead: string): string =>
  ['deprecated: true', `x-deprecation: { since: '${SINCE}', sunset: '${SUNSET}', instead: '${instead}' }`]
    .map((line) => `${' '.repeat(indent)}${line}\n`)
    .join('');
const NOTE = `<strong>Deprecated</strong> since ${SINCE}, removed not before ${SUNSET}.`;

/** What the copy deprecates, by the names that the changelog has for them. */
const NAMES = ['Chain.version', 'TransactionCheckInput.reference', 'listAccounts', 'reference'];

function deprecate(copy: SpoiltCopy): void {
  copy.replace(
    'accounts.yaml',
    '      operationId: listAccounts\n',
    `      operationId: listAccounts\n${mark(6, 'Use getAccount.')}`,
  );
  copy.replace(
    'common.yaml#/parameters/ReferenceFilter',
    '    in: query\n',
    `    in: query\n${mark(4, 'Use listEvents.')}`,
  );
  copy.replace(
    'transactions.yaml#/schemas/TransactionCheckInput',
    '      reference:\n',
    `      reference:\n${mark(8, 'Leave it out.')}`,
  );
  copy.replace(
    'chain.yaml#/schemas/Chain',
    "      version: { $ref: 'health.yaml#/schemas/ServiceVersion' }\n",
    `      version:\n${mark(8, 'Use `version` of getLiveness.')}        $ref: 'health.yaml#/schemas/ServiceVersion'\n`,
  );
  // Any answer may have them now, so they are declared with the headers of all.
  for (const set of ['answer', 'read', 'shown'])
    copy.replace(
      `common.yaml#/headerSets/${set}`,
      "    X-Request-Id: { $ref: '#/headers/XRequestId' }\n",
      "    X-Request-Id: { $ref: '#/headers/XRequestId' }\n    Deprecation: { $ref: '#/headers/Deprecation' }\n    Sunset: { $ref: '#/headers/Sunset' }\n    Link: { $ref: '#/headers/DeprecationLink' }\n",
    );
  const header = (name: string, description: string, example: string): string =>
    `  ${name}:\n    description: ${description}\n    schema: { type: string, maxLength: 256, examples: ['${example}'] }\n\n`;
  copy.add(
    'common.yaml',
    'headers',
    header(
      'Deprecation',
      'Since when something that the request uses is deprecated (RFC 9745).',
      ANSWERED.deprecation,
    ) +
      header('Sunset', 'Until when it is there (RFC 8594).', ANSWERED.sunset) +
      header('DeprecationLink', 'Where it says what to use instead (RFC 8288).', ANSWERED.link),
  );
  copy.replace('openapi.yaml', `version: ${published.info.version}`, `version: ${NEXT}`);
}

/** An entry of the changelog with a list "### Deprecated" of these. */
const entry = (names: readonly string[], sunset = SUNSET): string =>
  `## ${NEXT}\n\n### Deprecated\n\n${names.map((name) => `- \`${name}\`: gone not before ${sunset}. Use another.\n`).join('')}\n`;

describe('what the contract deprecates', () => {
  let folder: string;
  let rootDocument: string;
  let copied: ContractBundle;
  let server: TestServer;
  const before: Contract = { bundle: JSON.stringify(published), changelog: '' };
  const after = (changelog: string): Contract => ({ bundle: copied.json.toString(), changelog });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'deprecation-test-'));
    const rpcPaths = Object.keys(published.paths).filter((path) => path.startsWith('/rpc'));
    const copy = new SpoiltCopy(join(folder, 'spec'), rpcPaths);
    deprecate(copy);
    ({ rootDocument } = copy);
    await generate(rootDocument, join(folder, 'generated'));
    copied = loadContract(pathToFileURL(`${join(folder, 'generated')}/`));
    server = await new TestServer({ contract: copied }).start();
  }, TRIAL_TIMEOUT_MS);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const ask = (path: string, body?: object) =>
    server.ask({ path, unchecked: true, ...(body && { method: 'POST', body }) });
  const draft = { from: SENDER, to: RECEIVER, amount: '100', nonce: 1 };

  test('passes the lint', () => expect(lint([rootDocument])).toEqual([[]]), TRIAL_TIMEOUT_MS);

  test('is said by the answers of an operation, errors included', async () => {
    const found = await ask(`/accounts?address=${SENDER}`);
    expect([found.status, found.headers]).toEqual([200, expect.objectContaining(ANSWERED)]);
    const refused = await ask('/accounts?address=x');
    expect([refused.status, refused.headers]).toEqual([expect.any(Number), expect.objectContaining(ANSWERED)]);
    expect(refused.status).toBeGreaterThanOrEqual(400);
  });

  test('is said by every answer that has the member', async () => {
    expect((await ask('/chain')).headers).toMatchObject(ANSWERED);
  });

  test('is said to a request with the parameter or the member, and to no other', async () => {
    expect((await ask('/transactions?reference=INV-1')).headers).toMatchObject(ANSWERED);
    expect((await ask('/transactions/check', { ...draft, reference: 'INV-1' })).headers).toMatchObject({
      ...ANSWERED,
      link: ANSWERED.link.replace('./docs', '../docs'),
    });
    for (const other of [
      await ask('/transactions'),
      await ask('/transactions/check', draft),
      await ask(`/accounts/${SENDER}`),
    ]) {
      expect(other.status).toBe(200);
      for (const name of Object.keys(ANSWERED)) expect(other.headers).not.toHaveProperty(name);
    }
  });

  test.each([
    ['/docs/accounts', 'Use getAccount.'],
    ['/docs/transactions', 'Use listEvents.'],
    ['/docs/schemas', 'Leave it out.'],
    ['/docs/schemas', 'Use <code>version</code> of getLiveness.'],
  ])('is said by the page %s, with what to do: %s', async (path, instead) => {
    expect((await ask(path)).text).toContain(`${NOTE} ${instead}`);
  });

  test('is in the types of server and client, and in the rendition for generators', () => {
    const types = readFileSync(join(folder, 'generated', 'openapi.ts'), 'utf8');
    const marked = [...types.matchAll(/@deprecated(?:(?!\*\/)[^])*\*\/\s*(\w+)/g)].map(([, member]) => member);
    // An operation by its method, a shared parameter by its component.
    expect(new Set(marked)).toEqual(new Set(['get', 'ReferenceFilter', 'reference', 'version']));
    const rendition = JSON.parse(copied.clientJson.toString());
    expect(rendition.paths['/accounts'].get.deprecated).toBe(true);
    expect(rendition.components.schemas.Chain.properties.version.deprecated).toBe(true);
    expect(rendition.components.schemas.TransactionCheckInput.properties.reference.deprecated).toBe(true);
  });

  test("is a line of the client's logger, once for each operation", async () => {
    const lines: object[] = [];
    const client = createClient({
      baseUrl: `http://127.0.0.1:${server.port}`,
      token: TOKEN,
      logger: { debug: () => undefined, warn: (fields, message) => lines.push({ ...fields, message }) },
    });
    for (let count = 0; count < 3; count += 1) await getChain(client);
    expect(lines).toEqual([{ method: 'GET', path: '/chain', ...ANSWERED, message: 'deprecated' }]);
  });

  test('has to be listed by the changelog, each with its name and its day', () => {
    const complaints = (changelog: string): string[] => unlistedDeprecations(before, after(changelog));
    expect(complaints(entry(NAMES))).toEqual([]);
    expect(
      complaints(`## ${NEXT}\n\nNew:\n\n${entry(NAMES).replace('### Deprecated', '').split('\n').slice(2).join('\n')}`),
    ).toHaveLength(NAMES.length);
    expect(complaints(entry(NAMES.slice(1)))).toEqual([
      expect.stringMatching(
        /^`Chain\.version` is deprecated: the entry "## 1\.999\.0" .* needs a list "### Deprecated"/,
      ),
    ]);
    expect(complaints(entry(NAMES, '2027-12-31'))).toHaveLength(NAMES.length);
    // Of an older version, and so no news.
    expect(unlistedDeprecations(after(''), after(''))).toEqual([]);
  });

  test('may get a later day, and no earlier one', () => {
    const moved = (sunset: string): Contract => ({
      bundle: copied.json.toString().replaceAll(SUNSET, sunset),
      changelog: '',
    });
    expect(unlistedDeprecations(after(''), moved('2028-01-01'))).toEqual([]);
    expect(unlistedDeprecations(after(''), moved('2027-07-14'))).toEqual(
      NAMES.map(() => expect.stringContaining('was promised until 2027-07-15')),
    );
  });

  describe('must be written so that it can be told', () => {
    const spoilt = (change: (document: any) => void): (() => unknown) => {
      const document = structuredClone(copied.document) as OpenapiDocument;
      change(document);
      return () => readOperations(document);
    };
    const operation = (document: any): any => document.paths['/accounts'].get;
    test.each<[string, (document: any) => void, string]>([
      [
        'days that are fewer than 180',
        (it) => (operation(it)['x-deprecation'].sunset = '2027-07-08'),
        'listAccounts: `sunset` comes at least 180 days',
      ],
      ['a day that is none', (it) => (operation(it)['x-deprecation'].since = 'soon'), '`since` and `sunset` are days'],
      ['nothing instead', (it) => delete operation(it)['x-deprecation'].instead, '`instead` is a sentence'],
      ['a mark without its note', (it) => delete operation(it)['x-deprecation'], 'stand together'],
      [
        'a note without its mark',
        (it) => delete it.components.schemas.Chain.properties.version.deprecated,
        'Chain.version: `deprecated: true` and',
      ],
      [
        'an answer that does not declare a header',
        (it) => delete it.components.responses.ChainFound.headers.Sunset,
        'its 200 must declare Sunset',
      ],
    ])('%s', (_name, change, message) => {
      expect(spoilt(() => undefined)).not.toThrow();
      expect(spoilt(change)).toThrow(message);
    });
  });

  const OASDIFF = process.env['OASDIFF'] ?? '';
  (existsSync(OASDIFF) ? test : test.skip)('may follow the contract, and does not go within a major version', () => {
    expect(judge(before, after(entry(NAMES)), OASDIFF).complaints).toEqual([]);
    expect(judge(before, after(`## ${NEXT}\n\n`), OASDIFF).complaints).toHaveLength(NAMES.length);
    const gone = structuredClone(copied.document) as any;
    gone.info.version = '1.1000.0';
    delete gone.paths['/accounts'];
    const next: Contract = { bundle: JSON.stringify(gone), changelog: '## 1.1000.0\n\n' };
    expect(judge(after(''), next, OASDIFF).complaints).toEqual([expect.stringMatching(/GET \/accounts/)]);
  });
});

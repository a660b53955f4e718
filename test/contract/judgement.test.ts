/**
 * A new version of the contract is refused when it would break clients of the last or is not announced, and let through
 * when it only adds. OASDIFF names the program that compares; without it only what needs no comparison is tested.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { forKinOpenapi } from '../../scripts/contract/for-kin-openapi.ts';
import { judge } from '../../scripts/contract/judge.ts';
import { BUNDLE, CHANGELOG, lastLanded, type Contract } from '../../scripts/contract/landed.ts';
import { contract as document, REPOSITORY } from './support/contract.ts';

const OASDIFF = process.env['OASDIFF'] ?? '';
const suite = existsSync(OASDIFF) ? describe : describe.skip;

const changelog = readFileSync(join(REPOSITORY, CHANGELOG), 'utf8');
const before: Contract = { bundle: JSON.stringify(document), changelog };
const [major] = document.info.version.split('.').map(Number) as [number];

/** The contract after a change, announced as the given version; JSON is YAML too. */
function changed(version: string, change: (document: any) => void, entry = `## ${version}\n\n`): Contract {
  const copy = structuredClone(document);
  copy.info.version = version;
  change(copy);
  return { bundle: JSON.stringify(copy), changelog: entry + changelog };
}

const complaints = (after: Contract): string[] => judge(before, after, OASDIFF).complaints;
const NEXT_MINOR = `${major}.999.0`;
const NEXT_MAJOR = `${major + 1}.0.0`;

const BREAKING: Record<string, [rule: string, change: (document: any) => void]> = {
  'an operation that is gone': [
    'api-removed-without-deprecation',
    (spec) => delete spec.paths['/transactions/{txHash}'].delete,
  ],
  'a property that requests must have now': [
    'new-required-request-property',
    ({ components: { schemas } }) => {
      schemas.TransactionInput.properties.memo = { type: 'string', maxLength: 8 };
      schemas.TransactionInput.required.push('memo');
    },
  ],
  'a value that requests may have no more': [
    'request-parameter-enum-value-removed',
    ({ components: { schemas } }) => schemas.TransactionStatusFilter.enum.shift(),
  ],
  'a member that answers have no more': [
    'response-required-property-removed',
    ({ components: { schemas } }) => {
      delete schemas.Chain.properties.genesisHash;
      schemas.Chain.required = schemas.Chain.required.filter((name: string) => name !== 'genesisHash');
    },
  ],
  'a member whose type is another': [
    'response-property-type-changed',
    ({ components: { schemas } }) => (schemas.BlockHeight.type = 'string'),
  ],
};

const ADDING: Record<string, (document: any) => void> = {
  nothing: () => undefined,
  'an operation': (spec) =>
    (spec.paths['/chain/again'] = { get: { ...spec.paths['/chain'].get, operationId: 'getChainAgain' } }),
  'an optional parameter': (spec) =>
    spec.paths['/transactions'].get.parameters.push({ name: 'since', in: 'query', schema: { type: 'string' } }),
  'a member of an answer': ({ components: { schemas } }) => (schemas.Chain.properties.peers = { type: 'integer' }),
  'a value of a list that may grow': ({ components: { schemas } }) =>
    schemas.HistoryEvent['x-extensible-enum'].push('frozen'),
  'a second error code to a response that had one': ({ components: { schemas, responses } }) => {
    const { schema } = responses.NotFound.content['application/problem+json'];
    schemas.SanctionedProblem = structuredClone(schemas.InsufficientFundsProblem);
    schemas.SanctionedProblem.allOf[1].properties.code.enum = ['sanctioned'];
    schema.anyOf.splice(-1, 0, { $ref: '#/components/schemas/SanctionedProblem' });
  },
  'a status of a transaction': ({ components: { schemas } }) => {
    schemas.TransactionStatus['x-extensible-enum'].push('frozen');
    schemas.FrozenTransaction = structuredClone(schemas.CancelledTransaction);
    schemas.FrozenTransaction.properties.status.enum = ['frozen'];
    schemas.Transaction.anyOf.splice(-1, 0, { $ref: '#/components/schemas/FrozenTransaction' });
  },
  'an error status that an operation lists': (spec) =>
    (spec.paths['/chain'].get.responses['404'] = { $ref: '#/components/responses/NotFound' }),
  'a header of an answer': ({ components: { responses } }) =>
    (responses.ChainFound.headers['X-Later'] = { schema: { type: 'string' } }),
  'an error code': ({ components: { schemas, responses } }) => {
    schemas.SanctionedProblem = structuredClone(schemas.InsufficientFundsProblem);
    schemas.SanctionedProblem.allOf[1].properties.code.enum = ['sanctioned'];
    responses.RefusedTransfer.content['application/problem+json'].schema.anyOf.splice(-1, 0, {
      $ref: '#/components/schemas/SanctionedProblem',
    });
  },
};

suite('a new version of the contract', () => {
  test.each(Object.entries(BREAKING))(
    'is refused for %s, unless it is a new major version',
    (_name, [rule, change]) => {
      expect(complaints(changed(NEXT_MINOR, change))).toEqual([expect.stringContaining(`[${rule}]`)]);
      const { complaints: none, notes } = judge(before, changed(NEXT_MAJOR, change), OASDIFF);
      expect(none).toEqual([]);
      expect(notes).toContain(`[${rule}]`);
    },
  );

  test.each(Object.entries(ADDING))('may add %s', (_name, change) => {
    expect(complaints(changed(NEXT_MINOR, change))).toEqual([]);
  });

  describe('that breaks on purpose', () => {
    const [, breakIt] = BREAKING['a member whose type is another']!;
    const ANNOUNCED = '## 1.11.0 (2026-11-27)\n\n### Breaks\n\n- It.\n\n';
    const breaking = (version = '1.11.0', entry = ANNOUNCED): Contract =>
      changed(version, breakIt, entry.replace('1.11.0', version));
    const older: Contract = { ...changed('1.0.0', () => undefined), changelog: '' };
    const judged = (after: Contract, record?: readonly string[]) => judge(older, after, OASDIFF, record);
    let known: string[] | undefined;
    const lines = (): string[] => (known ??= judged(breaking()).breaks);

    test('may do what its record says, word by word, and says so', () => {
      expect(lines().length).toBeGreaterThan(0);
      const { complaints: none, notes } = judged(breaking(), lines());
      expect(none).toEqual([]);
      for (const line of lines()) expect(notes).toContain(`on record: ${line}`);
    });

    test('may do no more than its record says', () => {
      const [first, ...rest] = lines();
      expect(judged(breaking(), rest).complaints).toEqual([`Clients of 1.0.0 would break:\n${first}`]);
      expect(judged(breaking()).complaints).toEqual([`Clients of 1.0.0 would break:\n${lines().join('\n')}`]);
    });

    test('does no less than its record says', () => {
      expect(judged(breaking(), [...lines(), 'GET /chain: is gone [made-up]']).complaints).toEqual([
        'spec/breaks/1.11.0.txt lists what does not break:\nGET /chain: is gone [made-up]',
      ]);
    });

    test('announces it in the changelog', () => {
      const silent = judged(
        breaking('1.11.0', '## 1.11.0\n\n- All is well.\n\n## 1.2.9\n\n### Breaks\n\n'),
        lines(),
      ).complaints;
      expect(silent).toEqual([
        expect.stringContaining('has no list "### Breaks"'),
        expect.stringContaining('would break'),
      ]);
    });

    test.each(['1.11.1', '1.12.0'])(
      'is not %s: version 1 is stable by then, whatever its changelog and a record say',
      (version) => {
        expect(judged(breaking(version), lines()).complaints).toEqual([
          expect.stringContaining('stable since 1.11.0'),
          expect.stringContaining('would break'),
        ]);
      },
    );
  });

  test('has a higher version than the last', () => {
    const rose = expect.stringContaining('info.version did not rise');
    const unannounced = expect.stringContaining('is not new');
    expect(complaints(changed(document.info.version, ADDING['an operation']!, ''))).toEqual([rose, unannounced]);
    expect(complaints(changed('0.999.999', ADDING['an operation']!))).toEqual([rose]);
  });

  test('has an entry of its own in the changelog', () => {
    expect(complaints(changed(NEXT_MINOR, ADDING['an operation']!, ''))).toEqual([
      `spec/CHANGELOG.md has no entry "## ${NEXT_MINOR}".`,
    ]);
  });

  test('that cannot be compared is no success', () => {
    const unreadable = changed(NEXT_MINOR, (spec) => (spec.paths = 7));
    expect(() => complaints(unreadable)).toThrow('ended with');
    expect(() => judge(before, before, join(REPOSITORY, 'no-such-program'))).toThrow('go install');
  });

  test('may say the same in the long form', () => {
    const short = (node: any): void => {
      node.components.schemas.PendingTransaction.properties.height = false;
      node.components.schemas.RpcReply.properties.id = {
        type: ['string', 'integer'],
        maxLength: 1024,
        minimum: -9007199254740991,
        maximum: 9007199254740991,
      };
    };
    const long = changed(
      '0.2.0',
      (node) => (node.components.schemas.PendingTransaction.properties.height = { not: {} }),
    );
    expect(judge(changed('0.1.0', short), long, OASDIFF)).toMatchObject({ complaints: [], breaks: [] });
  });
});

describe('the form in which contracts are compared', () => {
  test('says the same of what has that form already', () => {
    const once = forKinOpenapi(document);
    expect(forKinOpenapi(once)).toEqual(once);
    expect(
      forKinOpenapi({ type: 'object', required: ['a'], properties: { a: { type: 'string', enum: ['x', 'y'] } } }),
    ).toEqual({ type: 'object', required: ['a'], properties: { a: { type: 'string', enum: ['x', 'y'] } } });
  });

  test('has neither boolean members, nor constants, nor parts of an allOf that are written in place', () => {
    expect(forKinOpenapi({ type: ['string', 'null'], properties: { a: true, b: false } })).toEqual({
      type: ['string', 'null'],
      properties: { a: {}, b: { not: {} } },
    });
    expect(forKinOpenapi({ const: 'x' })).toEqual({ type: 'string', enum: ['x'] });
    const beside = { allOf: [{ $ref: '#/base' }], type: 'object', required: ['a', 'b'], properties: { a: {}, b: {} } };
    expect(
      forKinOpenapi({
        allOf: [{ $ref: '#/base' }, { type: 'object', required: ['a', 'b'], properties: { a: {}, b: {} } }],
      }),
    ).toEqual(beside);
    expect(forKinOpenapi(beside)).toEqual(beside);
  });
});

const otherThan =
  (now: string) =>
  (bundle: string): boolean =>
    bundle !== now;

describe('the contract that landed last', () => {
  let repository = '';
  const git = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(
      'git',
      ['-C', repository, '-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  const land = (bundle: string, message: string): string => {
    for (const [file, text] of [
      [BUNDLE, bundle],
      [CHANGELOG, `log of ${bundle}`],
    ] as const) {
      mkdirSync(dirname(join(repository, file)), { recursive: true });
      writeFileSync(join(repository, file), text);
    }
    git('add', '.');
    git('commit', '-q', '--allow-empty', '-m', message);
    return git('rev-parse', 'HEAD');
  };

  beforeEach(() => {
    repository = mkdtempSync(join(tmpdir(), 'contract-history-'));
    git('init', '-q', '-b', 'main');
  });
  afterEach(() => rmSync(repository, { recursive: true, force: true }));

  test('is the newest that differs from the present one', () => {
    land('one', 'first');
    const second = land('two', 'second');
    land('three', 'third');
    land('three', 'something else');
    const expected = { commit: second, contract: { bundle: 'two', changelog: 'log of two' } };
    expect(lastLanded(repository, otherThan('three'))).toEqual(expected);
    expect(lastLanded(repository, otherThan('four'))).toMatchObject({ contract: { bundle: 'three' } });
    expect(lastLanded(repository, otherThan('two'), `${second}~1`)).toMatchObject({ contract: { bundle: 'one' } });
  });

  test('is not sought among the commits of a merged branch', () => {
    const first = land('one', 'first');
    git('checkout', '-q', '-b', 'side');
    land('draft', 'a draft');
    land('two', 'the result');
    git('checkout', '-q', 'main');
    git('merge', '-q', '--no-ff', '-m', 'merge', 'side');
    expect(lastLanded(repository, otherThan('two'))).toMatchObject({ commit: first });
  });

  test('is missed with the reason where there is none', () => {
    land('one', 'first');
    expect(lastLanded(repository, otherThan('one'))).toEqual({ nothing: 'the history holds no other contract' });
    land('two', 'second');
    const whole = repository;
    repository = mkdtempSync(join(tmpdir(), 'contract-history-'));
    try {
      git('clone', '-q', '--depth', '1', `file://${whole}`, 'copy');
      expect(lastLanded(join(repository, 'copy'), otherThan('two'))).toEqual({
        nothing: expect.stringContaining('cut off'),
      });
    } finally {
      rmSync(whole, { recursive: true, force: true });
    }
  });
});

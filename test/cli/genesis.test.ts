/** `txledger genesis create|show` and the keys of the roles: what an operator should not do by accident is refused before a file is there. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EXIT } from '../../server/cli/exit-codes.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { documentOf, run, TEST_MS_MAX } from './support.ts';

let folder = '';
const keys: Record<'canceller' | 'governor' | 'other' | 'validator', string> = {
  canceller: '',
  governor: '',
  other: '',
  validator: '',
};
const file = (name: string): string => path.join(folder, name);

beforeAll(async () => {
  folder = await temporaryFolder('genesis');
  const made = async (command: string, name: string) =>
    documentOf(await run([command, 'create', '--out', file(`${name}.json`), '--json']));
  keys.canceller = (await made('operator-key', 'canceller')).address;
  keys.governor = (await made('governor-key', 'governor')).address;
  keys.other = (await made('governor-key', 'other')).address;
  keys.validator = (await made('validator-key', 'validator')).publicKey;
}, TEST_MS_MAX);

afterAll(removeTemporaryFolders);

/** Genesis with everything that is needed; `roles` are the options under test. */
const create = (name: string, ...roles: string[]) =>
  run([
    'genesis',
    'create',
    '--chain-id',
    'acme-1',
    '--validator',
    `${keys.validator}=10`,
    '--account',
    `${keys.other}=1000`,
    '--out',
    file(name),
    ...roles,
    '--json',
  ]);

test(
  'keys of every role are files for their owner alone, and none is overwritten',
  async () => {
    for (const name of ['canceller', 'governor', 'validator'])
      expect(statSync(file(`${name}.json`)).mode & 0o777).toBe(0o600);
    const before = readFileSync(file('governor.json'), 'utf8');
    expect((await run(['governor-key', 'create', '--out', file('governor.json')])).code).toBe(EXIT.usage);
    expect(readFileSync(file('governor.json'), 'utf8')).toBe(before);
  },
  TEST_MS_MAX,
);

describe('genesis create', () => {
  const refusals: readonly [string, (k: typeof keys) => string[], string][] = [
    [
      'one address in both roles',
      ({ canceller }) => ['--canceller', canceller, '--governor', canceller, '--currency', 'EUR:2'],
      'would be canceller and governor',
    ],
    [
      'several governors without a threshold',
      (k) => ['--canceller', k.canceller, '--governor', k.governor, '--governor', k.other, '--currency', 'EUR:2'],
      '--threshold',
    ],
    [
      'a threshold above the governors',
      (k) => ['--canceller', k.canceller, '--governor', k.governor, '--threshold', '2', '--currency', 'EUR:2'],
      'threshold must be an integer from 1 to 1',
    ],
    [
      'a governor named twice',
      (k) => [
        '--canceller',
        k.canceller,
        '--governor',
        k.governor,
        '--governor',
        k.governor,
        '--threshold',
        '1',
        '--currency',
        'EUR:2',
      ],
      'governors[1] stands there twice',
    ],
    ['no currency', (k) => ['--canceller', k.canceller, '--governor', k.governor], '--currency'],
    [
      'a currency without a scale',
      (k) => ['--canceller', k.canceller, '--governor', k.governor, '--currency', 'EUR'],
      'CODE:SCALE',
    ],
    [
      'a currency that is none',
      (k) => ['--canceller', k.canceller, '--governor', k.governor, '--currency', 'e:2'],
      'currency.code',
    ],
    [
      'an opening minimum of nothing',
      (k) => ['--canceller', k.canceller, '--governor', k.governor, '--currency', 'EUR:2', '--opening-minimum', '0'],
      'minor units',
    ],
  ];
  test.each(refusals)(
    'refuses %s',
    async (what, roles, expected) => {
      const name = `${what.replaceAll(' ', '-')}.json`;
      const { code, stdout } = await create(name, ...roles(keys));
      expect(code).toBe(EXIT.usage);
      expect(JSON.parse(stdout).error.message).toContain(expected);
      expect(existsSync(file(name))).toBe(false);
    },
    TEST_MS_MAX,
  );

  test(
    'writes what genesis show reads back',
    async () => {
      const roles = [
        '--canceller',
        keys.canceller,
        '--governor',
        keys.governor,
        '--governor',
        keys.other,
        '--threshold',
        '2',
        '--currency',
        'EUR:2',
        '--opening-minimum',
        '100',
      ];
      const { genesisHash } = documentOf(await create('good.json', ...roles));
      expect(documentOf(await run(['genesis', 'show', file('good.json'), '--json']))).toEqual({
        ...{
          chainId: 'acme-1',
          height: 0,
          genesisHash,
          sequence: 0,
          threshold: 2,
          governors: [keys.governor, keys.other].toSorted(),
          cancellers: [keys.canceller],
        },
        validators: [
          { publicKey: keys.validator, address: expect.stringMatching(/^[0-9A-F]{40}$/), power: 10, share: '100.00 %' },
        ],
        ...{ rules: [{ version: 1, height: 1 }], currency: { code: 'EUR', scale: 2 }, openingMinimum: '100' },
      });
      expect((await run(['genesis', 'show', file('good.json')])).stdout).toMatch(/^opening minimum +1\.00 EUR$/m);
    },
    TEST_MS_MAX,
  );

  test(
    'lets one address have both roles where that is asked for',
    async () => {
      expect(
        (
          await create(
            'shared.json',
            '--canceller',
            keys.canceller,
            '--governor',
            keys.canceller,
            '--allow-shared-roles',
            '--currency',
            'EUR:2',
          )
        ).code,
      ).toBe(EXIT.ok);
    },
    TEST_MS_MAX,
  );
});

test(
  'genesis show names every fault of a file',
  async () => {
    writeFileSync(file('broken.json'), JSON.stringify({ chain_id: 'X', app_state: { format: 2 } }));
    const { code, stdout } = await run(['genesis', 'show', file('broken.json'), '--json']);
    expect(code).toBe(EXIT.usage);
    expect(JSON.parse(stdout).error.faults.length).toBeGreaterThan(3);
  },
  TEST_MS_MAX,
);

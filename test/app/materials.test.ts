import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { dataDirFiles } from '../../server/app/data-dir.ts';
import { DEVELOPMENT_BALANCE, developmentAccounts } from '../../server/app/dev-accounts.ts';
import { keepDevelopmentFacts } from '../../server/app/development-facts.ts';
import type { Administration } from '../../server/gateway/index.ts';
import { keepDevelopmentFile, readDevelopmentFile, urlsOf } from '../../server/app/dev-file.ts';
import { prepareDevelopmentChain } from '../../server/app/development.ts';
import { createClock, createRandomSource } from '../../server/app/environment.ts';
import { MaterialsError, readMaterials } from '../../server/app/materials.ts';
import { formatOperatorKey, operatorKeyOf } from '../../server/app/operator-key.ts';
import { writeSecretFile } from '../../server/app/secret-file.ts';
import { formatValidatorKey, validatorKeyFromSeed } from '../../server/engine/validator-key.ts';
import { openChainDatabase } from '../../server/store/embedded/connection.ts';
import { buildGenesis, type AddressPrefix } from '../../server/ledger/index.ts';
import { removeTemporaryFolders, temporaryFolder } from './support.ts';

const environment = { clock: createClock(), random: createRandomSource() };
const seed = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const developmentSeed = Buffer.from(developmentAccounts()[3]?.seed ?? '', 'hex');

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder();
});
afterAll(removeTemporaryFolders);

/** Writes a chain's three files; each key can be replaced by another one. */
function writeChain(
  options: {
    prefix?: AddressPrefix;
    operator?: Uint8Array;
    validator?: Uint8Array;
    account?: Uint8Array;
    genesisValidators?: Uint8Array[];
  } = {},
) {
  const {
    prefix = 'txl',
    operator = seed(1),
    validator = seed(2),
    account = seed(3),
    genesisValidators = [validator],
  } = options;
  const files = {
    genesis: path.join(folder, 'g.json'),
    validatorKey: path.join(folder, 'v.json'),
    operatorKey: path.join(folder, 'o.json'),
  };
  const operatorKey = operatorKeyOf(operator, prefix);
  writeSecretFile(files.operatorKey, formatOperatorKey(operatorKey));
  writeSecretFile(files.validatorKey, formatValidatorKey(validator));
  writeFileSync(
    files.genesis,
    buildGenesis({
      genesisTime: '2026-11-21T09:00:00Z',
      chainId: 'test-1',
      addressPrefix: prefix,
      validators: genesisValidators.map((one) => ({
        publicKey: Buffer.from(validatorKeyFromSeed(one).publicKey).toString('hex'),
        power: 10,
        name: '',
      })),
      accounts: [{ address: operatorKeyOf(account, prefix).address, balance: 5n }],
      cancellers: [operatorKey.address],
      governors: [operatorKeyOf(seed(9), prefix).address],
      threshold: 1,
      currency: { code: 'TST', scale: 2 },
    }),
  );
  return files;
}

function problemsOf(files: Parameters<typeof readMaterials>[0]): readonly string[] {
  try {
    readMaterials(files);
    return [];
  } catch (error) {
    if (error instanceof MaterialsError) return error.problems;
    throw error;
  }
}

describe('the files a chain is run with', () => {
  test('are read when they belong together', () => {
    const { genesis, operator } = readMaterials(writeChain());
    expect(genesis.chainId).toBe('test-1');
    expect(genesis.cancellers).toEqual([operator.address]);
  });

  test('are judged all at once', () => {
    const files = writeChain();
    writeFileSync(files.validatorKey, '{}');
    chmodSync(files.operatorKey, 0o644);
    rmSync(files.genesis);
    expect(problemsOf(files)).toEqual([
      expect.stringContaining(`Cannot read the genesis file at ${files.genesis}`),
      expect.stringContaining(
        `Others can read the operator key (OPERATOR_KEY_FILE) at ${files.operatorKey}: its mode is 0644, expected 0600`,
      ),
      expect.stringContaining(`The validator key at ${files.validatorKey} has no priv_key`),
    ]);
  });

  test('are refused in one sentence when the genesis is of chain format 1', () => {
    const files = writeChain();
    const { chain_id, ...rest } = JSON.parse(readFileSync(files.genesis, 'utf8'));
    const { address_prefix, accounts, governors } = rest.app_state;
    writeFileSync(
      files.genesis,
      JSON.stringify({ chain_id, ...rest, app_state: { address_prefix, accounts, operators: governors } }),
    );
    expect(problemsOf(files)).toEqual([
      expect.stringMatching(
        /^The genesis file .*: this is a chain of format 1, and this version carries on chains of format 2 only: start a new chain with a new genesis, or run the version that made this one$/,
      ),
    ]);
  });

  test('are refused when the validator key is not the genesis validator', () => {
    expect(problemsOf(writeChain({ genesisValidators: [seed(9)] }))).toEqual([
      expect.stringContaining('is none of the validators'),
    ]);
  });

  test('need no validator key for a network, whose genesis may name several validators', () => {
    const { validatorKey: _, ...files } = writeChain({ genesisValidators: [seed(2), seed(4)] });
    expect(readMaterials({ ...files, validatorKey: undefined }).genesis.validators).toHaveLength(2);
  });

  test('are refused for the embedded engine when the genesis names several validators', () => {
    expect(problemsOf(writeChain({ genesisValidators: [seed(2), seed(4)] }))).toEqual([
      expect.stringContaining('names 2 validators; the embedded engine runs a chain with exactly one'),
    ]);
  });

  test('are refused for a network too when one of its validators has a development key', () => {
    const files = { ...writeChain({ genesisValidators: [seed(2), developmentSeed] }), validatorKey: undefined };
    expect(problemsOf(files)).toEqual([
      expect.stringMatching(/^the genesis validator [0-9a-f]{64} is the development key dev-3/),
    ]);
  });

  test('are refused when the operator key is of another network, and no message shows a seed', () => {
    const files = writeChain({ prefix: 'txlt' });
    writeSecretFile(files.operatorKey, formatOperatorKey(operatorKeyOf(seed(0xab), 'txl')));
    const problems = problemsOf(files);
    expect(problems).toEqual([expect.stringContaining('does not belong to its seed on this network')]);
    expect(problems.join()).not.toContain('abababab');
  });

  test.each([
    ['a genesis account', { account: developmentSeed }],
    ['the operator', { operator: developmentSeed }],
    ['the validator', { validator: developmentSeed }],
  ])('are refused on a chain that is not one of development when %s has a development key', (_who, key) => {
    expect(problemsOf(writeChain(key))).toContainEqual(
      expect.stringContaining('is the development key dev-3, whose seed is public'),
    );
    expect(problemsOf(writeChain({ ...key, prefix: 'txlt' }))).toEqual([]);
  });
});

describe('a first development start', () => {
  test('makes keys that are random and its own, and a genesis of ten accounts with 10^15 each', async () => {
    const { genesis, operator } = prepareDevelopmentChain(dataDirFiles(folder), environment);
    const other = prepareDevelopmentChain(dataDirFiles(await temporaryFolder()), environment);
    expect(genesis).toMatchObject({ chainId: 'txledger-dev-1', addressPrefix: 'txlt' });
    expect(genesis.accounts).toEqual(developmentAccounts().map(({ address }) => ({ address, balance: 10n ** 15n })));
    expect(DEVELOPMENT_BALANCE).toBe(10n ** 15n);
    expect(other.operator.address).not.toBe(operator.address);
    expect(other.genesis.validators).not.toEqual(genesis.validators);
  });

  test('changes nothing when it is repeated', () => {
    const files = dataDirFiles(folder);
    prepareDevelopmentChain(files, environment);
    const before = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
    prepareDevelopmentChain(files, environment);
    expect(readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'))).toEqual(before);
  });

  test.each([['the validator key'], ['the operator key'], ['the genesis']])(
    'that died before %s was there is carried on',
    (missing) => {
      const files = dataDirFiles(folder);
      prepareDevelopmentChain(files, environment);
      const order = [files.validatorKey, files.operatorKey, files.genesis];
      for (const file of order.slice(['the validator key', 'the operator key', 'the genesis'].indexOf(missing)))
        rmSync(file);
      const kept = order.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'));
      expect(prepareDevelopmentChain(files, environment).genesis.chainId).toBe('txledger-dev-1');
      expect(order.slice(0, kept.length).map((file) => readFileSync(file, 'utf8'))).toEqual(kept);
    },
  );

  test('may follow a command that made a token, and one that was killed before it made a table', () => {
    const files = dataDirFiles(folder);
    writeFileSync(files.chain, '');
    prepareDevelopmentChain(files, environment);
    rmSync(files.genesis);
    openChainDatabase({ path: files.chain }).close();
    expect(prepareDevelopmentChain(files, environment).genesis.chainId).toBe('txledger-dev-1');
  });

  test('refuses a folder that holds another chain, and one whose genesis is gone while its blocks are there', () => {
    const files = dataDirFiles(folder);
    const sql = openChainDatabase({ path: files.chain });
    sql.exec("INSERT INTO chain VALUES (1, 'c', 'AB', 0, 0, 0, NULL, 0)");
    sql.close();
    expect(() => prepareDevelopmentChain(files, environment)).toThrow(`blocks at ${files.chain} but no genesis`);
    rmSync(files.chain);
    const { genesis } = writeChain();
    writeFileSync(files.genesis, readFileSync(genesis));
    expect(() => prepareDevelopmentChain(files, environment)).toThrow(
      'is of chain test-1, which is not the development chain',
    );
  });
});

describe('the development token', () => {
  test('that an earlier version made gets the scopes that this one adds, and the file stays as it is', async () => {
    const file = path.join(await temporaryFolder('materials'), 'dev.json');
    const token = `txl_${'0'.repeat(16)}_${'1'.repeat(64)}`;
    writeFileSync(
      file,
      JSON.stringify({
        baseUrl: 'http://127.0.0.1:8080',
        rpcUrl: 'http://127.0.0.1:8080/rpc',
        chainId: 'x',
        token,
        accounts: [],
      }),
    );
    const before = readFileSync(file, 'utf8');
    const given: unknown[] = [];
    const access = { extendToken: async (...asked: unknown[]) => given.push(asked) > 0 } as unknown as Administration;
    const facts = {
      file,
      host: '127.0.0.1',
      port: 8080,
      onDatabase: (work: (opened: Administration) => Promise<string>) => work(access),
    };
    const all = ['transactions:read', 'transactions:write', 'rpc:broadcast', 'webhooks:manage'] as const;
    expect(await keepDevelopmentFacts({ ...facts, scopesOf: () => all.slice(0, 3) })).toMatchObject({ token });
    expect(given).toEqual([['0'.repeat(16), all]]);
    await keepDevelopmentFacts({ ...facts, scopesOf: () => all });
    expect(given).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

describe('dev.json', () => {
  const content = {
    ...urlsOf('127.0.0.1', 8080),
    chainId: 'txledger-dev-1',
    token: 'txl_a_b',
    accounts: developmentAccounts(),
  };

  test('stays as it is over restarts, whatever token a restart would have', () => {
    const file = path.join(folder, 'dev.json');
    keepDevelopmentFile(file, content);
    const before = readFileSync(file, 'utf8');
    keepDevelopmentFile(file, { ...content, token: 'txl_another_one' });
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(Object.keys(JSON.parse(before) as object)).toEqual(['baseUrl', 'rpcUrl', 'chainId', 'token', 'accounts']);
  });

  test('follows another PORT in its two URLs and keeps the rest', () => {
    const file = path.join(folder, 'dev.json');
    keepDevelopmentFile(file, content);
    keepDevelopmentFile(file, { ...content, ...urlsOf('::1', 9090), token: 'txl_another_one' });
    expect(readDevelopmentFile(file)).toEqual({
      ...content,
      baseUrl: 'http://[::1]:9090',
      rpcUrl: 'http://[::1]:9090/rpc',
    });
  });

  test('that is no such file is refused instead of overwritten', () => {
    const file = path.join(folder, 'dev.json');
    writeFileSync(file, '{}');
    expect(() => keepDevelopmentFile(file, content)).toThrow('is not the file that a development start writes');
  });
});

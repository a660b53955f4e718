/** Every command that writes a key, a token or what a payment depends on, in a folder that another user can write too: what they plant there has no effect. */
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fstatSync,
  globSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { dataDirFiles } from '../../server/app/data-dir-files.ts';
import { openDataDir } from '../../server/app/data-dir.ts';
import { developmentAccounts } from '../../server/app/dev-accounts.ts';
import { keepDevelopmentFile, type DevelopmentFile } from '../../server/app/dev-file.ts';
import { prepareDevelopmentChain } from '../../server/app/development.ts';
import { createClock, createRandomSource } from '../../server/app/environment.ts';
import { homePlaces, installKey } from '../../server/app/graduate/home.ts';
import { writeSeal } from '../../server/app/graduate/seal.ts';
import { formatOperatorKey, operatorKeyOf } from '../../server/app/operator-key.ts';
import { writeRetention } from '../../server/app/retain-file.ts';
import { writeSettings } from '../../server/cli/validator/statesync.ts';
import { diskSignState } from '../../server/engine/embedded/disk-sign-state.ts';
import { EXPORT_PAUSE_MS, exportSignState } from '../../server/engine/embedded/disk-export.ts';
import { formatValidatorKey } from '../../server/engine/validator-key.ts';
import { writeState } from '../../scripts/localnet/state.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import {
  governorAddress,
  governorSeed,
  operatorAddress,
  TEST_CHAIN_ID,
  testGenesis,
  validatorKey,
  validatorSeed,
} from '../ledger/support.ts';
import { ROOT } from '../../scripts/steps.ts';
import { run, serveAnswers, TEST_MS_MAX } from './support.ts';
import { ScriptedNetwork } from './validator/scripted-network.ts';

const OTHER_USER = 12_345;
const isRoot = process.getuid?.() === 0;
const SIGNED = { height: 5, round: 0, step: 3, signature: undefined, signBytes: undefined };
/** Of a key that is no validator's: what it signed is what a test says. */
const LOST = 7;

interface Case {
  readonly name: string;
  /** What it writes, below the folder. */
  readonly files: readonly string[];
  /** `new`: it takes the place of nothing. `state`: it replaces what is there. */
  readonly kind: 'new' | 'state';
  /** Permissions that it has at most; 0600 unless it is named. */
  readonly mode?: number;
  /** A data folder that the command looks at before it writes: what another user owns in it, or any other name, is refused. */
  readonly isDataDir?: boolean;
  /** What it begins with. */
  readonly prepare?: (folder: string) => void | Promise<void>;
  /** @throws when the command is refused. */
  readonly act: (folder: string) => void | Promise<void>;
}

async function command(args: readonly string[], variables: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await run([...args], { variables });
  if (code !== 0) throw new Error(stderr + stdout);
  return stdout;
}

let network: ScriptedNetwork;
let service: Awaited<ReturnType<typeof serveAnswers>>;

function makeHome(folder: string): void {
  for (const part of ['config', 'data']) mkdirSync(path.join(folder, part), { mode: 0o700 });
  const files = {
    'config/config.toml': '[statesync]\nenable = false\n',
    'config/genesis.json': JSON.stringify({ chain_id: TEST_CHAIN_ID }),
    'config/node_key.json': '{}',
    'config/priv_validator_key.json': formatValidatorKey(validatorSeed(LOST)),
    'data/priv_validator_state.json': `${JSON.stringify({ height: '40', round: 0, step: 3 })}\n`,
  };
  for (const [file, content] of Object.entries(files)) writeFileSync(path.join(folder, file), content, { mode: 0o600 });
}

const CHAIN_FILES = {
  validatorKey: 'priv_validator_key.json',
  operatorKey: 'operator_key.json',
  governorKey: 'governor_key.json',
  genesis: 'genesis.json',
};
const developmentFile = (token: string): DevelopmentFile => ({
  baseUrl: 'http://127.0.0.1:1',
  rpcUrl: 'http://127.0.0.1:1/rpc',
  chainId: 'txledger-dev-1',
  token,
  accounts: developmentAccounts(),
});
const keyCommands = ['key', 'operator-key', 'governor-key', 'validator-key'].map((name): Case => ({
  name: `${name} create`,
  files: ['made.json'],
  kind: 'new',
  act: async (folder) => void (await command([name, 'create', '--out', path.join(folder, 'made.json')])),
}));
const proposing = (folder: string): string[] => [
  'governance',
  'propose',
  '--genesis',
  path.join(folder, 'genesis.json'),
  '--kind',
  'canceller_add',
  '--subject',
  operatorAddress(1),
  '--out',
  path.join(folder, 'proposal.json'),
];
const writeGenesis = (folder: string): void => writeFileSync(path.join(folder, 'genesis.json'), testGenesis().bytes);
let tokenId = '';

const CASES: readonly Case[] = [
  ...keyCommands,
  {
    name: 'genesis create',
    files: ['made.json'],
    kind: 'new',
    act: async (folder) => {
      const roles = [
        '--canceller',
        operatorAddress(0),
        '--governor',
        governorAddress(0),
        '--prefix',
        'txlt',
        '--currency',
        'TST:2',
      ];
      const chain = ['--chain-id', 'acme-1', '--validator', `${validatorKey(0)}=10`];
      const account = ['--account', `${developmentAccounts()[0]?.address}=1000`];
      await command(['genesis', 'create', ...chain, ...account, ...roles, '--out', path.join(folder, 'made.json')]);
    },
  },
  {
    name: 'start: keys and genesis of a development chain',
    files: Object.values(CHAIN_FILES),
    kind: 'new',
    act: (folder) =>
      void prepareDevelopmentChain(dataDirFiles(folder), { clock: createClock(), random: createRandomSource() }),
  },
  {
    name: 'start: dev.json of a new folder',
    files: ['dev.json'],
    kind: 'new',
    act: (folder) => keepDevelopmentFile(dataDirFiles(folder).development, developmentFile('txl_a_b')),
  },
  {
    name: 'start: dev.json under another address',
    files: ['dev.json'],
    kind: 'state',
    prepare: (folder) => keepDevelopmentFile(dataDirFiles(folder).development, developmentFile('txl_a_b')),
    act: (folder) =>
      keepDevelopmentFile(dataDirFiles(folder).development, {
        ...developmentFile('txl_a_b'),
        baseUrl: 'http://[::1]:2',
      }),
  },
  {
    name: 'token rotate, which dev.json follows',
    files: ['dev.json'],
    kind: 'state',
    isDataDir: true,
    prepare: async (folder) => {
      const made = await command(['token', 'create', '--owner', 'a', '--scope', 'transactions:read', '--json'], {
        DATA_DIR: folder,
      });
      const { id, token } = JSON.parse(made) as { id: string; token: string };
      tokenId = id;
      keepDevelopmentFile(dataDirFiles(folder).development, developmentFile(token));
    },
    act: async (folder) => void (await command(['token', 'rotate', tokenId], { DATA_DIR: folder })),
  },
  {
    name: 'prune: retain.json',
    files: ['retain.json'],
    kind: 'state',
    act: (folder) => writeRetention(path.join(folder, 'retain.json'), { chainId: TEST_CHAIN_ID, height: 7 }),
  },
  {
    name: 'graduate: the seal',
    files: ['graduated.json'],
    kind: 'state',
    act: (folder) => {
      const seal = { chainId: 'c', height: 1, blockHash: '', appHash: '', home: '/', appDir: '/', sealedAt: '' };
      writeSeal(dataDirFiles(folder), { ...seal, isComplete: false });
    },
  },
  {
    name: "graduate: the validator's key",
    files: ['config/priv_validator_key.json'],
    kind: 'new',
    prepare: (folder) => void mkdirSync(path.join(folder, 'config')),
    act: (folder) => installKey(homePlaces(folder), formatValidatorKey(validatorSeed(1))),
  },
  {
    name: 'validator new-key: the old key and what it signed',
    files: ['config', 'data'].map((part, i) => `${part}/priv_validator_${['key', 'state'][i]}-${addressOfLost()}.json`),
    kind: 'new',
    prepare: makeHome,
    act: async (folder) =>
      void (await command(['validator', 'new-key', '--home', folder], { TXLEDGER_URL: network.url })),
  },
  {
    name: 'validator new-key: the new key and its sign state',
    files: ['config/priv_validator_key.json', 'data/priv_validator_state.json'],
    kind: 'state',
    prepare: makeHome,
    act: async (folder) =>
      void (await command(['validator', 'new-key', '--home', folder], { TXLEDGER_URL: network.url })),
  },
  {
    name: 'validator statesync: config.toml',
    files: ['config/config.toml'],
    kind: 'state',
    prepare: makeHome,
    act: (folder) => writeSettings(folder, { statesync: { enable: true } }),
  },
  {
    name: 'localnet: its state',
    files: ['localnet.json'],
    kind: 'state',
    act: (folder) =>
      writeState(path.join(folder, 'localnet.json'), {
        version: 1,
        supervisorPid: 1,
        chainId: 'c',
        gateways: [],
        databaseUrlFile: '',
        parts: [],
      }),
  },
  {
    name: 'the embedded engine: priv_validator_state.json at its end',
    files: ['priv_validator_state.json'],
    kind: 'state',
    act: (folder) => diskSignState(path.join(folder, 'priv_validator_state.json')).write(SIGNED),
  },
  {
    name: 'the embedded engine: priv_validator_state.json while it runs',
    files: ['priv_validator_state.json'],
    kind: 'state',
    act: async (folder) => {
      const due: (() => void)[] = [];
      const warnings: unknown[] = [];
      const signed: (typeof SIGNED)[] = [];
      const exported = exportSignState({
        path: path.join(folder, 'priv_validator_state.json'),
        lastSigned: () => signed.at(-1),
        clock: {
          ...createClock(),
          setTimer: (work, ms) => {
            expect(ms).toBe(EXPORT_PAUSE_MS);
            due.push(work);
            return { cancel: () => undefined };
          },
        },
        logger: { warn: (fields: unknown) => warnings.push(fields) } as never,
      });
      signed.push(SIGNED);
      due[0]?.();
      await exported.stop();
      if (warnings.length > 0) throw new Error(JSON.stringify(warnings));
    },
  },
  {
    name: 'governance propose',
    files: ['proposal.json'],
    kind: 'new',
    mode: 0o644,
    prepare: writeGenesis,
    act: async (folder) => void (await command(proposing(folder))),
  },
  {
    name: 'governance sign',
    files: ['proposal.json'],
    kind: 'state',
    mode: 0o644,
    prepare: async (folder) => {
      writeGenesis(folder);
      await command(proposing(folder));
      const key = formatOperatorKey(operatorKeyOf(governorSeed(0), 'txlt'));
      writeFileSync(path.join(folder, 'governor.json'), key, { mode: 0o600 });
    },
    act: async (folder) => {
      const [proposal, key] = [path.join(folder, 'proposal.json'), path.join(folder, 'governor.json')];
      await command(['governance', 'sign', proposal, '--key', key]);
    },
  },
  {
    name: 'send --file: nonces and hashes, before anything is sent',
    files: ['payments.result.csv'],
    kind: 'new',
    prepare: (folder) =>
      writeFileSync(path.join(folder, 'payments.csv'), `to,amount\n${developmentAccounts()[1]?.address},5\n`),
    act: async (folder) => {
      const key = path.join(folder, 'seed.hex');
      writeFileSync(key, developmentAccounts()[0]?.seed ?? '', { mode: 0o600 });
      const args = ['send', '--key-file', key, '--file', path.join(folder, 'payments.csv'), '--timeout', '2s'];
      const { stderr } = await run([...args, '--url', service.url], {
        variables: { TXLEDGER_TOKEN: 'txl_a_b', DATA_DIR: path.join(folder, 'none') },
      });
      // The service takes nothing, and says so after the file was written.
      if (!stderr.includes('/transactions/batch: 404')) throw new Error(stderr);
    },
  },
];

function addressOfLost(): string {
  return JSON.parse(formatValidatorKey(validatorSeed(LOST))).address;
}

beforeAll(async () => {
  network = new ScriptedNetwork([10, 10, 10, 10]);
  await network.listen();
  service = await serveAnswers((request, response) => {
    response.setHeader('content-type', 'application/json');
    const chain = { chainId: 'txledger-dev-1', addressPrefix: 'txlt', height: 5, genesisHash: 'A'.repeat(64) };
    const rest = { lastBlockTime: '2026-11-22T17:30:00.000Z', blockIntervalMs: 1000, openingMinimum: '1', format: 2 };
    if (request.url === '/chain')
      response.end(JSON.stringify({ ...chain, ...rest, currency: { code: 'TST', scale: 2 } }));
    else if (request.url?.startsWith('/transactions?')) response.end(JSON.stringify({ transactions: [] }));
    else if (request.method === 'GET')
      response.end(
        JSON.stringify({
          address: developmentAccounts()[0]?.address,
          nonce: 0,
          nextNonce: 0,
          gaps: [],
          balance: '100',
          available: '100',
          pendingOut: '0',
          height: 5,
        }),
      );
    else response.writeHead(404).end();
  });
});
afterAll(async () => {
  await network.close();
  await service.close();
  await removeTemporaryFolders();
});

let folder = '';
let outside = '';
beforeEach(async () => {
  outside = await temporaryFolder('outside');
  folder = await temporaryFolder('secret');
});

/** Every name that a writer which does not choose at random has had here. */
const guesses = (file: string, isDataDir: boolean): string[] => [
  `${file}.tmp`,
  ...(isDataDir ? [] : [`${file}.${process.pid}.tmp`]),
];
const victimOf = (): string => path.join(outside, 'victim');

describe.each(CASES.map((each) => [each.name, each] as const))(
  '%s',
  (_, { files, kind, mode = 0o600, isDataDir = false, prepare, act }) => {
    const written = (): string[] => files.map((file) => path.join(folder, file));

    test(
      'follows no link that waits under a temporary name',
      async () => {
        await prepare?.(folder);
        writeFileSync(victimOf(), 'dear');
        for (const file of written().flatMap((file) => guesses(file, isDataDir))) symlinkSync(victimOf(), file);
        await act(folder);
        expect(readFileSync(victimOf(), 'utf8')).toBe('dear');
        for (const file of written()) expect(lstatSync(file).isFile()).toBe(true);
      },
      TEST_MS_MAX,
    );

    test(
      'writes nothing into a file that another user has put there',
      async () => {
        await prepare?.(folder);
        const planted = written()
          .flatMap((file) => guesses(file, isDataDir))
          .map((file) => {
            writeFileSync(file, 'planted', { mode: 0o666 });
            if (isRoot && !isDataDir) chownSync(file, OTHER_USER, OTHER_USER);
            return { file, descriptor: openSync(file, 'r') };
          });
        try {
          await act(folder);
          const inodes = planted.map(({ descriptor }) => fstatSync(descriptor).ino);
          for (const { descriptor } of planted) expect(readFileSync(descriptor, 'utf8')).toBe('planted');
          for (const file of written()) {
            const stats = statSync(file);
            expect(inodes).not.toContain(stats.ino);
            expect({ owner: stats.uid, others: stats.mode & 0o777 & ~mode }).toEqual({
              owner: process.getuid?.(),
              others: 0,
            });
          }
        } finally {
          for (const { descriptor } of planted) closeSync(descriptor);
        }
      },
      TEST_MS_MAX,
    );

    test(
      kind === 'new'
        ? 'is refused where a link has the name of the file'
        : 'replaces a link and leaves what it leads to',
      async () => {
        await prepare?.(folder);
        const [file = ''] = written();
        if (kind === 'new') {
          symlinkSync(path.join(outside, 'nowhere'), file);
          await expect((async () => act(folder))()).rejects.toThrow(/symbolic link|exists already|has begun/);
          expect(lstatSync(file).isSymbolicLink()).toBe(true);
          expect(existsSync(path.join(outside, 'nowhere'))).toBe(false);
        } else {
          const before = existsSync(file) ? readFileSync(file) : Buffer.from('{"dear":1}');
          writeFileSync(victimOf(), before, { mode: 0o600 });
          if (existsSync(file)) rmSync(file);
          symlinkSync(victimOf(), file);
          await act(folder);
          expect(lstatSync(file).isFile()).toBe(true);
          expect(readFileSync(victimOf())).toEqual(before);
        }
        // Nothing of a temporary name is left, whatever became of the command.
        expect(readdirSync(path.dirname(file)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
      },
      TEST_MS_MAX,
    );
  },
);

describe('a file that exists', () => {
  test.each(CASES.filter(({ name }) => name.endsWith(' create')).map(({ name, act }) => [name, act] as const))(
    '%s stays as it is',
    async (_, act) => {
      writeFileSync(path.join(folder, 'made.json'), 'dear');
      await expect((async () => act(folder))()).rejects.toThrow(/exists already and is not overwritten/);
      expect(readFileSync(path.join(folder, 'made.json'), 'utf8')).toBe('dear');
    },
  );
});

describe('a folder that others can write', () => {
  const made = (): string => path.join(folder, 'key.json');
  const create = () => run(['key', 'create', '--out', made(), '--json']);

  test.each([
    ['everyone', 0o777],
    ['everyone and not its group', 0o707],
  ])('%s: no key is written into it, and the message says what to do', async (_, mode) => {
    chmodSync(folder, mode);
    const { code, stdout } = await create();
    expect([code, JSON.parse(stdout).error.message]).toEqual([
      2,
      expect.stringMatching(
        /^Others can write the folder .* Name a folder of your own, .*o-w .* Nothing was written\.$/,
      ),
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('everyone, with the sticky bit of /tmp: a key is written', async () => {
    chmodSync(folder, 0o1777);
    expect((await create()).code).toBe(0);
  });

  test("the process's own group, as a umask of 002 makes it: a key is written", async () => {
    chmodSync(folder, 0o775);
    expect((await create()).code).toBe(0);
  });

  (isRoot ? test : test.skip)('another group: no key is written', async () => {
    chownSync(folder, 0, OTHER_USER);
    chmodSync(folder, 0o775);
    expect((await create()).stdout).toMatch(/Others can write the folder .* its group 12345.*chmod g-w,o-w/);
  });
});

test('what a crash has left in DATA_DIR is removed by the next start, and nothing else', () => {
  chmodSync(folder, 0o700);
  const [old, young] = ['dev.json.0123456789abcdef.tmp', 'dev.json.fedcba9876543210.tmp'];
  for (const name of [old, young]) writeFileSync(path.join(folder, name), 'half', { mode: 0o600 });
  utimesSync(path.join(folder, old), 1, 1);
  openDataDir(folder).release();
  expect([existsSync(path.join(folder, old)), existsSync(path.join(folder, young))]).toEqual([false, true]);
});

test('one module alone makes temporary names and syncs', () => {
  const sources = globSync(['server/**/*.ts', 'scripts/**/*.ts', 'client/src/**/*.ts'], { cwd: ROOT }).filter(
    (file) => !file.includes('node_modules') && !file.includes('/dist/'),
  );
  const having = (pattern: RegExp): string[] =>
    sources.filter((file) => pattern.test(readFileSync(path.join(ROOT, file), 'utf8'))).toSorted();
  expect(having(/\bfsyncSync\b/)).toEqual(['server/platform/disk-file.ts']);
  // Databases that are copied whole by SQLite, and a cluster of PostgreSQL.
  expect(having(/\.tmp[`']/)).toEqual([
    'scripts/localnet/postgres.ts',
    'server/app/seed.ts',
    'server/platform/disk-file.ts',
  ]);
});

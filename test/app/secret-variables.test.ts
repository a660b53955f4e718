import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Command, Option } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { readConfig } from '../../server/app/config.ts';
import { describeFaults } from '../../server/app/config-reader.ts';
import { readSecretVariable, SECRET_COMMAND_VARIABLES, SECRET_VARIABLES } from '../../server/app/secret-variables.ts';
import { createProgram } from '../../server/cli/program.ts';
import { run } from '../cli/support.ts';
import { removeTemporaryFolders, temporaryFolder } from './support.ts';

afterAll(removeTemporaryFolders);

const SECRET = 'geheim-8h2j';
const URL_TEXT = `postgres://ledger:${SECRET}@127.0.0.1:1/ledger`;
const GATEWAY = { ENGINE: 'cometbft', GENESIS_FILE: 'g.json', OPERATOR_KEY_FILE: 'o.json' };
const COMMAND_MS_MAX = 60_000;
let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
});

function secretFile(name: string, content: string, mode = 0o600): string {
  const file = path.join(folder, name);
  writeFileSync(file, content, { mode });
  chmodSync(file, mode);
  return file;
}

const faultOf = (env: Record<string, string>, name: (typeof SECRET_VARIABLES)[number] = 'DATABASE_URL') => {
  const read = readSecretVariable(env, name, { cwd: folder });
  return read.ok ? read.value : read.fault;
};

describe('a variable that holds a secret', () => {
  test.each([...SECRET_VARIABLES, ...SECRET_COMMAND_VARIABLES])(
    '%s may stand in a file, whose last line feed does not count',
    (name) => {
      secretFile('value', `${SECRET}\n`);
      expect(readSecretVariable({ [`${name}_FILE`]: 'value' }, name, { cwd: folder })).toEqual({
        ok: true,
        value: SECRET,
      });
    },
  );

  test('may not stand in both places', () => {
    const file = secretFile('value', URL_TEXT);
    expect(faultOf({ DATABASE_URL: URL_TEXT, DATABASE_URL_FILE: file })).toEqual({
      name: 'DATABASE_URL_FILE',
      value: file,
      expected: expect.stringContaining('DATABASE_URL unset'),
    });
  });

  test.each([0o644, 0o640, 0o604])('is refused in a file of mode %o, as a key would be', (mode) => {
    const file = secretFile('open', URL_TEXT, mode);
    expect(faultOf({ DATABASE_URL_FILE: file })).toEqual({
      name: 'DATABASE_URL_FILE',
      value: file,
      expected: expect.stringContaining('Others can read DATABASE_URL'),
    });
  });

  test('is refused when its file is missing, empty or a folder', () => {
    expect(faultOf({ DATABASE_URL_FILE: 'nowhere' })).toMatchObject({ expected: expect.stringContaining('ENOENT') });
    expect(faultOf({ DATABASE_URL_FILE: secretFile('empty', '\n') })).toMatchObject({
      expected: expect.stringContaining('empty'),
    });
    const folderItself = faultOf({ DATABASE_URL_FILE: secretFile('x', '') && folder });
    expect(folderItself).toMatchObject({ name: 'DATABASE_URL_FILE' });
  });

  test('is what a server reads, and a file that holds nonsense is reported without what it holds', () => {
    const nodes = secretFile('nodes', 'http://127.0.0.1:26657');
    const good = readConfig(
      { ...GATEWAY, DATABASE_URL_FILE: secretFile('good', URL_TEXT), COMETBFT_RPC_URL_FILE: nodes },
      { mode: 'production', cwd: folder },
    );
    expect(good).toMatchObject({ ok: true, config: { databaseUrl: URL_TEXT, nodeUrls: ['http://127.0.0.1:26657'] } });
    const bad = readConfig(
      { ...GATEWAY, DATABASE_URL_FILE: secretFile('bad', SECRET), COMETBFT_RPC_URL_FILE: nodes },
      { mode: 'production', cwd: folder },
    );
    if (bad.ok) throw new Error('accepted');
    expect(bad.faults).toMatchObject([{ name: 'DATABASE_URL', value: '(hidden)' }]);
    expect(describeFaults(bad.faults)).not.toContain(SECRET);
  });
});

describe('no command prints a secret', () => {
  const files = () => ({
    ...GATEWAY,
    COMETBFT_RPC_URL: 'https://node.example/key-7d1f',
    DATABASE_URL_FILE: secretFile('db', URL_TEXT),
  });

  test(
    'when the configuration is printed',
    async () => {
      const key = path.join(folder, 'operator.json');
      const { stdout: operator } = await run(['operator-key', 'create', '--out', key]);
      const genesis = path.join(folder, 'genesis.json');
      const validator = `${'11'.repeat(32)}=10`;
      await run([
        'genesis',
        'create',
        '--chain-id',
        'acme-1',
        '--validator',
        validator,
        '--canceller',
        operator.trim(),
        '--governor',
        operator.trim(),
        '--allow-shared-roles',
        '--currency',
        'EUR:2',
        '--account',
        `${operator.trim()}=1000`,
        '--out',
        genesis,
      ]);
      const variables = { ...files(), GENESIS_FILE: genesis, OPERATOR_KEY_FILE: key, DATA_DIR: folder };
      const { code, stdout, stderr } = await run(['config', 'check', '--for', 'serve', '--json'], { variables });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout).variables).toMatchObject({
        DATABASE_URL: 'postgres://ledger:***@127.0.0.1:1/ledger',
        COMETBFT_RPC_URL: 'https://node.example/***',
      });
      expect(stdout).not.toMatch(new RegExp(`${SECRET}|key-7d1f`));
    },
    COMMAND_MS_MAX,
  );

  test(
    'when the database of the tokens cannot be reached',
    async () => {
      const { code, stdout, stderr } = await run(['token', 'list', '--json'], {
        variables: { DATABASE_URL_FILE: secretFile('db', URL_TEXT) },
      });
      expect(code).toBe(5);
      expect(JSON.parse(stdout).error).toMatchObject({
        code: 'database_unreachable',
        message: expect.stringContaining('postgres://ledger:***@127.0.0.1:1/ledger'),
      });
      expect(stdout + stderr).not.toContain(SECRET);
    },
    COMMAND_MS_MAX,
  );

  test(
    'when a token is taken from a file that others can read, or from two places',
    async () => {
      const open = secretFile('token', SECRET, 0o644);
      const both = {
        TXLEDGER_URL: 'http://127.0.0.1:1',
        TXLEDGER_TOKEN: SECRET,
        TXLEDGER_TOKEN_FILE: secretFile('token2', SECRET),
      };
      for (const variables of [{ TXLEDGER_URL: 'http://127.0.0.1:1', TXLEDGER_TOKEN_FILE: open }, both]) {
        const { code, stdout, stderr } = await run(['list'], { variables: { ...variables, DATA_DIR: folder } });
        expect(code).toBe(2);
        expect(stderr).toContain('TXLEDGER_TOKEN_FILE is');
        expect(stdout + stderr).not.toContain(SECRET);
      }
    },
    COMMAND_MS_MAX,
  );

  test('and no log line does that names a node by its address', () => {
    const line = (source: string): string =>
      execFileSync(
        process.execPath,
        ['--input-type=module', '--eval', `import { createLogger } from '${ROOT}/server/app/logging.ts'; ${source}`],
        { encoding: 'utf8' },
      );
    const text = line(
      `createLogger({ level: 'info', thread: 'engine' }).warn({ node: 'https://node.example/key-7d1f', reason: 'away' }, 'a node does not answer')`,
    );
    expect(JSON.parse(text)).toMatchObject({ node: 'https://node.example/***', reason: 'away' });
  });

  test('and none takes one as an argument: what the process list shows is a file', async () => {
    const optionsOf = (command: Command): readonly Option[] => [
      ...command.options,
      ...command.commands.flatMap(optionsOf),
    ];
    const secret = optionsOf(await createProgram()).filter(({ long }) =>
      /token|seed(?!s)|secret|password|key/.test(long ?? ''),
    );
    expect(secret.length).toBeGreaterThan(3);
    // One that takes no value carries no secret, and `--seeds` names the nodes that CometBFT calls so.
    expect(
      secret
        .filter(({ flags, required, optional }) => (required || optional) && !/<file(\.\.\.)?>$/.test(flags))
        .map(({ flags }) => flags),
    ).toEqual([]);
  });
});

import { spawn } from 'node:child_process';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { COMMAND_FILES } from '../../server/cli/commands/index.ts';
import { commandOf, createProgram } from '../../server/cli/program.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { environment } from '../e2e/support/server.ts';
import { commandResult } from '../support/child-process.ts';
import { run, runProcess } from './support.ts';

/** What a command loads before it does anything: files are counted, because a time depends on the machine (test/bench/cli.ts measures it). */

/** For `--help`: eight files of commander's, and ours. */
const HELP_FILES_MAX = 24;
/** For `account`: 26 of them are errors of the client. */
const ACCOUNT_FILES_MAX = 93;
/** Most of the product, and none of it is needed to ask a service. */
const OF_A_SERVER =
  /server\/(gateway|store|engine|http)\/|server\/ledger\/index\.ts|client\/src\/(index\.ts|testing\/)|better-sqlite3|cosmjs|express|pino/;

afterAll(removeTemporaryFolders);

const REPORT = `import { registerHooks } from 'node:module';
const files = [];
registerHooks({ load: (url, context, next) => { if (url.startsWith('file:')) files.push(url); return next(url, context); } });
process.on('exit', () => process.stderr.write('FILES ' + JSON.stringify(files)));`;

async function filesOf(...args: string[]): Promise<string[]> {
  const hook = `data:text/javascript,${encodeURIComponent(REPORT)}`;
  const { stderr } = await runProcess(process.execPath, ['--import', hook, 'server/cli/run.js', ...args]);
  const urls = JSON.parse(/FILES (\[.*\])/.exec(stderr)?.[1] ?? 'none') as string[];
  return urls.map((url) => path.relative(ROOT, new URL(url).pathname));
}

describe('what is loaded', () => {
  test('for --help is what shows it', async () => {
    const files = await filesOf('--help');
    expect(files.filter((file) => OF_A_SERVER.test(file) || /^client|commands\/(?!index)/.test(file))).toEqual([]);
    expect(files).toContain('server/cli/commands/index.ts');
    expect(files.length).toBeLessThanOrEqual(HELP_FILES_MAX);
  });

  test('for account is what asks for one, and nothing of a server', async () => {
    // Nothing listens there: all that is needed is loaded by then.
    const files = await filesOf(
      'account',
      'dev-0',
      '--url',
      'http://127.0.0.1:1',
      '--token-file',
      'none',
      '--timeout',
      '1s',
    );
    expect(files.filter((file) => OF_A_SERVER.test(file))).toEqual([]);
    expect(files.filter((file) => file.startsWith('server/cli/commands/'))).toEqual([
      'server/cli/commands/index.ts',
      'server/cli/commands/chain.ts',
    ]);
    expect(files.length).toBeLessThanOrEqual(ACCOUNT_FILES_MAX);
  });
});

describe('the list of commands', () => {
  test('has every command with the description that it has itself, and loads the file of the one that runs', async () => {
    const described = (program: Awaited<ReturnType<typeof createProgram>>) =>
      program.commands.map((command) => [command.name(), command.description()]);
    const all = await createProgram();
    expect(described(await createProgram(undefined))).toEqual(described(all));
    for (const name of COMMAND_FILES.flatMap(({ commands }) => Object.keys(commands))) {
      const program = await createProgram(name);
      const [whole, only] = [all, program].map((each) => each.commands.find((command) => command.name() === name));
      expect(only?.helpInformation()).toBe(whole?.helpInformation());
    }
  });

  test.each([
    [['send', '--to', 'dev-1'], 'send'],
    [['help', 'list'], 'list'],
    [['--version'], undefined],
    [['-x', 'get', 'AB'], 'get'],
    [[], undefined],
  ])('%j asks for %s', (words, name) => {
    expect(commandOf(words)).toBe(name);
  });

  test('helps with a misspelt command, by those that are not loaded too', async () => {
    const { code, stderr } = await run(['acount', 'dev-0']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean account?')]);
  });
});

describe('what is kept of compiled code', () => {
  const version = (variables: Record<string, string>) =>
    runProcess('env', ['-u', 'NODE_COMPILE_CACHE', process.execPath, 'server/cli/run.js', 'completion', '--help'], {
      variables,
    });

  test('lies in the cache folder of the user, who alone can enter it', async () => {
    const XDG_CACHE_HOME = await temporaryFolder();
    expect((await version({ XDG_CACHE_HOME })).code).toBe(0);
    const [kept = 'none'] = await readdir(path.join(XDG_CACHE_HOME, 'txledger/compile-cache'));
    expect((await readdir(path.join(XDG_CACHE_HOME, 'txledger/compile-cache', kept))).length).toBeGreaterThan(10);
  });

  test('is not used where others can put something in its place', async () => {
    const XDG_CACHE_HOME = await temporaryFolder();
    const folder = path.join(XDG_CACHE_HOME, 'txledger/compile-cache');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(XDG_CACHE_HOME, 0o777);
    expect((await version({ XDG_CACHE_HOME })).code).toBe(0);
    expect(await readdir(folder)).toEqual([]);
    await chmod(XDG_CACHE_HOME, 0o700);
    await chmod(folder, 0o755);
    expect((await version({ XDG_CACHE_HOME })).code).toBe(0);
    expect(await readdir(folder)).toEqual([]);
  });

  test('is not needed: a home that is a file keeps nothing from working', async () => {
    const file = path.join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    expect(await version({ XDG_CACHE_HOME: file })).toMatchObject({ code: 0, stderr: '' });
  });
});

test('a reader that has seen enough ends a command without an error', async () => {
  const child = spawn(process.execPath, ['server/cli/run.js', '--help'], {
    cwd: ROOT,
    env: environment({}),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Gone before the first line is written.
  child.stdout.destroy();
  expect(await commandResult(child)).toMatchObject({ code: 0, stderr: '' });
});

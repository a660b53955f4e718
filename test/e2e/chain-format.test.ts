/** What every command says to a folder of chain format 1, and how `npm start` moves an old development folder aside. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { ended } from '../support/child-process.ts';
import { environment, freePort, READY_MS_MAX, txledger } from './support/server.ts';

const FIXTURE = path.join(ROOT, 'test/app/fixtures/chain-format-1.tar.gz');
const TEST_MS_MAX = 2 * READY_MS_MAX;
/** Python's standard library has a terminal to offer, Node.js has none. */
const AT_A_TERMINAL = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)';

let parent: string;
let dataDir: string;
beforeEach(async () => {
  parent = await temporaryFolder('format');
  dataDir = path.join(parent, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  execFileSync('tar', ['xzf', FIXTURE, '--no-same-owner', '-C', dataDir]);
  execFileSync('chmod', ['-R', 'go-rwx', dataDir]);
});
afterAll(removeTemporaryFolders);

const moved = (): string[] => readdirSync(parent).filter((name) => name.startsWith('data.format-1-'));

/** Runs `npm start`, says `answer` when it is asked something, and ends it as soon as it is ready. */
async function start({
  args = [],
  answer,
}: {
  args?: readonly string[];
  answer?: string;
}): Promise<{ code: number | null; output: string }> {
  const command = [process.execPath, 'server/cli/txledger.ts', 'start', ...args];
  const [file, ...rest] = answer === undefined ? command : ['python3', '-c', AT_A_TERMINAL, ...command];
  const child = spawn(file as string, rest, {
    cwd: ROOT,
    env: environment({ DATA_DIR: dataDir, PORT: String(await freePort()) }),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  const read = (chunk: Buffer): void => {
    const before = output;
    output += chunk.toString();
    const isNew = (text: string): boolean => !before.includes(text) && output.includes(text);
    if (isNew('[y/N]')) child.stdin.write(`${answer}\n`);
    if (isNew('"msg":"ready"')) child.kill('SIGTERM');
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  return { code: await ended(child), output };
}

describe('a folder of chain format 1', () => {
  test.each([['start'], ['app'], ['token list'], ['audit list']])(
    'is refused by %s in one line, with exit code 2',
    async (command) => {
      const before = readdirSync(dataDir);
      const { code, stderr } = await txledger(command.split(' '), {
        DATA_DIR: dataDir,
        PORT: String(await freePort()),
        ABCI_LISTEN: `tcp://127.0.0.1:${await freePort()}`,
      });
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /^DATA_DIR .* cannot be used \(genesis\.json\): this is a chain of format 1, .*`npm start -- --move-old-data` .*\.\n$/,
      );
      expect([readdirSync(dataDir), moved()]).toEqual([before, []]);
    },
    TEST_MS_MAX,
  );

  test(
    'is moved aside by --move-old-data, and a new chain starts in its place',
    async () => {
      const { code, output } = await start({ args: ['--move-old-data'] });
      expect(code).toBe(0);
      expect(output).toContain('a development folder of an earlier chain format was moved aside');
      expect(moved()).toHaveLength(1);
      expect(readdirSync(path.join(parent, moved()[0]!))).toEqual(
        expect.arrayContaining(['genesis.json', 'chain.db', 'gateway.db']),
      );
    },
    TEST_MS_MAX,
  );

  test.each([
    ['y', 1],
    ['', 0],
  ])(
    'is asked about at a terminal, and %j is understood',
    async (answer, times) => {
      const { output } = await start({ answer });
      expect(output).toContain('and begin a new chain? [y/N]');
      expect(moved()).toHaveLength(times);
      expect(output.includes('cannot be used (genesis.json)')).toBe(times === 0);
    },
    TEST_MS_MAX,
  );
});

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { COMETBFT_OTHER_LINES, COMETBFT_VERSION, findCometbft } from '../../scripts/localnet/cometbft.ts';
import { createProgress } from '../../scripts/localnet/progress.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';

afterAll(removeTemporaryFolders);

function program(folder: string, name: string, script: string): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o700);
  return file;
}

const cometbft = (folder: string, version: string): string =>
  program(folder, 'cometbft', `test "$1" = version && echo ${version}`);

/** A machine with a PATH of its own, and what was printed on it. */
async function machine(): Promise<{
  folder: string;
  bin: string;
  env: Record<string, string>;
  printed: () => string;
  find: () => Promise<string>;
}> {
  const folder = await temporaryFolder('localnet');
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  const env: Record<string, string> = { PATH: bin };
  let printed = '';
  const progress = createProgress({ write: (text) => void (printed += text) });
  return { folder, bin, env, printed: () => printed, find: () => findCometbft(env, progress) };
}

/** Its `install` writes a program of this version into GOBIN. */
function go(bin: string, gobin: string, version: string): void {
  const install = `mkdir -p ${gobin}; printf '#!/bin/sh\\necho ${version}\\n' > ${gobin}/cometbft; chmod 700 ${gobin}/cometbft; echo "$2" > ${gobin}/asked`;
  program(
    bin,
    'go',
    `PATH=/usr/bin:/bin\ncase "$1" in env) echo ${gobin}; echo /nowhere;; version) echo go;; install) ${install};; esac`,
  );
}

describe('cometbft', () => {
  test('is the program that COMETBFT names, of a supported version', async () => {
    const { folder, env, find } = await machine();
    env['COMETBFT'] = cometbft(path.join(folder, 'named'), '0.38.26');
    expect(await find()).toBe(env['COMETBFT']);
    for (const { version, printed } of COMETBFT_OTHER_LINES) {
      env['COMETBFT'] = cometbft(path.join(folder, version), printed);
      expect(await find()).toBe(env['COMETBFT']);
    }
    env['COMETBFT'] = cometbft(path.join(folder, 'newer'), 'v0.38.27');
    await expect(find()).rejects.toThrow(
      `newer/cometbft, which is v0.38.27; expected the program cometbft ${COMETBFT_VERSION}, or v0.39.4 or v0.40.0.`,
    );
    env['COMETBFT'] = '/nowhere/cometbft';
    await expect(find()).rejects.toThrow('/nowhere/cometbft, which cannot be run');
  });

  test('is found where go install puts it, and on PATH, where another version is passed over', async () => {
    const { folder, bin, env, find } = await machine();
    cometbft(bin, '1.0.0');
    const other = path.join(folder, 'other');
    env['PATH'] = `${bin}:${other}`;
    const onPath = cometbft(other, 'v0.38.26');
    expect(await find()).toBe(onPath);
    const gobin = path.join(folder, 'gobin');
    go(bin, gobin, 'v0.38.26');
    const installed = cometbft(gobin, '0.38.26');
    expect(await find()).toBe(installed);
  });

  test('is installed when it is missing, which is told, with how long it takes', async () => {
    const { folder, bin, printed, find } = await machine();
    const gobin = path.join(folder, 'gobin');
    go(bin, gobin, 'v0.38.26');
    expect(await find()).toBe(path.join(gobin, 'cometbft'));
    expect(printed()).toContain(
      'go install github.com/cometbft/cometbft/cmd/cometbft@v0.38.26 brings it. That takes 2 to 4 minutes',
    );
    expect(printed()).toMatch(/^Installing cometbft v0\.38\.26: \d+\.\d s$/m);
  });

  test('that cannot be installed ends with what is missing', async () => {
    const { bin, find } = await machine();
    await expect(find()).rejects.toThrow('neither cometbft v0.38.26 nor Go to install it with. Install Go');
    program(bin, 'go', 'test "$1" = install && { echo no network; exit 1; }; exit 0');
    await expect(find()).rejects.toThrow(/go install .* failed:\nno network/);
  });
});

describe('progress', () => {
  test('is plain lines where nobody watches, and one moving line on a terminal', async () => {
    let plain = '';
    await createProgress({ write: (text) => void (plain += text) }).step('Waiting', async () => undefined);
    expect(plain).toMatch(/^Waiting \.\.\.\nWaiting: 0\.\d s\n$/);
    let terminal = '';
    const failing = createProgress({ isTTY: true, write: (text) => void (terminal += text) }).step('Waiting', () =>
      Promise.reject(new Error('no')),
    );
    await expect(failing).rejects.toThrow('no');
    const [nothing, ...drawn] = terminal.split('\r\u001B[K');
    expect({ nothing, drawn }).toEqual({
      nothing: '',
      drawn: ['Waiting ... 0 s', expect.stringMatching(/^Waiting: failed after 0\.\d s\n$/)],
    });
  });
});

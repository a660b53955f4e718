/**
 * Finds the version of CometBFT that everything is tested with, and installs it when it is missing. Another supported release line is used
 * only where COMETBFT is the path of its program.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { LocalnetError } from './failure.ts';
import type { Progress } from './progress.ts';
import { run } from './run.ts';

export const COMETBFT_VERSION = 'v0.38.26';
/** Other release lines that a network may run, with the version that their programs print: v0.40.0 was released with that of v0.39.0. */
export const COMETBFT_OTHER_LINES = [
  { version: 'v0.39.4', printed: 'v0.39.4' },
  { version: 'v0.40.0', printed: 'v0.39.0' },
] as const;
const MODULE = `github.com/cometbft/cometbft/cmd/cometbft@${COMETBFT_VERSION}`;

type Environment = Readonly<Record<string, string | undefined>>;

/** The version that a program prints, with its v; undefined when the program does not exist or prints none. */
async function versionOf(program: string): Promise<string | undefined> {
  const { code, output } = await run(program, ['version']);
  const [, version] = /^v?(\d+\.\d+\.\d+\S*)/m.exec(output) ?? [];
  return code === 0 && version !== undefined ? `v${version}` : undefined;
}

const onPath = (env: Environment, name: string): string[] =>
  (env['PATH'] ?? '')
    .split(path.delimiter)
    .filter(Boolean)
    .map((folder) => path.join(folder, name));

/** The folder into which `go install` writes programs; empty without Go. */
async function goFolders(env: Environment): Promise<string[]> {
  const { code, output } = await run('go', ['env', 'GOBIN', 'GOPATH'], { env });
  if (code !== 0) return [];
  const [bin = '', paths = ''] = output.split('\n');
  return [
    ...(bin ? [bin] : []),
    ...paths
      .split(path.delimiter)
      .filter(Boolean)
      .map((folder) => path.join(folder, 'bin')),
  ];
}

async function find(env: Environment): Promise<string | undefined> {
  const candidates = [
    ...(await goFolders(env)).map((folder) => path.join(folder, 'cometbft')),
    ...onPath(env, 'cometbft'),
  ];
  for (const candidate of candidates) {
    if (existsSync(candidate) && (await versionOf(candidate)) === COMETBFT_VERSION) return candidate;
  }
  return undefined;
}

/** @throws LocalnetError that names the program to install. */
export async function findCometbft(env: Environment, progress: Progress): Promise<string> {
  const named = env['COMETBFT']?.trim();
  if (named) {
    const version = await versionOf(named);
    if (version === COMETBFT_VERSION || COMETBFT_OTHER_LINES.some(({ printed }) => printed === version)) return named;
    throw new LocalnetError(
      `COMETBFT is ${named}, which ${version === undefined ? 'cannot be run' : `is ${version}`}; expected the program cometbft ${COMETBFT_VERSION}, or ${COMETBFT_OTHER_LINES.map((line) => line.version).join(' or ')}.`,
    );
  }
  const found = await find(env);
  if (found !== undefined) return found;
  if ((await run('go', ['version'], { env })).code !== 0) {
    throw new LocalnetError(
      `There is neither cometbft ${COMETBFT_VERSION} nor Go to install it with. Install Go (https://go.dev/dl, or Debian's package golang-go where that is ` +
        '1.22 or newer) and start again, or name the program in COMETBFT.',
    );
  }
  progress.note(
    `cometbft ${COMETBFT_VERSION} is not installed; go install ${MODULE} brings it. That takes 2 to 4 minutes, once.`,
  );
  await progress.step(`Installing cometbft ${COMETBFT_VERSION}`, async () => {
    const { code, output } = await run('go', ['install', MODULE], { env });
    if (code !== 0) throw new LocalnetError(`go install ${MODULE} failed:\n${output.trimEnd()}`);
  });
  const installed = await find(env);
  if (installed === undefined)
    throw new LocalnetError(
      `go install ${MODULE} succeeded, but there is no such program in ${(await goFolders(env)).join(' or ')}. Name it in COMETBFT.`,
    );
  return installed;
}

/**
 * What the generators need, at exact versions, in a folder outside the repository: each is installed when it is first asked for, and once.
 * CLIENT_TOOLS names a folder that is kept, so that the next run installs nothing.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from './command.ts';

const HERE = path.join(import.meta.dirname, '..');
const COPY_DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const OGEN = 'github.com/ogen-go/ogen/cmd/ogen@v1.24.0';

export class Tools {
  readonly #folder: string;
  readonly #started = new Map<string, Promise<string>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The program folder of a virtual environment with python/requirements.txt. */
  python(): Promise<string> {
    return this.#once('python', async (folder) => {
      await run({ program: 'python3', args: ['-m', 'venv', folder], folder: HERE });
      await run({
        program: path.join(folder, 'bin', 'pip'),
        args: [
          'install',
          '--quiet',
          '--disable-pip-version-check',
          '-r',
          path.join(HERE, 'python', 'requirements.txt'),
        ],
        folder: HERE,
      });
    }).then((folder) => path.join(folder, 'bin'));
  }

  /** A folder with the node_modules of npm/package.json. */
  npm(): Promise<string> {
    return this.#once('npm', async (folder) => {
      await mkdir(folder, { recursive: true });
      for (const file of ['package.json', 'package-lock.json', '.npmrc'])
        await cp(path.join(HERE, 'npm', file), path.join(folder, file));
      await run({ program: 'npm', args: ['ci', '--no-audit', '--no-fund', '--loglevel=error'], folder });
    });
  }

  /** A folder with the jars that the pom.xml of this folder names. */
  jars(of: string): Promise<string> {
    return this.#once(`jars-${of}`, async (folder) => {
      const args = [
        '--quiet',
        '--batch-mode',
        '--strict-checksums',
        '-f',
        path.join(HERE, of, 'pom.xml'),
        COPY_DEPENDENCIES,
        `-DoutputDirectory=${folder}`,
      ];
      await run({ program: 'mvn', args, folder: HERE });
    });
  }

  oapiCodegen(): Promise<string> {
    return this.#go('oapi-codegen', OAPI_CODEGEN);
  }

  ogen(): Promise<string> {
    return this.#go('ogen', OGEN);
  }

  async #go(program: string, module: string): Promise<string> {
    const folder = await this.#once(`go-${program}`, async (bin) => {
      await run({ program: 'go', args: ['install', module], folder: HERE, env: { GOBIN: bin } });
    });
    return path.join(folder, program);
  }

  /** Where cargo keeps what it has compiled, for all of its runs. */
  cargoTarget(): string {
    return path.join(this.#folder, 'cargo');
  }

  /** openapi-generator, which is one jar. @returns what it printed. */
  async openapiGenerator(args: readonly string[], folder: string): Promise<string> {
    const jar = path.join(await this.jars('openapi-generator'), 'openapi-generator-cli-7.25.0.jar');
    return run({ program: 'java', args: ['-jar', jar, 'generate', ...args], folder });
  }

  #once(name: string, install: (folder: string) => Promise<void>): Promise<string> {
    const running = this.#started.get(name);
    if (running !== undefined) return running;
    const folder = path.join(this.#folder, name);
    const installed = path.join(this.#folder, `${name}.installed`);
    const work = existsSync(installed)
      ? Promise.resolve(folder)
      : install(folder)
          .then(() => writeFile(installed, ''))
          .then(() => folder);
    this.#started.set(name, work);
    return work;
  }
}

/** The parts that clients in Python share: the signer, the job, and the type checker in its strict mode. */
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { run } from './command.ts';
import { linesOf, type Step, type Workplace } from './generator.ts';

const HERE = path.join(import.meta.dirname, '..');
const QUIET = { PYTHONDONTWRITEBYTECODE: '1' };

/**
 * Every module of the generated package can be loaded, and the type checker has nothing against it (`strict` where the generator writes
 * for that), nor, in its strict mode, against the program that uses it. What it has is a complaint.
 */
export async function compile(
  { tools, folder }: Workplace,
  generator: string,
  packageName: string,
  strict: boolean,
): Promise<Step> {
  const bin = await tools.python();
  for (const file of ['job.py', 'signer.py']) await cp(path.join(HERE, 'python', file), path.join(folder, file));
  await cp(path.join(HERE, generator, 'main.py'), path.join(folder, 'main.py'));
  const load = `import importlib, pkgutil, ${packageName} as p\nfor m in pkgutil.walk_packages(getattr(p, "__path__", []), p.__name__ + "."): importlib.import_module(m.name)`;
  await run({
    program: path.join(bin, 'python'),
    args: ['-c', load],
    folder,
    env: { ...QUIET, PYTHONPATH: 'generated' },
  });
  const check = (what: readonly string[]): Promise<string> =>
    run({
      program: path.join(bin, 'mypy'),
      args: ['--no-error-summary', '--cache-dir', '.mypy', ...what],
      folder,
      env: { MYPYPATH: 'generated' },
    }).catch((error: Error) => error.message);
  const complaints = linesOf(
    `${await check([...(strict ? ['--strict'] : []), '-p', packageName])}\n${await check(['--strict', '--follow-imports=silent', 'main.py'])}`,
    /: error: /,
  );
  return { complaints };
}

export async function job({ tools, folder, developmentFile }: Workplace): Promise<string> {
  return run({
    program: path.join(await tools.python(), 'python'),
    args: ['main.py', developmentFile],
    folder,
    env: { ...QUIET, PYTHONPATH: 'generated' },
  });
}

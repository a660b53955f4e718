/**
 * Runs a list of commands one after the other with one line of progress each, and returns one exit code.
 *
 * Output of a step that succeeds is hidden unless `live` is set: a developer needs only the success and the duration. Output
 * of a step that fails is printed whole.
 *
 * @module
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { isNewEnough, whatIsNeeded } from '../server/cli/node-version.js';

export { NODE_VERSION_MIN } from '../server/cli/node-version.js';

/** The folder of the checkout; commands run there whatever the caller's folder is. */
export const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

export interface Step {
  name: string;
  /** Arguments for the running Node.js: the path of a script inside the checkout first. */
  args: readonly string[];
  /** Variables added to the environment of this process. */
  env?: Readonly<Record<string, string>>;
  /** Shows the output as it comes, as for a test run that takes minutes. */
  live?: boolean;
}

/** @returns instructions to run on a newer Node.js, or undefined when `version` is new enough. */
export function nodeTooOld(version: string = process.versions.node): string | undefined {
  if (isNewEnough(version)) return undefined;
  return `${whatIsNeeded(version)} Run it through npm (npm start, npm test, npm run ...), or put scripts/bin first in the PATH.`;
}

/** Runs one step. @returns its exit code; a step ended by a signal counts as 1. */
function run(step: Step): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...step.args], {
      cwd: ROOT,
      env: { ...process.env, ...step.env },
      stdio: step.live ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.on('error', (error) => resolve({ code: 1, output: `${output}\n${error.message}` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/**
 * Runs every step.
 * @param mode `all` runs the later steps also after a failure, so that a developer sees every failure at once;
 *   `first-failure` stops, for steps that build on each other.
 * @returns 0 when all succeeded, else 1.
 */
export async function runSteps(steps: readonly Step[], mode: 'all' | 'first-failure'): Promise<number> {
  let failed = 0;
  for (const [index, step] of steps.entries()) {
    const label = `[${index + 1}/${steps.length}] ${step.name}`;
    console.log(`${label} ...`);
    const startedMs = performance.now();
    const { code, output } = await run(step);
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    if (code === 0) {
      console.log(`${label}: ok (${seconds} s)`);
      continue;
    }
    failed += 1;
    if (output) console.log(output.trimEnd());
    console.error(`${label}: FAILED with exit code ${code} (${seconds} s)`);
    if (mode === 'first-failure') break;
  }
  return failed === 0 ? 0 : 1;
}

/** The results in docs/bench: of each kind and build the newest one. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../../scripts/steps.ts';
import type { NetworkResult, PiecesResult, Result, ScaleResult, SpeedResult } from './result.ts';

export const RESULTS = path.join(ROOT, 'docs', 'bench');

/** All that is known of a build. */
export interface Build {
  name: string;
  /** Which commit each result was measured on: they are recorded one by one. */
  commits: Partial<Record<Result['kind'], string>>;
  speed?: SpeedResult;
  scale?: ScaleResult;
  network?: NetworkResult;
  pieces?: PiecesResult;
}

export function readResults(folder: string = RESULTS): Result[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted();
  return files
    .map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Result)
    .toSorted((a, b) => a.recordedAt.localeCompare(b.recordedAt));
}

/** In the order of `names`, then as they were recorded. A later result takes the place of an earlier one of the same kind and build. */
export function buildsOf(results: readonly Result[], names: readonly string[] = ['landed']): Build[] {
  const builds = new Map<string, Build>(names.map((name) => [name, { name, commits: {} }]));
  for (const result of results) {
    const measured = result.kind === 'speed' ? result.builds : { [result.build]: result.commit };
    for (const [name, commit] of Object.entries(measured)) {
      const known = builds.get(name);
      builds.set(name, {
        ...known,
        name,
        commits: { ...known?.commits, [result.kind]: commit },
        [result.kind]: result,
      });
    }
  }
  return [...builds.values()].filter(({ commits }) => Object.keys(commits).length > 0);
}

const INDENT = '  ';

/** JSON that people and diffs can read: a phase, a figure or a point a line. */
export function resultJson(value: unknown, depth = 0): string {
  const flat = JSON.stringify(value);
  if (value === null || typeof value !== 'object' || depth > 3 || flat.length < 120) return flat;
  const inner = INDENT.repeat(depth + 1);
  const end = `\n${INDENT.repeat(depth)}`;
  if (Array.isArray(value))
    return `[\n${value.map((item) => inner + (depth > 0 ? JSON.stringify(item) : resultJson(item, depth + 1))).join(',\n')}${end}]`;
  const members = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{\n${members.map(([name, item]) => `${inner}${JSON.stringify(name)}: ${resultJson(item, depth + 1)}`).join(',\n')}${end}}`;
}

export function writeResult(file: string, result: Result): void {
  writeFileSync(file, `${resultJson(result)}\n`);
}

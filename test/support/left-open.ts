/** Which files left something open in the process that ran them, by what was active after each. @module */
import path from 'node:path';

export interface ActiveAfter {
  /** The file that had just ended; none at the end of the process. */
  readonly file?: string;
  /** What Node.js says is active: the name of its kind for each. */
  readonly active: readonly string[];
}

const countOf = ({ active }: ActiveAfter, kind: string): number => active.filter((each) => each === kind).length;

/**
 * One line for each kind that is active at the end, with the files that left it. A file left as many as the count never went below again: what
 * was still closing when it ended is not counted against it, and what was there before the first file, such as a worker's own pipes, has no file.
 */
export function leftOpen(history: readonly ActiveAfter[], root = process.cwd()): string[] {
  const last = history.at(-1);
  if (last === undefined) return [];
  return [...new Set(last.active)].map((kind) => {
    const floors = history.map((_, at) => Math.min(...history.slice(at).map((after) => countOf(after, kind))));
    const files = history.flatMap(({ file }, at) => {
      const left = (floors[at] as number) - (floors[at - 1] ?? 0);
      return file !== undefined && left > 0 ? [`${path.relative(root, file)} (${left})`] : [];
    });
    return `${countOf(last, kind)} ${kind}${files.length === 0 ? '' : `, left by ${files.join(', ')}`}`;
  });
}

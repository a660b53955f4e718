/** The tables of the documents, to be compared with what they tell about. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../../scripts/steps.ts';

export function documentText(name: string): string {
  return readFileSync(path.join(ROOT, name), 'utf8');
}

/** The rows of the one table whose header line is this, each as its cells. */
export function table(name: string, header: string): string[][] {
  const lines = documentText(name).split('\n');
  const starts = lines.flatMap((line, index) => (line === header ? [index] : []));
  const [start] = starts;
  if (start === undefined || starts.length > 1)
    throw new Error(`${name} has ${starts.length} tables with the header ${header}`);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end < 0 ? undefined : end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** What a cell shows as code. */
export function codes(cell: string | undefined): string[] {
  return [...(cell ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
}

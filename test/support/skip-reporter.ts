/**
 * Tells at the end of a run which tests were skipped, why, and how to run them. Jest itself tells only how many.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { skipReason } from './skip-reasons.ts';

/** Of jest's results, what is read here: https://jestjs.io/docs/configuration#reporters-arraymodulename--modulename-options. */
interface Results {
  testResults: readonly { testFilePath: string; testResults: readonly { status: string }[] }[];
}

/** One line a reason, the most tests first. */
export function skippedLines(results: Results, sourceOf: (file: string) => string): string[] {
  const files = results.testResults
    .map(({ testFilePath, testResults }) => ({
      file: testFilePath,
      count: testResults.filter(({ status }) => status === 'pending').length,
    }))
    .filter(({ count }) => count > 0)
    .map((each) => ({ ...each, ...skipReason(sourceOf(each.file)) }));
  return [...Map.groupBy(files, ({ why }) => why).values()]
    .map((group) => ({ group, count: group.reduce((sum, { count }) => sum + count, 0) }))
    .toSorted((a, b) => b.count - a.count)
    .map(
      ({ group, count }) =>
        `  ${count} ${group[0]!.why} (${group.map(({ file }) => path.basename(file, '.test.ts')).join(', ')}): ${group[0]!.run}`,
    );
}

export default class SkipReporter {
  readonly #namePattern: string | undefined;

  constructor({ testNamePattern }: { testNamePattern?: string }) {
    this.#namePattern = testNamePattern;
  }

  onRunComplete(_contexts: unknown, results: Results): void {
    // To jest the tests that `-t` leaves out are skipped too.
    if (this.#namePattern) return;
    const lines = skippedLines(results, (file) => readFileSync(file, 'utf8'));
    if (lines.length > 0) console.log(`\nSkipped on this machine:\n${lines.join('\n')}`);
  }
}

/** A report for people, for programs, and for what shows test results. */
import type { Report, Result } from './kit.ts';

const SIGNS = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const;

export function textOfResult({ id, promise, where, outcome, message }: Result): string {
  const line = `${SIGNS[outcome]} ${id}: ${promise} (${where})`;
  return message === undefined ? line : `${line}\n     ${message}`;
}

export function countsOf({ results }: Report): Record<Result['outcome'], number> {
  const count = (outcome: Result['outcome']): number => results.filter((result) => result.outcome === outcome).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

export function textOfEnd(report: Report): string {
  const { passed, failed, skipped } = countsOf(report);
  const money =
    report.notReturned === 0n ? 'All money was sent back.' : `${report.notReturned} minor units were not sent back.`;
  const { called, uncalled } = report;
  const operations = `${called.length} of ${called.length + uncalled.length} operations were called.`;
  return `${passed} passed, ${failed} failed, ${skipped} skipped in ${report.seconds.toFixed(1)} s. ${operations} ${money}`;
}

export function jsonOf(report: Report): string {
  return JSON.stringify({ ...report, notReturned: String(report.notReturned), counts: countsOf(report) }, null, 2);
}

export function junitOf(report: Report): string {
  const { failed, skipped } = countsOf(report);
  const cases = report.results.map(({ id, promise, where, outcome, message, seconds }) => {
    const [group = '', name = ''] = id.split('.');
    const inside =
      outcome === 'passed'
        ? ''
        : outcome === 'failed'
          ? `<failure message="${escape(message ?? '')}">${escape(`${promise} (${where})\n${message ?? ''}`)}</failure>`
          : `<skipped message="${escape(message ?? '')}"/>`;
    return `    <testcase classname="${escape(group)}" name="${escape(name)}" time="${seconds}">${inside}</testcase>`;
  });
  const counts = `tests="${report.results.length}" failures="${failed}" errors="0" skipped="${skipped}" time="${report.seconds}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n  <testsuite name="txledger-conformance" ${counts}>\n${cases.join('\n')}\n  </testsuite>\n</testsuites>`;
}

/** Also characters that XML cannot carry at all. */
function escape(text: string): string {
  // eslint-disable-next-line no-control-regex
  const printable = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '?');
  return printable.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

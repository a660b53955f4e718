/**
 * `npm run advisories` queries the registry for known vulnerabilities of the packages that a server runs on, and fails on one
 * that is high or critical. A registry that does not answer, as many mirrors do not, is reported and is not a failure:
 * a check that fails with another organisation's service would soon be disabled.
 *
 * @module
 */
import { spawnSync } from 'node:child_process';
import { ROOT } from './steps.ts';

export type AdvisoryOutcome =
  | { kind: 'none' }
  | { kind: 'unanswered' }
  | { kind: 'lesser' | 'grave'; packages: readonly string[] };

const GRAVE: readonly string[] = ['high', 'critical'];
const AUDIT_MS_MAX = 60_000;
/** Large enough for any report: a truncated one could not be parsed and would count as no answer. */
const REPORT_BYTES_MAX = 64 * 1024 * 1024;

/** @param text the output of `npm audit --json`. */
export function readAudit(text: string): AdvisoryOutcome {
  let report: { auditReportVersion?: number; vulnerabilities?: Record<string, { severity?: string }> };
  try {
    report = JSON.parse(text) as typeof report;
  } catch {
    return { kind: 'unanswered' };
  }
  if (report.auditReportVersion === undefined || report.vulnerabilities === undefined) return { kind: 'unanswered' };
  const found = Object.entries(report.vulnerabilities).map(([name, { severity = 'unknown' }]) => ({ name, severity }));
  if (found.length === 0) return { kind: 'none' };
  return {
    kind: found.some(({ severity }) => GRAVE.includes(severity)) ? 'grave' : 'lesser',
    packages: found.map(({ name, severity }) => `${name} (${severity})`),
  };
}

if (import.meta.main) {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json', '--loglevel=silent'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: AUDIT_MS_MAX,
    maxBuffer: REPORT_BYTES_MAX,
  });
  const outcome = readAudit(stdout ?? '');
  if (outcome.kind === 'unanswered')
    console.log('The registry does not answer questions about advisories: nothing was checked.');
  else if (outcome.kind === 'none') console.log('No advisory is known for what a server runs on.');
  else console.log(`Advisories for what a server runs on: ${outcome.packages.join(', ')}.`);
  process.exitCode = outcome.kind === 'grave' ? 1 : 0;
}

/**
 * Findings of linters that are left as they are, each rule with its reason and with how often it speaks up in each document
 * (accepted.yaml). The list is exact: a finding that is new fails the check, and so does one that is gone, since a list that nobody
 * prunes ends up excusing anything.
 */

/** How often a rule speaks up, for each document. */
export type Counts = Record<string, number>;

export interface Accepted {
  reason: string;
  counts: Counts;
}

/** Linter, then rule. */
export type AcceptedRules = Record<string, Record<string, Accepted>>;

/** What one linter found in one document, by rule. */
export interface Findings {
  linter: string;
  document: string;
  rules: Counts;
}

/** Where the findings and the list differ, a sentence each; none when they are the same. */
export function differences(findings: readonly Findings[], accepted: AcceptedRules): string[] {
  const complaints: string[] = [];
  for (const { linter, document, rules } of findings) {
    const listed = accepted[linter] ?? {};
    for (const rule of new Set([...Object.keys(rules), ...Object.keys(listed)])) {
      const [found, expected] = [rules[rule] ?? 0, listed[rule]?.counts[document] ?? 0];
      if (found !== expected)
        complaints.push(`${linter}, ${document}: ${rule} has ${found} findings; ${expected} are listed.`);
    }
  }
  for (const [linter, listed] of Object.entries(accepted)) {
    const documents = new Set(findings.filter((one) => one.linter === linter).map(({ document }) => document));
    for (const [rule, { reason, counts }] of Object.entries(listed)) {
      if (!/\w{3,} \w+.*\.$/s.test(reason)) complaints.push(`${linter}: ${rule} is listed without a reason.`);
      const unknown = Object.keys(counts).filter((document) => !documents.has(document));
      if (unknown.length > 0)
        complaints.push(`${linter}: ${rule} is listed for ${unknown.join(', ')}, which was not read.`);
    }
  }
  return complaints;
}

/** The list as the findings are now: reasons are kept, a rule that is new has none, and a rule that is silent is left out. */
export function updated(findings: readonly Findings[], accepted: AcceptedRules): AcceptedRules {
  const result: AcceptedRules = {};
  for (const { linter, document, rules } of findings) {
    for (const [rule, count] of Object.entries(rules)) {
      const listed = ((result[linter] ??= {})[rule] ??= { reason: accepted[linter]?.[rule]?.reason ?? '', counts: {} });
      listed.counts[document] = count;
    }
  }
  return Object.fromEntries(
    Object.entries(result).map(([linter, rules]) => [
      linter,
      Object.fromEntries(Object.entries(rules).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    ]),
  );
}

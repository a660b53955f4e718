/**
 * The exit codes of commands, for scripts and supervisors. The help prints this table, and docs/OPERATING.md repeats it.
 *
 * @module
 */
export const EXIT = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  refused: 3,
  unknown: 4,
  unreachable: 5,
} as const;

export type ExitName = keyof typeof EXIT;

export const EXIT_MEANINGS: Readonly<Record<ExitName, string>> = {
  ok: 'done',
  unexpected: 'a defect, a full disk, a server that died, or a copy that does not verify',
  usage: 'the command line, the configuration or a file is wrong: trying again changes nothing',
  refused: 'the service refused, or the chain decided against it: failed, cancelled or expired',
  unknown: 'the outcome is not known (yet); it is not a failure, look the hash up',
  unreachable: 'the service cannot be reached, or something else answered',
};

export function describeExitCodes(): string {
  return [
    'Exit codes:',
    ...(Object.keys(EXIT) as ExitName[]).map((name) => `  ${EXIT[name]}  ${EXIT_MEANINGS[name]}`),
  ].join('\n');
}

/**
 * Why a test is skipped on a machine, and how it is run there: by what the source of its file asks for.
 */

/** The first one whose text is in a file explains the file's skipped tests. */
const REASONS: readonly { asksFor: RegExp; why: string; run: string }[] = [
  {
    asksFor: /OASDIFF/,
    why: 'need the program oasdiff',
    run: 'go install github.com/oasdiff/oasdiff@v1.25.1, then OASDIFF=FILE npm test -- test/contract/judgement.test.ts',
  },
  { asksFor: /isRunningChain/, why: 'need a chain that runs already', run: 'node test/localnet/run.ts' },
  {
    asksFor: /COMETBFT|[lL]ocalnetSuite|hasCometbft/,
    why: 'need a CometBFT node',
    run: 'go install github.com/cometbft/cometbft/cmd/cometbft@v0.38.26, then COMETBFT=FILE npm test -- FILES',
  },
  {
    asksFor: /ON_CHAIN|onFollower|SEEDS_FOR_ALL_OUTCOMES/,
    why: 'are about the other engine, whose tests ran in the other step, or have too few seeds',
    run: 'STORE=chain npm test -- test/gateway, or without STORE',
  },
  { asksFor: /ON_POSTGRES/, why: 'damage an SQLite file', run: 'npm test -- test/gateway' },
  { asksFor: /POSTGRES_MISSING/, why: 'need PostgreSQL 15', run: 'apt-get install postgresql-15' },
  { asksFor: /onLinux/, why: 'look at threads in /proc', run: 'npm test on Linux' },
  { asksFor: /getuid|isRoot/, why: 'need to give files to another user', run: 'npm test as root' },
];

export const NO_REASON = 'are skipped without a reason';

/** @param source the text of a test file. */
export function skipReason(source: string): { why: string; run: string } {
  return (
    REASONS.find(({ asksFor }) => asksFor.test(source)) ?? {
      why: NO_REASON,
      run: 'give them one in test/support/skip-reasons.ts',
    }
  );
}

/**
 * `npm test`: types, generated files, then every test. `npm test -- test/ledger -t nonce`: these tests alone, at once; arguments go to
 * jest.
 *
 * Types come first because jest strips them unchecked; generated files next because tests read them. The promises of the gateway are tested
 * once on a forwarding gateway, and again on the ledger service of the embedded engine. Suites that take more than their share of eight
 * minutes run with `npm test -- --heavy`, as `.ci/run` does.
 *
 * @module
 */
import { nodeTooOld, runSteps, type Step } from './steps.ts';
import { TYPE_CHECKS } from './types.ts';

const tooOld = nodeTooOld();
if (tooOld) {
  console.error(tooOld);
  process.exit(1);
}

// jest has no stable switch for native ES modules yet; the flag is Node's own.
const JEST = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
const HEAVY_FLAG = '--heavy';
const heavyOnly = process.argv.includes(HEAVY_FLAG);
const jestArgs = process.argv.slice(2).filter((arg) => arg !== HEAVY_FLAG);
/** Suites that open a gateway on the ledger service that the variable STORE selects. `.ci/run` runs all of them. */
const PROMISES = [
  'accept',
  'access',
  'audit',
  'batch',
  'broadcast',
  'cancel',
  'durability',
  'expiry',
  'idempotency-key',
  'nonces',
  'operation',
  'simulation',
  'tampered',
];
/**
 * Planted faults of the contract's lint, servers killed repeatedly, many random sequences: each has a quick suite beside it that tests the
 * same for one case.
 */
const HEAVY = [
  'contract/lint',
  'e2e/compile-cache',
  'e2e/governance',
  'e2e/http-threads',
  'e2e/idempotency-key',
  'e2e/nodes-away',
  'e2e/start-killed',
  'gateway/sharing-postgres',
  'gateway/sharing-simulation',
  'gateway/validity-races',
  'store/postgres-durability',
  'store/postgres-killed',
  'store/postgres-lost',
  'store/postgres-relocate',
  'store/postgres-replicas',
  'store/postgres-round-trips',
  'tracing/traces',
].map((suite) => `test/${suite}.test.ts`);
/** Suites that run some of their cases in `npm test` and all of them among the long tests (test/support/many-cases.ts). */
const MANY_CASES = {
  suites: [
    'app/signatures',
    'client/receipt',
    'e2e/checkout',
    'e2e/statements',
    'engine/cometbft-app-fuzz',
    'engine/statements',
    'gateway/simulation',
    'http/hot-validators',
  ].map((suite) => `test/${suite}.test.ts`),
  env: { MANY_CASES: '1' },
};
const everything = jestArgs.every((arg) => arg.startsWith('--'));
/**
 * On two cores: a fifth of the suites' time is waiting for servers, which a third worker fills. The long suites, which count seconds, have
 * two.
 */
const WORKERS = ['--maxWorkers', '3'];

const checks: readonly Step[] = [
  ...TYPE_CHECKS,
  { name: 'generated files are up to date', args: ['scripts/generate.ts', '--check'] },
];
const all: readonly Step[] = [
  ...checks,
  {
    name: 'tests',
    args: [...JEST, ...WORKERS, ...jestArgs, '--testPathIgnorePatterns', '/node_modules/', ...HEAVY],
    live: true,
  },
  {
    name: 'the promises of the gateway, on the core of the embedded engine',
    args: [...JEST, ...WORKERS, ...jestArgs, ...PROMISES.map((suite) => `test/gateway/${suite}.test.ts`)],
    env: { STORE: 'chain' },
    live: true,
  },
];

if (heavyOnly)
  process.exitCode = await runSteps(
    [
      ...checks,
      {
        name: 'long tests',
        args: [...JEST, ...jestArgs, ...HEAVY, ...MANY_CASES.suites],
        env: MANY_CASES.env,
        live: true,
      },
    ],
    'first-failure',
  );
else if (everything) {
  process.exitCode = await runSteps(all, 'first-failure');
  console.log(
    `\nNot run here: ${HEAVY.length} long suites: kills, races, many random lives (npm test -- --heavy), and what needs browsers, generators or a network (.ci/run).`,
  );
} else {
  process.exitCode = await runSteps(
    [
      {
        name: 'these tests; npm test alone checks types and generated files too',
        args: [...JEST, ...jestArgs],
        live: true,
      },
    ],
    'first-failure',
  );
}

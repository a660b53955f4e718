/** Tests run as native ES modules; swc strips the types, `tsc` checks them (see scripts/test.ts). */
export default {
  testEnvironment: '<rootDir>/test/support/environment.ts',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  reporters: ['default', '<rootDir>/test/support/skip-reporter.ts'],
  // Two cores: one worker runs the heavy suites while the other runs the many small ones.
  maxWorkers: 2,
  // Each suite leaves some of its modules behind in its worker. One that is given up in time ends at once; with gigabytes of heap its end takes longer than jest waits for.
  workerIdleMemoryLimit: '1GB',
  testTimeout: 30_000,
};

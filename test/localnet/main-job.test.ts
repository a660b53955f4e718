import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { isRunningChain, withDevelopmentChain } from '../e2e/support/development.ts';
import { mainJob } from '../e2e/support/main-job.ts';
import { READY_MS_MAX } from '../e2e/support/server.ts';
import { startPythonSigner, type PythonSigner } from '../e2e/support/signer.ts';

/** The main job, as one machine does it, on a chain that runs already: test/localnet/run.ts names it. */
const suite = isRunningChain ? describe : describe.skip;

suite('on a running chain', () => {
  const chain = withDevelopmentChain();
  let python: PythonSigner;
  beforeAll(() => {
    python = startPythonSigner();
  });
  afterAll(() => python.end());

  test(
    'a transfer signed in Python is committed and listed, and one that waits is cancelled',
    () => mainJob(chain(), python),
    READY_MS_MAX,
  );
});

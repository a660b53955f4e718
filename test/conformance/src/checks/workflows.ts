/** Every workflow that is published with the contract, each with an account of its own. */
import type { Check } from '../check.ts';
import { Skipped } from '../expect.ts';
import { inputsOf } from '../workflows/inputs.ts';
import { loadWorkflows, runWorkflow } from '../workflows/arazzo.ts';

export const WORKFLOW_CHECKS: readonly Check[] = loadWorkflows().map((workflow) => ({
  id: `workflow.${workflow.workflowId}`,
  promise: workflow.summary,
  where: `spec/workflows/${workflow.file}`,
  accounts: 1,
  run: async (session) => {
    const { chainId, tokens } = session;
    const inputs = inputsOf(workflow.workflowId, {
      chainId,
      ...tokens,
      sender: await session.funded(),
      nonce: 0,
      receiver: session.receiver(),
    });
    if (inputs === undefined) throw new Skipped('needs --read-token or --other-token');
    await runWorkflow(session, workflow, inputs);
  },
}));

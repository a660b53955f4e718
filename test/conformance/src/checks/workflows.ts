/** Every workflow that is published with the contract, each with an account of its own. */
import type { Check } from '../check.ts';
import { Skipped } from '../expect.ts';
import { Receiver } from '../receiver.ts';
import { inputsOf } from '../workflows/inputs.ts';
import { loadWorkflows, runWorkflow } from '../workflows/arazzo.ts';

const NEEDS_RECEIVER: ReadonlySet<string> = new Set(['webhook']);

export const WORKFLOW_CHECKS: readonly Check[] = loadWorkflows().map((workflow) => ({
  id: `workflow.${workflow.workflowId}`,
  promise: workflow.summary,
  where: `spec/workflows/${workflow.file}`,
  accounts: 1,
  run: async (session) => {
    const { chainId, tokens } = session;
    const receiver = NEEDS_RECEIVER.has(workflow.workflowId) ? await Receiver.open(session, 'workflow') : undefined;
    try {
      const inputs = inputsOf(workflow.workflowId, {
        chainId,
        ...tokens,
        sender: await session.funded(),
        nonce: 0,
        receiver: session.receiver(),
        webhookUrl: receiver?.url,
      });
      if (inputs === undefined) throw new Skipped('needs --read-token, --other-token or --admin-token');
      await runWorkflow(session, workflow, inputs);
    } finally {
      await receiver?.close();
    }
  },
}));

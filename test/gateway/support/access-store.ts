/** Tokens, bindings and the audit trail of the embedded engine's core, as the tests of every database ask for them and change them. */
import type { EmbeddedCore } from '../../../server/gateway/embedded/core.ts';
import type { AccessWrite, AdminQuestions, AdminStore, AdminTransaction } from '../../../server/store/index.ts';
import { StoreUnavailableError } from '../../../server/store/index.ts';

const WRITES: readonly AccessWrite[0][] = [
  'insertToken',
  'revokeToken',
  'expireToken',
  'setTokenScopes',
  'setTokenLimits',
  'saveBinding',
  'removeBinding',
  'markTokensUsed',
  'appendAudit',
];

/** All that a transaction writes is one change. */
export function accessStore(core: Pick<EmbeddedCore, 'changeAccess'>, now: AdminQuestions): AdminStore {
  return {
    now,
    write: async (work) => {
      const writes: AccessWrite[] = [];
      const recorded = WRITES.map((name) => [
        name,
        async (...values: unknown[]) => void writes.push([name, ...values] as unknown as AccessWrite),
      ]);
      const result = await work({ ...now, ...Object.fromEntries(recorded) } as AdminTransaction);
      const refusal = await core.changeAccess({ reads: {}, decide: () => ({ result: undefined, writes }) });
      if (refusal !== undefined) throw new StoreUnavailableError(refusal.detail);
      return result;
    },
    close: async () => undefined,
  };
}

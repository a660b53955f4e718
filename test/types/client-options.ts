/**
 * Compile-time proofs about the options of the client and of the ledger for tests. Never run: an `@ts-expect-error` whose line compiles is an error.
 */
import {
  type AttemptResponse,
  type Client,
  createClient,
  eachTransaction,
  getChain,
  listTransactions,
  waitForTransaction,
} from '../../client/src/index.ts';
import { createTestLedger } from '../../client/src/testing/index.ts';

declare const client: Client;
const baseUrl = 'http://127.0.0.1';

export const all: Client = createClient({
  baseUrl,
  maxRetries: 3,
  userAgent: 'shop/1',
  onRequest: ({ headers }) => headers.set('a', 'b'),
  onResponse: async () => undefined,
});
// @ts-expect-error a number, not a switch
createClient({ baseUrl, maxRetries: false });
// @ts-expect-error a misspelt hook
createClient({ baseUrl, onAnswer: () => undefined });
// @ts-expect-error a request cannot be replaced
createClient({ baseUrl, onRequest: () => new Request(baseUrl) });
createClient({
  baseUrl,
  onRequest: (request) => {
    // @ts-expect-error nor sent elsewhere
    request.url = 'http://elsewhere';
    // @ts-expect-error its body holds a signature, and is not shown
    request.body.toString();
  },
});

export async function calls(): Promise<void> {
  await getChain(client, { maxRetries: 0, onResponse: ({ requestId }: AttemptResponse) => void requestId?.length });
  await listTransactions(client, { limit: 1, maxRetries: 0 });
  eachTransaction(client, { onResponse: ({ status }) => void status.toFixed() });
  // @ts-expect-error a request id may be missing: what answered may not be the service
  await getChain(client, { onResponse: ({ requestId }) => void requestId.length });
  // @ts-expect-error it looks until the time is up
  await waitForTransaction(client, { txHash: '', maxRetries: 1 });
  // @ts-expect-error a call takes the client's user agent
  await getChain(client, { userAgent: 'x' });
}

const ledger = createTestLedger({ accounts: { alice: 1n, bob: { balance: 0n, seed: '00'.repeat(32) } } });
export const address: string = ledger.accounts.alice.address;
createClient(ledger.clientOptions);
// @ts-expect-error nobody of this name has an account
export const carol = ledger.accounts.carol;
// @ts-expect-error amounts are bigint
createTestLedger({ accounts: { alice: 1 } });
// @ts-expect-error blocks come by themselves or by hand
createTestLedger({ accounts: {}, blocks: 'sometimes' });

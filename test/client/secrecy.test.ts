import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createClient,
  getTransaction,
  sendTransfer,
  signerFromSeed,
  submitTransaction,
  waitForTransaction,
} from '../../client/src/index.ts';
import { example } from './support/contract.ts';
import { type Answer, problem, ScriptedServer } from './support/scripted-server.ts';

const server = new ScriptedServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const TOKEN = 'txl_0123456789abcdef_ffeeddccbbaa99887766554433221100';
const SEED = '42'.repeat(32);

test('No log line and no error holds the token, a whole signature or the seed, whatever goes wrong', async () => {
  const logged: unknown[] = [];
  const logger = {
    debug: (...line: unknown[]) => void logged.push(line),
    warn: (...line: unknown[]) => void logged.push(line),
  };
  const chain = { chainId: 'txledger-dev-1', addressPrefix: 'txlt' } as const;
  const client = createClient({
    baseUrl: server.baseUrl,
    token: TOKEN,
    chain,
    logger,
    attemptTimeoutMs: 100,
    environment: { random: () => 0 },
  });
  const signer = await signerFromSeed(SEED);
  const to: string = example('UnknownAccount').address;
  let signature = '';
  const answers: Answer[] = [
    'drop',
    'cut',
    'hang',
    problem('invalid_signature', { signBytes: 'x' }),
    problem('nonce_conflict', { txHash: 'AB'.repeat(32) }),
    problem('internal'),
    { status: 502, body: '<html>' },
    { status: 200, body: 'x' },
  ];
  for (const answer of answers) {
    server.script(answer);
    const send = sendTransfer(client, {
      signer,
      to,
      amount: 1n,
      nonce: 0,
      timeoutMs: 300,
      onSigned: (signed) => void (signature = signed.input.signature),
    });
    await send.then(
      () => expect('resolved').toBe('rejected'),
      (error: unknown) => logged.push(error),
    );
    logged.push(
      await getTransaction(client, { txHash: 'AB'.repeat(32), timeoutMs: 300 }).catch((error: unknown) => error),
    );
    logged.push(
      await waitForTransaction(client, { txHash: 'AB'.repeat(32), timeoutMs: 300 }).catch((error: unknown) => error),
    );
  }
  server.script(({ body }) => {
    const { nonce: _n, signature: _s, ...transfer } = JSON.parse(body);
    return { status: 202, body: { ...transfer, status: 'pending', firstSeenAt: '2026-11-21T09:30:01.250Z' } };
  });
  logged.push((await sendTransfer(client, { signer, to, amount: 1n, nonce: 1 })).transaction);
  server.script('drop');
  const nobody = createClient({ baseUrl: server.baseUrl, token: `${TOKEN}\r\n`, chain, logger });
  logged.push(
    await submitTransaction(nobody, { signed: { txHash: 'AB'.repeat(32), input: example('SimpleTransfer') } }).catch(
      (error: unknown) => error,
    ),
  );
  const everything = inspect([logged, client, signer], {
    depth: 20,
    showHidden: true,
    maxArrayLength: null,
    maxStringLength: null,
    breakLength: Infinity,
  });
  expect(logged.length).toBeGreaterThan(50);
  expect(everything).toContain('/transactions');
  for (const secret of [TOKEN, TOKEN.slice(-32), signature, SEED]) expect(everything).not.toContain(secret);
  expect(signature).toHaveLength(128);
});

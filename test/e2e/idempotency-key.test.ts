import { expect, test } from '@jest/globals';
import { withOwnChain } from './support/development.ts';
import type { Answer } from './support/server.ts';

/** A partner whose HTTP stack sends an Idempotency-Key, and repeats what it sent, while the server is killed. */

const chain = withOwnChain({ BLOCK_INTERVAL_MS: '50', LOG_LEVEL: 'warn' });
const ROUNDS = 4;
/** Other transfers that race for the key of each round. */
const RACERS = 5;

test('of transfers that race for one key exactly one is taken, and a server that is killed meanwhile still knows which', async () => {
  const { server } = chain();
  let nonce = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const header = { 'idempotency-key': `"payment ${round}"` };
    const first = nonce;
    const wanted = Array.from({ length: RACERS }, (_, i) => chain().signed(0, 1, BigInt(i + 1), first + i));
    const racing = wanted.map((body) =>
      chain()
        .submit(body, header)
        .catch(() => undefined),
    );
    // As soon as one is acknowledged; in every second round while all are under way.
    if (round % 2 === 0) await Promise.race(racing);
    await server.stop('SIGKILL');
    const heard = await Promise.all(racing);
    await server.start();

    const repeated = [];
    for (const body of wanted) repeated.push(await chain().submit(body, header));
    const paid = repeated.filter(({ status }) => status === 200 || status === 202);
    expect(paid).toHaveLength(1);
    const { txHash } = (paid[0] as Answer).body;
    for (const other of repeated.filter((answer) => answer !== paid[0]))
      expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused', txHash } });
    for (const before of heard) if (before !== undefined) expect(before.body.txHash).toBe(txHash);

    const replayed = await chain().submit(wanted.find((body) => body.txHash === txHash) as object, header);
    expect(replayed.status).toBe(200);
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    // What lost the race is not used up: without the key it is taken like any other.
    for (const body of wanted) if (body.txHash !== txHash) await chain().submit(body);
    nonce = await chain().nextNonce(chain().account(0).address);
    expect(nonce).toBe(first + RACERS);
  }
  expect((await chain().list()).length).toBe(ROUNDS * RACERS);
});
